package import Formats
package import Foundation
import Limits

/// A file that a command was given, or standard input.
package enum GivenFile {
  /// Why it cannot be used, with the name it was given by.
  package struct Failure: UserFacingError, Hashable {
    package var name: String
    package var reason: String

    package init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }

    /// `name:line:column: reason`, as compilers write it so that editors can jump there.
    package init(name: String, _ failure: JSONFailure) {
      self.init(name: "\(name):\(failure.line):\(failure.column)", reason: "\(failure.reason)")
    }

    package var sentence: String { "\(name): \(reason)" }
  }

  /// - Parameter path: `-` reads standard input; a FIFO (`<(…)` of a shell) is read to its end.
  package static func read(_ path: String, limit: Int = Limits.givenFileBytes) throws(Failure) -> Data {
    do {
      let handle =
        try path == "-"
        ? FileHandle.standardInput : FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      // A pipe answers with what it holds at the moment.
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

  /// How sentences call it.
  package static func name(of path: String) -> String { path == "-" ? "standard input" : path }
}
