import Foundation
import SeededRandom
import Storage
import Synchronization

/// One run: some households that are used for a while, and many that are killed at their first start.
final class TortureRun {
  private(set) var figures = Figures()
  /// Repeatable except for the moments, which depend on the machine's clock.
  private var chance: SeededRandom
  /// The current duration of a command, so that kills are spread over all of it.
  private var usual = Duration.milliseconds(150)

  init(seed: UInt64) { chance = SeededRandom(seed: seed) }

  // MARK: - First starts

  /// New databases: two processes start on each at once, and are killed.
  func firstStarts(_ count: Int) throws {
    for _ in 0..<count {
      let household = try Household()
      defer { household.remove() }
      figures.firstStarts += 1
      figures.households += 1
      var ledger = Ledger()
      ledger.published = 3
      try household.publish(3)
      for _ in 0..<2 {
        try both(household, &ledger, act: .push(source: "local", id: "\(ledger.pushes.count)"))
      }
      try settle(household, &ledger)
    }
  }

  // MARK: - Long use

  /// One database, with a poll and an act at a time, one or both of which are killed.
  func longLife(rounds: Int) throws {
    let household = try Household()
    defer { household.remove() }
    figures.households += 1
    var ledger = Ledger()
    var listed: [ListedMessage] = []
    for round in 0..<rounds {
      ledger.published += Int.random(in: 0...30, using: &chance)
      try household.publish(ledger.published)
      if round % 8 == 7 {
        listed = try household.listed()
        note(ledger.problems(in: listed), household)
      }
      try both(household, &ledger, act: act(on: listed, ledger))
    }
    try settle(household, &ledger)
  }

  private enum Act {
    case push(source: String, id: String)
    case mark(ListedMessage, String)
    case snooze(ListedMessage)
    /// Dismisses and undoes that.
    case undo(ListedMessage)
    /// The same, and does it again.
    case redo(ListedMessage)
    case readAll(source: String)
  }

  private func act(on listed: [ListedMessage], _ ledger: Ledger) -> Act {
    let known = listed.filter { (ledger.gone[$0.key] ?? .no) == .no }.randomElement(using: &chance)
    switch (Int.random(in: 0..<12, using: &chance), known) {
    case (0...2, let message?):
      return .mark(message, Bool.random(using: &chance) ? "--read" : "--unread")
    case (3, let message?): return .mark(message, "--dismiss")
    case (4, let message?): return .snooze(message)
    case (5, let message?): return .undo(message)
    case (6, let message?): return .redo(message)
    case (7, _): return .readAll(source: ["board", "team"].randomElement(using: &chance) ?? "team")
    case (8, _):
      // One that was pushed before: it is unread again.
      let old = ledger.pushes.keys.sorted().randomElement(using: &chance)?.split(separator: "/")
      if let old, old.count == 2 { return .push(source: String(old[0]), id: String(old[1])) }
      return .push(source: "local", id: "0")
    case (_, _):
      // Sometimes into a new source.
      let source = Int.random(in: 0..<4, using: &chance) == 0 ? "new\(ledger.pushes.count)" : "local"
      return .push(source: source, id: "\(ledger.pushes.count)")
    }
  }

  // MARK: - Two processes

  /// A poll, an act, and a command that only reads.
  private func both(_ household: Household, _ ledger: inout Ledger, act: Act) throws {
    let published = ledger.published
    let moments = (0..<2).map { _ in moment() }
    let start = ContinuousClock.now
    let poll = Beside(household, ["poll", "--force"], killedAfter: moments[0])
    let look = ["status", "sources", "list"].randomElement(using: &chance) ?? "status"
    let looking = Beside(household, [look], killedAfter: nil)
    try perform(act, household, &ledger, killedAfter: moments[1])
    count(try looking.end(), look, household)
    let polled = try poll.end()
    count(polled, "poll", household)
    if polled.isDone {
      ledger.polled = max(ledger.polled, published)
      usual = min(.seconds(2), max(.milliseconds(30), ContinuousClock.now - start))
    }
  }

  /// Nil lets the command end.
  private func moment() -> Duration? {
    Int.random(in: 0..<3, using: &chance) == 0 ? nil : usual * Double.random(in: 0...1.3, using: &chance)
  }

