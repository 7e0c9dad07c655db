import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// A database that is opened read-only. File systems that are read-only are tested with the built program.
@Suite struct ReadOnlyTests {
  let directory: Directory

  init() throws { directory = try Directory() }

  /// Adds three messages: one that appears later, one that expires, one that stays.
  private func fill() throws -> Store {
    let store = try Store(path: directory.database, now: noon)
    let source = try store.follow(configured("news"))[0]
    try store.pollNothing(source)
    var (coming, going) = (message("coming"), message("going"))
    coming.visibleFrom = noon + 3600
    going.expires = noon + 3600
    try store.poll(source, [message("stays"), coming, going])
    return store
  }

  private func files() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    return try Dictionary(
      uniqueKeysWithValues: names.filter { !$0.hasSuffix(".locks") && !$0.hasSuffix("-shm") }.map {
        ($0, try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\($0)")))
      })
  }

  @Test(arguments: [true, false]) func everythingIsReadAndNothingWritten(isClosed: Bool) throws {
    let store = try fill()
    let before = try store.snapshot()
    if isClosed { try store.close() }
    let stored = try files()
    let reading = try Store(readOnly: directory.database, now: noon + 60)
    #expect(try reading.snapshot() == before)
    #expect(try reading.titles(search: "stays") == ["Title stays"])
    try reading.time.advance(to: noon + 60)
    #expect {
      try reading.acts.perform(.read([MessageID(1)]), at: noon)
    } throws: {
      guard case .readOnly(let path, _) = $0 as? StoreFailure else { return false }
      return path == directory.database
    }
    #expect(try files()[(directory.database as NSString).lastPathComponent] == stored["inbox.sqlite"])
    withExtendedLifetime(store) {}
  }

  @Test func whatHasComeOrGoneSinceIsCarriedOutInACopy() throws {
    let store = try fill()
    let reading = try Store(readOnly: directory.database, now: noon + 3600)
    try reading.time.advance(to: noon + 3600)
    #expect(try reading.titles().sorted() == ["Title coming", "Title stays"])
    #expect(try store.titles().sorted() == ["Title going", "Title stays"])
  }

  @Test func whatIsNotOursIsRefused() throws {
    let queue = try DatabaseQueue(path: directory.database)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE photo (id INTEGER)") }
    try queue.close()
    #expect(throws: StoreFailure.foreign(path: directory.database)) {
      try Store(readOnly: directory.database, now: noon)
    }
    let none = try Store(toRead: directory.path + "/none.sqlite", now: noon)
    #expect(none == nil)
  }
}
