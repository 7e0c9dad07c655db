import Foundation

/// A new folder for files that are passed to another program or end with this process. Only its owner can enter it, and
/// its name cannot be guessed and used before (mkdtemp(3)).
package struct TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter name: the beginning of its name.
  /// - Throws: `POSIXError`
  package init(_ name: String) throws {
    var template = Array(
      FileManager.default.temporaryDirectory.appending(path: "\(name)-XXXXXX").path.utf8CString)
    guard let made = mkdtemp(&template) else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    path = String(cString: made)
  }
}
