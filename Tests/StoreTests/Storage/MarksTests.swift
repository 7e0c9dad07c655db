import Foundation
import GRDB
import Messages
import Queries
import TestBasics
import Testing

@testable import Storage

/// The changes of a user, and the effects of an undo.
@Suite struct MarksTests {
  let store: Store
  let source: SourceID

  init() throws {
    (store, source) = try Store.following(messages(1...4))
    try store.acts.markSeen(.all)
  }

  private func id(_ number: Int) throws -> MessageID { try store.id("\(number)", of: source) }

  private func message(_ number: Int) throws -> Message {
    try #require(try store.messages.find(RemoteID("\(number)"), of: source))
  }

  @Test func aSnoozeThatReplacedAnotherGivesThatOneBack() throws {
    try store.acts.perform(.snooze([id(1)], until: noon + 3600), at: noon)
    try store.acts.perform(.snooze([id(1)], until: noon + 18_000), at: noon)
    #expect(try store.acts.undo(at: noon)?.count == 1)
    #expect(try message(1).snoozedUntil == noon + 3600)
    #expect(try store.acts.undo(at: noon)?.count == 1)
    #expect(try message(1).snoozedUntil == nil)
    #expect(try store.titles().count == 4)
  }

  @Test func undoingASnoozeTurnsNoDotOn() throws {
    try store.acts.perform(.snooze([id(1)], until: noon + 3600), at: noon)
    _ = try store.acts.undo(at: noon)
    #expect(try store.dots().isEmpty)
    #expect(try store.titles().count == 4)
  }

  @Test func aSnoozeThatIsOverIsLeftAlone() throws {
    try store.acts.perform(.snooze([id(1)], until: noon + 60), at: noon)
    let act = try #require(try store.acts.undo(at: noon + 120))
    #expect(act.count == 0 && act.left == 1)
    #expect(try message(1).isUnread && message(1).snoozedUntil == nil)
    #expect(try store.titles().first == "Title 1")
  }

  /// The old value is the one that was shown: a snooze has ended even if its end was not applied yet.
  @Test func whatIsOverIsUnreadForTheNextAct() throws {
    try store.acts.perform(.read([id(1)]), at: noon)
    try store.acts.perform(.snooze([id(1)], until: noon + 60), at: noon)
    #expect(try store.acts.perform(.read([id(1)]), at: noon + 120) == 1)
    _ = try store.acts.undo(at: noon + 120)
    #expect(try message(1).isUnread)
  }

  @Test func whatWasHiddenAndDismissedIsBothAgain() throws {
    let rules = try RuleTests.ByRules(("noise", "title:5", [.hide]))
    store.judgeArrivals(with: rules)
    try store.rules.apply(rules: rules.texts, at: noon)
    try store.poll(source, messages(5...5))
    try store.acts.perform(.dismiss([id(5)]), at: noon)
    #expect(try store.acts.perform(.undismiss([id(5)]), at: noon) == 1)
    #expect(try store.titles().contains("Title 5"))
    _ = try store.acts.undo(at: noon)
    #expect(try message(5).isDismissed && store.rules.hider(of: id(5)) == "noise")
    _ = try store.acts.undo(at: noon)
    #expect(try !message(5).isDismissed && store.rules.hider(of: id(5)) == "noise")
    try store.expectConsistent()
  }

  @Test func whatARuleHidesComesBackWithoutTheRuleThoughItWasRead() throws {
    let rules = try RuleTests.ByRules(("noise", "title:5", [.hide]))
    store.judgeArrivals(with: rules)
    try store.rules.apply(rules: rules.texts, at: noon)
    try store.poll(source, messages(5...5))
    try store.acts.perform(.read([id(5)]), at: noon)
    store.judgeArrivals(with: nil)
    try store.rules.apply(rules: [:], at: noon)
    #expect(try store.titles().contains("Title 5"))
    // With other rules, the message is judged again too.
    let others = try RuleTests.ByRules(("other", "title:nothing", [.hide]))
    store.judgeArrivals(with: rules)
    try store.rules.apply(rules: rules.texts, at: noon)
    try store.poll(source, messages(6...6))
    store.judgeArrivals(with: others)
    try store.rules.apply(rules: others.texts, at: noon)
    #expect(try store.titles().contains("Title 5") && store.rules.hider(of: id(5)) == nil)
    try store.expectConsistent()
  }

