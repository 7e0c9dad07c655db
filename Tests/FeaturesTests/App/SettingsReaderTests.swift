import Messages
import Storage
import Testing

@testable import Settings

struct SettingsReaderTests {
  private func read(_ text: String, isReadableByOthers: Bool = false) throws -> Settings {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: isReadableByOthers).read(
      text)
  }

  private func mistakes(_ text: String, isReadableByOthers: Bool = false) -> [String] {
    do {
      _ = try read(text, isReadableByOthers: isReadableByOthers)
      return []
    } catch let error as SettingsMistakes {
      return error.mistakes.map(\.sentence)
    } catch {
      return ["\(error)"]
    }
  }

  /// The parser cuts strings at the first NUL: without an error, a part would be taken for the whole.
  @Test(arguments: [
    ("[[source]]\nname = \"a\\u0000b\"\nkind = \"local\"", "config.toml:2"),
    ("[[source]]\nname = \"a\"\nkind = \"local\"\n\"mouse\\U00000000x\" = true", "config.toml:4"),
    ("open_command = [\"sh\",\n \"x\\u0000\"]", "config.toml:2"),
    ("open_command = \"\"\"\nsh\n\\u0000\"\"\"", "config.toml:3"),
    ("mouse = true # \0", "config.toml:1"), ("mouse = true\n\0[[source]]\nname = \"a\"", "config.toml:2"),
  ])
  func aNULIsAMistakeWithItsLine(text: String, place: String) {
    let found = mistakes(text)
    #expect(found.count == 1 && found[0].hasPrefix(place), "\(found)")
  }

  @Test(arguments: ["'x\\u0000'", "\"x\\\\u0000\""])
  func textsThatOnlyLookLikeANULAreAllowed(value: String) throws {
    #expect(mistakes("open_command = [\(value)]\n") == [])
  }

  @Test func anEmptyFileGivesTheDefaults() throws {
    let settings = try read("")
    #expect(settings.sourceDefaults.source.polling == PollSettings())
    #expect(settings.sourceDefaults.source.polling.interval == .seconds(600))
    #expect(settings.sourceDefaults.connectTimeout == .seconds(15))
    #expect(settings.sources.isEmpty)
  }

  @Test func aSourceTakesWhatItDoesNotSayFromThePollTable() throws {
    let settings = try read(
      """
      [poll]
      interval = "30m"
      grace = 60
      connect_timeout = 20

      [[source]]
      name = "swift"
      url = "https://www.swift.org/atom.xml"

      [[source]]
      name = "team"
      kind = "native"
      url = "https://team.example/inbox?since=1"
      interval = "90s"
      connect_timeout = "5s"
      channels = ["general", "math"]
      response_limit = "1 MiB"
      token_command = ["pass", "show", "team"]
      """)
    #expect(settings.sources.map(\.name) == ["swift", "team"])
    #expect(settings.sources[0].source.polling.interval == .seconds(1800))
    #expect(settings.sources[0].source.polling.grace == .seconds(60))
    #expect(settings.sources.map(\.connectTimeout) == [.seconds(20), .seconds(5)])
    #expect(settings.sources[1].source.polling.interval == .seconds(90))
    #expect(settings.sources[1].source.polling.responseLimit == 1_048_576)
    #expect(settings.sources[1].source.channels == ["general", "math"])
    #expect(settings.sources[1].credential == .command(["pass", "show", "team"]))
    #expect(settings.sources[1].line == 10)
  }

  @Test func aMistakeNamesFileLineKeyAndWhatIsAllowed() {
    let text = """
      # my settings
      [poll]
      interval = "ten parsecs"

      [[source]]
      name = "a"
      url = "https://a.example/"

      [[source]]
      name = "b"
      kind = "rss"
      url = "gopher://b.example/"
      intervall = 3
      """
    let found = mistakes(text)
    #expect(found.count == 4)
    #expect(found.first?.hasPrefix("config.toml:3: interval: must be a time such as \"90s\"") == true)
    #expect(
      found.contains {
        $0.hasPrefix(
          "config.toml:11: kind: must be one of \"feed\", \"native\", \"schedule\", \"banners\", \"local\"")
      })
    #expect(
      found.contains {
        $0.hasPrefix("config.toml:12: url: must be an http, https, http+unix or file address")
      })
    #expect(
      found.contains {
        $0.hasPrefix("config.toml:13: intervall: is not a setting here; did you mean interval? known are ")
      })
  }

  @Test(arguments: [
    ("url = \"https://a.example/\"", "a source needs a name, such as name = \"news\""),
    ("name = \"a\"", "source \"a\" needs a url, such as url = \"https://example.org/feed.xml\""),
  ])
  func aSourceNeedsANameAndAnAddress(line: String, problem: String) {
    #expect(mistakes("[[source]]\n\(line)\n") == ["config.toml:1: source[0]: \(problem)"])
  }

  @Test func whatTheAppsOfAServerNeedIsRead() throws {
    let settings = try read(
      """
      os_version = "13"

      [[categories.INVITE]]
      label = "Accept"
      url = "https://a.example/yes"

      [[source]]
      name = "app"
      kind = "native"
      url = "https://a.example/"
      types = { 7 = "downtime", 8 = "festive" }
      strings = "~/app"
      app_version = "4.1"
      """)
    #expect(settings.osVersion == "13")
    #expect(settings.categories == ["INVITE": [MessageAction(label: "Accept", url: "https://a.example/yes")]])
    #expect(settings.sources[0].source.typeNames == [7: "downtime", 8: "festive"])
    #expect(settings.sources[0].strings?.hasSuffix("/app") == true)
    #expect(settings.sources[0].strings?.hasPrefix("~") == false)
    #expect(settings.sources[0].source.appVersion == "4.1")
  }

  @Test(arguments: [
    ("7 = \"downtim\"", "7: must be one of \"downtime\""), ("x = \"downtime\"", "x: must be a type number"),
  ])
  func anUnknownTypeIsAMistake(_ entry: String, _ problem: String) {
    let found = mistakes(
      "[[source]]\nname = \"a\"\nkind = \"native\"\nurl = \"https://a.example/\"\ntypes = { \(entry) }\n")
    #expect(found.count == 1 && found[0].hasPrefix("config.toml:5: \(problem)"), "\(found)")
  }

  @Test func brokenTOMLNamesItsLine() {
    let found = mistakes("language = \"en\"\nmouse = maybe\n")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("config.toml:2: is not TOML: ") == true)
  }

  @Test(arguments: [
    "[\\a]", "[[\\a]]", "[[[a]]]", "[#", "[=]", "[.a]", "[\n]", " \t[ é]", "[[\r\n", "[,]", "[{}]", "a = [}",
    "a = [1,}", "a = [[}", "a = [\u{2028}]", "a = {b = [ }}",
    "a = 1979-05-27Tx:", "a = [1979-05-27t:0]", "a = {b = 1979-05-27T\u{E9}1:}",
  ])
  func aHeaderOrAValueThatCannotBeginLikeThisIsAMistakeWithItsLine(_ header: String) {
    for before in ["", "\u{FEFF}", "mouse = true\n", "language = \"\"\"\n[\\b]\n\"\"\"\n"] {
      let found = mistakes(before + header)
      let line = before.utf8.count { $0 == UInt8(ascii: "\n") } + 1
      #expect(found.count == 1, "\(before + header)")
      #expect(
        found.first?.hasPrefix("config.toml:\(line): is not TOML: ") == true, "\(found)")
    }
  }

  @Test(arguments: [
    "language = \"\"\"\n[\\u0041]\n\"\"\"\n", "language = \"[}\"\n",
    "open_command = [ # }\n\"}\", '}']\n",
  ])
  func bracketsInATextOrACommentAreNotATable(_ text: String) { #expect(mistakes(text) == []) }

  @Test func twoSourcesOfOneNameAreAMistake() {
    let source = "[[source]]\nname = \"a\"\nurl = \"https://a.example/\"\n"
    #expect(
      mistakes(source + source)
        == ["config.toml:5: name: \"a\" is already the name of the source on line 1"])
  }

  @Test func aPlainTokenIsRefusedWhereOthersCanReadTheFile() throws {
    let text = "[[source]]\nname = \"a\"\nurl = \"https://a.example/\"\ntoken = \"s3cret\"\n"
    #expect(try read(text).sources[0].credential == .plain("s3cret"))
    let found = mistakes(text, isReadableByOthers: true)
    #expect(found.count == 1)
    #expect(found.first?.contains("chmod 600") == true)
    #expect(found.first?.contains("s3cret") == false)
  }

  @Test(arguments: [
    ("https://a.example/feed", "https://a.example/feed"), (" http://a.example ", "http://a.example"),
    ("feed:https://a.example/x", "https://a.example/x"), ("feed://a.example/x", "http://a.example/x"),
    ("~/reminders.json", "file:///home/ada/reminders.json"), ("/tmp/a b.xml", "file:///tmp/a%20b.xml"),
    ("file:///tmp/x", "file:///tmp/x"),
  ])
  func addressesAreTakenAsPeopleWriteThem(text: String, address: String) {
    #expect(SourceAddress.normalized(text, home: "/home/ada") == address)
  }

  @Test(arguments: [
    "", "javascript:alert(1)", "https://", "a.example", "https://a.example/\u{1b}[2J", "data:text/plain,x",
  ])
  func otherAddressesAreRefused(text: String) {
    #expect(SourceAddress.normalized(text, home: "/home/ada") == nil)
  }

  @Test(arguments: [
    ("90s", 90.0), ("10m", 600), ("1h30m", 5400), ("2 hours", 7200), ("45", 45), ("1d", 86400),
    ("500ms", 0.5),
    ("0.5h", 1800),
  ])
  func timesAreReadAsPeopleWriteThem(text: String, seconds: Double) {
    #expect(DurationText.parse(text) == .seconds(seconds))
  }

  @Test(arguments: ["", "m", "ten", "10 parsecs", "-5s", "1h30", "1e400"])
  func otherTimesAreRefused(text: String) {
    #expect(DurationText.parse(text) == nil)
  }
}
