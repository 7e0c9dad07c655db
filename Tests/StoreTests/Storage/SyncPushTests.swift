import Foundation
import Messages
import Sync
import Testing

@testable import Storage

/// Pushes to a source that several machines share.
@Suite struct SyncPushTests {
  let place = PayloadPlace()
  let laptop: SyncMachine
  let server: SyncMachine

  init() throws {
    laptop = try SyncMachine("laptop")
    server = try SyncMachine("server")
  }

  private func send(from: SyncMachine, to: SyncMachine, at seconds: Double) throws {
    try from.flush(place, at: noon + seconds)
    try to.pull(place, at: noon + seconds)
  }

  private func shown(_ machine: SyncMachine) throws -> String? { try machine.marks()["alerts 1"] }

  private func id(_ machine: SyncMachine) throws -> MessageID { try #require(try machine.id(3, 1)) }

  @Test func aPushAppearsOnAllMachinesAsNew() throws {
    try server.push(1, "Disk full", at: noon + 1)
    try send(from: server, to: laptop, at: 2)
    let came = try #require(try laptop.store.messages.find(id(laptop)))
    #expect(came.isUnread && came.content.title == "Disk full" && came.received == noon + 1)
    #expect(try laptop.store.dots().contains(laptop.sources[3]))
    // The message is read there, and so it is read here.
    try laptop.store.acts.perform(.read([id(laptop)]), at: noon + 3)
    try send(from: laptop, to: server, at: 4)
    #expect(try shown(server) == "Disk full, read")
    // A message that is pushed again is unread on both machines, even if nothing changed.
    try server.push(1, "Disk full", at: noon + 5)
    try send(from: server, to: laptop, at: 6)
    #expect(try shown(laptop) == "Disk full, unread" && shown(server) == "Disk full, unread")
    for machine in [laptop, server] { try machine.store.expectConsistent() }
  }

  @Test func whatWasReadBeforeItWasPushedAgainStaysUnread() throws {
    try server.push(1, "Disk full", at: noon + 1)
    try send(from: server, to: laptop, at: 2)
    try laptop.store.acts.perform(.dismiss([id(laptop)]), at: noon + 3)
    try server.push(1, "Disk very full", at: noon + 4)
    try send(from: laptop, to: server, at: 5)
    #expect(try shown(server) == "Disk very full, unread")
    try send(from: server, to: laptop, at: 6)
    #expect(try shown(laptop) == "Disk very full, unread")
  }

  @Test func ofTwoMachinesTheLaterPushStands() throws {
    try server.push(1, "Later", at: noon + 9)
    try laptop.push(1, "Earlier", at: noon + 1)
    try send(from: server, to: laptop, at: 10)
    try send(from: laptop, to: server, at: 11)
    #expect(try shown(laptop) == "Later, unread" && shown(server) == "Later, unread")
    // Another push there comes after the known ones, whatever the clock says.
    try laptop.push(1, "Last", at: noon + 3)
    try send(from: laptop, to: server, at: 12)
    #expect(try shown(server) == "Last, unread")
  }

  @Test func anOlderPushDoesNotBringBackWhatIsGone() throws {
    let slow = try SyncMachine("slow")
    try slow.push(1, "Old", at: noon + 1)
    try server.push(1, "New", at: noon + 2)
    try send(from: server, to: laptop, at: 3)
    try laptop.store.acts.perform(.read([id(laptop)]), at: noon + 4)
    var source = try laptop.store.status(laptop.sources[3]).source
    source.retention = Retention(age: .seconds(1), count: nil)
    let limits = try laptop.store.retention.limits(of: [source], at: noon + 60)
    #expect(try laptop.store.retention.prune(limits).removed.values.reduce(0, +) == 1)
    try send(from: slow, to: laptop, at: 61)
    #expect(try shown(laptop) == nil)
    try laptop.store.expectConsistent()
  }

  @Test func aReminderComesEverywhereAtItsTime() throws {
    try server.push(1, "Tea", from: noon + 600, at: noon + 1)
    try send(from: server, to: laptop, at: 2)
    #expect(try laptop.store.titles().isEmpty)
    #expect(try laptop.store.messages.find(id(laptop))?.snoozedUntil == noon + 600)
    // The message is snoozed there before this machine has it.
    try laptop.store.acts.perform(.snooze([id(laptop)], until: noon + 300), at: noon + 3)
    try send(from: laptop, to: server, at: 4)
    let late = try SyncMachine("late")
    try late.pull(place, at: noon + 5)
    for machine in [laptop, server, late] {
      #expect(try machine.store.messages.find(id(machine))?.snoozedUntil == noon + 300)
      try machine.store.time.advance(to: noon + 301)
      #expect(try machine.store.titles() == ["Tea"], "\(machine.name)")
      try machine.store.expectConsistent()
    }
  }

  @Test func aSourceThatIsSharedLaterGetsWhatWasPushed() throws {
    let store = try Store.fresh()
    let other = try SyncMachine("other", store: store)
    _ = try store.follow(configured("news"))
    try store.sources.forget(other.sources[3])
    try server.push(1, "Disk full", at: noon + 1)
    try send(from: server, to: other, at: 2)
    let again = try store.follow(configured("news"), SyncMachine.alerts)[1]
    #expect(try store.messages.find(RemoteID("1"), of: again)?.content.title == "Disk full")
    try store.expectConsistent()
  }

  /// Three machines; the second of three pushes was read on its own machine, before that machine synchronised.
  @Test func whatWasPushedBeforeAMachineSynchronisedTravelsToo() throws {
    let store = try Store.fresh()
    _ = try store.follow(configured("news"), SyncMachine.alerts)
    for number in 1...3 {
      try store.pushes.add(
        IncomingMessage(remoteID: RemoteID("\(number)"), kind: .local, title: "Push \(number)"),
        into: SyncMachine.alerts, at: noon - 60 + Double(number))
    }
    let source = try #require(try store.sources.statuses().first { $0.source.kind == .local }?.source.id)
    let second = try #require(try store.messages.find(RemoteID("2"), of: source)?.id)
    try store.acts.perform(.read([second]), at: noon - 30)
    let early = try SyncMachine("early", store: store)
    try send(from: early, to: server, at: 1)
    try laptop.pull(place, at: noon + 2)
    for machine in [server, laptop] {
      #expect(try machine.store.titles() == ["Push 3", "Push 2", "Push 1"], "\(machine.name)")
      #expect(
        try machine.store.titles(InboxQuery(isUnreadOnly: true)) == ["Push 3", "Push 1"], "\(machine.name)")
      try machine.store.expectConsistent()
    }
    // An act on one of the machines applies to the same message everywhere.
    let there = try #require(try server.store.messages.find(RemoteID("1"), of: server.sources[3])?.id)
    try server.store.acts.perform(.read([there]), at: noon + 3)
    try send(from: server, to: early, at: 4)
    #expect(try early.store.titles(InboxQuery(isUnreadOnly: true)) == ["Push 3"])
    try early.store.expectConsistent()
  }
}
