import Foundation
import Testing

/// Compares the architecture page's drawing with the package, the folders and every `import`.
struct LayeringTests {
  /// Modules of the toolchain that any target may use.
  static let everywhere: Set<String> = [
    "Foundation", "Glibc", "Dispatch", "Synchronization", "_Concurrency",
  ]

  /// The modules of a product whose names differ from the product's.
  static let modules: [String: Set<String>] = [
    "GRDB": ["GRDBSQLite"],
    "Hummingbird": [
      "HTTPTypes", "HummingbirdCore", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "ServiceLifecycle",
      "UnixSignals",
    ],
  ]

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  static func drawing() throws -> Drawing {
    try Drawing(try text("Sources/Programs/reddot/Documentation.docc/Architecture.md"))
  }

  /// The folders under Sources, in the order of the drawing: a target belongs to one of them.
  static let floors = ["Programs", "Inbox", "Features", "Hub", "Store", "Documents", "Base", "Libraries"]

  static func manifest() throws -> Manifest { try Manifest(try text("Package.swift")) }

  /// Returns the name of the target to which a file belongs, and its folder, from Sources on.
  static func home(of path: String, _ folders: [String: String]) -> (target: String, folder: String)? {
    folders.first { path.hasPrefix($0.value + "/") }.map { ($0.key, $0.value) }
  }

