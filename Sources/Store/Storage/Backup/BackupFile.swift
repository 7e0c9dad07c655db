import Basics
package import Foundation

/// A file in a backup, besides the database.
package struct BackupFile: Hashable, Sendable {
  /// The path relative to the backup, with `/` between its parts, for example `home/bin/checks`.
  package let name: String
  /// The permissions, 0 to 0o777.
  package let mode: Int
  package let bytes: Data

  package init(name: String, mode: Int, bytes: Data) {
    self.name = name
    self.mode = mode
    self.bytes = bytes
  }

  /// Whether a name stays below the folder to which it is extracted.
  static func isSafe(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= Int(PATH_MAX),
      !name.unicodeScalars.contains(where: { $0.value < 32 })
    else { return false }
    return name.split(onBytes: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !["", ".", ".."].contains(part)
    }
  }
}
