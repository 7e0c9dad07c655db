import Foundation
import Messages
import Storage
import Synchronization
import TestBasics

/// One run: some households that are used for a while, and many that are killed at their first start.
final class TortureRun {
  private(set) var figures = Figures()
  /// The random numbers. The run can be repeated except for the moments, which depend on the machine's clock.
  private var chance: SeededRandom
  /// The duration of the last poll that was not killed, so that kills are spread over all of it.
  private var usual = Duration.milliseconds(150)

  init(seed: UInt64) { chance = SeededRandom(seed: seed) }

  // MARK: - First starts

  /// Starts two processes on each of many new databases at the same time, and kills them.
  func firstStarts(_ count: Int) throws {
    for _ in 0..<count {
      let household = try Household()
      defer { household.remove() }
      figures.firstStarts += 1
      figures.households += 1
      var ledger = Ledger()
      try publish(3, household, &ledger)
      for _ in 0..<2 {
        try both(household, &ledger, act: .push(source: "local", id: "\(ledger.pushes.count)"))
      }
      try settle(household, &ledger)
    }
  }

  // MARK: - Long use

  /// Uses one database, with a poll and an act at a time, one or both of which are killed.
  func longLife(rounds: Int) async throws {
    let services = Services()
    try await services.serve { settings in
      let household = try Household(settings: settings)
      defer { household.remove() }
      try longLife(rounds: rounds, household, services)
    }
  }

  private func longLife(rounds: Int, _ household: Household, _ services: Services) throws {
    figures.households += 1
    var ledger = Ledger()
    var listed: [ListedMessage] = []
    var count = 0
    for round in 0..<rounds {
      count += Int.random(in: 0...30, using: &chance)
      try publish(count, household, &ledger)
      for key in services.arrive(Int.random(in: 0...3, using: &chance)) { ledger.arrive(key) }
      if round % 8 == 7 {
        listed = try household.listed()
        note(ledger.problems(in: listed), household)
      }
      try both(household, &ledger, act: act(on: listed, ledger))
    }
    let stored =
      try settle(household, &ledger) + household.listed("--dismissed") + household.listed("--snoozed")
    note(ledger.problems(stored: stored), household)
    note(try services.problems(stored, ledger), household)
  }

  private func publish(_ count: Int, _ household: Household, _ ledger: inout Ledger) throws {
    try household.publish(count)
    for number in stride(from: 1, through: count, by: 1) {
      ledger.published.formUnion(["board/\(number)", "team/\(number)"])
    }
  }

  private enum Act {
    case push(source: String, id: String)
    case remind(source: String, title: String)
    case mark(ListedMessage, OutgoingMark)
    case snooze(ListedMessage)
    /// Dismisses a message and undoes that.
    case undo(ListedMessage)
    /// Dismisses a message, undoes that and redoes it.
    case redo(ListedMessage)
    case readAll(source: String)
  }

  private func act(on listed: [ListedMessage], _ ledger: Ledger) -> Act {
    let here = listed.filter { ledger.gone($0.key) == .no }
    // Services have fewer messages.
    let served = here.filter { Services.names.contains($0.source) }
    let known =
      (served.isEmpty || Bool.random(using: &chance) ? here : served).randomElement(using: &chance)
    switch (Int.random(in: 0..<13, using: &chance), known) {
    case (0...2, let message?): return .mark(message, .read(Bool.random(using: &chance)))
    case (3, let message?): return .mark(message, .starred(Bool.random(using: &chance)))
    case (4, let message?): return .mark(message, .done(true))
    case (5, let message?): return .snooze(message)
    case (6, let message?): return .undo(message)
    case (7, let message?): return .redo(message)
    case (8, _):
      return .readAll(
        source: ["board", "gotify", "miniflux", "team"].randomElement(using: &chance) ?? "team")
    case (9, _):
      // A message that was pushed before becomes unread again.
      let old = ledger.pushes.keys.sorted().randomElement(using: &chance)?.split(separator: "/")
      if let old, old.count == 2 { return .push(source: String(old[0]), id: String(old[1])) }
      return .push(source: "local", id: "0")
    case (_, _):
      // Some are pushed into a new source.
      let source = Int.random(in: 0..<4, using: &chance) == 0 ? "new\(ledger.pushes.count)" : "local"
      return .push(source: source, id: "\(ledger.pushes.count)")
    }
  }

  // MARK: - Machines that synchronise

