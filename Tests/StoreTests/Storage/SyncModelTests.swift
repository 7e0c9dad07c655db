import Basics
import Foundation
import Messages
import Sync
import SyncModel
import TestBasics
import Testing

@testable import Storage

/// The store is compared with the model of the merge rule: three databases, to which the same happens as to three
/// machines of the model, show the same after each step.
@Suite struct SyncModelTests {
  private static let hour: TimeInterval = 3600

  /// One message with each kind of occasion, and the servers' reports on it.
  private struct Servers {
    /// The occasions of the service's messages 1 and 2.
    var occasions = [1, 1]
    /// The date of the feed's last article.
    var published = noon - 100 * 24 * hour
    var isAgain = false

    func occasion(of message: SyncModel.MessageID) -> CurrentOccasion {
      switch message {
      case 8, 9: CurrentOccasion(Act.Target.occasion(of: "\(occasions[message - 8])"))
      case 3 where isAgain:
        CurrentOccasion(
          Act.Target.occasion(of: ISOInstant.text(published)), published: published.milliseconds)
      default: CurrentOccasion(0)
      }
    }

    func deliver(to machine: SyncMachine, at now: Date) throws {
      let articles = (1...4).map { number in
        message(
          "\(number)", "Title \(number)", body: "Text \(number)",
          at: number == 4 ? published : noon - Double(number) * 24 * hour)
      }
      try machine.store.poll(machine.sources[0], articles, at: now)
      let alerts = (1...2).map { number in
        var alert = message("\(number)")
        alert.kind = .service
        alert.extras = MessageExtras()
        alert.extras?.occasion = "\(occasions[number - 1])"
        return alert
      }
      try machine.store.poll(machine.sources[1], alerts, at: now)
    }
  }

  private static let all = [0, 1, 2, 3, 8, 9]

  private static func id(_ message: SyncModel.MessageID, _ machine: SyncMachine) throws -> Messages.MessageID
  {
    try #require(try message < 8 ? machine.id(0, message + 1) : machine.id(1, message - 7))
  }

  private static func marks(_ message: SyncModel.MessageID, _ machine: SyncMachine) throws -> SyncModel.Marks
  {
    let found = try #require(try machine.store.messages.find(id(message, machine)))
    return Marks(
      read: !found.isUnread, starred: found.isStarred, dismissed: found.isDismissed,
      snoozed: found.snoozedUntil?.milliseconds, shown: false)
  }

  static let seeds = Histories.seeds(30)

