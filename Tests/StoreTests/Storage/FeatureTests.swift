import Foundation
import Messages
import Testing

@testable import Storage

/// Non-display notifications obey time, channel and redelivery: see the pages Formats and Decisions.
struct FeatureTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    source = try store.follow(configured("app", kind: .native))[0]
    try store.pollNothing(source)
  }

  private func on(_ id: String, _ names: String..., change: (inout FeatureNotice) -> Void = { _ in })
    -> FeatureNotice
  {
    var notice = FeatureNotice(remoteID: RemoteID(id), names: names, isEnabled: true)
    change(&notice)
    return notice
  }

  private func off(_ id: String, _ names: String..., change: (inout FeatureNotice) -> Void = { _ in })
    -> FeatureNotice
  {
    var notice = FeatureNotice(remoteID: RemoteID(id), names: names, isEnabled: false)
    change(&notice)
    return notice
  }

  @discardableResult
  private func deliver(_ notices: FeatureNotice..., at now: Date = noon) throws -> [String] {
    try store.poll(source, [], at: now) { $0.features = notices }.features.map(said)
  }

  private func due(at now: Date) throws -> [String] {
    try store.features.switchDue(at: now).map { said($0.change) }
  }

  private func said(_ change: FeatureChange) -> String { "\(change.isEnabled ? "on" : "off") \(change.name)" }

  private func enabled(at now: Date) throws -> [String] {
    try store.features.all(at: now).filter(\.isEnabled).map(\.name)
  }

  @Test func whatHasNotBegunSwitchesAtItsMoment() throws {
    #expect(try deliver(on("1", "dark") { $0.visibleFrom = noon + 60 }) == [])
    #expect(try enabled(at: noon + 59) == [])
    #expect(try store.features.all(at: noon).map(\.reason) == [.begins(noon + 60)])
    #expect(try store.time.advance(to: noon) == noon + 60)
    #expect(try due(at: noon + 59) == [])
    #expect(try due(at: noon + 60) == ["on dark"])
    #expect(try due(at: noon + 61) == [])
    #expect(try enabled(at: noon + 60) == ["dark"])
  }

  @Test func whatIsOverSwitchesNothing() throws {
    #expect(try deliver(on("1", "dark") { $0.expires = noon - 1 }) == [])
    #expect(try enabled(at: noon) == [])
    #expect(try store.features.all(at: noon).map(\.reason) == [.expired(noon - 1)])
    #expect(try due(at: noon + 60) == [])
  }

  @Test func anExpiredNoticeIsReverted() throws {
    #expect(try deliver(on("1", "dark") { $0.expires = noon + 60 }) == ["on dark"])
    #expect(try store.features.all(at: noon).map(\.until) == [noon + 60])
    #expect(try due(at: noon + 60) == ["off dark"])
    #expect(try enabled(at: noon + 60) == [])
    #expect(try due(at: noon + 90) == [])
  }

  @Test func aLifetimeCountsFromTheFirstArrival() throws {
    let notice = on("1", "dark") { $0.lifetime = .afterArrival(60) }
    #expect(try deliver(notice) == ["on dark"])
    #expect(try deliver(notice, at: noon + 50) == [])
    #expect(
      try deliver(on("1", "dark", "lamps") { $0.lifetime = .afterArrival(60) }, at: noon + 55) == ["on lamps"]
    )
    #expect(try due(at: noon + 60) == ["off dark", "off lamps"])
  }

  @Test func theFeatureGetsTheValueOfAnEarlierNotice() throws {
    try deliver(on("1", "dark"))
    #expect(try deliver(off("2", "dark") { $0.expires = noon + 60 }, at: noon + 10) == ["off dark"])
    #expect(try due(at: noon + 60) == ["on dark"])
  }

  @Test func unlessALaterOneSaidOtherwise() throws {
    try deliver(on("1", "dark") { $0.expires = noon + 60 })
    #expect(try deliver(on("2", "dark"), at: noon + 10) == [])
    #expect(try due(at: noon + 60) == [])
    #expect(try enabled(at: noon + 60) == ["dark"])
  }

  @Test func whatBeginsLaterIsSaidLater() throws {
    try deliver(off("1", "dark") { $0.visibleFrom = noon + 60 })
    #expect(try deliver(on("2", "dark"), at: noon + 10) == ["on dark"])
    #expect(
      try store.features.all(at: noon + 10).map(\.reason)
        == [.givesWay(at: noon + 60, to: RemoteID("1"), of: source)])
    #expect(try due(at: noon + 60) == ["off dark"])
  }

  @Test func anotherChannelWaitsForASubscription() throws {
    #expect(try deliver(on("1", "dark") { $0.channel = "math" }) == [])
    #expect(try store.features.all(at: noon).map(\.reason) == [.otherChannel("math")])
    #expect(try due(at: noon) == [])
    try store.sources.register(
      [configured("app", kind: .native) { $0.channels = ["general", "math"] }], at: noon)
    #expect(try due(at: noon + 1) == ["on dark"])
    try store.sources.register([configured("app", kind: .native)], at: noon)
    #expect(try due(at: noon + 2) == ["off dark"])
  }

  @Test func aRedeliveryTakesTheFirstOnesPlace() throws {
    try deliver(on("1", "dark", "lamps"))
    #expect(
      try deliver(on("1", "dark") { $0.expires = noon - 1 }, at: noon + 1) == ["off dark", "off lamps"])
    #expect(try store.features.all(at: noon + 1).map(\.name) == ["dark"])
    #expect(try deliver(FeatureNotice(remoteID: RemoteID("1"), names: [], isEnabled: false)) == [])
    #expect(try store.features.all(at: noon + 1) == [])
  }

  @Test func aMessageThatBecomesANoticeIsRemovedAndTheOtherWayRound() throws {
    try store.poll(source, [message("1", "Hello")])
    #expect(try store.titles() == ["Hello"])
    #expect(try deliver(on("1", "dark"), at: noon + 1) == ["on dark"])
    #expect(try store.titles() == [])
    try store.expectConsistent()
    let back = try store.poll(source, [message("1", "Hello")], at: noon + 2)
    #expect(try store.titles() == ["Hello"])
    #expect(back.features.map(said) == ["off dark"])
    try store.expectConsistent()
  }

  @Test func whatTimeSwitchedIsHandedOutOnce() throws {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "reddot-features-\(UUID().uuidString)")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: directory) } }
    let path = directory.appending(path: "db.sqlite").path
    let first = try Store(path: path, now: noon)
    let second = try Store(path: path, now: noon)
    let source = try first.follow(configured("app", kind: .native))[0]
    try first.poll(source, []) { $0.features = [self.on("1", "dark") { $0.visibleFrom = noon + 60 }] }
    #expect(try second.features.switchDue(at: noon + 60).map(\.change.name) == ["dark"])
    #expect(try first.features.switchDue(at: noon + 60).isEmpty)
  }

  @Test func namesAreComparedByteByByte() throws {
    #expect(try deliver(on("1", "caf\u{E9}"), off("2", "cafe\u{301}")).count == 2)
    #expect(try enabled(at: noon).map { Array($0.utf8).count } == [5])
  }
}
