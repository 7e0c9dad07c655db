import Foundation
import Testing

/// The arrows between targets, as the architecture page draws them, held against every `import`.
struct LayeringTests {
  /// Modules of the toolchain that any target may use.
  static let everywhere: Set<String> = ["Foundation", "Glibc", "Darwin", "Dispatch", "Synchronization"]

  /// What each target may import beyond `everywhere`.
  static let arrows: [String: Set<String>] = [
    "Limits": [],
    "Messages": [],
    "Screen": [],
    "HTML": ["CXML2", "Limits"],
    "Programs": ["Limits", "Subprocess", "SystemPackage"],
    "Formats": ["CXML2", "HTML", "Limits"],
    "Markup": ["CXML2", "HTML", "Limits", "Screen"],
    "Transport": [
      "CBrotli", "CZlib", "CZstd", "Limits",
      "AsyncHTTPClient", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOHTTP2", "NIOSSL", "NIOHTTPCompression",
      "NIOConcurrencyHelpers", "Logging",
    ],
    "Services": ["Formats", "Limits", "Transport", "Messages"],
    "Storage": ["Limits", "Messages", "GRDB", "GRDBSQLite"],
    "Polling": ["Messages"],
    "Schedules": ["Messages"],
    "Banners": ["Formats", "Limits", "Markup", "Programs", "Screen", "Transport", "CDuktape"],
    "Interface": ["Screen", "Markup", "Messages"],
    "Terminal": ["Screen", "CNcurses"],
    "App": [
      "Interface", "Screen", "Markup", "Polling", "Services", "Transport", "Formats", "Schedules", "Banners",
      "Storage", "Messages", "Limits", "Programs", "TOMLKit", "Logging",
    ],
    "FeedServer": [
      "Messages", "Formats", "Hummingbird", "HTTPTypes", "Logging", "NIOCore", "ServiceLifecycle",
    ],
    "reddot": [
      "App", "Terminal", "FeedServer", "Interface", "Limits", "Messages", "Programs", "Screen",
      "ArgumentParser",
      "Logging",
    ],
    // Measures the program through its own parts.
    "Benchmarks": [
      "Storage", "Messages", "Formats", "Schedules", "Banners", "App", "FeedServer", "TerminalHarness",
    ],
  ]

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func sources(of target: String) throws -> [URL] {
    let folder = root.appending(path: "Sources/\(target)")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
  }

  @Test(arguments: arrows.keys.sorted())
  func everyImportFollowsTheArrows(target: String) throws {
    guard FileManager.default.fileExists(atPath: Self.root.appending(path: "Sources/\(target)").path) else {
      return  // A target that is drawn but not built yet has no imports.
    }
    let allowed = Self.everywhere.union(try #require(Self.arrows[target]))
    for file in try Self.sources(of: target) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        guard let module = Self.importedModule(String(line)) else { continue }
        #expect(allowed.contains(module), "\(file.lastPathComponent): \(target) may not import \(module)")
      }
    }
  }

  @Test func everyTargetIsDrawn() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Sources").path)
    for folder in folders
    where !["CNcurses", "CXML2", "CDuktape", "CZlib", "CBrotli", "CZstd"].contains(folder) {
      #expect(Self.arrows[folder] != nil, "\(folder) stands in no row of the table")
    }
  }

  static func importedModule(_ line: String) -> String? {
    var words = line.split(separator: " ").map(String.init)
    while let first = words.first,
      first.hasPrefix("@") || ["package", "public", "internal", "private", "fileprivate"].contains(first)
    {
      words.removeFirst()
    }
    guard words.first == "import", words.count >= 2 else { return nil }
    let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
    let module = kinds.contains(words[1]) && words.count >= 3 ? words[2] : words[1]
    return module.split(separator: ".").first.map(String.init)
  }
}
