import Basics
import Foundation
import Interface
import Messages
import Screen
import TestBasics
import Testing

@testable import Platform
@testable import Profile
@testable import Settings
@testable import Words

/// The table of settings, and the pages that are printed from it.
struct SettingsReferenceTests {
  /// Returns the part of a page between two strings.
  private static func part(of path: String, after start: String, before end: String) throws -> String {
    let rest = try #require(try Project.text(path).components(separatedBy: start).last)
    return try #require(rest.components(separatedBy: end).first)
  }

  private static func read(_ text: String) throws -> Settings {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false).read(text)
      .withoutLines
  }

  // MARK: The pages

  private static let page = "Sources/Programs/reddot/Documentation.docc/Settings.md"

  @Test func thePageHasTheTableOfSettings() throws {
    let table = try Self.part(
      of: Self.page, after: "\n<!-- Resources/write-tables writes this -->\n\n",
      before: "\n<!-- end of the table -->\n")
    #expect(table == SettingsReference.markdown, "Resources/write-tables writes it")
  }

  @Test func theSampleIsTheTableOfSettings() throws {
    #expect(
      try Project.text("Resources/samples/config.toml") == SettingsReference.sample,
      "Resources/write-tables writes it")
  }

  @Test func everySettingIsOnceInEachPage() {
    for page in [SettingsReference.markdown, SettingsReference.sample] {
      let lines = page.split(separator: "\n")
      for setting in Setting.all where !Setting.tables.contains(setting) {
        let key = setting.key
        let count = lines.count { line in
          ["- `\(key)` ", "\(key) = ", "#\(key) = "].contains { line.hasPrefix($0) }
        }
        // Once in each table that has such a key: a source and a rule have names.
        let tables = Setting.all.count { $0.key == key && !Setting.tables.contains($0) }
        #expect(count == tables, "\(key)")
      }
    }
  }

  @Test func thePageOfCommandsHasTheSizeOfTheLog() throws {
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Commands.md")
      .split { $0.isWhitespace }.joined(separator: " ")
    let sentence = "It has \(Limits.logBytes >> 20) MiB at most, and as much in `reddot.log.old`."
    #expect(page.contains(sentence), "\(sentence)")
  }

  // MARK: Defaults and examples

  @Test func theSampleHoldsTheDefaults() throws {
    #expect(try Self.read(SettingsReference.sample) == Settings())
  }

  /// The default value changes nothing. If the default is described in words, the example changes something.
  @Test(arguments: SettingTests.trials.filter { !Setting.tables.contains($0.setting) })
  func theDefaultIsWhatHoldsWithoutTheKey(_ trial: SettingTests.Trial) throws {
    let setting = trial.setting
    let given = SettingTests.text(trial, setting.example).text
    let settings = try Self.read(given)
    guard setting.standard != Setting.required else { return }
    let without = given.replacing("\(setting.key) = \(setting.example)\n", with: "")
    #expect(without != given)
    #expect((try Self.read(without) == settings) == (setting.standard == "`\(setting.example)`"))
  }

  @Test func theExampleOfAThemeIsRead() throws {
    let theme = try Self.read("[theme]\n\(Setting.theme.example)\n").theme
    #expect(theme[.link] == Style(foreground: .rgb(0x5F, 0xD7, 0xD7), attributes: .underline))
  }

  @Test func theExampleOfKeysIsRead() throws {
    #expect(try Self.read("[keys]\n\(Setting.keys.example)\n").keys == ["next_unread": ["n", "ctrl-n"]])
  }

  // MARK: A new source

  @Test func aSourceIsWrittenAsItIsRead() throws {
    let settings = try Self.read(
      """
      [[source]]
      name = "te\\"am"
      kind = "native"
      url = "https://team.example/feed"
      interval = "2m"
      keep = "90d"
      token_command = ["pass", "show"]
      channels = ["general", "math"]
      types = { 7 = "downtime", 8 = "festive" }
      response_limit = "3 MiB"
      """)
    let lines = try #require(settings.sources.first).lines()
    #expect(try Self.read((["[[source]]"] + lines).joined(separator: "\n")) == settings)
    #expect(lines.count == 9)
  }
}
