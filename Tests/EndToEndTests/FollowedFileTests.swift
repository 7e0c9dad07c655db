import Foundation
import TerminalHarness
import Testing

/// `sources.toml`, which reddot writes itself, is damaged in the middle.
@Suite struct FollowedFileTests {
  private let household: Household
  private let file: String

  init() throws {
    household = try Household()
    for name in ["first", "second", "third"] {
      try household.write("\(name).xml", rss(name, [item(1, "Of the \(name)")]))
    }
    try household.settings(sources: [])
    file = (household.settingsFile as NSString).deletingLastPathComponent + "/sources.toml"
    try write(middle: #"title = "Number two""#)
  }

  private func table(_ name: String, more: String = "") -> Data {
    Data("[[source]]\nname = \"\(name)\"\nurl = \"file://\(household.home)/\(name).xml\"\n\(more)\n".utf8)
  }

  /// - Parameter middle: the last line of the second source.
  private func write(middle: String) throws { try write(middle: Data("\(middle)\n".utf8)) }

  private func write(middle: Data) throws {
    let comment = Data("# Sources that other machines follow.\n\n".utf8)
    try (comment + table("first") + table("second").dropLast() + middle + Data("\n".utf8) + table("third"))
      .write(
        to: URL(filePath: file))
  }

  static let damages: [(bytes: [UInt8], line: Int, problem: String)] = [
    (Array("title = \"B".utf8) + [0xFF] + Array("\"\n".utf8), 10, "is not UTF-8 text"),
    (Array("title = \"B".utf8) + [0] + Array("\"\n".utf8), 10, "a NUL byte"),
    (Array("title = \n".utf8), 10, "is not TOML"),
    (Array("tilte = \"B\"\n".utf8), 10, "tilte: is not a setting here"),
    (Array("[[source]\n".utf8), 10, "is not TOML"),
  ]

  @Test(arguments: damages)
  func theOthersWorkAndNothingIsLost(_ bytes: [UInt8], line: Int, problem: String) throws {
    #expect(try household.run("poll").exit == .status(0))
    try write(middle: Data(bytes))
    let damaged = try Data(contentsOf: URL(filePath: file))
    let warning = "reddot: \(file):\(line): \(problem)"

    let listed = try household.run("sources")
    #expect(listed.exit == .status(0))
    #expect(
      listed.errors.hasPrefix(warning) && listed.errors.filter { $0 == "\n" }.count == 1, "\(listed.errors)")
    // The source with the damaged line stays followed.
    let names = listed.output.split(separator: "\n").map { $0.split(separator: " ").prefix(3) }
    #expect(
      names.map { $0.joined(separator: " ") }.sorted() == ["● first 1/1", "● second 1/1", "● third 1/1"])
    #expect(try household.run("status").output == "● 3\n")
    #expect(try household.run("list").output.split(separator: "\n").count == 3)
    let checked = try household.run("check")
    #expect(checked.exit == .status(0) && checked.errors.hasPrefix(warning), "\(checked.errors)")
    let exported = try household.run("export")
    #expect(exported.exit == .status(0) && exported.errors.hasPrefix(warning), "\(exported.errors)")

    try household.write("third.xml", rss("third", [item(2, "Later"), item(1, "Of the third")]))
    let polled = try household.run("poll", "--force", "third")
    #expect(polled.output.hasPrefix("third: 1 new\n"), "\(polled.output)\(polled.errors)")

    // Changes by reddot keep the damaged lines.
    #expect(try household.run("rename", "third", "last").exit == .status(0))
    let renamed = try Data(contentsOf: URL(filePath: file))
    #expect(renamed.firstRange(of: Data(bytes)) != nil)
    #expect(renamed.firstRange(of: Data("name = \"last\"".utf8)) != nil)
    #expect(try household.run("remove", "first").exit == .status(0))
    #expect(try Data(contentsOf: URL(filePath: file)).firstRange(of: Data(bytes)) != nil)
    #expect(try household.run("undo").exit == .status(0))
    #expect(try household.run("rename", "last", "third").exit == .status(0))
    #expect(try Data(contentsOf: URL(filePath: file)) == damaged)

    // After a repair, the source is complete again.
    try write(middle: #"title = "Number two""#)
    let repaired = try household.run("export")
    #expect(repaired.errors == "" && repaired.output.contains("text=\"Number two\""), "\(repaired.output)")
  }

  @Test(arguments: ["folder", "pipe", "loop"])
  func whatIsNoFileIsNamedAndTheSourcesStay(_ kind: String) throws {
    #expect(try household.run("poll").exit == .status(0))
    unlink(file)
    switch kind {
    case "folder": try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    case "pipe": #expect(mkfifo(file, 0o600) == 0)
    case _: try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "sources.toml")
    }
    #expect(try household.run("status").output == "● 3\n")
    #expect(try household.run("push", "Own").exit == .status(0))
    let listed = try household.run("sources")
    #expect(listed.exit == .status(0) && listed.output.split(separator: "\n").count == 4, "\(listed.output)")
    #expect(listed.errors.hasPrefix("reddot: \(file): "), "\(listed.errors)")
    #expect(listed.errors.hasSuffix("; its sources stay as they were\n"), "\(listed.errors)")
    let polled = try household.run("poll", "--force")
    #expect(polled.exit == .status(0) && polled.output.contains("nothing new"), "\(polled.errors)")
    // A change is refused, since it would be lost.
    #expect(try household.run("rename", "first", "other").exit == .status(1))
  }

  /// A source that was never polled is not in the database, so nothing is known about it.
  @Test func aDamagedSourceThatWasNeverPolledIsLeftOut() throws {
    try write(middle: Data([0xFF, 0x0A]))
    let polled = try household.run("poll")
    #expect(polled.exit == .status(0) && polled.errors.contains("sources.toml:10: is not UTF-8 text"))
    #expect(try household.run("sources").output.split(separator: "\n").count == 2)
    #expect(try household.run("list").output.split(separator: "\n").count == 2)
  }

  /// The settings are the user's own file: a mistake there ends every command, and names its line.
  @Test func theSettingsAreNotReadInParts() throws {
    let text = try household.text(of: household.settingsFile)
    try (Data(text.utf8) + Data("# \u{E9}\n".utf8) + Data([0x23, 0xFF, 0x0A])).write(
      to: URL(filePath: household.settingsFile))
    let ran = try household.run("sources")
    #expect(ran.exit == .status(1) && ran.errors.contains("config.toml is not UTF-8 text"), "\(ran.errors)")
  }
}
