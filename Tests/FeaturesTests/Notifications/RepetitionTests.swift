import Basics
import Foundation
import Messages
import Queries
import Storage
import Synchronization
import Testing

@testable import Notifications
@testable import Platform
@testable import Profile
@testable import Settings

/// The rule action `again`: the notification is repeated until the user does something with the message.
struct RepetitionTests {
  private final class Clock: Sendable {
    private let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    var time: Date { now.withLock(\.self) }
    func pass(_ seconds: Double) { now.withLock { $0 += seconds } }
  }

  private let clock = Clock()

  private func profile(_ lines: String = "", doing actions: String = "\"again:30m\"") throws -> Profile {
    let clock = clock
    let settings = try SettingsReader(file: "c", home: "/home/ada", isReadableByOthers: false).read(
      """
      language = "en"
      notify_via = ["desktop"]
      \(lines)
      [[source]]
      name = "builds"
      kind = "local"
      [[rule]]
      name = "on call"
      when = "title:fire"
      do = [\(actions)]
      """)
    let environment = Environment(
      variables: [:], home: "/home/ada", version: "0", now: { clock.time }, clock: { .gmt }, random: { 0 })
    return try Profile(
      settings: settings, file: SettingsFile(path: "/nowhere/config.toml", home: "/home/ada"),
      store: .inMemory(now: clock.time), environment: environment)
  }

  @discardableResult
  private func push(_ title: String, _ profile: Profile, priority: Int = 3) throws -> MessageID {
    var message = IncomingMessage(remoteID: RemoteID(title), kind: .local, title: title)
    message.priority = Priority(priority)
    let source = try #require(profile.settings.sources.first)
    return try profile.store.pushes.add(message, into: source.source, at: clock.time).id
  }

  /// The titles of the notifications that a channel shows now.
  private func shown(_ profile: Profile) throws -> [String] {
    clock.pass(2)
    try profile.store.time.catchUpWhole(to: clock.time)
    // A round waits for more messages.
    clock.pass(3)
    let abilities = ChannelAbilities(channel: .desktop, canReplace: true)
    guard let round = try NoticeRound.prepare(profile, abilities, at: clock.time) else { return [] }
    try round.finish(
      Dictionary(
        round.notices.map { ($0.content.id, NoticeResult.stands(name: "d/\($0.content.id.rawValue)")) },
        uniquingKeysWith: { first, _ in first }))
    return round.notices.map(\.content.title)
  }

  @Test func itIsNotifiedAgainUntilItIsRead() throws {
    let profile = try profile()
    try push("News", profile)
    let id = try push("Fire one", profile)
    try push("Fire two", profile)
    #expect(try shown(profile) == ["Fire one", "Fire two"])
    clock.pass(1700)
    #expect(try shown(profile).isEmpty)
    clock.pass(120)
    #expect(try shown(profile) == ["Fire one", "Fire two"])
    try profile.store.acts.perform(.read([id]), at: clock.time)
    clock.pass(1900)
    #expect(try shown(profile) == ["Fire two"])
    #expect(try profile.store.notices.standing(on: .desktop).count == 1)
    #expect(try profile.store.check.compareAll().isEmpty)
  }

  @Test func afterEightTimesItIsSilent() throws {
    let profile = try profile()
    try push("Fire", profile)
    var count = 0
    for _ in 0..<12 {
      count += try shown(profile).count
      clock.pass(1900)
    }
    #expect(count == 1 + 8)
    #expect(try profile.store.time.advance(to: clock.time) == nil, "no alarm is left")
  }

  @Test func theNextTimeIsTheInboxesAlarm() throws {
    let profile = try profile()
    let id = try push("Fire", profile)
    #expect(try profile.store.time.advance(to: clock.time) == clock.time + 1800)
    try profile.store.acts.perform(.dismiss([id]), at: clock.time)
    clock.pass(1800)
    #expect(try profile.store.time.advance(to: clock.time) == nil)
    #expect(try shown(profile).isEmpty)
  }

  @Test func quietHoursHoldItUnlessItIsUrgent() throws {
    // 2027-01-15 08:00 UTC.
    let quiet = "[[quiet]]\nfrom = \"7:00\"\nto = \"11:00\""
    let calm = try profile(quiet)
    try push("Fire", calm)
    for _ in 0..<3 {
      #expect(try shown(calm).isEmpty)
      clock.pass(1800)
    }
    clock.pass(3 * 3600)
    #expect(try shown(calm) == ["Fire"])
    // None of the eight is lost to the quiet hours.
    var count = 0
    for _ in 0..<12 {
      clock.pass(1900)
      count += try shown(calm).count
    }
    #expect(count == 8)
    clock.pass(86_400 - clock.time.timeIntervalSince(Date(timeIntervalSince1970: 1_800_000_000)))
    let urgent = try profile(quiet, doing: "\"urgent\", \"again:30m\"")
    try push("Fire", urgent)
    #expect(try shown(urgent) == ["Fire"])
    clock.pass(1800)
    #expect(try shown(urgent) == ["Fire"])
  }

  @Test func theEndOfASnoozeBeginsAnew() throws {
    let profile = try profile()
    let id = try push("Fire", profile)
    #expect(try shown(profile) == ["Fire"])
    try profile.store.acts.perform(.snooze([id], until: clock.time + 3600), at: clock.time)
    clock.pass(1900)
    #expect(try shown(profile).isEmpty)
    clock.pass(1800)
    #expect(try shown(profile) == ["Fire"])
    clock.pass(1800)
    #expect(try shown(profile) == ["Fire"])
  }

  @Test func withoutItsRuleItEnds() throws {
    let profile = try profile()
    try profile.applyRulesAndLists()
    try push("Fire", profile)
    #expect(try shown(profile) == ["Fire"])
    try profile.store.rules.apply(rules: [:], at: clock.time)
    clock.pass(1900)
    #expect(try shown(profile).isEmpty)
  }

  @Test(arguments: [
    ("again:30m", "again:30m"), ("again:90m", "again:1h30m"), ("again: 2h", "again:2h"),
    ("again:1d 30m", "again:1d30m"),
  ])
  func itsTimeIsWrittenInOneWay(_ written: String, _ text: String) throws {
    #expect(try RuleAction.parse(written).get().text == text)
  }

  @Test(arguments: [
    "again", "again:", "again:soon", "again:30", "again:0m", "again:8d", "again:99999999999999999999m",
  ])
  func otherTimesAreRefused(_ written: String) {
    #expect(throws: RuleAction.Mistake.self) { try RuleAction.parse(written).get() }
  }
}
