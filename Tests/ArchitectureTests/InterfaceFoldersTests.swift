import Foundation
import Testing

/// The folders of Interface use each other in one direction: they are one target, so the compiler doesn't hold it.
struct InterfaceFoldersTests {
  /// The folders whose types each may use besides its own; "" are the files beside the folders.
  private static let arrows: [String: Set<String>] = [
    "Commands": [],
    "Words": ["Commands"],
    "Look": ["Commands", "Words"],
    "State": ["Commands", "Words", "Look"],
    "": ["Commands", "Words", "Look", "State"],
    "Update": ["", "Commands", "Words", "Look", "State"],
    "Render": ["Commands", "Words", "Look", "State"],
  ]

  private struct File {
    let name: String
    let folder: String
    /// Without comments and texts.
    let code: String
  }

  private static func files() throws -> [File] {
    let root = LayeringTests.root.appending(path: "Sources/Interface")
    let found = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var files: [File] = []
    for case let url as URL in found where url.pathExtension == "swift" {
      let code = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        .replacing(/\/\/[^\n]*/, with: "").replacing(/"(\\.|[^"\\\n])*"/, with: "\"\"")
      let parent = url.deletingLastPathComponent()
      files.append(
        File(
          name: url.lastPathComponent,
          folder: parent.lastPathComponent == "Interface" ? "" : parent.lastPathComponent, code: code))
    }
    return files
  }

  /// The types that begin at the start of a line; nested ones are reached by those.
  private static func types(in code: String) -> [String] {
    let declaration =
      #/(?m)^(?:package |private |fileprivate |final |indirect )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/#
    return code.matches(of: declaration).map { String($0.1) }
  }

  @Test func typesAreUsedInOneDirection() throws {
    let files = try Self.files()
    #expect(Set(files.map(\.folder)) == Set(Self.arrows.keys))
    var folders: [String: String] = [:]
    for file in files { for type in Self.types(in: file.code) { folders[type] = file.folder } }
    #expect(folders.count > 100)
    for file in files {
      let allowed = Self.arrows[file.folder] ?? []
      let names = Set(file.code.matches(of: #/\b[A-Z]\w+/#).map { String($0.output) })
      for name in names.sorted() {
        guard let folder = folders[name], folder != file.folder, !allowed.contains(folder) else { continue }
        Issue.record("\(file.folder)/\(file.name) uses \(name) of \(folder)")
      }
    }
  }

  /// An extension of the state in Update is out of Render's reach too.
  @Test func whatIsDrawnDoesNotComeFromUpdate() throws {
    let files = try Self.files()
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

  @Test func arrowsDoNotLeadBack() {
    var left = Set(Self.arrows.keys)
    while let lowest = left.first(where: { Self.arrows[$0, default: []].isDisjoint(with: left) }) {
      left.remove(lowest)
    }
    #expect(left == [])
  }
}
