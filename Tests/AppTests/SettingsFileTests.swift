import Foundation
import Messages
import Testing

@testable import App

struct SettingsFileTests {
  /// A settings file in a folder of its own, which goes with it.
  final class Folder {
    let url: URL
    init() throws {
      url = FileManager.default.temporaryDirectory.appending(path: "reddot-settings-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    var path: String { url.appending(path: "config.toml").path }
    var file: SettingsFile { SettingsFile(path: path, home: "/home/ada") }
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
  }

  static let kept = """
    # my feeds, do not sort
    language = "en"   # for now

    [[source]]
    name = "a"   # the first
    url = "https://a.example/"

    # below: work
    [[source]]
    name = "b"
    kind = "native"
    url = "https://b.example/"
    [source.types]
    1 = "others"

    # the end
    """

  @Test func addingKeepsEveryByteThatStoodThere() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    let text = try folder.text()
    #expect(text.hasPrefix(Self.kept))
    #expect(try folder.file.load().sources.map(\.name) == ["a", "b", "c"])
  }

  @Test func addingToNoFileMakesOneThatOthersCannotRead() throws {
    let folder = try Folder()
    try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
  }

  @Test func whatCouldNotBeReadAgainIsNotWritten() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    #expect(throws: SettingsMistakes.self) {
      try folder.file.append(sources: [["name = \"a\"", "url = \"https://c.example/\""]])
    }
    #expect(try folder.text() == Self.kept)
  }

  @Test func removingTakesTheSourceWithItsSubTablesAndNothingElse() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    #expect(try folder.file.removeSource(named: "b"))
    let text = try folder.text()
    #expect(text.contains("# below: work"))
    #expect(text.contains("# the end"))
    #expect(!text.contains("types"))
    #expect(try folder.file.load().sources.map(\.name) == ["a"])
    #expect(try !folder.file.removeSource(named: "b"))
  }

  @Test func aLinkToAFileKeptElsewhereStaysALink() throws {
    let folder = try Folder()
    let real = folder.url.appending(path: "dotfiles.toml").path
    try Data(Self.kept.utf8).write(to: URL(fileURLWithPath: real))
    try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: real)
    try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path) == real)
    #expect(try String(contentsOfFile: real, encoding: .utf8).contains("c.example"))
  }

  @Test func quotedTextSurvivesTOML() throws {
    let folder = try Folder()
    let name = "a \"quoted\" \\ name 消息"
    try folder.file.append(sources: [
      [
        "name = \(TOMLText.quoted(name))", "url = \"https://c.example/\"",
      ]
    ])
    #expect(try folder.file.load().sources.map(\.name) == [name])
  }
}
