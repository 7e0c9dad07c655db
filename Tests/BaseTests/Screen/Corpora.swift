import Foundation

/// Published cases, which are not part of the project: next to the checkout, or in REDDOT_CORPORA.
enum Corpora {
  static let strings: URL? = file("strings/blns.json")

  static func file(_ path: String) -> URL? {
    let folder =
      ProcessInfo.processInfo.environment["REDDOT_CORPORA"].map { URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../../shared/data")
    let file = folder.appendingPathComponent(path)
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }
}
