import Foundation
import Messages
import Testing

@testable import Storage

/// A change of a source with very many messages: other writers get in between, and it survives the end of a process.
@Suite struct SourceChangesTests {
  private static let many = 2 * SourceChanges.most + 500

  private let directory: Directory

  init() throws { directory = try Directory() }

  private func open() throws -> Store { try Store(path: directory.database, now: noon) }

  /// A store with many messages of one source, and one of another.
  private func filled() throws -> (store: Store, large: SourceID) {
    let store = try open()
    let ids = try store.follow(configured("large"), configured("small"))
    try store.pollNothing(ids[0], ids[1])
    try store.poll(ids[0], messages(1...Self.many))
    try store.poll(ids[1], [message("small", "Small", at: noon + 60)])
    return (store, ids[0])
  }

  private func isPending(_ store: Store) throws -> Bool {
    try store.read { db in try SourceChanges(db).isPending() }
  }

  private func listed(_ store: Store) throws -> Int64? {
    try store.read { try $0.integer("SELECT count(*) FROM status WHERE is_one") }
  }

  @Test func anotherWriterGetsInBetween() throws {
    let (store, _) = try filled()
    let other = try open()
    _ = try store.follow(configured("small"))
    #expect(try isPending(store))
    #expect(try listed(store) == Int64(Self.many - SourceChanges.most + 1))
    try other.pushes.add(message("1", "Pushed"), at: noon)
    #expect(try isPending(store))
    try store.expectConsistent("one that is only halfway isn't a fault")
    try store.time.catchUpWhole(to: noon)
    #expect(try !isPending(store))
    #expect(try Set(store.titles()) == ["Pushed", "Small"])
    #expect(try listed(store) == 2)
    try store.expectConsistent()
  }

  @Test func whoOpensTheDatabaseNextGoesOn() throws {
    let (store, _) = try filled()
    _ = try store.follow(configured("small"))
    #expect(try isPending(store))
    try store.close()
    let next = try open()
    try next.time.catchUp(to: noon)
    #expect(try next.titles() == ["Small"])
    try next.expectConsistent()
  }

  @Test func aSourceThatComesBackHalfwayIsListedWhole() throws {
    let (store, large) = try filled()
    _ = try store.follow(configured("small"))
    #expect(try isPending(store))
    #expect(try store.follow(configured("large"), configured("small"))[0] == large)
    try store.time.catchUp(to: noon)
    #expect(try listed(store) == Int64(Self.many + 1))
    try store.expectConsistent()
  }

  @Test func listsThatWereJudgedMeanwhileCountAllOfIt() throws {
    let (store, _) = try filled()
    try store.savedLists.apply(lists: [SavedList(name: "All", query: "")])
    try store.countLists()
    func unread() throws -> Int? { try store.savedLists.all().first?.unread }
    #expect(try unread() == Self.many + 1)
    _ = try store.follow(configured("small"))
    try store.countLists()
    #expect(try unread() == 1)
    _ = try store.follow(configured("large"), configured("small"))
    try store.countLists()
    try store.time.catchUpWhole(to: noon)
    #expect(try unread() == Self.many + 1)
    try store.expectConsistent()
  }
}
