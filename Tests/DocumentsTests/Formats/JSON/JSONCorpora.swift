import Foundation

/// Published cases next to the checkout, or in `REDDOT_CORPORA`; nil if neither exists.
enum JSONCorpora {
  static func folder(_ path: String) -> URL? {
    let root: URL
    if let named = ProcessInfo.processInfo.environment["REDDOT_CORPORA"], !named.isEmpty {
      root = URL(filePath: named)
    } else {
      // Tests/FormatsTests/JSON/JSONCorpora.swift is four levels below the package.
      var package = URL(filePath: #filePath)
      for _ in 0..<4 { package.deleteLastPathComponent() }
      root = package.appending(path: "../shared/data").standardized
    }
    let folder = root.appending(path: path)
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }
}
