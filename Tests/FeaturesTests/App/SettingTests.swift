import Basics
import Foundation
import Queries
import Sync
import Testing

@testable import Settings

/// Every setting, with invalid values.
struct SettingTests {
  struct Trial: CustomTestStringConvertible, Sendable {
    var setting: Setting
    var place: Setting.Place
    var testDescription: String { "\(setting.key) in \(place)" }
  }

  static let trials = Setting.all.flatMap { setting in
    setting.places.map { Trial(setting: setting, place: $0) }
  }

  static let numbers = [
    "inf", "+inf", "-inf", "nan", "-nan", "1e40", "-1e40", "1e308", "1e10", "-1", "-1.5", "-0.0", "0", "0.0",
    "1e-30",
    "9223372036854775807", "-9223372036854775808", "0x7fffffffffffffff", "92233720368547758", "99999999999",
  ]
  static let texts = [
    "", "nan", "inf", "-5s", "99999999999999999999h", "1e999s", "9e18s", "99999999999999999999 GiB", "1h30",
    "10 parsecs",
    "0", "0s", "0 MiB", "1.1.1s", ".", "..s", "18446744073709551616", "999999999999999999999999999999d 1ms",
    "\u{202E}",
    String(repeating: "9", count: 5000), String(repeating: "1w", count: 5000),
  ]
  static let others = [
    "true", "[]", "{}", "[inf]", "[[1]]", "[{a = nan}]", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z",
    "[\"a\", 1e40]", "\"\"\"\n\n\"\"\"",
  ]

  /// Returns the file with one key and one value, and the line of the key.
  static func text(_ trial: Trial, _ value: String) -> (text: String, line: Int) {
    let entry = "\(trial.setting.key) = \(value)\n"
    let source = "[[source]]\nname = \"a\"\nurl = \"https://a.example/\"\n"
    switch trial.place {
    case .top: return ("# settings\r\n" + entry, 2)
    case .layout: return ("\n[layout]\n" + entry, 3)
    case .sync: return ("\n[sync]\n" + entry, 3)
    case .hooks: return ("\n[hooks]\n" + entry, 3)
    case .phone where trial.setting.key == "url": return ("\n[phone]\n" + entry, 3)
    case .phone: return ("[phone]\nurl = \"https://ntfy.example/a\"\n" + entry, 3)
    case .poll: return ("\n[poll]\n" + entry, 3)
    case .source:
      let command = "[[source]]\nname = \"a\"\nkind = \"command\"\ncommand = [\"b\"]\n"
      let desktop = "[[source]]\nname = \"a\"\nkind = \"desktop\"\n"
      let entries =
        switch trial.setting.key {
        case "command", "format": command
        case "only", "except", "own": desktop
        case "shared": "[[source]]\nname = \"a\"\nkind = \"local\"\n"
        case "stream": source + "kind = \"native\"\n"
        case _: source
        }
      let others = entries.split(separator: "\n").filter {
        !$0.hasPrefix("\(trial.setting.key) ")
      }
      return (others.joined(separator: "\n") + "\n" + entry, others.count + 1)
    case .category:
      let other = trial.setting.key == "url" ? "label = \"A\"" : "url = \"https://a.example/\""
      return ("[[categories.A]]\n\(other)\n" + entry, 3)
    case .quiet:
      let others = ["from = \"22:00\"", "to = \"7:00\""].filter { !$0.hasPrefix("\(trial.setting.key) ") }
      return ("[[quiet]]\n\(others.joined(separator: "\n"))\n" + entry, others.count + 2)
    case .command:
      let others = ["key = \"B\"", "run = [\"a\"]"].filter {
        !$0.hasPrefix("\(trial.setting.key) ") && !(trial.setting.key == "do" && $0.hasPrefix("run"))
      }
      return ("[[command]]\n\(others.joined(separator: "\n"))\n" + entry, others.count + 2)
    case .list:
      let others = ["name = \"A\"", "query = \"a\""].filter { !$0.hasPrefix("\(trial.setting.key) ") }
      return ("[[list]]\n\(others.joined(separator: "\n"))\n" + entry, others.count + 2)
    case .hub:
      let others = ["name = \"A\"", "url = \"https://a.example\""].filter {
        !$0.hasPrefix("\(trial.setting.key) ")
      }
      return ("[[hub]]\n\(others.joined(separator: "\n"))\n" + entry, others.count + 2)
    case .rule:
      let others = ["name = \"A\"", "when = \"a\"", "do = [\"read\"]"].filter {
        !$0.hasPrefix("\(trial.setting.key) ")
      }
      return ("[[rule]]\n\(others.joined(separator: "\n"))\n" + entry, others.count + 2)
    }
  }

