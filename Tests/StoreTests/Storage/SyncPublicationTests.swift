import Foundation
import GRDB
import Messages
import Sync
import Testing

@testable import Storage

/// An article that is published again after it was read is unread on all machines.
@Suite struct SyncPublicationTests {
  private static let day: TimeInterval = 86_400
  private let place = PayloadPlace()
  private let laptop: SyncMachine
  private let server: SyncMachine
  private let phone: SyncMachine
  private let published = noon + 4 * SyncPublicationTests.day

  init() throws {
    laptop = try SyncMachine("laptop")
    server = try SyncMachine("server")
    phone = try SyncMachine("phone")
  }

  private var machines: [SyncMachine] { [laptop, server, phone] }

  /// Delivers three articles, of which the second is published again.
  private func deliver(_ published: Date, to machine: SyncMachine, at now: Date) throws {
    let old = noon - 60 * Self.day
    try machine.store.poll(
      machine.sources[0],
      [
        message("1", "First", body: "One", at: old), message("2", "Second", body: "Two", at: published),
        message("3", "Third", body: "Three", at: old + 60),
      ], at: now)
  }

  private func shown(_ machine: SyncMachine) throws -> Message {
    try #require(try machine.store.messages.find(RemoteID("2"), of: machine.sources[0]))
  }

  private func act(_ act: ([MessageID]) -> UserAct, _ machine: SyncMachine, at now: Date) throws {
    try machine.store.acts.perform(act([shown(machine).id]), at: now)
  }

  private func send(_ machine: SyncMachine, at now: Date) throws { try machine.flush(place, at: now) }

  private func receive(_ machine: SyncMachine, at now: Date) throws { try machine.pull(place, at: now) }

  /// - Parameter isLate: whether the read state arrives after the machines have polled the new publication.
  @Test(arguments: [false, true], [false, true])
  func whatIsPublishedAgainIsUnreadOnAllMachines(isLate: Bool, isDismissed: Bool) throws {
    for machine in machines { try deliver(noon - 60 * Self.day, to: machine, at: noon) }
    try act(UserAct.read, laptop, at: noon + 1)
    if isDismissed { try act(UserAct.dismiss, laptop, at: noon + 2) }
    if isLate { for machine in [server, phone] { try deliver(published, to: machine, at: published) } }
    try send(laptop, at: noon + 3)
    for machine in [server, phone] { try receive(machine, at: published + 1) }
    if !isLate { #expect(try !shown(server).isUnread) }
    for machine in machines { try deliver(published, to: machine, at: published + 2) }
    for machine in machines {
      #expect(try shown(machine).isUnread && !shown(machine).isDismissed, "\(machine.name)")
    }
    // Earlier acts are not undone for the new publication.
    _ = try laptop.store.acts.undo(at: published + 3)
    #expect(try shown(laptop).isUnread && !shown(laptop).isDismissed)
    // One machine reads it now.
    try act(UserAct.read, server, at: published + 4)
    try send(server, at: published + 5)
    for machine in [laptop, phone] { try receive(machine, at: published + 6) }
    for machine in machines {
      #expect(try !shown(machine).isUnread, "\(machine.name)")
      try machine.store.expectConsistent()
    }
  }

  /// The cell waits for the message, which was not kept there.
  @Test func whatWaitsForItIsOfThePublicationBefore() throws {
    for machine in machines { try deliver(noon - 60 * Self.day, to: machine, at: noon) }
    try act(UserAct.read, laptop, at: noon + 1)
    try send(laptop, at: noon + 2)
    try receive(server, at: noon + 2)
    try server.store.prune(Retention(age: .seconds(Self.day)), at: noon + 3 * Self.day)
    #expect(try server.store.messages.find(RemoteID("2"), of: server.sources[0]) == nil)
    for machine in machines { try deliver(published, to: machine, at: published) }
    try receive(phone, at: published + 1)
    for machine in machines { #expect(try shown(machine).isUnread, "\(machine.name)") }
    // A machine that joins later gets it with its star.
    try act(UserAct.star, server, at: published + 2)
    try send(server, at: published + 3)
    let fresh = try SyncMachine("fresh")
    try receive(fresh, at: published + 4)
    #expect(try shown(fresh).isStarred && shown(fresh).isUnread)
    #expect(try shown(phone).isUnread)
  }

  /// A machine that hasn't polled it yet reads it after its date: the act applies to this publication.
  @Test func whatIsReadAfterItsDateStaysRead() throws {
    for machine in machines { try deliver(noon - 60 * Self.day, to: machine, at: noon) }
    try deliver(published, to: server, at: published + 1)
    try act(UserAct.read, laptop, at: published + 2)
    try send(laptop, at: published + 3)
    for machine in [server, phone] { try receive(machine, at: published + 4) }
    for machine in [laptop, phone] { try deliver(published, to: machine, at: published + 5) }
    for machine in machines { #expect(try !shown(machine).isUnread, "\(machine.name)") }
  }

  /// A database of an earlier version knows the occasion, but not that it is a date.
  @Test func aDatabaseOfAnEarlierVersionKnowsThePublication() throws {
    let directory = try Directory()
    let number = try #require(EarlierSchema.migrations.firstIndex { $0.name.hasPrefix("an undo knows") })
    do {
      let earlier = try SyncMachine("earlier", store: try Store(path: directory.database, now: noon))
      for (date, now) in [(noon - 60 * Self.day, noon), (published, published)] {
        try deliver(date, to: earlier, at: now)
      }
      try earlier.store.close()
    }
    try DatabaseQueue(path: directory.database).write { db in
      try db.becomeEarlier()
      try db.execute(
        sql: """
          DROP TABLE source_written;
          DROP INDEX journal_edit;
          DROP INDEX journal_undoes;
          ALTER TABLE journal RENAME COLUMN edit TO removal;
          ALTER TABLE mark_change DROP old_by;
          ALTER TABLE mark_change DROP new_by;
          ALTER TABLE wire_key DROP published;
          PRAGMA user_version = \(100 + number);
          """)
    }
    let store = try Store(path: directory.database, now: published)
    let source = try #require(try store.sources.statuses().first { $0.source.name == "news" }).source.id
    try deliver(noon - 60 * Self.day, to: laptop, at: noon)
    try act(UserAct.read, laptop, at: noon + 1)
    try send(laptop, at: published)
    for (name, payload) in place.objects {
      _ = try store.sync.apply(PayloadReader(payload, of: name), of: name, at: published + 1)
    }
    #expect(try store.messages.find(RemoteID("2"), of: source)?.isUnread == true)
    try store.expectConsistent()
  }

  @Test func aDatabaseThatIsSetUpLaterKnowsThePublication() throws {
    let store = try Store.fresh()
    let news = try store.follow(configured("news"))[0]
    try store.pollNothing(news)
    for (date, now) in [(noon - 60 * Self.day, noon), (published, published)] {
      try store.poll(news, [message("2", "Second", body: "Two", at: date)], at: now)
    }
    let later = try SyncMachine("later", store: store, at: published + 1)
    try deliver(noon - 60 * Self.day, to: laptop, at: noon)
    try act(UserAct.read, laptop, at: noon + 1)
    try send(laptop, at: published)
    try receive(later, at: published + 2)
    #expect(try shown(later).isUnread)
  }
}
