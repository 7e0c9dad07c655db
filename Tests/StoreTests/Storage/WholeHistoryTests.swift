import Foundation
import Messages
import Queries
import TestBasics
import Testing

@testable import Storage

/// Everything that changes marks, in any order: users, rules that are added, changed and removed, services, copies,
/// retention, time, undo and redo.
@Suite struct WholeHistoryTests {
  /// The marks of a message that can be sent to a service.
  private struct State: Equatable {
    var isRead: Bool
    var isStarred: Bool
    var isDismissed: Bool
  }

  private struct Said: Hashable {
    var message: MessageID
    var field: String
  }

  private let store: Store
  /// A service that accepts all marks.
  private let hub: SourceID
  private let feeds: [SourceID]

  init() throws {
    store = try Store.fresh()
    let sources = try store.follow(
      configured("hub", kind: .gitea) {
        $0.settings.writableMarks = [.read, .unread, .star, .unstar, .done, .undone]
      }, configured("blog") { $0.settings.joinsOthers = true }, configured("news"))
    (hub, feeds) = (sources[0], Array(sources[1...]))
    for source in sources { try store.pollNothing(source) }
    try store.savedLists.apply(lists: [
      SavedList(name: "unread", query: "is:unread title:1"), SavedList(name: "tagged", query: "tag:odd"),
    ])
  }

  private func states() throws -> [MessageID: State] {
    var states: [MessageID: State] = [:]
    for number in 1...12 {
      guard let message = try store.messages.find(RemoteID("\(number)"), of: hub) else { continue }
      states[message.id] = State(
        isRead: !message.isUnread, isStarred: message.isStarred, isDismissed: message.isDismissed)
    }
    return states
  }

  private static func rules(_ random: inout SeededRandom) throws -> RuleTests.ByRules {
    let number = Int.random(in: 1...9, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return try RuleTests.ByRules(("hides", "title:\(number)", [.hide]))
    case 1: return try RuleTests.ByRules(("reads", "body:\(number % 3)", [.read, .tag("odd")]))
    case 2: return try RuleTests.ByRules(("stars", "title:\(number)", [.star, .priority(Priority(5))]))
    case 3: return try RuleTests.ByRules(("old", "older:1min", [.dismiss]))
    case 4:
      return try RuleTests.ByRules(
        ("hides", "title:\(number) OR source:news", [.hide]), ("later", "title:2", [.snooze("1h")]))
    default: return try RuleTests.ByRules()
    }
  }

  private func messages(of source: SourceID, _ random: inout SeededRandom) -> [IncomingMessage] {
    Set((0..<4).map { _ in Int.random(in: 1...12, using: &random) }).sorted().map { number in
      var sent = message("\(number)", "Title \(number)")
      sent.body = "\(Int.random(in: 0...2, using: &random))"
      if source != hub { sent.url = "https://blog.example/\(number)" }
      return sent
    }
  }

  private func act(_ random: inout SeededRandom, at now: Date) throws {
    let last = try store.snapshot().newest.rawValue
    let ids = (0..<3).map { _ in MessageID(Int64.random(in: 1...max(1, last), using: &random)) }
    let acts: [UserAct] = [
      .read(ids), .unread(ids), .star(ids), .unstar(ids), .dismiss(ids), .undismiss(ids),
      .snooze(ids, until: now + 40), .readAll(InboxQuery()), .readAll(InboxQuery(scope: .source(hub))),
    ]
    try store.acts.perform(try #require(acts.randomElement(using: &random)), at: now)
  }

  private func prune(at now: Date, _ random: inout SeededRandom) throws {
    var limited = try store.sources.registered().listed
    for place in limited.indices {
      limited[place].retention = Retention(count: Int.random(in: 2...9, using: &random))
    }
    let limits = try store.retention.limits(of: limited, at: now)
    _ = try store.retention.pruneAll(limits)
    try store.retention.endPruning(at: now)
  }

  @Test(arguments: Histories.seeds(16)) func whatAServiceIsToldIsWhatAPersonDidAndAllThatIsDerivedAgrees(
    seed: Int
  ) throws {
    var random = SeededRandom(seed: UInt64(seed) + 500)
    var now = noon
    /// The acts that wait for the service.
    var waiting: [Said: Bool] = [:]
    for step in 0..<90 {
      let comment: Comment = "seed \(seed), step \(step)"
      now += 5
      try store.time.catchUpWhole(to: now)
      let before = try states()
      var isPerson = false
      switch Int.random(in: 0..<16, using: &random) {
      case 0...3:
        let source = ([hub] + feeds).randomElement(using: &random) ?? hub
        try store.poll(source, messages(of: source, &random), at: now)
      case 4...7:
        isPerson = true
        try act(&random, at: now)
      case 8, 9:
        isPerson = true
        _ = try store.acts.undo(at: now)
      case 10:
        isPerson = true
        _ = try store.acts.redo(at: now)
      case 11:
        let rules = try Self.rules(&random)
        store.judgeArrivals(with: rules)
        try store.rules.apply(rules: rules.texts, at: now)
      case 12:
        try store.poll(hub, [], at: now) {
          var state = UpstreamState()
          let number = Int.random(in: 1...12, using: &random)
          state.marks = [
            UpstreamState.Mark(
              RemoteID("\(number)"),
              UpstreamMarks(isRead: Bool.random(using: &random), isDone: number % 2 == 0))
          ]
          $0.upstream = state
        }
      case 13: now += Double(Int.random(in: 0...80, using: &random))
      case 14: try prune(at: now, &random)
      default:
        let acts = try store.outgoing.acts(of: hub)
        var result = WriteBackResult()
        result.carried = Set(acts.map(\.id))
        try store.outgoing.record(result, sent: acts, of: hub, start: now, end: now)
        waiting = [:]
      }
      if isPerson {
        for (id, state) in try states() {
          guard let old = before[id] else { continue }
          if state.isRead != old.isRead { waiting[Said(message: id, field: "read")] = state.isRead }
          if state.isStarred != old.isStarred { waiting[Said(message: id, field: "star")] = state.isStarred }
          if state.isDismissed != old.isDismissed {
            waiting[Said(message: id, field: "done")] = state.isDismissed
          }
        }
      }
      var told: [Said: Bool] = [:]
      for act in try store.outgoing.acts(of: hub) {
        switch act.mark {
        case .read(let value): told[Said(message: act.message, field: "read")] = value
        case .starred(let value): told[Said(message: act.message, field: "star")] = value
        case .done(let value): told[Said(message: act.message, field: "done")] = value
        case .snoozed, .named: break
        }
      }
      #expect(told == waiting, comment)
      try store.expectConsistent(comment)
      if step % 15 == 14 {
        while try store.savedLists.judge(at: now) {}
        for part in CheckPart.allCases { #expect(try store.check.compare(part) == [], "\(comment) \(part)") }
      }
    }
    while try store.acts.undo(at: now) != nil { try store.expectConsistent("seed \(seed), undoing") }
  }
}