  static func isAllowed(_ setting: Setting, _ value: String) -> Bool {
    switch setting.form {
    case .duration(let range), .lead(let range):
      range.contains(.zero) && ["0", "0.0", "-0.0", "1e-30", "\"0\"", "\"0s\""].contains(value)
    case .bytes, .count, .countOrAuto, .choice: false
    case .boolean: value == "true"
    case .text, .path: value.hasPrefix("\"")
    case .folder: value.hasPrefix("\"") && value.count > 2 && value.count < 70 && !value.contains("\n")
    case .command, .opener: value.hasPrefix("\"") && value != "\"\""
    case .program: false
    case .texts, .several: value == "[]"
    case .clock: false
    case .place: value.hasPrefix("\"") && (try? PlaceAddress(String(value.dropFirst().dropLast()))) != nil
    // A number is a word of a query, and text that has only line ends is the empty query.
    case .query:
      value.hasPrefix("\"\"\"")
        || value.hasPrefix("\"")
          && (try? Query.parse(String(value.dropFirst().dropLast()), .strict).get()) != nil
    case .table:
      ["{}", "[]"].contains(value)
        || [.source, .command, .rule, .quiet, .savedList, .hub].contains(setting) && value == "[{a = nan}]"
    }
  }

  @Test(arguments: trials)
  func aValueThatASettingCannotHaveIsAMistakeWithFileLineAndKey(_ trial: Trial) throws {
    let reader = SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false)
    for value in Self.numbers + Self.texts.map({ "\"\($0)\"" }) + Self.others {
      let (text, line) = Self.text(trial, value)
      do {
        _ = try reader.read(text)
        #expect(Self.isAllowed(trial.setting, value), "\(value) was taken for \(trial)")
      } catch {
        let mistake = try #require(error.mistakes.first)
        #expect(mistake.file == "config.toml" && mistake.line == line, "\(value): \(mistake.sentence)")
        guard !Self.isAllowed(trial.setting, value) else { continue }
        #expect(mistake.key == trial.setting.key)
        #expect(
          mistake.problem.hasPrefix("must be "), "\(value): \(mistake.sentence)")
      }
    }
  }

  /// TOML itself has no place for these.
  @Test(arguments: trials)
  func whatIsNotTOMLNamesItsLine(_ trial: Trial) throws {
    let reader = SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false)
    for value in [
      "9223372036854775808", "0x8000000000000000", "1e", "\"\u{0}\"", "\"open", "[", "{", "1__0", "01",
    ] {
      let (text, line) = Self.text(trial, value)
      let error = try #require(throws: SettingsMistakes.self) { try reader.read(text) }
      let mistake = try #require(error.mistakes.first)
      #expect(mistake.problem.hasPrefix("is not TOML"))
      #expect(line...line + 1 ~= mistake.line, "\(value): \(mistake.sentence)")
    }
  }

  @Test(arguments: [
    ("next_unread = 3", "next_unread: must be the name of a key or a list of them"),
    ("next_unread = [\"n\", 3]", "next_unread: must be the name of a key or a list of them"),
    ("next_unread = \"nnn\"", "next_unread: \"nnn\" does not name a key"),
    ("next_unread = [\"5\"]", "next_unread: \"5\" is a digit for counts"),
    ("nextt = \"n\"", "nextt: is not a command"),
  ])
  func anUnknownKeyIsAMistakeWithItsLine(_ entry: String, _ said: String) throws {
    let reader = SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false)
    let error = try #require(throws: SettingsMistakes.self) { try reader.read("# mine\n[keys]\n\(entry)\n") }
    #expect(error.mistakes.map(\.sentence).filter { $0.hasPrefix("config.toml:3: \(said)") }.count == 1)
    #expect(error.mistakes.count == 1)
  }

  @Test func oneKeyNeedsNoList() throws {
    let reader = SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false)
    #expect(try reader.read("[keys]\nnext_unread = \"n\"\n").keys == ["next_unread": ["n"]])
  }
}