  @Test func undoOfUndoIsRedoUntilSomethingElseIsDone() throws {
    try store.acts.perform(.star([id(1)]), at: noon)
    try store.acts.perform(.dismiss([id(2), id(3)]), at: noon)
    #expect(try store.acts.redo(at: noon) == nil)
    _ = try store.acts.undo(at: noon)
    _ = try store.acts.undo(at: noon)
    #expect(try store.acts.redo(at: noon)?.kind == .star)
    let again = try #require(try store.acts.redo(at: noon))
    #expect(again.kind == .dismiss && again.count == 2)
    #expect(try store.acts.redo(at: noon) == nil)
    #expect(try message(1).isStarred && message(2).isDismissed)
    #expect(try store.acts.undo(at: noon)?.kind == .dismiss)
    try store.acts.perform(.read([id(4)]), at: noon)
    #expect(try store.acts.redo(at: noon) == nil)
    #expect(try store.acts.undo(at: noon)?.kind == .read)
    #expect(try store.acts.undo(at: noon)?.kind == .star)
    #expect(try store.acts.undo(at: noon) == nil)
    try store.expectConsistent()
  }

  @Test func whatWasChangedSinceIsLeftAloneAndCounted() throws {
    try store.acts.perform(.dismiss((1...4).map { try id($0) }), at: noon)
    let second = try id(2).rawValue
    _ = try store.write { db in
      try MarkWriter(db, by: .service, at: noon.milliseconds).set(
        .dismissed(at: nil), on: IDRanges([second]))
    }
    let act = try #require(try store.acts.undo(at: noon))
    #expect(act.count == 3 && act.left == 1)
    #expect(try store.titles().count == 4)
  }

  @Test func aServiceHearsOfNothingThatOnlyARuleDid() throws {
    let hub = try store.follow(
      configured("news"), configured("hub", kind: .github) { $0.settings.writableMarks = [.read, .done] })[1]
    let rules = try RuleTests.ByRules(("noise", "title:5", [.hide]))
    store.judgeArrivals(with: rules)
    try store.pollNothing(hub)
    try store.poll(hub, messages(5...6))
    let hidden = try store.id("5", of: hub)
    try store.acts.perform(.undismiss([hidden]), at: noon)
    _ = try store.acts.undo(at: noon)
    _ = try store.acts.redo(at: noon)
    #expect(try store.outgoing.acts(of: hub).isEmpty)
    #expect(try store.messages.find(hidden)?.isDismissed == false)
  }

  @Test func aFailureThatLiesAheadHoldsNothingBack() throws {
    let hub = try store.follow(configured("hub", kind: .github) { $0.settings.writableMarks = [.read] })[0]
    try store.pollNothing(hub)
    try store.poll(hub, messages(5...5))
    try store.acts.perform(.read([store.id("5", of: hub)]), at: noon)
    var result = WriteBackResult()
    result.failure = .nameNotFound(host: "hub.example")
    let year = 366 * 86_400.0
    try store.outgoing.record(
      result, sent: store.outgoing.acts(of: hub), of: hub, start: noon + year, end: noon + year)
    #expect(try store.outgoing.waiting(at: noon)[hub] == Date(timeIntervalSince1970: 0))
    #expect(try store.outgoing.waiting(at: noon + year)[hub] == noon + year + 30)
  }

  @Test func aWrongCountStopsNoActAndIsDerivedAgain() throws {
    try store.write { db in try db.execute(sql: "UPDATE tally SET unread = 0, total = 1") }
    let said = Said()
    store.reportFaults { text in said.texts.append(text) }
    #expect(try store.acts.perform(.read([id(1)]), at: noon) == 1)
    #expect(try store.status(source).unread == 3 && store.status(source).total == 4)
    #expect(said.texts.count == 1)
    try store.expectConsistent()
  }

