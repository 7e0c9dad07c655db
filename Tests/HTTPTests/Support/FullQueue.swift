import Foundation

/// A listening socket whose queue is full: further connections are neither accepted nor refused.
final class FullQueue {
  struct Unavailable: Error {}

  let port: Int
  private var sockets: [Int32] = []

  init() throws {
    let stream = Int32(SOCK_STREAM.rawValue)
    let listener = socket(AF_INET, stream, 0)
    sockets = [listener]
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw Unavailable() }
    port = Int(UInt16(bigEndian: address.sin_port))
    for _ in 0..<4 {
      let client = socket(AF_INET, stream | Int32(SOCK_NONBLOCK.rawValue), 0)
      sockets.append(client)
      withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
      }
    }
  }

  func close() {
    for socket in sockets { _ = Foundation.close(socket) }
    sockets = []
  }
}
