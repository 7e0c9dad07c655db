import Foundation

/// Serves one hostile document and one normal feed on loopback, from files.
final class HostileServer: Sendable {
  static let honest = """
    <rss version="2.0"><channel><title>Honest</title><item><guid>1</guid><title>still here</title></item></channel></rss>
    """

  let port: Int
  private let listener: Int32
  private let document: String
  private let headers: [String]

  init(document: String, headers: [String]) throws {
    self.document = document
    self.headers = headers
    signal(SIGPIPE, SIG_IGN)
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard isOpen else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        guard let self else {
          close(connection)
          return
        }
        Thread.detachNewThread {
          self.serve(connection)
          close(connection)
        }
      }
    }
  }

  /// Ends the thread that accepts.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func serve(_ connection: Int32) {
    var request: [UInt8] = []
    while request.suffix(4) != [13, 10, 13, 10] {
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &piece, piece.count, 0)
      guard count > 0, request.count < 1 << 16 else { return }
      request += piece.prefix(count)
    }
    let isHonest = String(decoding: request.prefix(64), as: UTF8.self).contains(" /honest")
    if isHonest {
      _ = write(Array((head(Self.honest.utf8.count, []) + Self.honest).utf8), to: connection)
      return
    }
    guard let file = FileHandle(forReadingAtPath: document), let size = try? file.seekToEnd(),
      (try? file.seek(toOffset: 0)) != nil, write(Array(head(Int(size), headers).utf8), to: connection)
    else { return }
    while let piece = try? file.read(upToCount: 1 << 18), !piece.isEmpty {
      guard write([UInt8](piece), to: connection) else { return }
    }
  }

  private func head(_ length: Int, _ more: [String]) -> String {
    let lines = ["HTTP/1.1 200 OK", "Content-Length: \(length)", "Connection: close"] + more
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// - Returns: false when the other side is gone.
  private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(connection, $0.baseAddress?.advanced(by: sent), bytes.count - sent, 0)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
