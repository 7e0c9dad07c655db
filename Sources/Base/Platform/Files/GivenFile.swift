import Basics
package import Foundation

/// A file argument of a command, or standard input.
package enum GivenFile {
  /// The reason why the file cannot be used, with its name as given.
  package struct Failure: Error, Hashable {
    package var name: String
    package var reason: String

    package init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }

    package var sentence: String { "\(name): \(reason)" }
  }

  /// Reads the whole file or standard input.
  ///
  /// - Parameter path: `-` reads standard input. A FIFO (`<(…)` of a shell) is read to its end.
  package static func read(_ path: String, limit: Int = Limits.givenFileBytes) throws(Failure) -> Data {
    do {
      let handle =
        try path == "-"
        ? FileHandle.standardInput : FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      // A read from a pipe returns only the bytes that are available at the moment.
      var bytes = Data()
      while bytes.count <= limit, let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
        bytes.append(part)
      }
      if bytes.count <= limit { return bytes }
    } catch {
      throw Failure(name: name(of: path), reason: SystemReason.words(error))
    }
    throw Failure(name: name(of: path), reason: "is larger than \(limit >> 20) MiB")
  }

  /// Returns the file's name for messages.
  package static func name(of path: String) -> String { path == "-" ? "standard input" : path }
}
