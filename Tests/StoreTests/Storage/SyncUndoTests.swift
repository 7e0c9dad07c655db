import Foundation
import Messages
import Sync
import TestBasics
import Testing

@testable import Storage

/// Undo reverts any number of steps, one by one, on a machine that synchronises as on one that doesn't.
@Suite struct SyncUndoTests {
  /// A machine and its messages.
  private struct Machine {
    var name: String
    var store: Store
    var source: SourceID
    /// Another machine that receives all acts.
    var other: SyncMachine?
    var own: SyncMachine?
    let place = PayloadPlace()

    func ids(_ numbers: [Int]) throws -> [MessageID] { try numbers.map { try store.id("\($0)", of: source) } }

    func marks() throws -> [String] {
      try (1...4).map { number in
        let message = try #require(try store.messages.find(RemoteID("\(number)"), of: source))
        let until = message.snoozedUntil.map { "\($0.timeIntervalSince(noon))" } ?? ""
        return [
          message.isUnread ? "unread" : "read", message.isStarred ? "starred" : "",
          message.isDismissed ? "dismissed" : "", until,
        ].joined(separator: " ")
      }
    }

    func send(at now: Date) throws {
      guard let own, let other else { return }
      try own.flush(place, at: now)
      try other.pull(place, at: now)
      try other.flush(place, at: now)
      try own.pull(place, at: now)
    }
  }

  private enum Done { case nothing, step, undone }

  private static func machines() throws -> [Machine] {
    let (store, source) = try Store.following(messages(1...4))
    let alone = try SyncMachine("alone")
    let (one, other) = (try SyncMachine("one"), try SyncMachine("other"))
    for machine in [alone, one, other] { try machine.store.poll(machine.sources[0], messages(1...4)) }
    return [
      Machine(name: "not synchronised", store: store, source: source),
      Machine(name: "alone", store: alone.store, source: alone.sources[0], own: alone),
      Machine(name: "one of two", store: one.store, source: one.sources[0], other: other, own: one),
    ]
  }

  @Test func starUnstarUndoUndoIsAsBefore() throws {
    for machine in try Self.machines() {
      let acts = machine.store.acts
      let id = try machine.ids([2])
      let before = try machine.marks()
      try acts.perform(.star(id), at: noon + 1)
      let starred = try machine.marks()
      try acts.perform(.unstar(id), at: noon + 2)
      try machine.send(at: noon + 2)
      for round in 0..<2 {
        let now = noon + 3 + Double(round) * 10
        #expect(try acts.undo(at: now)?.kind == .unstar, "\(machine.name)")
        #expect(try machine.marks() == starred)
        try machine.send(at: now)
        let undone = try #require(try acts.undo(at: now + 1))
        #expect(undone.count == 1 && undone.left == 0, "\(machine.name)")
        #expect(try machine.marks() == before)
        // An undo is undone too, and its result is undone once more.
        #expect(try acts.redo(at: now + 2)?.kind == .star)
        #expect(try machine.marks() == starred)
        #expect(try acts.redo(at: now + 3)?.kind == .unstar)
        #expect(try machine.marks() == before)
      }
      try machine.store.expectConsistent()
    }
  }

  /// A step of several acts is one step, even if they changed the same message.
  @Test func actsThatJoinedAreUndoneAndDoneAgainTogether() throws {
    for machine in try Self.machines() {
      let acts = machine.store.acts
      let before = try machine.marks()
      let id = try machine.ids([2])[0]
      try acts.perform(.snooze([id], until: noon + 3600), at: noon + 1)
      let all = MessageSelection(try machine.ids([1, 2, 3]))
      try acts.perform(UserAct(.snooze, all, until: noon + 7200).joining(id), at: noon + 2)
      let after = try machine.marks()
      for round in 0..<2 {
        let now = noon + 3 + Double(round)
        #expect(try acts.undo(at: now)?.count == 3, "\(machine.name)")
        #expect(try machine.marks() == before, "\(machine.name)")
        #expect(try acts.redo(at: now)?.count == 3, "\(machine.name)")
        #expect(try machine.marks() == after, "\(machine.name)")
      }
      #expect(try acts.undo(at: noon + 9)?.left == 0)
      #expect(try machine.marks() == before, "\(machine.name)")
    }
  }

