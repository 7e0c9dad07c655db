import Foundation
import Testing

/// The folders of a target use each other in one direction: they are one target, so the compiler doesn't enforce it.
struct FoldersTests {
  /// The folders of the same target whose types each folder of a target may use; "" are the files outside of these
  /// folders. A folder that is not named may use all.
  private static let arrows: [String: [String: Set<String>]] = [
    "Base/Basics": [
      "Limits": [], "Text": [], "Digests": ["Limits"], "Compression": ["Limits"],
      "Dates": ["Limits", "Text", "Digests"],
    ],
    "Base/Platform": [
      "": [], "Files": [""], "Threads": [""], "Processes": ["", "Files", "Threads"],
      "Environment": ["", "Files", "Processes"],
    ],
    "Documents/Formats": ["HTML": [""]],
    "Store/Queries": ["": [], "Rules": [""], "Notices": [""]],
    "Store/Sync": ["": [], "Objects": [""], "Places": ["", "Objects"]],
    "Store/PostgreSQL": ["": [], "Connection": [""], "Place": ["", "Connection"]],
    "Features/Banners": ["": [], "Scripts": [""], "Stage": ["", "Scripts"]],
    "Features/Subscriptions": [
      "Inspection": [], "": ["Inspection"], "Newsboat": ["", "Inspection"], "Offers": ["", "Newsboat"],
    ],
    "Features/Words": [
      "Commands": [], "Sentences": ["Commands"], "Look": ["Commands", "Sentences"],
      "Languages": ["Commands", "Sentences"], "": [],
    ],
    "Features/Profile": [
      "Programs": [""], "Printing": ["", "Programs"], "Sync": ["", "Printing", "Programs"],
    ],
    "Features/Notifications": [
      "Bus": [], "": ["Bus"], "Delivery": ["", "Bus", "Desktop", "Phone"], "Arrival": ["", "Delivery"],
    ],
    "Features/Polling": [
      "Schedule": [], "Poller": ["Schedule"], "Articles": [], "Schedules": [""], "Calendars": [""],
      "WriteBack": ["", "Schedule"],
      "Fetching": ["", "Articles", "Calendars", "Poller", "Schedule", "Schedules", "WriteBack"],
    ],
    // Each of its other folders is a feature, whose files are divided among these three: see `layer`.
    "Inbox/Interface": ["": [], "State": [""], "Update": ["", "State"], "Render": ["", "State"]],
    "Inbox/Session": ["Pictures": [], "": ["Pictures"], "Demo": ["", "Pictures"]],
    "Hub": [
      "": [], "Items": [""], "Webhooks": ["", "Items"], "Store": ["", "Items"],
      "SQLite": ["", "Items", "Store"], "Server": ["", "Items", "Store", "Webhooks"],
      // A store can be copied from a file.
      "PostgreSQL": ["", "Items", "Store", "SQLite"],
    ],
  ]

  /// The only folders that may import a module, within the targets that may.
  private static let importers: [String: [String]] = [
    "GRDB": ["Store/Storage/", "Hub/SQLite/"],
    "PostgreSQL": ["Hub/PostgreSQL/", "Programs/PostgreSQLProgram/"],
    "Hummingbird": ["Hub/Server/"], "HummingbirdTLS": ["Hub/Server/"],
    "HTTPTypes": ["Hub/Server/"], "NIOCore": ["Hub/Server/", "Programs/HubProgram/"],
    "NIOSSL": ["Hub/Server/"],
    "Platform": [
      "Base/HTTP/", "Store/Storage/", "Store/Sync/Places/", "Store/PostgreSQL/", "Features/",
      "Inbox/Session/",
      "Inbox/Terminal/", "Hub/Server/", "Hub/PostgreSQL/", "Programs/",
    ],
    "Interface": ["Inbox/", "Programs/reddot/"],
  ]

  private struct File {
    let name: String
    let folder: String
    /// The code without comments and string literals.
    let code: String
  }

