package import Foundation

/// Texts that break programs: published cases, which are not part of the project. They are next to the checkout, or in
/// REDDOT_CORPORA.
package enum NaughtyTexts {
  /// nil where they are not there.
  package static let file: URL? = {
    let folder =
      ProcessInfo.processInfo.environment["REDDOT_CORPORA"].map { URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../../shared/data")
    let file = folder.appendingPathComponent("strings/blns.json")
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }()

  /// More than 500 of them; none where there is no file.
  package static func all() throws -> [String] {
    try file.map { try JSONDecoder().decode([String].self, from: Data(contentsOf: $0)) } ?? []
  }
}
