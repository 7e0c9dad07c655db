package import Foundation
import Glibc

/// A socket in the file system, on which one process waits. Other processes connect to the socket to wake that process.
/// When the process ends, the system closes their connections.
package final class WaitingSocket: Sendable {
  /// A descriptor that becomes readable when a process connects.
  package let descriptor: Int32
  private let folder: String
  private let name: String

  /// - Parameter name: the name of the socket's file, which must not exist. The folder must exist.
  package init(folder: String, name: String) throws(POSIXError) {
    (self.folder, self.name) = (folder, name)
    descriptor = try Self.make()
    let result = Self.withAddress(folder, name) { address, length in
      bind(descriptor, address, length) == 0 ? listen(descriptor, Self.backlog) : -1
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
  }

  /// Closes the socket and removes its file.
  deinit {
    unlink("\(folder)/\(name)")
    close(descriptor)
  }

  private static let backlog: Int32 = 64

  /// Returns the next connection, or `nil` if there is none. The caller must close it.
  package func accept() -> Int32? {
    let connection = Glibc.accept(descriptor, nil, nil)
    guard connection >= 0 else { return nil }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | O_NONBLOCK)
    return connection
  }

  // MARK: - From the other side

  package enum Answer: Hashable, Sendable {
    /// The process waits. The caller must close the connection, which becomes readable when the process ends.
    case waits(Int32)
    /// The process has ended.
    case gone
    /// Whether the process waits is unknown, since the system refused the connection.
    case unknown
  }

  /// Connects to a waiting process. This never blocks.
  package static func connect(folder: String, name: String) -> Answer {
    guard let descriptor = try? make() else { return .unknown }
    let (result, code) = withAddress(folder, name) { address, length in
      (Glibc.connect(descriptor, address, length), errno)
    }
    if result == 0 { return .waits(descriptor) }
    close(descriptor)
    return code == ECONNREFUSED || code == ENOENT ? .gone : .unknown
  }

  /// Wakes the process at the other end of a connection.
  package static func wake(_ connection: Int32) {
    var byte: UInt8 = 0
    _ = send(connection, &byte, 1, Int32(MSG_NOSIGNAL))
  }

  /// Creates a non-blocking Unix socket.
  private static func make() throws(POSIXError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return descriptor
  }

  /// Calls `body` with the address of a socket. The address has room for only 107 bytes, so it contains a descriptor of
  /// the folder instead of the folder's path.
  private static func withAddress<Value>(
    _ folder: String, _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if directory >= 0 { close(directory) } }
    // If the folder does not exist, the file does not exist either.
    let path = directory >= 0 ? "/proc/self/fd/\(directory)/\(name)" : "/proc/self/fd/-1/\(name)"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