  /// Uses three machines with one inbox: an act on one, and a synchronisation of one. Either of them may be killed, or
  /// the program that serves the sync location.
  func machines(rounds: Int) throws {
    let machines = try Machines()
    defer { machines.remove() }
    figures.households += machines.all.count
    var ledger = Ledger()
    for household in machines.all { try publish(machines.items, household, &ledger) }
    ledger.contested = ledger.published.filter { $0.hasPrefix("team/") }
    try machines.join()
    ledger.polled = ledger.published
    var listed = try machines.all.map { try $0.listed() }
    for round in 0..<rounds {
      let number = Int.random(in: 0..<listed.count, using: &chance)
      if round % 4 == 3 { listed[number] = try machines.all[number].listed() }
      let other = Int.random(in: 0..<listed.count, using: &chance)
      try machines.endServe(after: Bool.random(using: &chance) ? moment() : nil)
      let command = Int.random(in: 0..<8, using: &chance) == 0 ? ["poll", "--force"] : ["sync"]
      try both(
        machines.all[number], &ledger, act: act(of: number, on: listed[number], ledger),
        beside: command, at: machines.all[other])
    }
    try machines.endServe(after: nil)
    for household in machines.all + machines.all { _ = try run(["sync"], household, nil) }
    for household in machines.all { note(try machines.problems(of: household), household) }
    for household in machines.all {
      note(ledger.problems(reminders: try household.reminders()), household)
      try settle(household, &ledger)
    }
  }

  /// Messages that only one machine marks are in the ledger. Messages that all of them mark only have to be the same on
  /// all.
  private func act(of number: Int, on listed: [ListedMessage], _ ledger: Ledger) -> Act {
    let own = listed.filter {
      Machines.owner(of: $0) == number && ledger.gone($0.key) == .no
    }.randomElement(using: &chance)
    let common = listed.filter { ledger.contested.contains($0.key) }.randomElement(using: &chance)
    let source = Machines.shared
    let id = "\(number)-\(ledger.pushes.count)"
    let isSet = Bool.random(using: &chance)
    switch (Int.random(in: 0..<16, using: &chance), own, common) {
    case (0, let message?, _), (1, _, let message?): return .mark(message, .read(isSet))
    case (2, let message?, _), (3, _, let message?): return .mark(message, .starred(isSet))
    case (4, let message?, _): return .mark(message, .done(true))
    case (5, _, let message?): return .mark(message, .done(isSet))
    case (6, let message?, _), (7, _, let message?): return .snooze(message)
    case (8, let message?, _), (9, let message?, _): return .undo(message)
    case (10, let message?, _): return .redo(message)
    case (11, _, _): return .readAll(source: "team")
    case (12, let message?, _) where message.source == source:
      return .push(source: source, id: message.remoteID)
    case (13, _, _): return .remind(source: source, title: "Reminder \(number)-\(ledger.reminders.count)")
    case (_, _, _): return .push(source: source, id: id)
    }
  }

  // MARK: - Two processes

  /// Runs an act, and a poll or another command. If both are of one household, a command that only reads runs too.
  ///
  /// - Parameter other: the household of the other command, for machines that synchronise.
  private func both(
    _ household: Household, _ ledger: inout Ledger, act: Act, beside command: [String] = ["poll", "--force"],
    at other: Household? = nil
  ) throws {
    let published = ledger.published
    let moments = (0..<2).map { _ in moment() }
    let poll = Beside(other ?? household, command, killedAfter: moments[0])
    let look = ["status", "sources", "list"].randomElement(using: &chance) ?? "status"
    let looking = other == nil ? Beside(household, [look], killedAfter: nil) : nil
    try perform(act, household, &ledger, killedAfter: moments[1])
    if let looking { count(try looking.end(), look, household) }
    let polled = try poll.end()
    count(polled, command.joined(separator: " "), other ?? household)
    if polled.isDone {
      ledger.polled.formUnion(published)
      usual = min(.seconds(2), max(.milliseconds(30), polled.duration))
    }
  }

  /// Returns the moment of the kill, or `nil` to let the command end.
  private func moment() -> Duration? {
    Int.random(in: 0..<3, using: &chance) == 0 ? nil : usual * Double.random(in: 0...1.3, using: &chance)
  }