  private final class Said: @unchecked Sendable { var texts: [String] = [] }

  /// A range that the user changed at once is treated alike.
  @Test func rulesLeaveAloneWhatAPersonChangedUnlessThatWasTakenBack() throws {
    try store.acts.perform(.readAll(InboxQuery()), at: noon)
    let ids = try (1...4).map { try id($0).rawValue }
    #expect(try store.read { db in try ids.allSatisfy { try MarkLog(db).isActed($0) } })
    #expect(try store.read { db in try MarkLog(db).isActed(ids[0], on: .hidden) } == false)
    _ = try store.acts.undo(at: noon)
    #expect(try store.read { db in try ids.contains { try MarkLog(db).isActed($0) } } == false)
  }

  // MARK: - What comes again

  private func thread(_ occasion: String) -> IncomingMessage {
    var thread = IncomingMessage(remoteID: RemoteID("thread"), kind: .service, title: "Thread", body: "")
    thread.extras = MessageExtras()
    thread.extras?.occasion = occasion
    return thread
  }

  @Test func aThreadThatIsNotKeptIsNewsWhenSomethingHappensInItAgain() throws {
    try store.poll(source, [thread("1")])
    try store.poll(source, messages(5...6))
    let thread = try store.id("thread", of: source)
    try store.acts.perform(.read([thread]), at: noon)
    let row = try store.sources.registered().listed.map { source in
      var source = source
      source.retention = Retention(count: 1)
      return source
    }
    let limits = try store.retention.limits(of: row, at: noon)
    _ = try store.retention.pruneAll(limits)
    try store.retention.endPruning(at: noon)
    #expect(try store.messages.find(thread) == nil)
    #expect(try store.poll(source, [self.thread("1")]).new == 0)
    #expect(try store.poll(source, [self.thread("2")]).new == 1)
    #expect(try store.titles().contains("Thread"))
    #expect(try store.poll(source, [self.thread("2")]).new == 0)
    try store.expectConsistent()
  }

  @Test func idsThatNoFeedListsGoAfterHalfAYear() throws {
    try store.poll(source, [thread("1")])
    try store.write { db in
      try db.execute(
        sql: "UPDATE identity SET message_id = 0, last_listed = \(noon.milliseconds) WHERE remote_id = '1'")
      try MessageRows.delete(try db.integer("SELECT min(id) FROM message") ?? 0, db)
    }
    func known() throws -> Int64? { try store.read { try $0.integer("SELECT count(*) FROM identity") } }
    let before = try known()
    // The feed still lists it.
    try store.poll(source, messages(1...1), at: noon + 100 * 86_400)
    try store.retention.endPruning(at: noon + 200 * 86_400)
    #expect(try known() == before)
    try store.retention.endPruning(at: noon + 300 * 86_400)
    #expect(try known() == before.map { $0 - 1 })
  }

  @Test func unreadMessagesStayThoughARuleHidesThem() throws {
    let rules = try RuleTests.ByRules(("noise", "title:5", [.hide]))
    store.judgeArrivals(with: rules)
    try store.poll(source, messages(5...5))
    var limited = try #require(try store.sources.registered().listed.first)
    limited.retention = Retention(age: .seconds(60))
    let limits = try store.retention.limits(of: [limited], at: noon + 86_400)
    #expect(try store.retention.prunable(limits).isEmpty)
    try store.acts.perform(.read([id(5)]), at: noon)
    #expect(try store.retention.prunable(limits) == [source: 1])
  }

  // MARK: - Much that is due

  @Test func theFirstListWaitsForNoMomentOfRules() throws {
    let rules = try RuleTests.ByRules(("old", "older:1d", [.read]))
    store.judgeArrivals(with: rules)
    try store.poll(
      source,
      (100...1700).map {
        IncomingMessage(remoteID: RemoteID("\($0)"), kind: .feed, title: "Title \($0)", body: "")
      })
    let later = noon + 2 * 86_400
    try store.time.catchUp(to: later)
    #expect(try store.status(source).unread > 1500, "rules judge in slices, later")
    var slices = 0
    while let next = try store.time.advance(to: later), next <= later { slices += 1 }
    #expect(slices >= 3)
    #expect(try store.status(source).unread == 4)
    try store.expectConsistent()
  }

