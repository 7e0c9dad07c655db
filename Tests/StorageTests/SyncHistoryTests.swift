import Foundation
import Messages
import SeededRandom
import Sync
import Testing

@testable import Storage

/// Several machines that do anything in any order show the same in the end.
@Suite struct SyncHistoryTests {
  /// What the servers have.
  private struct Servers {
    var occasions: [Int: Int] = [:]
    var contents: [Int: Int] = [:]

    func messages(_ source: Int) -> [IncomingMessage] {
      (1...5).map { number in
        var sent = message("\(number)", "Title \(number)")
        if source == 1, let occasion = occasions[number] {
          sent.extras = MessageExtras()
          sent.extras?.occasion = "\(occasion)"
        }
        if source == 2 { sent.body = "\(contents[number] ?? 0)" }
        return sent
      }
    }
  }

  private static let hour: TimeInterval = 3600

  private static func act(
    _ machine: SyncMachine, at now: Date, _ random: inout SeededRandom
  ) throws {
    var ids: [MessageID] = []
    for _ in 0..<[1, 1, 1, 3][Int.random(in: 0..<4, using: &random)] {
      let (source, number) = (Int.random(in: 0..<3, using: &random), Int.random(in: 1...5, using: &random))
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

  /// `REDDOT_HISTORIES=1000` runs that many.
  static let seeds = 0..<(ProcessInfo.processInfo.environment["REDDOT_HISTORIES"].flatMap { Int($0) } ?? 60)

  @Test(arguments: seeds) func allMachinesShowTheSame(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let skews: [TimeInterval] = [0, 0, 24 * Self.hour, -24 * Self.hour]
    var machines: [SyncMachine] = []
    for number in 0..<Int.random(in: 2...3, using: &random) {
      machines.append(try SyncMachine("machine \(number)", skew: skews.randomElement(using: &random) ?? 0))
    }
    let place = PayloadPlace()
    var servers = Servers()
    var now = noon
    for _ in 0..<Int.random(in: 10...60, using: &random) {
      now += [0, 0, 0.001, 60, Self.hour, 5 * Self.hour].randomElement(using: &random) ?? 0
      let machine = machines[Int.random(in: 0..<machines.count, using: &random)]
      let clock = now + machine.skew
      try machine.store.time.advance(to: clock)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<8: servers.occasions[Int.random(in: 1...5, using: &random), default: 0] += 1
      case 8..<12: servers.contents[Int.random(in: 1...5, using: &random), default: 0] += 1
      case 12..<30:
        let source = Int.random(in: 0..<3, using: &random)
        try machine.store.poll(machine.sources[source], servers.messages(source), at: clock)
      case 30..<72: try Self.act(machine, at: clock, &random)
      case 72..<84: try machine.flush(place, at: now)
      case 84..<88: try machine.pack(place, at: now)
      default: try machine.pull(place, at: now) { _ in Bool.random(using: &random) }
      }
    }
    for machine in machines {
      for source in 0..<3 {
        try machine.store.poll(machine.sources[source], servers.messages(source), at: now + machine.skew)
      }
      try machine.flush(place, at: now)
    }
    for machine in machines { try machine.pull(place, at: now) }
    let late = now + 48 * Self.hour
    for machine in machines {
      try machine.store.time.advance(to: late)
      try machine.store.expectConsistent()
    }
    let shown = try machines.map { try $0.marks() }
    for other in shown.dropFirst() {
      for (message, marks) in shown[0] { #expect(other[message] == marks, "\(message), seed \(seed)") }
    }
    // A machine that joins now sees the same.
    let fresh = try SyncMachine("fresh")
    try fresh.pull(place, at: late)
    for source in 0..<3 { try fresh.store.poll(fresh.sources[source], servers.messages(source), at: late) }
    try fresh.store.time.advance(to: late)
    let seen = try fresh.marks()
    for (message, marks) in shown[0] {
      #expect(seen[message] == marks, "\(message), a new machine, seed \(seed)")
    }
  }
}
