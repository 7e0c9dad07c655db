import Basics
import Foundation
import Interface
import Messages
import Queries
import Screen
import Storage
import TestBasics
import Testing
import Words

@testable import Platform
@testable import Profile
@testable import Session
@testable import Settings

/// A rule that is written into the settings file.
struct RuleFileTests {
  private func entry(
    _ name: String = "ci noise", _ when: String = "source:\"Build server\" title:failed",
    _ actions: [String] = ["read", "tag:ci"], stops: Bool = false
  ) -> RuleEntry { RuleEntry(name: name, when: when, actions: actions, stops: stops) }

  @Test func everythingElseStays() throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write(SettingsFileTests.kept)
    let before = try folder.file.load()
    try folder.file.append(rule: entry(stops: true))
    #expect(
      try folder.text() == SettingsFileTests.kept + """


        [[rule]]
        name = "ci noise"
        when = 'source:"Build server" title:failed'
        do = ["read", "tag:ci"]
        stop = true

        """)
    var after = try folder.file.load()
    #expect(
      after.rules.popLast()?.rule?.text == "source:\"Build server\" title:failed → read, tag:ci → stop")
    #expect(after == before)
    try folder.file.append(rule: entry("more", "it's \"x\""))
    #expect(try folder.file.load().rules.map(\.name) == ["ci noise", "more"])
    #expect(try folder.text().contains("when = \"it's \\\"x\\\"\""))
  }

  @Test func lineEndsOfWindowsStay() throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write("mouse = true\r\n# end")
    try folder.file.append(rule: entry())
    #expect(try folder.text().hasPrefix("mouse = true\r\n# end\r\n\r\n[[rule]]\r\nname = \"ci noise\"\r\n"))
  }

  @Test(arguments: [
    ("ci noise", "a", ["read"], "name: \"ci noise\" is already the name of the rule on line 1"),
    ("", "a", ["read"], "name: must be 1 to 64 visible characters"),
    ("x", "titel:a", ["read"], "when: titel is not a field; did you mean title?, at character 1"),
    ("x", "a", ["snooze:soonish"], "do: \"soonish\" is not a time"),
    ("x", "a", ["run"], "do: run needs command"), ("x", "a", [], "do: must contain an action"),
  ])
  func aMistakeIsSaidAndNothingIsWritten(
    name: String, when: String, actions: [String], said: String
  ) throws {
    let folder = try SettingsFileTests.Folder()
    let text = "[[rule]]\nname = \"ci noise\"\nwhen = \"b\"\ndo = [\"read\"]\n"
    try folder.write(text)
    let mistake = #expect(throws: RuleMistake.self) {
      try folder.file.append(rule: entry(name, when, actions))
    }
    #expect(mistake?.sentence.hasPrefix(said) == true, "\(mistake?.sentence ?? "")")
    #expect(try folder.text() == text)
  }

  @Test func whatOnlyAPersonCanEditStays() throws {
    let folder = try SettingsFileTests.Folder()
    let text = "rule = [{ name = \"a\", when = \"b\", do = [\"read\"] }]\n"
    try folder.write(text)
    #expect(throws: SettingsFile.Failure.self) { try folder.file.append(rule: entry()) }
    #expect(try folder.text() == text)
  }
}