  @Test func whatAppearsIsShownInSlicesWhicheverWayTheTimeGoes() throws {
    let many = (10_000..<15_000).map { number in
      var message = IncomingMessage(
        remoteID: RemoteID("\(number)"), kind: .feed, title: "Title \(number)", body: "")
      message.visibleFrom = noon + Double(number)
      return message
    }
    try store.poll(source, many)
    try store.time.catchUp(to: noon + 86_400)
    let first = try store.status(source).total
    #expect(first > 1000 && first < 3000)
    try store.time.catchUpWhole(to: noon + 86_400)
    #expect(try store.status(source).total == 5004)
    try store.time.catchUpWhole(to: noon)
    #expect(try store.status(source).total == 4)
    try store.expectConsistent()
  }

  // MARK: - Check

  @Test(arguments: [
    (CheckPart.counts, "UPDATE tally SET unread = 2, total = 9"),
    (.counts, "INSERT INTO hidden_tally VALUES ('none', 3)"),
    (.lists, "UPDATE status SET is_shown = 0 WHERE message_id = 1"),
    (.lists, "UPDATE status SET is_followed = 0"),
    (.copies, "UPDATE status SET original_id = 99, original_source = 1 WHERE message_id = 2"),
    (.facets, "DELETE FROM facet WHERE message_id = 2"),
    (.facets, "INSERT INTO facet (facet, message_id) SELECT min(facet), 99 FROM facet"),
    (.search, "INSERT INTO search (rowid, title, body, author) VALUES (77, 'strange', '', '')"),
    (.savedLists, "DELETE FROM list_member WHERE message_id = 1; UPDATE saved_list SET unread = 9"),
    (.ids, "DELETE FROM identity WHERE message_id = 3"),
    (.ids, "INSERT INTO identity (source_id, remote_id, message_id, hash) VALUES (1, 'gone', 55, 0)"),
    (.ids, "UPDATE detail SET pane = 'tmux:a:1', is_translated = 1 WHERE message_id = 2"),
    (.entries, "DELETE FROM entry_key WHERE message_id = 2"),
    (.entries, "INSERT INTO entry_key (key, message_id) VALUES (7, 99)"),
    (.entries, "INSERT INTO entry_facts (message_id, words) VALUES (99, 1)"),
    (
      .notices,
      "INSERT INTO notification (message_id, channel, state, is_urgent, at) VALUES (66, 'bell', 0, 0, 0)"
    ),
  ])
  func whatDiffersIsFoundAndDerivedAgain(part: CheckPart, damage: String) throws {
    try store.savedLists.apply(lists: [SavedList(name: "unread", query: "is:unread")])
    while try store.savedLists.judge(at: noon) {}
    let before = try store.snapshot()
    #expect(try store.check.compare(part) == [])
    try store.outsideTransactions { db in try db.execute(sql: damage) }
    #expect(try !store.check.compare(part).isEmpty)
    try store.check.repair(part, at: noon)
    for part in CheckPart.allCases { #expect(try store.check.compare(part) == [], "\(part)") }
    let after = try store.snapshot()
    #expect(after.rows == before.rows && after.lists == before.lists && after.sources == before.sources)
  }

  // MARK: - Histories

  /// Acts of the user, of a service and of the time in any order, compared with a model that keeps whole states.
  @Test(arguments: Histories.seeds(12)) func anyHistoryIsUndoneToItsBeginning(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed) + 1)
    let ids = try (1...4).map { try id($0) }
    var now = noon
    var model = Model(ids)
    let first = try shown(ids)
    #expect(first == model.states)
    func some() -> [MessageID] { ids.filter { _ in Bool.random(using: &random) } }
    for step in 0..<120 {
      now += 10
      // An ended snooze is shown as ended before anything else happens.
      try store.time.catchUpWhole(to: now)
      model.wake(at: now)
      let these = some()
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        try store.acts.perform(.read(these), at: now)
        model.act(these) { $0.isRead = true }
      case 1:
        try store.acts.perform(.unread(these), at: now)
        model.act(these) { $0.isRead = false }
      case 2:
        try store.acts.perform(.star(these), at: now)
        model.act(these) { $0.isStarred = true }
      case 3:
        try store.acts.perform(.unstar(these), at: now)
        model.act(these) { $0.isStarred = false }
      case 4:
        try store.acts.perform(.dismiss(these), at: now)
        let time = now
        model.act(these) { $0.dismissed = $0.dismissed ?? time }
      case 5:
        try store.acts.perform(.undismiss(these), at: now)
        model.act(these) { $0.dismissed = nil }
      case 6:
        let until = now + [15, 3600, 7200].randomElement(using: &random)!
        try store.acts.perform(.snooze(these, until: until), at: now)
        model.act(these) { if $0.dismissed == nil { $0.snoozed = until } }
      case 7:
        try store.acts.perform(.readAll(InboxQuery()), at: now)
        model.act(ids.filter { model.isListed($0) }) { $0.isRead = true }
      case 8:
        let isRead = Bool.random(using: &random)
        _ = try store.write { db in
          try MarkWriter(db, by: .service, at: now.milliseconds).set(
            .read(isRead), on: IDRanges(these.map(\.rawValue)))
        }
        model.change(these) { $0.isRead = isRead }
      case 9, 10:
        let undone = try store.acts.undo(at: now)
        #expect((undone != nil) == model.undo(), "step \(step)")
      default:
        let redone = try store.acts.redo(at: now)
        #expect((redone != nil) == model.redo(), "step \(step)")
      }
      #expect(try shown(ids) == model.states, "seed \(seed), step \(step)")
      try store.expectConsistent("seed \(seed), step \(step)")
    }
    // Without a service and the time in between, undoing everything restores the first state.
    while try store.acts.undo(at: now) != nil { _ = model.undo() }
    #expect(try shown(ids) == model.states)
  }

  /// Only acts of the user are undone: everything is as it was at the beginning.
  @Test(arguments: Histories.seeds(8)) func undoingEverythingGivesTheFirstState(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed) + 100)
    let ids = try (1...4).map { try id($0) }
    let first = try rows()
    for _ in 0..<60 {
      let these = ids.filter { _ in Bool.random(using: &random) }
      let acts: [UserAct] = [
        .read(these), .unread(these), .star(these), .unstar(these), .dismiss(these), .undismiss(these),
        .snooze(these, until: noon + Double(Int.random(in: 100...9999, using: &random))),
        .readAll(InboxQuery()),
      ]
      try store.acts.perform(
        acts.randomElement(using: &random)!, at: noon + Double(Int.random(in: 0...50, using: &random)))
      if Int.random(in: 0..<4, using: &random) == 0 { _ = try store.acts.undo(at: noon + 60) }
      if Int.random(in: 0..<8, using: &random) == 0 { _ = try store.acts.redo(at: noon + 60) }
    }
    while let act = try store.acts.undo(at: noon + 60) { #expect(act.left == 0) }
    #expect(try rows() == first)
    try store.expectConsistent()
  }

  private func rows() throws -> [String] {
    try store.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM status ORDER BY message_id").map(\.description)
    }
  }

  private func shown(_ ids: [MessageID]) throws -> [MessageID: Model.State] {
    var states: [MessageID: Model.State] = [:]
    for id in ids {
      let message = try #require(try store.messages.find(id))
      states[id] = Model.State(
        isRead: !message.isUnread, isStarred: message.isStarred,
        dismissed: try store.read { db in
          try db.integer("SELECT dismissed_at FROM status WHERE message_id = ?", id.rawValue)
        }.map(Date.init(milliseconds:)), snoozed: message.snoozedUntil)
    }
    return states
  }
}

