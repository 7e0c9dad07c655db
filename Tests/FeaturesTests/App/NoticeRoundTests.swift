import Basics
import Foundation
import Messages
import Storage
import Testing

@testable import Notifications
@testable import Platform
@testable import Profile
@testable import Settings

/// Rounds of a channel, from waiting messages to shown notifications.
struct NoticeRoundTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  let profile: Profile

  init() throws { profile = try Self.profile("") }

  static func profile(_ lines: String) throws -> Profile {
    let settings = try SettingsReader(file: "c", home: "/home/ada", isReadableByOthers: false).read(
      """
      language = "en"
      notify = ""
      notify_via = ["desktop", "bell"]
      \(lines)
      [[source]]
      name = "builds"
      title = "Build server"
      kind = "local"
      [[source]]
      name = "news"
      kind = "local"
      """)
    let environment = Environment(
      variables: [:], home: "/home/ada", version: "0", now: { now }, clock: { .gmt }, random: { 0 })
    return try Profile(
      settings: settings, file: SettingsFile(path: "/nowhere/config.toml", home: "/home/ada"),
      store: .inMemory(now: now), environment: environment)
  }

  @discardableResult
  private func push(
    _ title: String, into source: String = "builds", body: String = "", priority: Int = 3,
    at time: Date = now,
    _ profile: Profile? = nil
  ) throws -> MessageID {
    let profile = profile ?? self.profile
    var message = IncomingMessage(remoteID: RemoteID(title), kind: .local, title: title, body: body)
    message.priority = Priority(priority)
    message.url = "https://team.example/\(title.count)"
    let configured = try #require(profile.settings.sources.first { $0.name == source })
    return try profile.store.pushes.add(message, into: configured.source, at: time).id
  }

  private func round(
    _ seconds: Double = 5, canReplace: Bool = true, canRepeat: Bool = false, _ profile: Profile? = nil
  ) throws -> NoticeRound? {
    try NoticeRound.prepare(
      profile ?? self.profile,
      ChannelAbilities(channel: .desktop, canReplace: canReplace, canRepeat: canRepeat),
      at: Self.now.addingTimeInterval(seconds))
  }

  private func finish(_ round: NoticeRound) throws {
    try round.finish(
      Dictionary(
        round.notices.map { ($0.content.id, NoticeResult.stands(name: "d/\($0.content.id.rawValue)")) },
        uniquingKeysWith: { first, _ in first }))
  }

  @Test func withoutNewsThereIsNoRound() throws {
    #expect(try round() == nil)
  }

  @Test func oneMessageIsToldWithItsText() throws {
    let id = try push("Build \u{1B}[31m812\u{7} failed", body: "\nLinker\u{202E} error\nline 2\n")
    #expect(try round(1)?.notices.isEmpty == true, "the rest of its round is waited for")
    let round = try #require(try round())
    let content = try #require(round.notices.first?.content)
    #expect(round.notices.count == 1 && content.messages == [id])
    #expect(content.title == "Build \u{FFFD}[31m812\u{FFFD} failed")
    #expect(content.body == ["Build server", "Linker error", "line 2"])
    #expect(content.buttons == [.open: "Open", .read: "Mark read", .later: "Later (1 h)"])
    try finish(round)
    #expect(
      try self.round()?.notices.isEmpty == true && profile.store.notices.standing(on: .desktop).count == 1)
  }

  @Test func manyMessagesAreOneForEachSource() throws {
    for number in 1...5 { try push("Build \(number)") }
    try push("Only one", into: "news")
    let round = try #require(try round())
    #expect(round.notices.map(\.content.title) == ["Build server: 5 new", "Only one"])
    #expect(round.notices.first?.content.body == ["Build 5", "Build 4", "Build 3"])
  }

  @Test func aDigestReplacesItself() throws {
    for number in 1...3 { try push("Build \(number)") }
    try finish(try #require(try round()))
    try push("Build 4", at: Self.now + 10)
    let first = try #require(try round(15))
    #expect(first.notices.map(\.content.title) == ["Build 4"] && first.notices[0].earlier == nil)
    try finish(first)
    try push("News", into: "news", at: Self.now + 20)
    let second = try #require(try round(25))
    #expect(second.notices.map(\.content.title) == ["2 new messages"])
    #expect(second.notices[0].earlier == "d/\(first.notices[0].content.id.rawValue)")
    #expect(second.notices[0].content.body == ["Build server 1, news 1"])
  }

  @Test func whatWasReadIsTakenBack() throws {
    let ids = try [push("Build 1"), push("Build 2")]
    try finish(try #require(try round()))
    try profile.store.acts.perform(.read([ids[0]]), at: Self.now)
    let first = try #require(try round(10))
    #expect(first.withdrawn.map(\.name) == ["d/1"] && first.hasStanding)
    try first.finish([:])
    try profile.store.acts.perform(.snooze([ids[1]], until: Self.now + 60), at: Self.now)
    let second = try #require(try round(20))
    #expect(second.withdrawn.map(\.name) == ["d/2"] && !second.hasStanding)
    try second.finish([:])
    // The end of the snooze notifies again.
    try profile.store.time.advance(to: Self.now + 60)
    #expect(try round(65)?.notices.map(\.content.title) == ["Build 2"])
  }

  @Test func whatIsClaimedByAnEndedProcessIsToldAgainOnlyWhereThatReplacesIt() throws {
    try push("Build 1")
    // The notification was claimed, but it is not known whether it was shown.
    let lost = try #require(try round())
    #expect(lost.notices.count == 1)
    let meanwhile = try #require(try round())
    #expect(meanwhile.notices.isEmpty && meanwhile.next != nil, "its process holds the channel")
    let claimed = try profile.store.notices.unconfirmed(on: .desktop).map(\.id)
    release(lost)
    let again = try #require(try round(canRepeat: true))
    #expect(again.notices.map(\.content.id) == claimed)
    release(again)
    #expect(try round()?.notices.isEmpty == true)
    #expect(try profile.store.notices.unconfirmed(on: .desktop).isEmpty && round() == nil)
  }

  /// Releases the round, as the end of its process would.
  private func release(_ round: NoticeRound) { round.abandon() }

  @Test func quietHoldsBackAndSumsUp() throws {
    let start = Self.now - 60
    try profile.store.notices.setQuiet(until: Self.now + 3600, at: start)
    try push("Build 1")
    try push("Build 2")
    let round = try #require(try round())
    #expect(round.notices.isEmpty && round.next == Self.now + 3600)
    try round.finish([:])
    let after = try #require(try self.round(3605))
    #expect(after.notices.map(\.content.title) == ["2 new messages"])
  }

  @Test func quietHoursAllowByTheirQuery() throws {
    // 2027-01-15 08:00 UTC.
    let profile = try Self.profile("[[quiet]]\nfrom = \"7:00\"\nto = \"9:00\"\nallow = \"priority:5\"")
    try push("Build 1", profile)
    try push("Fire", priority: 5, profile)
    let round = try #require(try round(5, profile))
    #expect(round.notices.map(\.content.title) == ["Fire"] && round.notices[0].content.isUrgent)
    #expect(round.next == Self.now + 3600)
  }

  @Test func aSentenceSaysWhetherItIsQuiet() throws {
    #expect(try profile.quiet(nil) == "not quiet")
    #expect(try profile.quiet("2h").hasPrefix("quiet until "))
    #expect(try profile.quiet("off") == "not quiet")
    #expect(try profile.quiet("until 9:30") == profile.quiet(nil))
    #expect(throws: Profile.SnoozeRefusal.self) { try profile.quiet("soonish") }
  }
}
