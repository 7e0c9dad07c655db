import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct SnoozeTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    source = try store.follow(configured("news"))[0]
    try store.pollNothing(source)
    try store.poll(source, messages(1...4))
    try store.time.advance(to: noon)
  }

  @Test func aSnoozedMessageIsHiddenUntilItsTimeAndComesBackUnreadAtTheTop() throws {
    let id = try store.id("2", of: source)
    try store.acts.perform(.read([id]), at: noon)
    try store.acts.markSeen(.all)
    let moment = noon.addingTimeInterval(7200)
    #expect(try store.acts.perform(.snooze([id], until: moment), at: noon) == 1)
    #expect(try store.titles(InboxQuery()) == ["Title 4", "Title 3", "Title 1"])
    #expect(try store.snapshot().total == 3)
    #expect(try store.time.advance(to: moment.addingTimeInterval(-1)) == moment)
    #expect(try store.titles(InboxQuery()).count == 3)
    try store.time.advance(to: moment)
    #expect(try store.titles(InboxQuery()) == ["Title 2", "Title 4", "Title 3", "Title 1"])
    let snapshot = try store.snapshot()
    #expect(snapshot.rows.first?.isUnread == true)
    #expect(snapshot.unread == 4 && snapshot.isUnseen)
    try store.expectConsistent()
  }

  @Test func undismissableMessagesCannotBeSnoozed() throws {
    var fixed = message("fixed")
    fixed.isDismissable = false
    try store.poll(source, [fixed])
    let id = try store.id("fixed", of: source)
    let other = try store.id("2", of: source)
    #expect(try store.acts.perform(.snooze([id, other], until: noon + 3600), at: noon) == 1)
    #expect(try store.titles().contains("Title fixed"))
    #expect(try store.acts.perform(.dismiss([id]), at: noon) == 0)
    try store.expectConsistent()
  }

  @Test func aRestoredMessageIsHiddenUntilItsSnoozeEnds() throws {
    let id = try store.id("2", of: source)
    try store.acts.perform(.snooze([id], until: noon + 3600), at: noon)
    try store.acts.perform(.dismiss([id]), at: noon)
    _ = try store.acts.undo(at: noon)
    #expect(try store.titles() == ["Title 4", "Title 3", "Title 1"])
    try store.expectConsistent()
  }

  @Test func undoRestoresItsPositionAndState() throws {
    let id = try store.id("2", of: source)
    try store.acts.perform(.read([id]), at: noon)
    let before = try store.snapshot()
    try store.acts.perform(.snooze([id], until: noon.addingTimeInterval(60)), at: noon)
    #expect(try store.acts.undo(at: noon)?.kind == .snooze)
    #expect(try store.snapshot().rows == before.rows)
    #expect(try store.time.advance(to: noon.addingTimeInterval(120)) == nil)
    #expect(try store.snapshot().rows == before.rows)
    try store.expectConsistent()
  }

  @Test func unlistedMessagesCannotBeSnoozed() throws {
    let id = try store.id("3", of: source)
    try store.acts.perform(.dismiss([id]), at: noon)
    #expect(try store.acts.perform(.snooze([id], until: noon.addingTimeInterval(60)), at: noon) == 0)
    try store.time.advance(to: noon.addingTimeInterval(120))
    #expect(try !store.titles(InboxQuery()).contains("Title 3"))
    try store.expectConsistent()
  }
}
