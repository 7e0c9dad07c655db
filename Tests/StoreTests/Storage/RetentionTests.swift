import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// Only messages that sources no longer keep are deleted.
@Suite struct RetentionTests {
  let store: Store
  let source: SourceID
  let other: SourceID

  init() throws {
    store = try Store.fresh()
    let ids = try store.follow(configured("a"), configured("b"))
    (source, other) = (ids[0], ids[1])
    try store.pollNothing(source, other)
  }

  private func limits(
    _ retention: Retention, of id: SourceID? = nil, at now: Date = noon
  ) throws -> RetentionLimits {
    let sources = try store.sources.statuses().map(\.source).filter { $0.id == id ?? source }
    return try store.retention.limits(
      of: sources.map { source in
        var source = source
        source.retention = retention
        return source
      }, at: now)
  }

  /// Runs all steps, which are small unless the caller sets a size.
  @discardableResult
  private func prune(_ limits: RetentionLimits, looking: Int = 3, removing: Int = 2) throws -> Int {
    let count = try store.retention.pruneAll(limits, looking: looking, removing: removing).values.reduce(0, +)
    #expect(try store.check.compareAll() == [])
    #expect(try store.check.compareSearchIndex() == [])
    return count
  }

  private func ids(_ source: SourceID) throws -> [MessageID] {
    try store.snapshot(InboxQuery(scope: .source(source))).rows.map(\.id)
  }

  private func readAll() throws {
    try store.acts.perform(.readAll(InboxQuery()), at: noon)
  }

