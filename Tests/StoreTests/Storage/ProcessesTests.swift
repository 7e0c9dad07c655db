import Foundation
import GRDB
import Messages
import TestBasics
import Testing

@testable import Storage

/// SQLite treats two stores on one file like two processes: they have separate connections with locks between them.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ProcessesTests {
  let directory: Directory

  init() throws { directory = try Directory() }

  private func open() throws -> Store { try Store(path: directory.database, now: noon) }

  @Test func anotherWriterIsNoticedAtTheNextCheck() async throws {
    let (mine, theirs) = (try open(), try open())
    let source = try theirs.follow(configured("news"))[0]
    try await mine.checkForExternalChanges()
    var changes = mine.changes().makeAsyncIterator()
    #expect(await changes.next() == .current)
    #expect(try mine.dots() == [])
    #expect(try await !mine.checkForExternalChanges())
    try theirs.poll(source, messages(1...3))
    #expect(try await mine.checkForExternalChanges())
    #expect(await changes.next() == .elsewhere)
    #expect(try mine.dots() == [source])
    #expect(try mine.snapshot().total == 3)
    try mine.acts.markSeen(.all)
    #expect(try await !mine.checkForExternalChanges(), "one's own writes are not news")
    #expect(await changes.next() == .here)
    #expect(try mine.dots() == [])
  }

  /// A connection that ended would start a pool of threads, which never stops waking up.
  @Test func connectionsStayForTheNextReaders() throws {
    let store = try open()
    func readDeeply(_ depth: Int) throws {
      guard depth > 0 else { return }
      try store.read { _ in try readDeeply(depth - 1) }
    }
    try readDeeply(1)
    #expect(openFiles() == 2)
    try readDeeply(5)
    try readDeeply(5)
    let opened = openFiles()
    #expect(opened == 6)
    try readDeeply(1)
    try readDeeply(5)
    #expect(openFiles() == opened)
  }

  @Test func aWriteDoesNotWaitForALongReading() throws {
    let store = try open()
    let id = try store.sources.register([configured("news")], at: noon)[0].id
    try store.read { _ in
      try store.poll(id, messages(1...3))
      #expect(try store.snapshot().total == 3)
    }
  }

  /// Returns the number of times that this process has opened the database.
  private func openFiles() -> Int {
    let (manager, open) = (FileManager.default, "/proc/self/fd")
    let descriptors = (try? manager.contentsOfDirectory(atPath: open)) ?? []
    let files = descriptors.map { try? manager.destinationOfSymbolicLink(atPath: "\(open)/\($0)") }
    return files.filter { $0 == directory.database }.count
  }

  @Test func whatWasWrittenBeforeTheFirstLookIsNews() async throws {
    let (mine, theirs) = (try open(), try open())
    try theirs.sources.register([configured("news")], at: noon)
    #expect(try await mine.checkForExternalChanges())
  }

  @Test func manyWritersAndReadersNeitherFailNorMissAChange() async throws {
    let count = 4
    let rounds = 60
    let first = try open()
    let ids = try first.sources.register((0..<count).map { configured("s\($0)") }, at: noon).map(\.id)
    for id in ids { try first.pollNothing(id) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, id) in ids.enumerated() {
        let path = directory.database
        group.addTask {
          for round in 0..<rounds {
            // Some rounds open the store again, as `reddot poll` from cron does.
            let store = try Store(path: path, now: noon)
            try store.poll(id, messages(round * 5 + 1...round * 5 + 5), cursor: "\(round)")
            let rows = try store.snapshot(InboxQuery(scope: .source(id))).rows
            #expect(rows.first?.title == "Title \(round * 5 + 5)")
            if round % 5 == number { try store.perform(.readAll(InboxQuery(scope: .source(id)))) }
            if round % 7 == number { _ = try store.acts.undo(at: noon) }
            if round % 3 == 0 { try store.close() }
          }
        }
      }
      group.addTask {
        for _ in 0..<rounds * 4 {
          let snapshot = try first.snapshot()
          // All values are from one instant: counts and rows agree while others write.
          #expect(snapshot.total % 5 == 0)
          #expect(snapshot.rows.count == min(200, snapshot.total))
        }
      }
      try await group.waitForAll()
    }
    #expect(try first.snapshot().total == count * rounds * 5)
    try first.expectConsistent()
    #expect(try first.check.compareSearchIndex() == [])
  }

  @Test func manyFirstStartsAtOnceMakeOneDatabase() async throws {
    let path = directory.database
    let ids = try await withThrowingTaskGroup(of: SourceID.self) { group in
      for _ in 0..<12 {
        group.addTask { try Store(path: path, now: noon).follow(configured("news"))[0] }
      }
      return try await group.reduce(into: Set<SourceID>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
  }

  @Test func readersAreNotHeldUpByALongWrite() throws {
    let store = try open()
    let source = try store.follow(configured("news"))[0]
    try store.poll(source, messages(1...5))
    let before = try store.snapshot()
    let beside = try open()
    try store.connections.write { db in
      try db.inTransaction(.immediate) {
        try db.execute(sql: "UPDATE tally SET total = 77")
        #expect(try store.snapshot() == before)
        #expect(try beside.snapshot() == before)
        return .rollback
      }
    }
  }

  // MARK: - One poll per source

  @Test func aSourceIsPolledByOneAcrossStoresUntilReleased() throws {
    let (mine, theirs) = (try open(), try open())
    let ids = try mine.follow(configured("a"), configured("b"))
    let lock = try #require(try mine.tryLock(.poll(ids[0])))
    #expect(try mine.tryLock(.poll(ids[0])) == nil)
    #expect(try theirs.tryLock(.poll(ids[0])) == nil)
    #expect(try theirs.tryLock(.poll(ids[1])) != nil)
    lock.release()
    lock.release()
    let again = try #require(try theirs.tryLock(.poll(ids[0])))
    #expect(try mine.tryLock(.poll(ids[0])) == nil)
    withExtendedLifetime(again) {}
  }

  @Test func aLockThatIsDroppedIsReleased() throws {
    let store = try open()
    let source = try store.follow(configured("a"))[0]
    do { _ = try #require(try store.tryLock(.poll(source))) }
    #expect(try store.tryLock(.poll(source)) != nil)
  }

  @Test(arguments: [true, false])
  func whoeverWaitsIsLetGoWhenTheSourceIsFree(isSameStore: Bool) async throws {
    let mine = try open()
    let theirs = isSameStore ? mine : try open()
    let source = try mine.follow(configured("a"))[0]
    let lock = try #require(try mine.tryLock(.poll(source)))
    let waiting = (0..<5).map { _ in Task { await theirs.waitUntilUnlocked(.poll(source)) } }
    await Task.yield()
    lock.release()
    for task in waiting { await task.value }
    // Waiting processes block neither each other nor the next poll.
    #expect(try theirs.tryLock(.poll(source)) != nil)
    await theirs.waitUntilUnlocked(.poll(source))
  }

  @Test(arguments: [true, false])
  func aWaitEndsWhenItsTaskIsCancelled(isSameStore: Bool) async throws {
    let mine = try open()
    let theirs = isSameStore ? mine : try open()
    let source = try mine.follow(configured("a"))[0]
    let lock = try #require(try mine.tryLock(.poll(source)))
    let waiting = Task { await theirs.waitUntilUnlocked(.poll(source)) }
    await Task.yield()
    waiting.cancel()
    await waiting.value
    #expect(try theirs.tryLock(.poll(source)) == nil, "the poll goes on")
    lock.release()
  }

  @Test func storesInMemoryLockWithinTheProcess() async throws {
    let store = try Store.fresh()
    let source = try store.follow(configured("a"))[0]
    let lock = try #require(try store.tryLock(.poll(source)))
    #expect(try store.tryLock(.poll(source)) == nil)
    let waiting = Task { await store.waitUntilUnlocked(.poll(source)) }
    lock.release()
    await waiting.value
  }
}

extension Store {
  fileprivate func perform(_ act: UserAct) throws { try acts.perform(act, at: noon) }
}
