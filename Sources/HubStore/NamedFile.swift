package import Foundation

/// A file that the settings or an argument names; `-` is standard input.
package struct NamedFile {
  package let path: String

  package struct Failure: Error {
    /// The operating system's text.
    package let reason: String
  }

  package init(path: String) { self.path = path }

  /// What an error calls it.
  package var name: String { path == "-" ? "standard input" : path }

  /// Its bytes; of a longer file one more than the limit.
  package func bytes(atMost limit: Int) throws(Failure) -> Data {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
    defer { if path != "-" { close(descriptor) } }
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= limit {
      let count = read(descriptor, &buffer, min(buffer.count, limit + 1 - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    return bytes
  }
}