/// Keeps whole states: slow, and easy to verify.
private struct Model {
  struct State: Equatable {
    var isRead = false
    var isStarred = false
    var dismissed: Date?
    var snoozed: Date?

    /// Undoes each field that changed from `before` to `after` and has not changed since.
    mutating func takeBack(from before: State, to after: State) {
      if before.isRead != after.isRead, isRead == after.isRead { isRead = before.isRead }
      if before.isStarred != after.isStarred, isStarred == after.isStarred { isStarred = before.isStarred }
      if before.dismissed != after.dismissed, dismissed == after.dismissed { dismissed = before.dismissed }
      if before.snoozed != after.snoozed, snoozed == after.snoozed { snoozed = before.snoozed }
    }
  }

  typealias Change = (before: [MessageID: State], after: [MessageID: State])

  private(set) var states: [MessageID: State]
  private var done: [Change] = []
  /// The change of each undo, with the act that it undid.
  private var undone: [(change: Change, act: Change)] = []

  init(_ ids: [MessageID]) { states = Dictionary(uniqueKeysWithValues: ids.map { ($0, State()) }) }

  func isListed(_ id: MessageID) -> Bool { states[id]?.dismissed == nil && states[id]?.snoozed == nil }

  mutating func change(_ ids: [MessageID], _ body: (inout State) -> Void) {
    for id in ids { body(&states[id, default: State()]) }
  }

