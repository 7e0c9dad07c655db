import Foundation
import Limits
import Messages
import Storage
import Testing

@testable import App

/// The README's table of settings and the sample file, against the settings that there are and their defaults.
struct SettingsReferenceTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// A key of a table of the file, with the default that a page gives for it.
  private struct Entry {
    var place: Setting.Place
    var key: String
    var value: String
  }

  /// `poll`, `source` and so on: the tables themselves.
  private static let tables = Setting.allCases.filter { setting in
    if case .table = setting.row.form { setting.row.places == [.top] } else { false }
  }

  /// Every setting in the table in which it is told of: where it is for all sources, not where it is for one.
  private static let told = Set(
    Setting.allCases.filter { !tables.contains($0) }.compactMap { setting in
      setting.row.places.first.map { "\($0).\(setting.key)" }
    })

  private static func place(_ table: String) -> Setting.Place? {
    switch table.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).split(separator: ".").first {
    case "poll": .poll
    case "source": .source
    case "categories": .category
    default: nil
    }
  }

  private static func setting(_ entry: Entry) -> Setting? {
    Setting.allCases.first { $0.key == entry.key && $0.row.places.contains(entry.place) }
  }

  private static func read(_ text: String) throws -> Settings {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false).read(text)
      .withoutLines
  }

  // MARK: The README

  /// The rows of the table; a row may tell of several keys, and begin another table of the file.
  private static func readmeRows() throws -> (entries: [Entry], tables: Set<String>) {
    let section = try #require(try text("README.md").components(separatedBy: "\n## Settings\n").last)
    let rows = section.split(separator: "\n").drop { !$0.hasPrefix("| key | default |") }.dropFirst(2)
      .prefix { $0.hasPrefix("| ") }
    var entries: [Entry] = []
    var tables: Set<String> = []
    var place = Setting.Place.top
    for row in rows {
      let cells = row.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      let names = cells[1].split(separator: "`").map(String.init).filter { $0.contains(/[a-z]/) }
      for name in names where name.hasPrefix("[") {
        tables.insert(name)
        place = Self.place(name) ?? place
      }
      let keys = names.filter { !$0.hasPrefix("[") }
      let values = cells[2].components(separatedBy: ", ")
      for (index, key) in keys.enumerated() {
        // `kind "feed"` is the default of that key alone; the others must be given.
        let own = values.first { $0.hasPrefix("\(key) ") }.map { String($0.dropFirst(key.count + 1)) }
        let isForOthers = values.contains { value in keys.contains { value.hasPrefix("\($0) ") } }
        let value =
          own ?? (isForOthers ? "must be given" : values.count == keys.count ? values[index] : cells[2])
        entries.append(Entry(place: place, key: key, value: value))
      }
    }
    return (entries, tables)
  }

  @Test func theReadmeTellsOfEverySettingAndOfNothingElse() throws {
    let (entries, tables) = try Self.readmeRows()
    #expect(entries.count == Set(entries.map { "\($0.place).\($0.key)" }).count)
    #expect(Set(entries.map { "\($0.place).\($0.key)" }) == Self.told)
    #expect(tables == ["[keys]", "[poll]", "[[source]]", "[[categories.NAME]]"])
    #expect(Set(Self.tables.map(\.key)) == ["keys", "poll", "source", "categories"])
  }

  @Test func theReadmeHasTheDefaultsOfTheCode() throws {
    let defaults = Settings()
    let source = try #require(
      try Self.read("[[source]]\nname = \"a\"\nurl = \"https://a.example/\"\n").sources.first)
    /// Defaults in words, and whether they are true.
    let words: [String: Bool] = [
      "language: the locale's": defaults.language == nil,
      "keep: everything": defaults.retention.age == nil,
      "keep_messages: everything": defaults.retention.count == nil,
      "escape_delay: `ESCDELAY`, else `\"25ms\"`": defaults.escapeDelay == nil,
      "sound_command: none": defaults.soundCommand.isEmpty,
      "os_version: the system's": defaults.osVersion == nil,
      "token_command: none": source.credential == nil, "token_file: none": source.credential == nil,
      "token_env: none": source.credential == nil, "token: none": source.credential == nil,
      "types: as agreed": source.source.typeNames.isEmpty, "strings: none": source.strings == nil,
      "feature_command: none": source.featureCommand.isEmpty,
      "app_version: reddot's own": source.source.appVersion == nil,
      "app_version_command: reddot's own": source.appVersionCommand.isEmpty,
      "name: must be given": true, "url: must be given": true,
      "label: none": defaults.categories.isEmpty, "url: none": defaults.categories.isEmpty,
    ]
    var untold = Set(words.keys)
    for entry in try Self.readmeRows().entries {
      let setting = try #require(Self.setting(entry), "\(entry.key)")
      if entry.value.hasPrefix("`"), !entry.value.contains(", else") {
        let value = entry.value.trimmingCharacters(in: CharacterSet(charactersIn: "`"))
        let given = SettingTests.text(.init(setting: setting, place: entry.place), value).text
        let without = given.replacing("\(entry.key) = \(value)\n", with: "")
        #expect(without != given)
        #expect(try Self.read(given) == Self.read(without), "\(entry.key) = \(value)")
      } else {
        let word = "\(entry.key): \(entry.value)"
        #expect(words[word] == true, "\(word)")
        untold.remove(word)
      }
    }
    #expect(untold == [])
  }

  @Test func theReadmesSentencesHaveTheDefaultsOfTheCode() throws {
    let readme = try Self.text("README.md").replacing("\n", with: " ")
    let polling = PollSettings()
    func count(_ duration: Duration, of unit: Duration) -> String { String(Int(duration / unit)) }
    let restart = Setting.allCases.filter { if case .restart = $0.row.application { true } else { false } }
    let sentences = [
      """
      A source is polled \(count(polling.initialDelay, of: .seconds(1))) s after the start, then every \
      \(count(polling.interval, of: .seconds(60))) minutes; refreshes within \
      \(count(polling.grace, of: .seconds(60))) minutes of the last attempt do nothing
      """,
      "reddot.log` (\(Limits.logBytes >> 20) MiB, and as much in `reddot.log.old`)",
      "one after the other; \(count(Limits.featureTime, of: .seconds(1))) s each, a hundred a poll",
      "but for \(restart.map { "`\($0.key)`" }.sorted().joined(separator: " and ")), which it names",
    ]
    for sentence in sentences { #expect(readme.contains(sentence), "\(sentence)") }
    #expect(Limits.featureRunsPerPoll == 100)
  }

  // MARK: The sample

  /// The keys of the sample file, those behind a `#` included.
  private static func sampleEntries() throws -> [Entry] {
    var entries: [Entry] = []
    var place: Setting.Place? = .top
    for line in try text("Resources/samples/config.toml").split(separator: "\n") {
      if let match = line.wholeMatch(of: /(?:# )?(\[+[A-Za-z.]+\]+).*/) {
        place = match.1 == "[keys]" ? nil : Self.place(String(match.1))
      } else if let place, let match = line.wholeMatch(of: /(?:# )?([a-z_]+) = (.*?)(?: +#.*)?/) {
        entries.append(Entry(place: place, key: String(match.1), value: String(match.2)))
      }
    }
    return entries
  }

  @Test func theSampleHoldsTheDefaults() throws {
    #expect(try Self.read(Self.text("Resources/samples/config.toml")) == Settings())
  }

  @Test func everySettingStandsInTheSampleWhereItBelongs() throws {
    let entries = try Self.sampleEntries()
    let told = Set(
      entries.compactMap { entry in
        // A source may say what is said for all.
        Self.setting(entry).flatMap { setting in setting.row.places.first.map { "\($0).\(setting.key)" } }
      })
    #expect(told == Self.told)
    for entry in entries {
      let setting = try #require(Self.setting(entry), "\(entry.key) isn't a setting of its table")
      // What stands behind a # is right as well.
      _ = try Self.read(SettingTests.text(.init(setting: setting, place: entry.place), entry.value).text)
    }
  }
}
