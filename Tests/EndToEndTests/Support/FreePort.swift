import Foundation

/// Returns a port of loopback that is free at the moment.
func freePort() throws -> UInt16 {
  let kind = Int32(SOCK_STREAM.rawValue)
  let descriptor = socket(AF_INET, kind, 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let code = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
    }
  }
  guard code == 0 else { throw HouseholdFailure("no port: errno \(errno)") }
  return UInt16(bigEndian: address.sin_port)
}