  mutating func act(_ ids: [MessageID], _ body: (inout State) -> Void) {
    let before = states
    change(ids, body)
    if states == before { return }
    done.append((before, states))
    undone = []
  }

  mutating func wake(at now: Date) {
    for (id, state) in states {
      guard let until = state.snoozed, until <= now else { continue }
      states[id]?.snoozed = nil
      states[id]?.isRead = false
    }
  }

  private mutating func takeBack(_ change: Change) -> Change {
    let before = states
    for id in Array(states.keys) {
      guard let old = change.before[id], let new = change.after[id] else { continue }
      states[id]?.takeBack(from: old, to: new)
    }
    return (before, states)
  }

  mutating func undo() -> Bool {
    guard let act = done.popLast() else { return false }
    undone.append((takeBack(act), act))
    return true
  }

  mutating func redo() -> Bool {
    guard let last = undone.popLast() else { return false }
    _ = takeBack(last.change)
    done.append(last.act)
    return true
  }
}

@Suite struct MarkChangesTests {
  @Test func whatASetLeavesOfAnotherIsRight() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      let own = (0..<12).map { _ in Int64.random(in: 0...20, using: &random) }
      let others = (0..<12).map { _ in Int64.random(in: 0...20, using: &random) }
      let left = Set(own).subtracting(others)
      #expect(IDRanges(own).subtracting(IDRanges(others)) == IDRanges(Array(left)))
    }
    #expect(IDRanges(0 ... .max).subtracting(IDRanges([.max])) == IDRanges(0...(.max - 1)))
  }

  @Test func idsAreCutIntoPiecesOfAtMostSoMany() {
    var ids = IDRanges()
    for range: ClosedRange<Int64> in [1...3, 7...7, 10...15] { ids.append(range) }
    let pieces = ids.pieces(of: 4)
    #expect(pieces == [IDRanges([1, 2, 3, 7]), IDRanges([10, 11, 12, 13]), IDRanges([14, 15])])
    #expect(IDRanges().pieces(of: 4) == [])
    #expect(IDRanges([.max - 1, .max]).pieces(of: 1).count == 2)
  }

  /// The order in which an undo of several acts adds them.
  @Test func changesOfAnyOrderAreAllKept() {
    var changes = MarkChanges()
    for id: Int64 in [9, 6, 8, 6, 12, 7] {
      changes.append(id, MarkChange(IDRanges(), old: .read(true), new: .read(false)))
    }
    #expect(changes.messages == IDRanges([6, 7, 8, 9, 12]))
    #expect(changes.all.count == 1)
  }
}
