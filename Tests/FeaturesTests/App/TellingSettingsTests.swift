import Basics
import Foundation
import Messages
import Notifications
import Queries
import Storage
import Testing

@testable import Platform
@testable import Profile
@testable import Settings

/// The settings of notifications, and their effect on messages that arrive.
struct TellingSettingsTests {
  private func read(_ text: String) throws(SettingsMistakes) -> Settings {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false).read(text)
  }

  @Test func theyAreRead() throws {
    let settings = try read(
      """
      notify = "priority:5 OR tag:oncall"
      notify_via = ["desktop", "command"]
      notify_command = ["tell-phone", "-q"]
      [[quiet]]
      from = "22:00"
      to = "7:00"
      [[quiet]]
      days = ["sat", "sun"]
      from = "7:00"
      to = "10:30"
      allow = "source:builds"
      """)
    #expect(settings.telling.channels == [.desktop, .command])
    #expect(settings.telling.choice?.text == "priority:5 OR tag:oncall")
    #expect(settings.telling.command == ["tell-phone", "-q"])
    #expect(settings.telling.quiet.map(\.days) == [Set(1...7), [6, 7]])
    #expect(settings.telling.quiet.map(\.to.text) == ["07:00", "10:30"])
    #expect(settings.telling.quiet.map { $0.allow?.text } == [nil, "source:builds"])
  }

  @Test func withoutThemTheTerminalTellsOfHighPriorities() throws {
    let settings = try read("")
    #expect(settings.telling.channels == [.terminal] && settings.telling.choice == nil)
  }

  @Test(arguments: [
    ("notify = \"prority:5\"", "config.toml:1: notify: must be a query: prority is not a field"),
    ("notify_via = [\"desktop\", \"pigeon\"]", "config.toml:1: notify_via: must be a list of these"),
    ("notify_via = [\"phone\"]", "config.toml:1: notify_via: \"phone\" needs a table [phone]"),
    ("[phone]\nshow = \"all\"", "config.toml:1: phone: needs a url"),
    (
      "[phone]\nurl = \"https://ntfy.example/a,b\"",
      "config.toml:2: url: must be the http or https address of one topic"
    ),
    (
      "[phone]\nurl = \"https://ntfy.example/a\"\nbutton_topic = \"a\"",
      "config.toml:3: button_topic: must be another topic"
    ),
    ("[phone]\nurl = \"https://ntfy.example/a\"\nshow = \"some\"", "config.toml:3: show: must be one of"),
    ("notify_via = [\"command\"]", "config.toml:1: notify_via: \"command\" needs a notify_command"),
    ("[[quiet]]\nfrom = \"22:00\"", "config.toml:1: quiet[0]: needs a to"),
    ("[[quiet]]\nfrom = \"22\"\nto = \"7:00\"", "config.toml:2: from: must be a time of day"),
    (
      "[[quiet]]\nfrom = \"22:00\"\nto = \"7:00\"\ndays = [\"friday\"]", "config.toml:4: days: must be a list"
    ),
    (
      "[[quiet]]\nfrom = \"22:00\"\nto = \"7:00\"\nallow = \"is:\"",
      "config.toml:4: allow: must be a query: is: needs"
    ),
  ])
  func mistakesNameFileAndLine(_ text: String, _ said: String) throws {
    let error = try #require(throws: SettingsMistakes.self) { try read(text) }
    #expect(error.mistakes.count == 1)
    #expect(error.mistakes.first?.sentence.hasPrefix(said) == true, "\(error.mistakes.map(\.sentence))")
  }

  private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

  private func profile(_ text: String) throws -> Profile {
    let environment = Environment(
      variables: [:], home: "/home/ada", version: "0", now: { Self.noon }, clock: { .gmt }, random: { 0 })
    return try Profile(
      settings: try read(text), file: SettingsFile(path: "/nowhere/config.toml", home: "/home/ada"),
      store: .inMemory(now: Self.noon), environment: environment)
  }

  private func push(_ title: String, _ priority: Int, into profile: Profile) throws {
    var message = IncomingMessage(remoteID: RemoteID(title), kind: .local, title: title, body: "")
    message.priority = Priority(priority)
    try profile.store.pushes.add(message, at: Self.noon)
  }

  @Test func whatArrivesIsToldOfByTheSettings() throws {
    let profile = try profile("notify_via = [\"desktop\", \"bell\"]")
    try push("low", 3, into: profile)
    try push("high", 4, into: profile)
    #expect(try profile.store.notices.channelsWithNews() == [.desktop, .bell])
    let waiting = try profile.store.notices.waiting(for: .bell).map(\.message)
    #expect(try waiting.map { try profile.store.messages.find($0)?.content.title } == ["high"])
  }

  @Test func aSourceWithNotifyTellsOfAll() throws {
    let profile = try profile(
      "[[source]]\nname = \"scripts\"\nkind = \"local\"\nnotify = true\n")
    try push("low", 1, into: profile)
    #expect(try profile.store.notices.channelsWithNews() == [.terminal])
  }

  @Test func anEmptyListOfChannelsTellsOfNothing() throws {
    let profile = try profile("notify_via = []")
    try push("high", 5, into: profile)
    #expect(try profile.store.notices.channelsWithNews().isEmpty)
  }
}