  private func perform(
    _ act: Act, _ household: Household, _ ledger: inout Ledger, killedAfter moment: Duration?
  ) throws {
    switch act {
    case .remind(let source, let title):
      let ran = try run(["remind", "1d", title, "--source", source], household, moment)
      ledger.reminders[title] = ran.isDone
    case .push(let source, let id):
      let key = "\(source)/\(id)"
      var push = ledger.pushes[key] ?? Ledger.Push()
      push.times += 1
      let ran = try run(
        ["push", "Message \(push.times)", "--id", id, "--source", source], household, moment)
      let wasSure = push.isAcknowledged
      if ran.isDone { push.isAcknowledged = true }
      ledger.pushes[key] = push
      // The message is unread again if it was read or dismissed; a snooze is kept.
      if ran.isDone { ledger.read[key] = .no } else if wasSure { ledger.read[key] = .unknown }
      if ledger.gone(key) != .no { (ledger.dismissed[key], ledger.snoozed[key]) = (.unknown, .unknown) }
    case .mark(let message, let mark):
      ledger.tries(mark, message.key)
      let ran = try run(["mark", try Self.option(mark), "\(message.id)"], household, moment)
      func value(_ isSet: Bool) -> Ledger.Mark { ran.isDone ? isSet ? .yes : .no : .unknown }
      switch mark {
      case .read(let isRead): ledger.read[message.key] = value(isRead)
      case .starred(let isStarred): ledger.starred[message.key] = value(isStarred)
      case .done(let isDone): ledger.dismissed[message.key] = value(isDone)
      case .snoozed, .named: break
      }
    case .snooze(let message):
      // Another machine may have dismissed a message that all of them mark.
      let refusal = ledger.contested.contains(message.key) ? "is not in any list" : nil
      let ran = try run(["snooze", "\(message.id)", "1d"], household, moment, mayRefuse: refusal)
      ledger.snoozed[message.key] = ran.isDone ? .yes : .unknown
    case .undo(let message), .redo(let message):
      ledger.tries(.done(true), message.key)
      ledger.tries(.done(false), message.key)
      ledger.dismissed[message.key] = .unknown
      // A killed process may have deleted it there without storing that. The next poll treats it as read elsewhere.
      if message.source == "gotify" { ledger.read[message.key] = .unknown }
      guard try run(["mark", "--dismiss", "\(message.id)"], household, nil).isDone else { return }
      if Services.names.contains(message.source), Bool.random(using: &chance) {
        _ = try run(["poll", "--force", message.source], household, self.moment())
      }
      guard case .redo = act else {
        if try run(["undo"], household, moment).isDone { ledger.dismissed[message.key] = .no }
        return
      }
      guard try run(["undo"], household, nil).isDone else { return }
      if try run(["undo", "--redo"], household, moment).isDone { ledger.dismissed[message.key] = .yes }
    case .readAll(let source):
      let ran = try run(["mark", "--read", "--all", "--source", source], household, moment)
      // The poll at the same time may add more, before or after.
      for key in ledger.published where key.hasPrefix("\(source)/") {
        ledger.tries(.read(true), key)
        let isListed = ledger.polled.contains(key) && ledger.gone(key) == .no
        ledger.read[key] = ran.isDone && isListed ? .yes : .unknown
      }
    }
  }

  private static func option(_ mark: OutgoingMark) throws -> String {
    switch mark {
    case .read(let isRead): isRead ? "--read" : "--unread"
    case .starred(let isStarred): isStarred ? "--star" : "--unstar"
    case .done(let isDone): isDone ? "--dismiss" : "--undismiss"
    case .snoozed, .named: throw Unusable("reddot mark has no option for \(mark)")
    }
  }

  /// - Parameter refusal: the words of an error that isn't a problem.
  private func run(
    _ arguments: [String], _ household: Household, _ moment: Duration?, mayRefuse refusal: String? = nil
  ) throws -> Household.Ran {
    let ran = try household.run(arguments, killedAfter: moment)
    if let refusal, ran.status == 1, ran.errors.contains(refusal) { return ran }
    count(ran, arguments.joined(separator: " "), household)
    return ran
  }

  private func count(_ ran: Household.Ran, _ command: String, _ household: Household) {
    switch ran.status {
    case nil: figures.kills += 1
    case 1? where Machines.saysThatServeEnded(ran): figures.kills += 1
    case 0?: figures.acknowledged += 1
    case let status?: note(["\(command) ended with \(status): \(ran.errors)"], household)
    }
  }

  // MARK: - Afterwards

  /// - Returns: the messages of the lists.
  @discardableResult
  private func settle(_ household: Household, _ ledger: inout Ledger) throws -> [ListedMessage] {
    let poll = try run(["poll", "--force"], household, nil)
    if poll.isDone { ledger.polled = ledger.published }
    try perform(.push(source: "last", id: "last"), household, &ledger, killedAfter: nil)
    let listed = try household.listed()
    note(ledger.problems(in: listed), household)
    let check = try household.run(["check"])
    if !check.isDone { note(["check: \(check.output)\(check.errors)"], household) }
    let store = try Store(path: household.database, now: Date())
    note(try store.check.compareAll() + store.check.compareSearchIndex(), household)
    let waiting = try store.outgoing.waiting(at: Date())
    if !waiting.isEmpty { note(["acts wait after a poll: \(waiting)"], household) }
    try store.close()
    return listed
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

  /// Waits for the command's end.
  func end() throws -> Household.Ran {
    isDone.wait()
    guard let result = ran.withLock({ $0 }) else { throw Unusable("a command did not end") }
    return try result.get()
  }
}
