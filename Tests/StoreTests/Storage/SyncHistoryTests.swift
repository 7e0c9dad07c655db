import Foundation
import Messages
import Sync
import TestBasics
import Testing

@testable import Storage

/// Several machines on which anything happens in any order show the same in the end.
@Suite struct SyncHistoryTests {
  /// The state of the servers.
  private struct Servers {
    var occasions: [Int: Int] = [:]
    var contents: [Int: Int] = [:]
    /// The read states; `nil` if the service does not report marks.
    var isRead: [Int: Bool]?
    /// The number of further messages that the feed has listed, of which it lists the last one.
    var further = 0

    func messages(_ source: Int) -> [IncomingMessage] {
      (Array(1...5) + (source == 0 && further > 0 ? [min(5 + further, 9)] : [])).map { number in
        var sent = message("\(number)", "Title \(number)")
        if source == 1, let occasion = occasions[number] {
          sent.extras = MessageExtras()
          sent.extras?.occasion = "\(occasion)"
        }
        if source == 2 { sent.body = "\(contents[number] ?? 0)" }
        return sent
      }
    }

    func deliver(_ source: Int, to machine: SyncMachine, at now: Date) throws {
      if source == 1, let isRead {
        try machine.hear(messages(1), isRead, at: now)
      } else {
        try machine.store.poll(machine.sources[source], messages(source), at: now)
      }
    }

    /// Lets the service accept the acts that wait for it; each act is an occasion there.
    mutating func take(from machine: SyncMachine, at now: Date) throws {
      var (read, new) = (isRead ?? [:], occasions)
      try machine.carry(to: &read, at: now) {
        new[$0, default: 0] += 1
        return "\(new[$0] ?? 0)"
      }
      if isRead != nil { isRead = read }
      occasions = new
    }
  }

  private static let hour: TimeInterval = 3600