  /// Values that another machine wrote are kept, and an undo restores the value that another machine had written
  /// before.
  @Test func undoLeavesAndRestoresWhatOthersWrote() throws {
    let machine = try Self.machines()[2]
    let other = try #require(machine.other)
    let acts = machine.store.acts
    func theirs(_ number: Int) throws -> [MessageID] { [try #require(try other.id(0, number))] }
    try other.store.acts.perform(.star(theirs(2)), at: noon + 1)
    try machine.send(at: noon + 2)
    try machine.send(at: noon + 2)
    try acts.perform(.unstar(machine.ids([2, 3])), at: noon + 3)
    try acts.perform(.star(machine.ids([1, 2, 3])), at: noon + 4)
    try machine.send(at: noon + 5)
    try other.store.acts.perform(.unstar(theirs(3)), at: noon + 6)
    try machine.send(at: noon + 7)
    try machine.send(at: noon + 7)
    let undone = try #require(try acts.undo(at: noon + 8))
    #expect(undone.count == 2 && undone.left == 1 && undone.machines == ["other"])
    #expect(try acts.undo(at: noon + 9)?.count == 1)
    let marks = try machine.marks()
    #expect(marks.map { $0.contains("starred") } == [false, true, false, false])
    // The star belongs to the other machine's act again, so rules leave it.
    let id = try machine.ids([2])[0].rawValue
    #expect(try machine.store.read { db in try MarkLog(db).isActed(id, on: .starred) })
    #expect(try !machine.store.read { db in try MarkLog(db).isActed(id, on: .read) })
  }

  /// Acts from before the set-up can be undone after it.
  @Test func stepsOfBeforeTheSetUpAreUndoneExactly() throws {
    let (store, source) = try Store.following(messages(1...4))
    let machine = Machine(name: "later", store: store, source: source)
    let before = try machine.marks()
    let ids = try machine.ids([2, 3])
    try store.acts.perform(.star(ids), at: noon + 1)
    let starred = try machine.marks()
    try store.acts.perform(.unstar([ids[0]]), at: noon + 2)
    try store.sync.setUp(.random(), placeID: Array(repeating: 7, count: 16), at: noon + 3)
    try store.acts.perform(.star([ids[0]]), at: noon + 4)
    _ = try store.acts.undo(at: noon + 5)
    _ = try store.acts.undo(at: noon + 6)
    #expect(try machine.marks() == starred)
    _ = try store.acts.undo(at: noon + 7)
    #expect(try machine.marks() == before)
  }

  private static let seeds = Histories.seeds(20)

  /// - Parameter random: the same for each machine.
  private static func act(_ machine: Machine, at now: Date, _ random: inout SeededRandom) throws -> Done {
    let numbers = (0..<[1, 1, 1, 3][Int.random(in: 0..<4, using: &random)]).map { _ in
      Int.random(in: 1...4, using: &random)
    }
    let ids = try machine.ids(numbers)
    let acts = machine.store.acts
    func perform(_ act: UserAct) throws -> Done { try acts.perform(act, at: now) > 0 ? .step : .nothing }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return try perform(.read(ids))
    case 2: return try perform(.unread(ids))
    case 3, 4: return try perform(.star(ids))
    case 5: return try perform(.unstar(ids))
    case 6: return try perform(.dismiss(ids))
    case 7: return try perform(.undismiss(ids))
    case 8:
      let until = now + Double(Int.random(in: 1..<30, using: &random)) * 3600
      return try perform(.snooze(ids, until: until))
    case 9: return try acts.redo(at: now) == nil ? .nothing : .step
    default: return try acts.undo(at: now) == nil ? .nothing : .undone
    }
  }

  @Test(arguments: seeds) func anyNumberOfStepsIsUndoneExactly(seed: Int) throws {
    var shown: [[String]] = []
    for machine in try Self.machines() {
      var random = SeededRandom(seed: seed)
      var now = noon
      var states: [[String]] = []
      var all: [String] = []
      for _ in 0..<Int.random(in: 2...16, using: &random) {
        now += [0, 0.001, 60].randomElement(using: &random) ?? 0
        let before = try machine.marks()
        switch try Self.act(machine, at: now, &random) {
        case .step: states.append(before)
        case .undone: #expect(try machine.marks() == states.popLast(), "\(machine.name), seed \(seed)")
        case .nothing: #expect(try machine.marks() == before)
        }
        if Int.random(in: 0..<3, using: &random) == 0 { try machine.send(at: now) }
        all += try machine.marks()
      }
      while let state = states.popLast() {
        now += 1
        let undone = try machine.store.acts.undo(at: now)
        #expect(undone?.left == 0, "\(machine.name), seed \(seed)")
        #expect(try machine.marks() == state, "\(machine.name), seed \(seed)")
        all += state
      }
      #expect(try machine.store.acts.undo(at: now + 1) == nil)
      try machine.store.expectConsistent()
      shown.append(all)
    }
    #expect(Set(shown).count == 1, "seed \(seed)")
  }

  /// Snoozes may end in the meantime.
  @Test(arguments: seeds) func itIsTheSameWithAndWithoutSynchronisation(seed: Int) throws {
    var shown: [[String]] = []
    for machine in try Self.machines() {
      var random = SeededRandom(seed: seed)
      var now = noon
      var all: [String] = []
      for _ in 0..<Int.random(in: 5...40, using: &random) {
        now += [0, 60, 3600, 36_000].randomElement(using: &random) ?? 0
        try machine.store.time.advance(to: now)
        _ = try Self.act(machine, at: now, &random)
        if Int.random(in: 0..<3, using: &random) == 0 { try machine.send(at: now) }
        all += try machine.marks()
      }
      shown.append(all)
    }
    for (machine, all) in zip(["alone", "one of two"], shown.dropFirst()) {
      let first = zip(all, shown[0]).enumerated().first { $1.0 != $1.1 }
      #expect(first == nil, "\(machine), seed \(seed)")
    }
  }
}