  /// A file that a script creates there would be committed.
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
    let package = try Self.manifest()
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
    let package = try Self.manifest()
    #expect(
      drawing.names.subtracting(package.elsewhere) == Set(package.dependencies.keys).union(package.libraries))
    // Each has its line in the table below the drawing, with its floor.
    let page = try Self.text("Sources/Programs/reddot/Documentation.docc/Architecture.md")
    for target in package.dependencies.keys {
      let floor = try #require(package.folders[target]?.split(separator: "/").first)
      #expect(page.contains("\n| `\(target)` | \(floor) | "), "\(target) stands in no row of the table")
    }
    let sources = Self.root.appending(path: "Sources")
    let names = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter {
      !$0.hasPrefix(".")
    }
    #expect(Set(names) == Set(Self.floors))
    // Every file is in the folder of one target.
    let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap {
      $0 as? String
    }
    #expect(Set(package.folders.keys) == Set(package.dependencies.keys).union(package.libraries))
    for path in files where path.hasSuffix(".swift") || path.hasSuffix(".h") {
      #expect(package.folders.values.count { path.hasPrefix($0 + "/") } == 1, "\(path)")
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

  /// A floor uses itself and those below; the hub is apart from the inbox and the features.
  @Test func floorsPointOnlyDownwards() throws {
    let package = try Self.manifest()
    func floor(_ target: String) -> String? {
      package.folders[target]?.split(separator: "/").first.map { String($0) }
    }
    let below: [String: Set<String>] = [
      "Programs": Set(Self.floors),
      "Inbox": ["Inbox", "Features", "Store", "Documents", "Base", "Libraries"],
      "Features": ["Features", "Store", "Documents", "Base", "Libraries"],
      "Hub": ["Hub", "Store", "Documents", "Base", "Libraries"], "Store": ["Store", "Base", "Libraries"],
      "Documents": ["Documents", "Base", "Libraries"], "Base": ["Base", "Libraries"],
      "Libraries": ["Libraries"],
    ]
    for (target, dependencies) in package.dependencies {
      let own = try #require(floor(target))
      for other in dependencies.compactMap(floor) {
        #expect(below[own, default: []].contains(other), "\(target) of \(own) uses \(other)")
      }
    }
  }

  /// The terminal's program would start and build more slowly with code of the hub.
  @Test func theTerminalProgramHasNothingOfTheHub() throws {
    let arrows = try Self.drawing().arrows
    var reached: Set<String> = []
    var next = ["reddot"]
    while let name = next.popLast() {
      if reached.insert(name).inserted { next += arrows[name, default: []] }
    }
    #expect(reached.contains("Session") && reached.contains("Basics"))
    #expect(reached.filter { $0.hasPrefix("Hub") || $0 == "Hummingbird" } == [])
    let package = try Self.manifest()
    #expect(Set(arrows.keys.filter { $0.hasPrefix("Hub") }).isSubset(of: package.dependencies.keys))
  }

  /// The hub and reddot are released together.
  @Test func theHubHasReddotsVersion() throws {
    func version(_ path: String) throws -> String? {
      try Self.text(path).firstMatch(of: #/static let version = "([0-9.]+)"/#).map { String($0.1) }
    }
    let reddot = try #require(try version("Sources/Programs/reddot/Composition.swift"))
    #expect(try version("Sources/Programs/HubProgram/HubProgram.swift") == reddot)
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
    for (target, path) in try Self.manifest().folders.sorted(by: { $0.key < $1.key }) {
      let drawn = drawing.arrows[target] ?? []
      let allowed = drawn.reduce(into: Self.everywhere.union(drawn)) { $0.formUnion(Self.modules[$1] ?? []) }
      let folder = Self.root.appending(path: "Sources/\(path)")
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

  /// The sources of the targets, without Benchmarks, which measures limits and has none.
  private static func sources() throws -> [(target: String, file: String, text: String)] {
    let folder = root.appending(path: "Sources")
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
    let homes = try manifest().folders
    return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.compactMap { path in
      guard let home = home(of: path, homes), home.target != "Benchmarks" else { return nil }
      // The file as its folder in the target has it: `Limits/Shared.swift`.
      return (home.target, String(path.dropFirst(home.folder.count + 1)), try text("Sources/\(path)"))
    }
  }

  @Test func limitsAreDeclaredInFilesOfTheirName() throws {
    let constant = #/static let \w*[lL]imit\b.* = /#
    let sources = try Self.sources()
    for (target, path, text) in sources where path != "Limits.swift" {
      if target == "Basics" && path.hasPrefix("Limits/") { continue }
      let file = path.split(separator: "/").last ?? ""
      if text.contains("extension Limits") {
        Issue.record("\(target)/\(file): limits belong into Limits.swift of \(target)")
      }
      for line in text.split(separator: "\n") where line.contains(constant) {
        // Limits of published formats are not our choice.
        if line.contains("izeLimit = ") && file == "APNsPayload.swift" { continue }
        if line.contains("limit: Int64 = 1 << 62") && file == "Act.swift" { continue }
        // Threads for our own work.
        if file == "WorkThreads.swift" { continue }
        Issue.record("\(target)/\(file): \(line) belongs into Limits.swift of \(target)")
      }
    }
    #expect(sources.count > 300)
    #expect(sources.count { $0.file == "Limits.swift" } > 15)
  }

  /// A number in Base/Basics/Limits rebuilds everything when it changes, so that a limit with one user is in that
  /// target.
  @Test func sharedLimitsHaveSeveralUsers() throws {
    var declared: Set<String> = []
    var users: [String: Set<String>] = [:]
    for (target, path, text) in try Self.sources() where text.contains("Limits") {
      let code = Self.code(text)
      if target == "Basics" && path.hasPrefix("Limits/") { declared.formUnion(Self.declaredLimits(in: code)) }
      for name in Self.usedLimits(in: code) { users[name, default: []].insert(target) }
      // The values of other limits need no name in front.
      guard code.contains("extension Limits") || code.contains("enum Limits") else { continue }
      for line in code.split(separator: "\n") where line.contains("static let ") {
        for word in line.drop(while: { $0 != "=" }).matches(of: #/\b[a-z]\w*/#) {
          users[String(word.output), default: []].insert(target)
        }
      }
    }
    #expect(declared.count > 20)
    for name in declared.sorted() {
      let targets = users[name, default: []]
      // Limits of the allowance have their only user here.
      #expect(targets.count > 1 || targets == ["Basics"], "\(name) is used by \(targets.sorted()) alone")
    }
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

  @Test func usesOfLimitsAreRead() {
    let code = Self.code(
      """
      extension Limits {
        /// Four times `Limits.bytes`.
        package static let size = 4 * bytes  // Not Limits.rows.
        static func most(of bytes: Int) -> Int { bytes }
      }
      let spans = 1...Limits.spans + PollSchedule.Limits.own
      let text = "// \\(Limits.text)" + Limits
        .next
      """)
    #expect(Self.usedLimits(in: code) == ["spans", "text", "next"])
    #expect(Self.declaredLimits(in: code) == ["size", "most"])
    #expect(!code.contains("As many"))
  }

  /// Returns code without comments. `//` inside a string literal begins none.
  private static func code(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      guard let comment = line.firstRange(of: "//") else { return line }
      let before = line[..<comment.lowerBound]
      let isText = !before.count { $0 == "\"" }.isMultiple(of: 2)
      return isText || before.last?.isWhitespace == false ? line : before
    }.joined(separator: "\n")
  }

  private static func declaredLimits(in code: String) -> Set<String> {
    Set(code.matches(of: #/\bstatic (?:let|func) (\w+)/#).map { String($0.1) })
  }

  private static func usedLimits(in code: String) -> Set<String> {
    let parts = code.components(separatedBy: "Limits")
    var names: Set<String> = []
    for (before, after) in zip(parts, parts.dropFirst()) {
      let isPartOfAName = before.last.map { $0.isLetter || $0 == "_" } ?? false
      // PollSchedule has a separate type for limits.
      let isNested = before.last == "." && before.dropLast().last?.isLetter == true
      let member = after.drop(while: \.isWhitespace)
      guard !isPartOfAName, !isNested, member.first == "." else { continue }
      names.insert(String(member.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
    }
    return names
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