/// The whole way of a rule from `W`, through its trial and back, with the real store.
@MainActor
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct RuleWritingTests {
  private nonisolated static let now = Date(timeIntervalSince1970: 1_795_219_200)
  private let folder: SettingsFileTests.Folder
  private let session: InboxSession

  init() async throws {
    folder = try SettingsFileTests.Folder()
    try folder.write("# mine\n[[source]]\nname = \"Build server\"\nkind = \"local\"   # by hand\n")
    let environment = Environment(
      variables: [:], home: folder.url.path, version: "0", now: { Self.now }, clock: { .gmt }, random: { 0 })
    let profile = try Profile(
      config: folder.path, database: folder.url.appending(path: "db.sqlite").path, environment: environment
    ).reopened()
    session = InboxSession(
      profile: profile, screen: LiveSettingTests.StillScreen(),
      options: InterfaceOptions(words: .inLanguage("en"), zone: .gmt))
    for number in (1...8).reversed() {
      let age = number == 8 ? 40.0 : Double(number)
      try push("Build \(number) \(number.isMultiple(of: 4) ? "failed" : "passed")", daysAgo: age)
    }
    session.follow(session.store.answers) { _, answer in answer() }
    session.loop.happened(.started)
    try await wait { $0.shown.list.rows.count == 8 }
  }

  private func push(_ title: String, daysAgo: Double) throws {
    let source = try #require(session.loop.profile.settings.sources.first)
    _ = try session.loop.profile.store.pushes.add(
      IncomingMessage(remoteID: RemoteID(title), kind: .local, title: title), into: source.source,
      at: Self.now - daysAgo * 86_400)
  }

  private func wait(until isReached: (AppState) -> Bool) async throws {
    while !isReached(session.state) {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  private func press(_ keys: String...) throws {
    for key in keys {
      session.loop.happened(.input(.key(try #require(KeyPress(parsing: key)))))
    }
  }

  private func type(_ text: String) {
    for character in text { session.loop.happened(.input(.key(KeyPress(character)))) }
  }

  private var screen: String {
    render(session.state, Size(columns: 100, rows: 24)).lines().joined(separator: "\n")
  }

  private func starred() throws -> [String] {
    try session.loop.profile.store.lists.snapshot(InboxQuery(scope: .starred), InboxWindow()).rows.map(
      \.title
    )
    .sorted()
  }

  @Test func aRuleIsWrittenTriedSavedAppliedAndUndone() async throws {
    session.loop.happened(.input(.resize(Size(columns: 100, rows: 24))))
    try press("j", "j", "j", "W")
    try await wait { $0.dialog.ruleForm != nil }
    #expect(screen.contains("source:\"Build server\" title:failed"))
    try await wait { _ in screen.contains("1 of 7 messages of the last 30 days") }
    #expect(screen.contains("marked read; you had not opened it."))
    #expect(screen.contains("Build 4 failed"))
    // A query is tried after a short pause in typing.
    type(" OR title:passed")
    try await wait { _ in screen.contains("7 of 7 messages") }
    #expect(screen.contains("Build 7 passed"))
    try press("down", "space", "right", "right", "space", "down")
    type("ci")
    #expect(screen.contains("star, get the tag ci; you had opened none of"))
    try press("enter")
    try await wait { $0.dialog.ruleForm == nil }
    #expect(screen.contains("y applies it to 7 messages of the last 30 days"))
    #expect(
      try folder.text() == """
        # mine
        [[source]]
        name = "Build server"
        kind = "local"   # by hand

        [[rule]]
        name = "Build server failed passed"
        when = 'source:"Build server" title:failed OR title:passed'
        do = ["star", "tag:ci"]

        """)
    // The rule applies to messages that arrive from now on.
    try push("Build 9 failed", daysAgo: 0)
    #expect(try starred() == ["Build 9 failed"])
    try press("y")
    try await wait { _ in screen.contains("Done: applied a rule to") }
    #expect(try starred().count == 8)
    try press("U")
    try await wait { _ in screen.contains("Undid: applied a rule") }
    #expect(try starred() == ["Build 9 failed"])
    await session.windDown()
  }

  @Test func whatCannotBeWrittenIsSaidAndNothingIsLost() async throws {
    try press("W")
    try await wait { $0.dialog.ruleForm != nil }
    let other = "# mine\nmouse = maybe\n"
    try folder.write(other)
    try press("enter")
    try await wait { _ in screen.contains("✗ ") }
    #expect(screen.contains("config.toml:2") && screen.contains("title:passed"))
    #expect(try folder.text() == other)
    try press("esc")
    #expect(session.state.dialog.ruleForm == nil)
    await session.windDown()
  }
}