  private static func act(
    _ machine: SyncMachine, at now: Date, _ random: inout SeededRandom
  ) throws {
    var ids: [MessageID] = []
    for _ in 0..<[1, 1, 1, 3][Int.random(in: 0..<4, using: &random)] {
      let source = Int.random(in: 0..<4, using: &random)
      let number = Int.random(in: 1...(source == 0 ? 9 : 5), using: &random)
      if let id = try machine.id(source, number) { ids.append(id) }
    }
    let acts = machine.store.acts
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2: try acts.perform(.read(ids), at: now)
    case 3: try acts.perform(.unread(ids), at: now)
    case 4: try acts.perform(.star(ids), at: now)
    case 5: try acts.perform(.unstar(ids), at: now)
    case 6: try acts.perform(.dismiss(ids), at: now)
    case 7: try acts.perform(.undismiss(ids), at: now)
    case 8:
      let until = now + Double(Int.random(in: 1..<30, using: &random)) * hour
      try acts.perform(.snooze(ids, until: until), at: now)
    case 9: try acts.perform(.readAll(InboxQuery(scope: .source(machine.sources[0]))), at: now)
    case 10: _ = try acts.redo(at: now)
    default: _ = try acts.undo(at: now)
    }
  }

  static let seeds = Histories.seeds(60)

  @Test(arguments: seeds) func allMachinesShowTheSame(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let skews: [TimeInterval] = [0, 0, 24 * Self.hour, -24 * Self.hour]
    var machines: [SyncMachine] = []
    for number in 0..<Int.random(in: 2...3, using: &random) {
      let bytes = (0..<16).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
      machines.append(
        try SyncMachine(
          "machine \(number)", #require(DeviceID(bytes: bytes)),
          skew: skews.randomElement(using: &random) ?? 0,
          writableMarks: Bool.random(using: &random) ? [.read, .unread, .done, .undone] : []))
    }
    let place = PayloadPlace()
    var servers = Servers()
    if Bool.random(using: &random) {
      servers.isRead = Dictionary(uniqueKeysWithValues: (1...5).map { ($0, false) })
    }
    var now = noon
    for _ in 0..<Int.random(in: 10...60, using: &random) {
      now += [0, 0, 0.001, 60, Self.hour, 5 * Self.hour].randomElement(using: &random) ?? 0
      let machine = machines[Int.random(in: 0..<machines.count, using: &random)]
      let clock = now + machine.skew
      try machine.store.time.advance(to: clock)
      // In every second history, acts that are no longer needed are deleted immediately.
      if seed % 2 == 1 { try machine.store.retention.endPruning(at: clock) }
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<8: servers.occasions[Int.random(in: 1...5, using: &random), default: 0] += 1
      case 8..<10: servers.contents[Int.random(in: 1...5, using: &random), default: 0] += 1
      case 10..<12: servers.further += 1
      case 12..<30:
        try servers.deliver(Int.random(in: 0..<3, using: &random), to: machine, at: clock)
      case 30..<34:
        if Bool.random(using: &random) {
          servers.isRead?[Int.random(in: 1...5, using: &random)] = Bool.random(using: &random)
        } else {
          try servers.take(from: machine, at: clock)
        }
      case 34..<38:
        let title = "Title \(Int.random(in: 1...3, using: &random))"
        try machine.push(Int.random(in: 1...5, using: &random), title, at: now)
      case 38..<40:
        let source = Int.random(in: 0..<3, using: &random)
        try machine.store.sources.rename(
          machine.sources[source], to: "Name \(Int.random(in: 0...99, using: &random)) of \(source)",
          at: clock)
      case 40..<72: try Self.act(machine, at: clock, &random)
      case 72..<84: try machine.flush(place, at: now)
      case 84..<88: try machine.pack(place, at: now)
      default: try machine.pull(place, at: now) { _ in Bool.random(using: &random) }
      }
    }
    for machine in machines {
      try servers.take(from: machine, at: now + machine.skew)
      for source in 0..<3 { try servers.deliver(source, to: machine, at: now + machine.skew) }
    }
    for machine in machines {
      for source in 0..<3 { try servers.deliver(source, to: machine, at: now + machine.skew) }
      try machine.flush(place, at: now)
    }
    for machine in machines { try machine.pull(place, at: now) }
    // This is longer than a service may disagree.
    let late = now + 33 * 24 * Self.hour
    for machine in machines { try machine.store.time.advance(to: late) }
    for number in 1...5 where servers.isRead != nil {
      let first = try machines[0].store.messages.find(RemoteID("\(number)"), of: machines[0].sources[1])
      servers.isRead?[number] = first?.isUnread == false
    }
    for machine in machines {
      // There are two polls: an act that was sent from here has precedence until the service was polled once more.
      for _ in 1...2 { for source in 0..<3 { try servers.deliver(source, to: machine, at: late) } }
      try machine.store.expectConsistent()
    }
    let sources = try Set(machines.map { try $0.store.sync.sources().map { "\($0.name ?? "") \($0.uid)" } })
    #expect(sources.count == 1, "names of sources, seed \(seed)")
    let shown = try machines.map { try $0.marks() }
    for other in shown.dropFirst() {
      for (message, marks) in shown[0] {
        #expect(Self.areSame(message, other[message], marks), "\(message), seed \(seed)")
      }
    }
    // A machine that joins now shows the same.
    let fresh = try SyncMachine("fresh")
    try fresh.pull(place, at: late)
    for source in 0..<3 { try servers.deliver(source, to: fresh, at: late) }
    try fresh.store.time.advance(to: late)
    let seen = try fresh.marks()
    for (message, marks) in shown[0] {
      #expect(Self.areSame(message, seen[message], marks), "\(message), a new machine, seed \(seed)")
    }
  }

  /// A message that the feed no longer lists exists if it is starred, and is read unless another machine wrote
  /// otherwise.
  private static func areSame(_ message: String, _ one: String?, _ other: String) -> Bool {
    guard message.hasPrefix("news "), let last = message.last, "6789".contains(last) else {
      return one == other
    }
    return (one?.contains("starred") ?? false) == other.contains("starred")
  }
}
