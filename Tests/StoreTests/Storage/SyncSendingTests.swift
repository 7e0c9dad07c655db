import Foundation
import GRDB
import Messages
import Sync
import Testing

@testable import Storage

/// Acts that are sent long after they were performed.
@Suite struct SyncSendingTests {
  let place = PayloadPlace()
  let laptop: SyncMachine
  let server: SyncMachine

  init() throws {
    laptop = try SyncMachine("laptop")
    server = try SyncMachine("server")
    for machine in [laptop, server] {
      try machine.store.poll(machine.sources[0], [message("1"), message("2")])
    }
  }

  private func id(_ number: Int, _ machine: SyncMachine) throws -> MessageID {
    try #require(try machine.store.messages.find(RemoteID("\(number)"), of: machine.sources[0])).id
  }

  @Test func whatCannotBeUndoneAnyMoreIsSentAllTheSame() throws {
    try laptop.store.acts.perform(.star([id(1, laptop)]), at: noon + 1)
    // As many steps later as undo keeps.
    try laptop.store.write { db in
      try db.execute(sql: "UPDATE sqlite_sequence SET seq = seq + \(Journal.length) WHERE name = 'journal'")
    }
    for number in 2...4 {
      try laptop.store.acts.perform(
        number % 2 == 0 ? .read([id(2, laptop)]) : .unread([id(2, laptop)]), at: noon + Double(number))
    }
    #expect(try laptop.store.acts.undo(at: noon + 5) != nil)
    try laptop.flush(place, at: noon + 6)
    try server.pull(place, at: noon + 6)
    let (first, second) = try (
      server.store.messages.find(id(1, server)), server.store.messages.find(id(2, server))
    )
    #expect(first?.isStarred == true)
    #expect(second?.isUnread == true)
    for machine in [laptop, server] { try machine.store.expectConsistent() }
  }

  // MARK: - Packed objects

  private func pack(_ machine: SyncMachine, _ acts: [UserAct]) throws {
    for (number, act) in acts.enumerated() {
      try machine.store.acts.perform(act, at: noon + Double(number))
      try machine.flush(place, at: noon + Double(number))
    }
    try machine.pack(place, at: noon + 50)
  }

  /// A new machine that knows only the sync location shows the same, and a repeated read changes nothing.
  @Test func aPackedObjectHasTheLastWriteOfEachMark() throws {
    let (one, two) = (try id(1, laptop), try id(2, laptop))
    try laptop.flush(place, at: noon)
    try pack(
      laptop, [.read([one, two]), .star([two]), .unread([two]), .unstar([two]), .star([one]), .read([two])])
    let (name, payload) = try #require(place.objects.first)
    #expect(place.objects.count == 1)
    let acts = try Payload.decode(payload, of: name).acts.map(\.act).filter { $0.kind != .firstDelivery }
    let starred = acts.filter { act in act.groups.contains { $0.field == .starred } }
    #expect(starred.map(\.kind) == [.unstar, .star])
    #expect(!acts.contains { $0.kind == .unread && !$0.groups.isEmpty })
    // The machine recognises it as its own, and continues.
    let device = try #require(try laptop.store.sync.machine()).device
    try laptop.store.acts.perform(.unread([one]), at: noon + 60)
    try laptop.flush(place, at: noon + 61)
    #expect(try laptop.store.sync.machine()?.device == device)
    let fresh = try SyncMachine("fresh")
    try fresh.store.poll(fresh.sources[0], [message("1"), message("2")])
    for machine in [server, fresh, server] { try machine.pull(place, at: noon + 62) }
    for machine in [server, fresh] {
      #expect(try machine.marks() == laptop.marks(), "\(machine.name)")
      try machine.store.expectConsistent()
    }
  }

