import Basics
import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct IgnoredKeysTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    source = try store.follow(configured("news"))[0]
  }

  /// - Returns: the reported keys.
  private func poll(_ keys: [String], _ store: Store? = nil) throws -> [String] {
    try (store ?? self.store).poll(source, []) { $0.ignoredKeys = keys }.ignoredKeys.map(\.at)
  }

  @Test func aKeyIsNewOnce() throws {
    #expect(try poll(["$.a"]) == ["$.a"])
    #expect(try poll(["$.a", "$.b"]) == ["$.b"])
    #expect(try poll(["$.b", "$.a"]) == [])
    let told = try store.polls.attempts(of: source).map { $0.problems.map(\.at) }
    #expect(told == [[], ["$.b"], ["$.a"]])
  }

  @Test func eachSourceHasItsOwnUntilItIsForgotten() throws {
    func follow() throws -> SourceID { try store.follow(configured("news"), configured("twin"))[1] }
    func poll(_ source: SourceID) throws -> [String] {
      try store.poll(source, []) { $0.ignoredKeys = ["$.a"] }.ignoredKeys.map(\.at)
    }
    let twin = try follow()
    #expect(try poll(source) == ["$.a"])
    #expect(try poll(twin) == ["$.a"])
    try store.sources.forget(twin)
    #expect(try poll(follow()) == ["$.a"])
    #expect(try poll(source) == [])
  }

  @Test func keysComeBeforeProblems() throws {
    try store.poll(source, []) {
      $0.problems = (1...200).map { FormatProblem(at: "$.list[\($0)]", message: "broken") }
      $0.ignoredKeys = ["$.a"]
    }
    #expect(try store.polls.attempts(of: source).first?.problems.first?.at == "$.a")
  }

  @Test func onlyALimitedNumberIsRemembered() throws {
    let many = (1...Limits.ignoredKeysPerSource + 50).map { "$.key\($0)" }
    #expect(try poll(Array(many.prefix(10))).count == 10)
    #expect(try poll(many).count == Limits.ignoredKeysPerSource - 10)
    #expect(try poll(many) == [])
  }

  @Test func aLongKeyIsCut() throws {
    let long = "$.list[*]." + String(repeating: "é", count: Limits.ignoredKeyBytes)
    let told = try poll([long])
    #expect(told.map(\.utf8.count) == [Limits.ignoredKeyBytes])
    #expect(try poll([long]) == [])
  }

  @Test func keysThatAreNotStoredAreReportedNextTime() throws {
    let gone = SourceID(99)
    #expect(throws: StoreFailure.unknownSource(gone)) {
      try store.poll(gone, []) { $0.ignoredKeys = ["$.a"] }
    }
    #expect(try poll(["$.a"]) == ["$.a"])
  }

  @Test func anotherProcessKnowsThem() throws {
    let directory = try Directory()
    let (one, other) = (
      try Store(path: directory.database, now: noon), try Store(path: directory.database, now: noon)
    )
    _ = try one.follow(configured("news"))
    #expect(try poll(["$.a"], one) == ["$.a"])
    #expect(try poll(["$.a", "$.b"], other) == ["$.b"])
  }
}
