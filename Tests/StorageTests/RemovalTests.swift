import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct RemovalTests {
  private let store: Store
  private let source: SourceID

  init() throws { (store, source) = try Store.following(messages(1...3)) }

  private let removed = Removed(name: "Team", content: "{\"lines\":\"[[source]]\\ntoken = 'x'\\n\"}")

  private func kept() throws -> Int64? {
    try store.read { try $0.integer("SELECT count(*) FROM journal WHERE removal IS NOT NULL") }
  }

  @Test func aRemovalIsTheLastActUntilItIsBack() throws {
    try store.acts.perform(.star([store.id("1", of: source)]), at: noon)
    let row = try store.acts.journal(removed, at: noon + 1)
    try store.acts.perform(.read([store.id("2", of: source)]), at: noon + 2)
    #expect(try store.acts.undo(at: noon)?.kind == .read)
    for _ in 0..<2 {
      let act = try #require(try store.acts.undo(at: noon))
      #expect(act.kind == .removal && act.at == noon + 1)
      #expect(act.removal == JournaledRemoval(row: row, removed: removed))
    }
    #expect(try store.snapshot().canUndo)
    try store.acts.finishUndo(of: JournaledRemoval(row: row, removed: removed), at: noon)
    #expect(try kept() == 0, "what may hold a token is kept no longer than it is needed")
    #expect(try store.acts.undo(at: noon)?.kind == .star)
    #expect(try store.acts.undo(at: noon) == nil)
    try store.expectConsistent()
  }

  @Test func whatDidNotHappenIsNoStep() throws {
    let row = try store.acts.journal(removed, at: noon)
    try store.acts.discardRemoval(row)
    #expect(try store.acts.undo(at: noon) == nil && kept() == 0)
    #expect(try !store.snapshot().canUndo)
  }

  @Test func aLocalSourceIsListedAgainOnce() throws {
    let id = try store.pushes.add(message("1"), at: noon).source
    let name = try #require(try store.sources.statuses().last?.source.name)
    try store.sources.remove(id, as: Removed(name: name, content: ""), at: noon)
    #expect(try store.sources.statuses().map(\.source.id) == [source] && store.snapshot().total == 3)
    let step = try #require(try store.acts.undo(at: noon)?.removal)
    #expect(try store.sources.restore(id, undoing: step, at: noon))
    #expect(try store.sources.statuses().map(\.source.id) == [source, id] && store.snapshot().total == 4)
    #expect(try !store.sources.restore(id, undoing: step, at: noon))
    #expect(try store.acts.undo(at: noon) == nil)
    try store.expectConsistent()
  }
}