  /// The process is killed after the object was put and before that is recorded; the small objects are restored.
  @Test func ownActsAreKnownPackedOrNot() throws {
    let (one, two) = (try id(1, laptop), try id(2, laptop))
    try laptop.flush(place, at: noon)
    for (number, act) in [UserAct.read([one, two]), .unread([two]), .star([one]), .unstar([one])].enumerated()
    {
      try laptop.store.acts.perform(act, at: noon + Double(number))
      try laptop.flush(place, at: noon + Double(number))
    }
    let small = place.objects
    let last = try #require(small.keys.map(\.seqs.upperBound).max())
    let packed = try #require(try laptop.store.sync.packed(1...last))
    let whole = try #require(try laptop.store.sync.own(1...last))
    #expect(packed != whole)
    #expect(try laptop.store.sync.areOwn(packed, 1...last))
    try laptop.store.sync.recordPacked(1...last, packed)
    #expect(try laptop.store.sync.own(1...last) == packed)
    for name in small.keys {
      let bodies = Array(whole[Int(name.seqs.lowerBound - 1)...Int(name.seqs.upperBound - 1)])
      #expect(try laptop.store.sync.areOwn(bodies, name.seqs), "\(name.seqs)")
    }
    // A copy of the database performed another act.
    var other = whole
    other[Int(last) - 1] = ActCodec.encode(
      Act(kind: .unstar, stamp: Stamp(milliseconds: noon.milliseconds + 9000), groups: []))
    #expect(try !laptop.store.sync.areOwn(other, 1...last))
    other[Int(last) - 1] = whole[0]
    #expect(try !laptop.store.sync.areOwn(other, 1...last))
    #expect(try !laptop.store.sync.areOwn(whole + [whole[0]], 1...last + 1))
  }

  /// The first poll of another machine is not treated as a first poll: all messages arrive unread.
  @Test func aPackedFirstDeliveryWithoutMessagesStillMarksItsSource() throws {
    let quiet = configured("quiet")
    let here = try laptop.follow(quiet)[0]
    try laptop.store.pollNothing(here)
    try pack(laptop, [.star([id(1, laptop)]), .unstar([id(1, laptop)]), .star([id(2, laptop)])])
    #expect(place.objects.count == 1)
    let fresh = try SyncMachine("fresh")
    try fresh.pull(place, at: noon + 60)
    let there = try fresh.follow(quiet)[0]
    try fresh.store.poll(there, messages(1...40), at: noon + 61)
    #expect(try fresh.store.status(there).unread == 40)
  }

  @Test func actsOnWhatIsNotSynchronisedAreNotSent() throws {
    let own = try laptop.follow(configured("own", kind: .local, address: ""))[0]
    try laptop.store.poll(own, [message("a"), message("b")])
    let ids = try ["a", "b"].map { try #require(try laptop.store.messages.find(RemoteID($0), of: own)).id }
    try laptop.flush(place, at: noon)
    try laptop.store.acts.perform(.read([ids[0]]), at: noon + 1)
    #expect(try laptop.store.sync.waiting().count == 0)
    // With another message in the act, it is sent, for that message only.
    try laptop.store.acts.perform(.star([ids[1], id(1, laptop)]), at: noon + 2)
    let unsent = try #require(try laptop.store.sync.unsent(limit: 1 << 20))
    #expect(unsent.acts.count == 1)
    let head = Payload.Head(written: noon.milliseconds, machine: "laptop", program: "test")
    var reader = try PayloadReader(Payload.encode(head, acts: unsent.acts), of: unsent.name)
    let act = try #require(try reader.next()).act
    #expect(act.groups.filter { $0.field == .starred }.flatMap(\.targets).count == 1)
  }

  /// A clock that was a month fast once is reported as long as the newest object shows it, not until that month has
  /// passed.
  @Test func aClockThatIsRightAgainIsNotNamedAnyMore() throws {
    func ahead() throws -> Duration? {
      try laptop.store.sync.progress()?.machines.first { $0.name == "server" }?.clockAhead
    }
    for (number, skew) in [(1, 0.0), (2, 30 * 86_400), (3, 0)] {
      server.skew = skew
      let act = UserAct.star([try id(number % 2 + 1, server)])
      try server.store.acts.perform(act, at: noon + skew + Double(number))
      try server.flush(place, at: noon + Double(number))
      try laptop.pull(place, at: noon + Double(number))
      #expect(try ahead() == .seconds(skew))
      try server.store.acts.perform(.unstar([id(number % 2 + 1, server)]), at: noon + skew + Double(number))
    }
  }
}
