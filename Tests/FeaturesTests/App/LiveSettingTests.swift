import Basics
import Foundation
import Interface
import Markup
import Messages
import Screen
import Storage
import TestBasics
import Testing
import Words

@testable import Platform
@testable import Polling
@testable import Profile
@testable import Session
@testable import Settings

/// A running inbox whose settings file changes: each setting is applied, or reported to need a restart.
@MainActor
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct LiveSettingTests {
  final class StillScreen: InboxScreen {
    let size: Size
    let pictureColors: PictureRenderer.Colors? = .full
    let allowsMotion = true
    private(set) var mouse: [Bool] = []
    init(size: Size = Size(columns: 160, rows: 24)) { self.size = size }
    func listen(_ listener: (@MainActor ([ScreenEvent]) -> Void)?) {}
    func present(_ frame: Frame) {}
    func redraw() {}
    func ringBell() {}
    func reportMouse(_ isReported: Bool) { mouse.append(isReported) }
    func copyToClipboard(_ text: String) -> Bool { false }
    func lend() {}
    func resume() {}
    func suspendProcess() {}
    func close() {}
  }

  /// Two values of a setting that differ.
  private static func values(_ setting: Setting) -> [String] {
    switch setting {
    case .layout: return ["{ text_width = 60 }", "{ text_width = 61 }"]
    case .hooks: return ["{ after = \"20s\" }", "{ after = \"40s\" }"]
    case .sync: return ["{ name = \"a\" }", "{ name = \"b\" }"]
    case .phone: return ["a", "b"].map { "{ url = \"https://ntfy.example/\($0)\" }" }
    case .poll: return ["{ interval = \"5m\" }", "{ interval = \"6m\" }"]
    case .keys: return ["{ next_unread = \"n\" }", "{ next_unread = \"N\" }"]
    case .theme: return ["\"dark\"", "{ base = \"light\", link = \"red\" }"]
    case .categories:
      return ["{ A = [{ label = \"a\", url = \"b\" }] }", "{ A = [{ label = \"a\", url = \"c\" }] }"]
    case .quiet:
      return ["[]", "[{ from = \"22:00\", to = \"7:00\" }]"]
    case .command:
      return ["[{ key = \"B\", run = [\"a\"] }]", "[{ key = \"X\", run = [\"a\"] }]"]
    case .savedList: return ["a", "b"].map { "[{ name = \"A\", query = \"\($0)\" }]" }
    case .hub: return ["a", "b"].map { "[{ name = \"\($0)\", url = \"https://a.example\" }]" }
    case .rule:
      return ["read", "star"].map { "[{ name = \"A\", when = \"a\", do = [\"\($0)\"] }]" }
    case .source:
      return [
        "[{ name = \"a\", kind = \"local\" }]",
        "[{ name = \"a\", kind = \"local\" }, { name = \"b\", kind = \"local\" }]",
      ]
    case _: break
    }
    switch setting.key {
    case "url": return ["\"https://a.example/1\"", "\"https://a.example/2\""]
    case "do" where setting.places == [.command]: return ["[\"open_link\"]", "[\"dismiss\"]"]
    case "do": return ["[\"read\"]", "[\"star\"]"]
    case "key": return ["\"B\"", "\"X\""]
    case "types": return ["{ 7 = \"downtime\" }", "{ 7 = \"festive\" }"]
    case "language": return ["\"hi\"", "\"zh-Hans\""]
    case "signs": return ["\"narrow\"", "\"ascii\""]
    case _: break
    }
    switch setting.form {
    case .boolean: return ["true", "false"]
    case .text, .path, .folder: return ["\"one\"", "\"two\""]
    case .duration(let range), .lead(let range):
      return [5, 6].map { "\"\(DurationText.format(range.lowerBound + .seconds($0)))\"" }
    case .bytes(let range), .count(let range):
      let first = min(5, range.upperBound - range.lowerBound - 1)
      return [first, first + 1].map { "\(range.lowerBound + $0)" }
    case .countOrAuto(let range): return ["\"auto\"", "\(range.upperBound)"]
    case .command, .program, .opener, .texts: return ["[\"one\"]", "[\"two\"]"]
    case .several(let values): return values.prefix(2).map { "[\"\($0)\"]" }
    case .place: return ["\"/one\"", "\"/two\""]
    case .clock: return ["\"21:00\"", "\"9:30\""]
    case .query: return ["\"priority:5\"", "\"tag:oncall\""]
    case .choice(let values): return values.prefix(2).map { "\"\($0)\"" }
    case .table: return []
    }
  }

  @Test(arguments: SettingTests.trials)
  func aChangeIsAppliedOrReportedToNeedARestart(_ trial: SettingTests.Trial) async throws {
    let folder = try SettingsFileTests.Folder()
    let values = Self.values(trial.setting)
    try #require(values.count == 2)
    try folder.write(SettingTests.text(trial, values[0]).text)
    chmod(folder.path, 0o600)
    let environment = Environment(
      variables: [:], home: folder.url.path, version: "0",
      now: { Date(timeIntervalSince1970: 1_795_219_200) },
      clock: { .gmt }, random: { 0 })
    let profile = try Profile(
      settings: try folder.file.load(), file: folder.file, store: .inMemory(now: environment.now()),
      environment: environment)
    let screen = StillScreen()
    let session = InboxSession(
      profile: profile, screen: screen,
      options: InterfaceOptions(words: .inLanguage("en"), zone: .gmt, showsPictures: true))

    try folder.write(SettingTests.text(trial, values[1]).text)
    let fresh = try folder.file.load()
    #expect(fresh.withoutLines != profile.settings.withoutLines)
    await session.settings.reopen()
    #expect(session.loop.profile.settings == fresh)
    #expect(session.state.statusLine.settingsMistake == nil)
    let told = session.state.statusLine.toast?.text.text ?? ""
    if trial.setting.isLive {
      #expect(!told.contains("next start"), "\(told)")
    } else {
      #expect(told == "Takes effect at the next start: \(trial.setting.key)")
    }
    switch trial.setting.key {
    case "mouse": #expect(screen.mouse == [false])
    case "screen_reader": #expect(session.state.options.signs.areWords == fresh.hasScreenReader)
    case "signs":
      #expect(session.state.options.signs == .ascii)
      // Half blocks would have two columns.
      #expect(!session.state.options.showsPictures)
    case "pictures": #expect(!session.state.options.showsPictures)
    case "animations": #expect(!session.state.options.animations)
    case "theme": #expect(session.state.options.theme == fresh.theme)
    case "sources", "list", "text_width", "sort", "fold_repeats", "layout":
      #expect(session.state.options.layout == fresh.layout)
    case "language": #expect(session.state.options.words.language == "zh-Hans")
    case "keys":
      #expect(session.state.options.keymap == Keymap.with(overrides: ["next_unread": ["N"]]).keymap)
    case _: #expect(screen.mouse == [])
    }
    await session.adapters.shutDown()
  }

  /// A change between reading and watching the file causes no event.
  @Test func aChangeBeforeTheFileIsWatchedIsApplied() async throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write("mouse = true\n")
    let environment = Environment(
      variables: [:], home: folder.url.path, version: "0",
      now: { Date(timeIntervalSince1970: 1_795_219_200) },
      clock: { .gmt }, random: { 0 })
    let profile = try Profile(
      config: folder.path, database: folder.url.appending(path: "db.sqlite").path, environment: environment)
    let session = InboxSession(
      profile: profile, screen: StillScreen(),
      options: InterfaceOptions(words: .inLanguage("en"), zone: .gmt))
    try folder.write("mouse = false\n")
    session.watchFiles()
    while session.loop.profile.settings.usesMouse {
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(session.settings.mistake == nil)
    await session.windDown()
  }

  @Test func aMistakeIsShownWithItsLineUntilItIsCorrected() async throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write("mouse = true\n")
    let environment = Environment(
      variables: [:], home: folder.url.path, version: "0",
      now: { Date(timeIntervalSince1970: 1_795_219_200) },
      clock: { .gmt }, random: { 0 })
    let profile = try Profile(
      settings: try folder.file.load(), file: folder.file, store: .inMemory(now: environment.now()),
      environment: environment)
    let session = InboxSession(
      profile: profile, screen: StillScreen(),
      options: InterfaceOptions(words: .inLanguage("en"), zone: .gmt))
    for value in SettingTests.numbers where !["0", "0.0", "-0.0", "1e-30"].contains(value) {
      try folder.write("mouse = false\n[poll]\n\ninterval = \(value)\n")
      await session.settings.reopen()
      let said = session.state.statusLine.settingsMistake?.text ?? ""
      #expect(said.hasPrefix("config.toml:4: interval: must be a time such as"), "\(value): \(said)")
      #expect(session.loop.profile.settings.usesMouse)
    }
    unlink(folder.path)
    await session.settings.reopen()
    #expect(session.state.statusLine.settingsMistake?.text == "config.toml is not there any more")
    #expect(session.loop.profile.settings.usesMouse)
    try folder.write("mouse = false\n")
    await session.settings.reopen()
    #expect(session.state.statusLine.settingsMistake == nil)
    #expect(!session.loop.profile.settings.usesMouse)
    await session.adapters.shutDown()
  }
}
