import Foundation
import Messages
import Testing

@testable import Storage

/// Edits of the settings as steps of the journal.
@Suite struct EditTests {
  private let store: Store
  private let source: SourceID

  init() throws { (store, source) = try Store.following(messages(1...3)) }

  private let removed = JournaledEdit(SettingsAct(.removed, "Team"), .file("lines"))

  private func undone() throws -> EditedStep? { try store.acts.undo(at: noon)?.step }

  @Test func anEditIsTheLastActUntilItIsUndone() throws {
    try store.acts.perform(.star([store.id("1", of: source)]), at: noon)
    let row = try store.acts.journal(removed, at: noon + 1)
    try store.acts.perform(.read([store.id("2", of: source)]), at: noon + 2)
    #expect(try store.acts.undo(at: noon)?.kind == .read)
    let step = EditedStep(row: row, edits: [removed])
    for _ in 0..<2 {
      let act = try #require(try store.acts.undo(at: noon))
      #expect(act.kind == .settings && act.at == noon + 1 && act.step == step)
    }
    #expect(try store.snapshot().canUndo)
    try store.acts.finish(step, at: noon)
    // And again.
    let redone = try #require(try store.acts.redo(at: noon)?.step)
    #expect(redone.row == row && redone.edits == [removed] && !redone.isUndone)
    try store.acts.finish(redone, at: noon)
    // The undo before it.
    #expect(try store.acts.redo(at: noon)?.kind == .read)
    #expect(try store.acts.redo(at: noon) == nil)
    #expect(try store.acts.undo(at: noon)?.kind == .read)
    try store.acts.finish(#require(try undone()), at: noon)
    #expect(try store.acts.undo(at: noon)?.kind == .star)
    #expect(try store.acts.undo(at: noon) == nil)
    try store.expectConsistent()
  }

  @Test func editsOfOneStepAreUndoneTogether() throws {
    let first = try store.acts.journal(removed, at: noon)
    let second = JournaledEdit(SettingsAct(.listAdded, "Soon"), .file("more"))
    _ = try store.acts.journal(second, joining: first, at: noon)
    let step = try #require(try undone())
    #expect(step.edits == [removed, second] && step.row == first)
    try store.acts.finish(step, at: noon)
    #expect(try undone() == nil)
    #expect(try store.acts.redo(at: noon)?.step?.edits == [removed, second])
  }

  @Test func whatDidNotHappenIsNoStep() throws {
    let row = try store.acts.journal(removed, at: noon)
    try store.acts.discard(row)
    #expect(try store.acts.undo(at: noon) == nil)
    #expect(try !store.snapshot().canUndo)
  }

  @Test func whatCannotBeUndoneLeavesTheActBefore() throws {
    _ = try store.acts.journal(JournaledEdit(SettingsAct(.paused, "a"), .file("lines")), at: noon)
    _ = try store.acts.journal(removed, at: noon)
    try store.acts.giveUp(#require(try undone()), at: noon)
    #expect(try undone()?.edits.map(\.act.kind) == [.paused])
    #expect(try store.acts.redo(at: noon) == nil)
  }

  @Test func aLocalSourceIsListedAgainOnce() throws {
    let id = try store.pushes.add(message("1"), at: noon).source
    let name = try #require(try store.sources.statuses().last?.source.name)
    try store.sources.remove(id, as: SettingsAct(.removed, name), at: noon)
    #expect(try store.sources.statuses().map(\.source.id) == [source] && store.snapshot().total == 3)
    let step = try #require(try undone())
    #expect(try store.acts.turn(step.edits[0], isUndone: true, at: noon) == nil)
    #expect(try store.sources.statuses().map(\.source.id) == [source, id] && store.snapshot().total == 4)
    #expect(try store.acts.turn(step.edits[0], isUndone: true, at: noon) != nil)
    #expect(try store.acts.turn(step.edits[0], isUndone: false, at: noon) == nil)
    #expect(try store.sources.statuses().map(\.source.id) == [source] && store.snapshot().total == 3)
    try store.expectConsistent()
  }

  @Test func aLocalSourceGetsItsNameBack() throws {
    let id = try store.pushes.add(message("1"), at: noon).source
    let names = { try store.sources.statuses().map(\.source.name) }
    let before = try names()
    let act = SettingsAct(.renamed, "jobs", formerName: before.last)
    try store.sources.rename(id, to: "jobs", as: act, at: noon)
    let edit = try #require(try undone()?.edits.first)
    #expect(try store.acts.turn(edit, isUndone: true, at: noon) == nil && names() == before)
    #expect(try store.acts.turn(edit, isUndone: false, at: noon) == nil)
    try store.sources.rename(id, to: "else", at: noon)
    #expect(try store.acts.turn(edit, isUndone: true, at: noon) != nil && names().last == "else")
  }

  @Test func theQuietTimeIsAsItWas() throws {
    try store.notices.setQuiet(until: noon + 60, at: noon)
    try store.notices.setQuiet(until: noon + 90, at: noon + 1)
    try store.notices.endQuiet(at: noon + 2)
    try store.notices.endQuiet(at: noon + 3)
    var found: [Date?] = []
    while let step = try undone() {
      #expect(try store.acts.turn(step.edits[0], isUndone: true, at: noon + 4) == nil)
      try store.acts.finish(step, at: noon + 4)
      found.append(try store.notices.quiet()?.end)
    }
    #expect(found == [noon + 90, noon + 60, nil])
    // Set again since.
    try store.notices.setQuiet(until: noon + 60, at: noon + 5)
    let edit = try #require(try undone()?.edits.first)
    try store.notices.setQuiet(until: noon + 70, at: noon + 6)
    #expect(try store.acts.turn(edit, isUndone: true, at: noon + 7) != nil)
  }
}
