import Foundation
import GRDB
import Marks
import Messages
import Sync
import Testing

@testable import Storage

/// Acts that are sent long after they were done.
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

  @Test func actsOnWhatIsNotSynchronisedAreNotSent() throws {
    let own = try laptop.follow(configured("own", kind: .local, address: ""))[0]
    try laptop.store.poll(own, [message("a"), message("b")])
    let ids = try ["a", "b"].map { try #require(try laptop.store.messages.find(RemoteID($0), of: own)).id }
    try laptop.flush(place, at: noon)
    try laptop.store.acts.perform(.read([ids[0]]), at: noon + 1)
    #expect(try laptop.store.sync.waiting().count == 0)
    // With another one beside it, the act is sent; of that one alone.
    try laptop.store.acts.perform(.star([ids[1], id(1, laptop)]), at: noon + 2)
    let unsent = try #require(try laptop.store.sync.unsent(limit: 1 << 20))
    #expect(unsent.acts.count == 1)
    let head = Payload.Head(written: noon.milliseconds, machine: "laptop", program: "test")
    var reader = try PayloadReader(Payload.encode(head, acts: unsent.acts), of: unsent.name)
    let act = try #require(try reader.next()).act
    #expect(act.groups.filter { $0.field == .starred }.flatMap(\.targets).count == 1)
  }

  /// A clock that was a month ahead once is named while the newest object says so, not until that month is over.
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
