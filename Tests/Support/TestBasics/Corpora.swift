package import Foundation

/// Published test cases, which are not part of the project. They are in the folder `REDDOT_CORPORA` or, if it is not
/// set, in `../shared/data`. Tests of missing ones are skipped.
package enum Corpora {
  private static let folder =
    ProcessInfo.processInfo.environment["REDDOT_CORPORA"].map { URL(filePath: $0) }
    ?? Project.folder.appending(path: "../shared/data").standardized

  /// Returns `nil` if the file or folder is not on this machine.
  package static func find(_ path: String) -> URL? {
    let url = folder.appending(path: path)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// The Big List of Naughty Strings, which often break programs.
  package static let naughtyStrings = find("strings/blns.json")

  /// Returns more than 500 strings, or none if the list is missing.
  package static func naughtyTexts() throws -> [String] {
    try naughtyStrings.map { try JSONDecoder().decode([String].self, from: Data(contentsOf: $0)) } ?? []
  }
}