  @Test func theNewestStayAndDeletedOnesAreNowhere() throws {
    try store.poll(source, messages(1...20))
    try store.poll(other, messages(1...20))
    try readAll()
    let limits = try limits(Retention(count: 5))
    #expect(try store.retention.prunable(limits) == [source: 15])
    #expect(try prune(limits) == 15)
    #expect(try store.retention.prunable(limits) == [:])
    #expect(
      try store.snapshot(InboxQuery(scope: .source(source))).rows.map(\.title)
        == (16...20).reversed().map { "Title \($0)" })
    #expect(try ids(other).count == 20)
    #expect(try store.snapshot(InboxQuery(search: "Title 3")).rows.map(\.source) == [other])
  }

  /// Otherwise, a search index that other messages follow slowly would keep the words of deleted ones for months.
  @Test func theSearchIndexShrinksWithTheMessages() throws {
    for start in [0, 1000, 2000] {
      try store.poll(source, messages(start + 1...start + 1000))
    }
    try store.poll(other, messages(5001...5003))
    func size() throws -> Int64 {
      try #require(try store.read { try $0.integer("SELECT sum(length(block)) FROM search_data") })
    }
    let full = try size()
    try readAll()
    let removed = try prune(limits(Retention(count: 10)), looking: 1000, removing: 100)
    #expect(removed == 2990)
    try store.retention.endPruning(at: noon, removed: removed)
    #expect(try size() < full / 20)
    #expect(try store.check.compareSearchIndex() == [])
    #expect(try store.titles(search: "2999") == ["Title 2999"])
    #expect(try store.titles(search: "5002") == ["Title 5002"])
    #expect(try store.titles(search: "1500") == [])
    // The same applies if a source is forgotten.
    try store.poll(other, messages(6001...9000))
    try store.sources.forget(other)
    #expect(try size() < full / 20)
    #expect(try store.check.compareSearchIndex() == [])
  }

  @Test func ageCountsFromTheArrival() throws {
    let day = 86_400.0
    // The message was published long ago, but arrived today.
    try store.poll(source, [message("old", at: noon - 900 * day)])
    try store.poll(source, [message("new", at: noon + 80 * day)], at: noon + 80 * day)
    try readAll()
    let retention = Retention(age: .seconds(90 * day))
    #expect(try store.retention.prunable(limits(retention, at: noon + 90 * day)) == [:])
    #expect(try prune(limits(retention, at: noon + 91 * day)) == 1)
    #expect(try store.titles() == ["Title new"])
  }

  /// The clock is a year slow while the second message arrives: it still arrived after the first one.
  @Test func aClockThatWasSetBackMakesNothingOld() throws {
    let day = 86_400.0
    try store.poll(source, [message("first")])
    try store.poll(source, [message("second")], at: noon - 365 * day)
    try store.poll(other, [message("third")], at: noon + day)
    try readAll()
    let retention = Retention(age: .seconds(90 * day))
    #expect(try store.retention.prunable(limits(retention, at: noon + 2 * day)) == [:])
    #expect(try prune(limits(retention, at: noon + 89 * day)) == 0)
    #expect(try prune(limits(retention, at: noon + 91 * day)) == 2)
    #expect(try store.titles() == ["Title third"])
  }

  /// A message from the time of a fast clock keeps no later one for longer.
  @Test func aClockThatWasAheadKeepsNothingLonger() throws {
    let day = 86_400.0
    try store.poll(source, [message("ahead")], at: noon + 365 * day)
    try store.poll(source, [message("right")])
    try readAll()
    #expect(try prune(limits(Retention(age: .seconds(90 * day)), at: noon + 91 * day)) == 1)
    #expect(try store.titles() == ["Title ahead"])
  }

  @Test func unreadStarredAndSnoozedMessagesStay() throws {
    try store.poll(source, messages(1...6))
    let all = Array(try ids(source).reversed())
    try store.acts.perform(.read(Array(all[1...3])), at: noon)
    try store.acts.perform(.star([all[1]]), at: noon)
    try store.acts.perform(.snooze([all[2]], until: noon + 3600), at: noon)
    try store.acts.perform(.dismiss([all[4]]), at: noon)
    // 1 is unread, 2 starred, 3 snoozed, 4 read, 5 dismissed, 6 the newest.
    #expect(try prune(limits(Retention(count: 1))) == 2)
    #expect(try store.titles() == ["Title 6", "Title 2", "Title 1"])
    try store.time.advance(to: noon + 3600)
    #expect(try store.titles() == ["Title 3", "Title 6", "Title 2", "Title 1"])
  }

  @Test func expiredMessagesAreDeletedEvenUnread() throws {
    try store.poll(
      source,
      [1, 2].map { number in
        var message = message("\(number)", at: noon - 60)
        if number == 1 { message.expires = noon + 10 }
        return message
      })
    let later = noon + 20
    try store.time.advance(to: later)
    #expect(try prune(limits(Retention(age: .seconds(1)), at: later)) == 1)
    #expect(try store.titles() == ["Title 2"])
  }

  @Test(arguments: [false, true])
  func thePublisherDoesNotBringItBackThoughItChanges(isChanged: Bool) throws {
    try store.poll(source, messages(1...3))
    try readAll()
    try prune(limits(Retention(count: 1)))
    var again = messages(1...3)
    if isChanged { again[0].title = "Other words" }
    let recorded = try store.poll(source, again)
    #expect(recorded.new == 0 && recorded.updated == 0)
    #expect(try store.titles() == ["Title 3"])
    #expect(try store.check.compareAll() == [])
  }

  @Test func aScriptThatPushesAnIdAgainIsHeard() throws {
    let local = configured("local", kind: .local, address: "")
    var build = message("build", "Build 1")
    build.kind = .local
    try store.pushes.add(build, into: local, at: noon)
    let later = noon + 100
    try readAll()
    let id = try #require(try store.sources.statuses().first { $0.source.name == "local" }?.source.id)
    #expect(try prune(limits(Retention(age: .seconds(1)), of: id, at: later)) == 1)
    try store.pushes.add(build, into: local, at: later)
    #expect(try store.titles() == ["Build 1"])
    #expect(try store.snapshot().rows.first?.isUnread == true)
  }

  @Test func anActOnWhatIsGoneIsTakenBackForTheRest() throws {
    try store.poll(source, messages(1...3))
    try readAll()
    try prune(limits(Retention(count: 1)))
    #expect(try store.acts.undo(at: noon)?.kind == .readAll)
    #expect(try store.snapshot().rows.map(\.isUnread) == [true])
    #expect(try store.check.compareAll() == [])
  }

  @Test func whatIsStarredBetweenLookingAndDeletingStays() throws {
    try store.poll(source, messages(1...3))
    try readAll()
    let limits = try limits(Retention(count: 1))
    #expect(try store.retention.prunable(limits) == [source: 2])
    try store.acts.perform(.star([try #require(try ids(source).last)]), at: noon)
    #expect(try prune(limits) == 1)
    #expect(try store.titles() == ["Title 3", "Title 1"])
  }

  @Test func aSourceWithoutALimitHasNone() throws {
    try store.poll(source, messages(1...3))
    try readAll()
    #expect(try limits(.everything).isEmpty)
    #expect(try limits(Retention(count: 3)).isEmpty == false)
    #expect(try prune(limits(Retention(count: 3))) == 0)
    #expect(try limits(Retention(count: 4)).isEmpty)
  }

  @Test func theJournalKeepsSoManyActs() throws {
    try store.poll(source, messages(1...1))
    let id = try #require(try ids(source).first)
    try store.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20500)
          INSERT INTO journal (at, kind) SELECT 0, 'read' FROM n
          """)
    }
    try store.acts.perform(.star([id]), at: noon)
    #expect(try store.read { try $0.integer("SELECT count(*) FROM journal") } == Journal.length)
    #expect(try store.acts.undo(at: noon)?.kind == .star)
  }

  /// A file keeps as many free pages as are soon used again, even a file of an earlier version after it was compacted.
  @Test(arguments: [false, true]) func freePagesGoBackToTheDisk(isOlder: Bool) throws {
    let directory = try Directory()
    func pages(_ store: Store) throws -> (all: Int64, free: Int64) {
      try store.read { db in
        (try db.integer("PRAGMA page_count") ?? 0, try db.integer("PRAGMA freelist_count") ?? 0)
      }
    }
    var store = try Store(path: directory.database, now: noon)
    if isOlder {
      try store.close()
      let queue = try DatabaseQueue(path: directory.database)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA journal_mode = WAL")
      }
      try queue.close()
      store = try Store(path: directory.database, now: noon)
    }
    let source = try store.follow(configured("a"))[0]
    let body = String(repeating: "some words of a body ", count: 100)
    try store.poll(source, (1...2000).map { message("\($0)", "Title \($0)", body: body) })
    try store.acts.perform(.readAll(InboxQuery()), at: noon)
    let full = try pages(store).all
    var kept = try #require(try store.sources.statuses().first).source
    kept.retention = Retention(count: 10)
    let limits = try store.retention.limits(of: [kept], at: noon + 1)
    #expect(try store.retention.pruneAll(limits)[source] == 1990)
    try store.retention.endPruning(at: noon + 1, removed: 1990)
    if isOlder {
      #expect(try pages(store).all >= full, "the file of an earlier version stays as large as it was")
      try store.close()
      #expect(try StoredPages(path: directory.database).compact() < Int(full) * 4096 / 4)
      store = try Store(path: directory.database, now: noon + 2)
    }
    let (all, free) = try pages(store)
    #expect(all < full / 4 && free <= all / 8)
    #expect(try store.read { try $0.integer("PRAGMA auto_vacuum") } == 2)
    try store.expectConsistent()
  }

  @Test func aFileThatIsUsedIsNotCompacted() throws {
    let directory = try Directory()
    let store = try Store(path: directory.database, now: noon)
    #expect(throws: StoreFailure.inUse(path: directory.database)) {
      try StoredPages(path: directory.database).compact(patience: 0.05)
    }
    try store.close()
    #expect(try StoredPages(path: directory.database).compact(patience: 0.05) > 0)
    try Store(path: directory.database, now: noon).expectConsistent()
  }
}