  /// - Parameter target: its folder, from Sources on.
  private static func files(of target: String) throws -> [File] {
    let root = LayeringTests.root.appending(path: "Sources/\(target)")
    let found = try #require(FileManager.default.enumerator(atPath: root.path))
    return try found.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { path in
      let code = try LayeringTests.text("Sources/\(target)/\(path)")
        .replacing(/\/\/[^\n]*/, with: "").replacing(/"(\\.|[^"\\\n])*"/, with: "\"\"")
      let parts = path.split(separator: "/").map(String.init)
      let folder = parts.count > 1 ? parts[0] : ""
      let name = parts[parts.count - 1]
      let isOfFeature = target == "Inbox/Interface" && arrows[target]?[folder] == nil
      return File(name: name, folder: isOfFeature ? layer(of: name) : folder, code: code)
    }
  }

  /// A feature of the interface has its state, its reducer with its actions and effects, and its drawing in one folder.
  private static func layer(of name: String) -> String {
    if name.hasPrefix("Drawing+") { return "Render" }
    return name.contains("Feature") ? "Update" : "State"
  }

  /// Returns the types that begin at the start of a line, by which nested ones are reached.
  private static func types(in code: String) -> [String] {
    let declaration =
      #/(?m)^(?:package |private |fileprivate |final |indirect )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/#
    return code.matches(of: declaration).map { String($0.1) }
  }

  @Test(arguments: arrows.keys.sorted())
  func typesAreUsedInOneDirection(_ target: String) throws {
    let arrows = Self.arrows[target, default: [:]]
    let files = try Self.files(of: target)
    #expect(Set(arrows.keys).subtracting([""]).isSubset(of: files.map(\.folder)))
    var folders: [String: String] = [:]
    for file in files { for type in Self.types(in: file.code) { folders[type] = file.folder } }
    #expect(folders.count > 5)
    for file in files {
      guard let allowed = arrows[file.folder] else { continue }
      let names = Set(file.code.matches(of: #/\b[A-Z]\w+/#).map { String($0.output) })
      for name in names.sorted() {
        guard let folder = folders[name], folder != file.folder, !allowed.contains(folder) else { continue }
        Issue.record("\(file.folder)/\(file.name) uses \(name) of \(folder)")
      }
    }
  }

  /// An extension of the state in Update is out of Render's reach too.
  @Test func whatIsDrawnDoesNotComeFromUpdate() throws {
    let files = try Self.files(of: "Inbox/Interface")
    func members(of folder: String) -> Set<String> {
      Set(
        files.filter { $0.folder == folder }.flatMap { file in
          file.code.matches(
            of: #/(?m)^  (?:package )?(?:internal\(set\) )?(?:mutating )?(?:var|let|func) (\w+)/#
          )
          .map { String($0.1) }
        })
    }
    let ofUpdate = members(of: "Update").subtracting(members(of: "State"))
    #expect(ofUpdate.count > 50)
    for file in files where file.folder == "Render" {
      for use in file.code.matches(of: #/\bstate\.(\w+)/#) where ofUpdate.contains(String(use.1)) {
        Issue.record("\(file.name) uses \(use.output), which Update declares")
      }
    }
  }

  @Test(arguments: arrows.keys.sorted())
  func arrowsDoNotLeadBack(_ target: String) {
    let arrows = Self.arrows[target, default: [:]]
    var left = Set(arrows.keys)
    while let lowest = left.first(where: { arrows[$0, default: []].isDisjoint(with: left) }) {
      left.remove(lowest)
    }
    #expect(left == [])
  }

  @Test(arguments: importers.keys.sorted())
  func aModuleIsImportedByItsFoldersOnly(_ module: String) throws {
    let folders = Self.importers[module, default: []]
    let files = try #require(
      FileManager.default.enumerator(atPath: LayeringTests.root.appending(path: "Sources").path))
    var used: Set<String> = []
    for case let path as String in files where path.hasSuffix(".swift") {
      let lines = try LayeringTests.text("Sources/\(path)").split(separator: "\n")
      guard lines.contains(where: { LayeringTests.importedModule(String($0)) == module }) else { continue }
      let folder = folders.first { path.hasPrefix($0) }
      #expect(folder != nil, "\(path) may not import \(module)")
      if let folder { used.insert(folder) }
    }
    #expect(used == Set(folders))
  }
}