  private func perform(
    _ act: Act, _ household: Household, _ ledger: inout Ledger, killedAfter moment: Duration?
  ) throws {
    switch act {
    case .push(let source, let id):
      let key = "\(source)/\(id)"
      var push = ledger.pushes[key] ?? Ledger.Push()
      push.times += 1
      let ran = try run(
        ["push", "Message \(push.times)", "--id", id, "--source", source], household, moment)
      let wasSure = push.isAcknowledged
      if ran.isDone { push.isAcknowledged = true }
      ledger.pushes[key] = push
      // Unread again if it was read or dismissed; a snooze stays.
      if ran.isDone { ledger.read[key] = .no } else if wasSure { ledger.read[key] = .unknown }
      if let gone = ledger.gone[key], gone != .no { ledger.gone[key] = .unknown }
    case .mark(let message, let name):
      let ran = try run(["mark", name, "\(message.id)"], household, moment)
      let sure: Ledger.Mark = ran.isDone ? .yes : .unknown
      switch name {
      case "--read": ledger.read[message.key] = sure
      case "--unread": ledger.read[message.key] = ran.isDone ? .no : .unknown
      case _: ledger.gone[message.key] = sure
      }
    case .snooze(let message):
      let ran = try run(["snooze", "\(message.id)", "1d"], household, moment)
      ledger.gone[message.key] = ran.isDone ? .yes : .unknown
    case .undo(let message), .redo(let message):
      ledger.gone[message.key] = .unknown
      guard try run(["mark", "--dismiss", "\(message.id)"], household, nil).isDone else { return }
      guard case .redo = act else {
        if try run(["undo"], household, moment).isDone { ledger.gone[message.key] = .no }
        return
      }
      guard try run(["undo"], household, nil).isDone else { return }
      if try run(["undo", "--redo"], household, moment).isDone { ledger.gone[message.key] = .yes }
    case .readAll(let source):
      let ran = try run(["mark", "--read", "--all", "--source", source], household, moment)
      // The poll beside it may bring more, before or after.
      for number in stride(from: 1, through: ledger.published, by: 1) {
        let key = "\(source)/\(number)"
        let isListed = number <= ledger.polled && (ledger.gone[key] ?? .no) == .no
        ledger.read[key] = ran.isDone && isListed ? .yes : .unknown
      }
    }
  }

  private func run(_ arguments: [String], _ household: Household, _ moment: Duration?) throws -> Household.Ran
  {
    let ran = try household.run(arguments, killedAfter: moment)
    count(ran, arguments.joined(separator: " "), household)
    return ran
  }

  private func count(_ ran: Household.Ran, _ command: String, _ household: Household) {
    switch ran.status {
    case nil: figures.kills += 1
    case 0?: figures.acknowledged += 1
    case let status?: note(["\(command) ended with \(status): \(ran.errors)"], household)
    }
  }

  // MARK: - Afterwards

  private func settle(_ household: Household, _ ledger: inout Ledger) throws {
    let poll = try run(["poll", "--force"], household, nil)
    if poll.isDone { ledger.polled = ledger.published }
    try perform(.push(source: "last", id: "last"), household, &ledger, killedAfter: nil)
    let listed = try household.listed()
    note(ledger.problems(in: listed), household)
    let check = try household.run(["check"])
    if !check.isDone { note(["check: \(check.output)\(check.errors)"], household) }
    let store = try Store(path: household.database, now: Date())
    note(try store.check.compareAll() + store.check.compareSearchIndex(), household)
    try store.close()
  }

  private func note(_ problems: [String], _ household: Household) {
    figures.problems += problems.map { "\(household.home): \($0)" }
  }
}

/// A command that runs while this thread does something else.
private final class Beside: Sendable {
  private let ran = Mutex<Result<Household.Ran, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ household: Household, _ arguments: [String], killedAfter moment: Duration?) {
    Thread.detachNewThread { [self] in
      let result = Result { try household.run(arguments, killedAfter: moment) }
      ran.withLock { $0 = result }
      isDone.signal()
    }
  }

  /// Waits for its end.
  func end() throws -> Household.Ran {
    isDone.wait()
    guard let result = ran.withLock({ $0 }) else { throw Unusable("a command did not end") }
    return try result.get()
  }
}
