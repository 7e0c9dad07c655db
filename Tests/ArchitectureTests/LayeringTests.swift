import Foundation
import Testing

/// Compares the architecture page's drawing with the package, the folders and every `import`.
struct LayeringTests {
  /// Modules of the toolchain that any target may use.
  static let everywhere: Set<String> = [
    "Foundation", "Glibc", "Darwin", "Dispatch", "Synchronization", "_Concurrency",
  ]

  /// Modules that come with a product under names of their own.
  static let modules: [String: Set<String>] = [
    "GRDB": ["GRDBSQLite"],
    "Hummingbird": [
      "HTTPTypes", "HummingbirdCore", "NIOCore", "NIOHTTPTypes", "ServiceLifecycle", "UnixSignals",
    ],
  ]

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  static func drawing() throws -> Drawing {
    try Drawing(try text("Sources/reddot/Documentation.docc/Architecture.md"))
  }

  static func folders() throws -> Set<String> {
    Set(
      try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path).filter {
        !$0.hasPrefix(".")
      })
  }

  /// What a script left beside them would be committed with them.
  @Test func atTheTopAreOnlyTheProjectsFoldersAndPages() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.root.path)
    // Package.resolved is written by each build, and not committed.
    let known: Set = [
      "LICENSE", "Package.resolved", "Package.swift", "README.md", "Resources", "Sources", "Tests",
    ]
    #expect(names.filter { !$0.hasPrefix(".") && !known.contains($0) } == [])
    #expect(known.subtracting(names).subtracting(["Package.resolved"]) == [])
  }

  @Test func theDrawingIsThePackage() throws {
    let drawing = try Self.drawing()
    let package = try Manifest(try Self.text("Package.swift"))
    #expect(package.dependencies.count > 10)
    for (target, dependencies) in package.dependencies.sorted(by: { $0.key < $1.key }) {
      let drawn = drawing.arrows[target] ?? []
      #expect(
        drawn == dependencies,
        "\(target): only drawn \(drawn.subtracting(dependencies)), only in the package \(dependencies.subtracting(drawn))"
      )
    }
    for target in drawing.arrows.keys {
      #expect(package.dependencies[target] != nil, "\(target) is not a target")
    }
  }

  @Test func everyDrawnTargetHasAFolderAndEveryFolderIsDrawn() throws {
    let drawing = try Self.drawing()
    let package = try Manifest(try Self.text("Package.swift"))
    let folders = try Self.folders()
    #expect(folders.subtracting(drawing.names) == [])
    #expect(drawing.names.subtracting(package.elsewhere).subtracting(folders) == [])
    #expect(
      drawing.names.subtracting(package.elsewhere) == Set(package.dependencies.keys).union(package.libraries))
    // Each has its line in the table below the drawing.
    let page = try Self.text("Sources/reddot/Documentation.docc/Architecture.md")
    for target in package.dependencies.keys {
      #expect(page.contains("\n| `\(target)` | "), "\(target) stands in no row of the table")
    }
  }

  @Test func arrowsPointOnlyDownwards() throws {
    let arrows = try Self.drawing().arrows
    var left = Set(arrows.keys)
    while let bottom = left.first(where: { arrows[$0, default: []].isDisjoint(with: left) }) {
      left.remove(bottom)
    }
    #expect(left == [], "they lead back to themselves")
  }

  /// Its start and its build would cost more.
  @Test func theTerminalProgramHasNothingOfTheHub() throws {
    let arrows = try Self.drawing().arrows
    var reached: Set<String> = []
    var next = ["reddot"]
    while let name = next.popLast() {
      if reached.insert(name).inserted { next += arrows[name, default: []] }
    }
    #expect(reached.contains("Session") && reached.contains("Limits"))
    #expect(reached.filter { $0.hasPrefix("Hub") || $0 == "Hummingbird" } == [])
    let package = try Manifest(try Self.text("Package.swift"))
    #expect(Set(arrows.keys.filter { $0.hasPrefix("Hub") }).isSubset(of: package.dependencies.keys))
  }

  /// They are released together.
  @Test func theHubHasReddotsVersion() throws {
    func version(_ path: String) throws -> String? {
      try Self.text(path).firstMatch(of: #/static let version = "([0-9.]+)"/#).map { String($0.1) }
    }
    let reddot = try #require(try version("Sources/reddot/Composition.swift"))
    #expect(try version("Sources/HubProgram/HubProgram.swift") == reddot)
  }

  /// Swift 6.2 cannot build it: `TaskThreads` needs `ExecutorFactory`.
  @Test func theOldestSwiftIsTheSameEverywhere() throws {
    let version = #/swift-tools-version: ([0-9.]+)\n/#
    let needed = try #require(try Self.text("Package.swift").firstMatch(of: version)).1
    let site = "[Swift](https://www.swift.org/install/)"
    #expect(try Self.text("README.md").contains("\(site) \(needed) or\nlater"))
    #expect(try Self.text("Resources/install-packages").contains("reddot needs Swift \(needed) or later"))
  }

  @Test func everyImportFollowsTheArrows() throws {
    let drawing = try Self.drawing()
    var imports = 0
    for target in try Self.folders().sorted() {
      let drawn = drawing.arrows[target] ?? []
      let allowed = drawn.reduce(into: Self.everywhere.union(drawn)) { $0.formUnion(Self.modules[$1] ?? []) }
      let folder = Self.root.appending(path: "Sources/\(target)")
      let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        for line in text.split(separator: "\n") {
          guard let module = Self.importedModule(String(line)) else { continue }
          imports += 1
          #expect(allowed.contains(module), "\(file.lastPathComponent): \(target) may not import \(module)")
        }
      }
    }
    #expect(imports > 500)
  }

  @Test func limitsAreNamedInOnePlace() throws {
    let constant = #/static let \w*[lL]imit\b.* = /#
    let sources = Self.root.appending(path: "Sources")
    var files = 0
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    where file.pathExtension == "swift" && !file.path.contains("/Sources/Benchmarks/") {
      files += 1
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      for line in text.split(separator: "\n") where line.contains(constant) {
        // Limits of published formats are not our choice.
        if line.contains("izeLimit = ") && file.lastPathComponent == "APNsPayload.swift" { continue }
        if line.contains("limit: Int64 = 1 << 62") && file.lastPathComponent == "Act.swift" { continue }
        // Threads for our own work.
        if file.lastPathComponent == "WorkThreads.swift" { continue }
        Issue.record("\(file.lastPathComponent): \(line) belongs into Limits")
      }
    }
    #expect(files > 300)
  }

  @Test func noQueueUsesDispatchsPoolOfThreads() throws {
    // Once one does, the process wakes up once a second until it ends.
    let pool = #/(DispatchQueue|queue:)\s*\.global\(|attributes: *\[? *\.concurrent|concurrentPerform/#
    let sources = Self.root.appending(path: "Sources")
    var files = 0
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    where file.pathExtension == "swift" {
      files += 1
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      guard text.contains("queue") || text.contains("Dispatch") else { continue }
      for line in text.split(separator: "\n") where line.contains(pool) {
        Issue.record("\(file.lastPathComponent): \(line)")
      }
    }
    #expect(files > 300)
  }

  // MARK: The test's own parts

  @Test func aDrawingIsRead() throws {
    let drawing = try Drawing(
      """
      # A page
      ```
      top ─► Mid ─► Low, Lower      (words ─► here mean nothing)
       │      ├───► Side ──► Low
       │      └───► Low, Other
       └────► Last
      Low ─► Base
      ```
      """)
    #expect(
      drawing.arrows == [
        "top": ["Mid", "Last"], "Mid": ["Low", "Lower", "Side", "Other"], "Side": ["Low"], "Low": ["Base"],
      ])
    #expect(throws: Drawing.Unreadable.self) { try Drawing("no drawing") }
    #expect(throws: Drawing.Unreadable.self) { try Drawing("```\na ─► b\n          ├─► c\n```") }
  }

  static let imports: [(line: String, module: String?)] = [
    ("import Screen", "Screen"), ("package import Screen", "Screen"), ("@testable import Session", "Session"),
    ("internal import struct NIOCore.ByteBuffer", "NIOCore"), ("import Foundation.NSURL", "Foundation"),
    ("  @preconcurrency import Dispatch", "Dispatch"), ("// import Screen", nil), ("let important = 1", nil),
  ]

  @Test(arguments: imports)
  func anImportIsRead(_ line: String, module: String?) {
    #expect(Self.importedModule(line) == module)
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