  @Test(arguments: seeds) func theStoreDoesWhatTheModelDoes(seed: Int) throws {
    var history = History(seed: UInt64(seed), isTraced: true)
    history.addMachines(3, skews: [0, 0, day, -day])
    history.time = noon.milliseconds
    let stores = try history.machines.enumerated().map { number, machine in
      try SyncMachine("machine \(number)", machine.device, skew: Double(machine.skew) / 1000)
    }
    let place = PayloadPlace()
    var servers = Servers()
    var now = noon
    func clock(_ index: Int) -> Date { now + stores[index].skew }
    func poll(_ index: Int) throws {
      history.note("\(index) polls")
      try servers.deliver(to: stores[index], at: clock(index))
      for message in Self.all {
        history.machines[index].messages[message, default: SyncModel.Message()].occasion = servers.occasion(
          of: message)
      }
    }
    func compare(_ index: Int) throws {
      try stores[index].store.time.advance(to: clock(index))
      for message in Self.all {
        var expected = history.view(index, message, clock(index).milliseconds)
        expected.shown = false
        let found = try Self.marks(message, stores[index])
        guard found != expected else { continue }
        let what = "seed \(seed), machine \(index), message \(message): \(found), not \(expected)"
        let cells = history.machines[index].cells.filter { $0.key.message == message }.map {
          "\($0.key.field.rawValue) of \($0.key.occasion): \($0.value.value ?? -1) by \($0.value.by.device.bytes[0])"
            + " at \($0.value.by.stamp.milliseconds - noon.milliseconds)"
        }
        Issue.record(
          "\(what), clock \(clock(index)) cells\n\((cells.sorted() + (history.trace ?? [])).joined(separator: "\n"))"
        )
        throw Stop()
      }
    }
    func flush(_ index: Int) throws {
      history.flush(index)
      try stores[index].flush(place, at: now)
    }
    func pull(_ index: Int, _ others: Set<Int>) throws {
      history.note("\(index) hears of \(others.sorted())")
      let devices = Set(others.map { history.machines[$0].device })
      try stores[index].pull(place, at: now) { devices.contains($0.device) }
      history.machines[index].pull(
        history.places[0], history.places[0].names.filter { devices.contains($0.device) })
    }
    for index in 0..<3 { try poll(index) }
    for _ in 0..<Int(20 + history.below(60)) {
      now += history.pick([0, 0, 0.001, 60, Self.hour, 5 * Self.hour])
      history.time = now.milliseconds
      let index = history.below(3)
      try stores[index].store.time.advance(to: clock(index))
      switch history.below(100) {
      case ..<6: servers.occasions[history.below(2)] += 1
      case ..<9:
        // This happens once before all acts, and once after some of them.
        if !servers.isAgain {
          servers.published = noon - 50 * 24 * Self.hour
        } else if servers.published < noon - 24 * Self.hour {
          servers.published = now - history.pick([0, Self.hour])
        }
        servers.isAgain = true
        history.note("an article is published again at \(servers.published.timeIntervalSince(noon))")
      case ..<22: try poll(index)
      case ..<72: try act(index, &history, stores[index], at: now)
      case ..<82: try flush(index)
      case ..<86:
        history.pack(index)
        try stores[index].pack(place, at: now)
      default: try pull(index, Set((0..<3).filter { _ in history.chance(0.7) }))
      }
      try compare(index)
    }
    for index in 0..<3 { try flush(index) }
    for index in 0..<3 { try pull(index, [0, 1, 2]) }
    for index in 0..<3 { try compare(index) }
    for index in 0..<3 { try poll(index) }
    for later in [0, 40 * Self.hour] {
      now += later
      history.time = now.milliseconds
      for index in 0..<3 { try compare(index) }
    }
    for machine in stores { try machine.store.expectConsistent() }
  }

  private struct Stop: Error {}

  /// Performs the same act in the store and in the model; one that changes nothing does not count.
  private func act(_ index: Int, _ history: inout History, _ machine: SyncMachine, at now: Date) throws {
    let clock = now + machine.skew
    let count = history.pick([1, 1, 1, 3])
    var some: [SyncModel.MessageID] = []
    for _ in 0..<count {
      let message = history.pick(Self.all)
      if !some.contains(message) { some.append(message) }
    }
    let shown = some.map { ($0, history.view(index, $0, clock.milliseconds)) }
    func perform(
      _ act: ([Messages.MessageID]) -> UserAct, _ field: Act.Field, _ value: Int64?,
      where condition: (SyncModel.Marks) -> Bool
    ) throws {
      let meant = shown.filter { condition($0.1) }.map(\.0)
      history.note("\(index) writes \(field.rawValue) of \(meant): \(value ?? 0)")
      try machine.store.acts.perform(act(meant.map { try Self.id($0, machine) }), at: clock)
      if meant.isEmpty { return }
      history.machines[index].act(history.time, "act", meant.map { ($0, field, value) })
    }
    switch history.below(14) {
    case 0...2: try perform(UserAct.read, .read, 1) { !$0.read }
    case 3: try perform(UserAct.unread, .read, 0) { $0.read }
    case 4: try perform(UserAct.star, .starred, 1) { !$0.starred }
    case 5: try perform(UserAct.unstar, .starred, 0) { $0.starred }
    case 6: try perform(UserAct.dismiss, .dismissed, 1) { !$0.dismissed }
    case 7: try perform(UserAct.undismiss, .dismissed, 0) { $0.dismissed }
    case 8, 9:
      let until = clock + Double(1 + history.below(29)) * Self.hour
      try perform({ .snooze($0, until: until) }, .snoozed, until.milliseconds) {
        !$0.dismissed && $0.snoozed != until.milliseconds
      }
    case 10:
      history.note("\(index) does again what it took back")
      _ = try machine.store.acts.redo(at: clock)
      history.machines[index].redo(history.time)
    default:
      history.note("\(index) takes its last step back")
      _ = try machine.store.acts.undo(at: clock)
      history.machines[index].undo(history.time)
    }
  }
}
