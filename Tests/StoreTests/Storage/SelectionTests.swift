import Foundation
import Messages
import Testing

@testable import Storage

/// Acts on parts of lists, which apply to messages that were not loaded.
@Suite struct SelectionTests {
  let store: Store
  let source: SourceID

  init() throws { (store, source) = try Store.following(messages(1...30)) }

  private var unread: Set<Int> {
    get throws {
      try Set(store.titles(InboxQuery(isUnreadOnly: true)).compactMap { Int($0.dropFirst(6)) })
    }
  }

  private func id(_ number: Int) throws -> MessageID { try store.id("\(number)", of: source) }

  private func key(_ number: Int) throws -> ListKey {
    let id = try id(number)
    return try #require(try store.lists.keys(InboxQuery(), limit: 100).first { $0.id == id })
  }

  private func newest() throws -> MessageID { try store.snapshot().newest }

  private func read(_ selection: MessageSelection) throws -> Int {
    try store.acts.perform(UserAct(.read, selection), at: noon)
  }

  @Test func aWholeListIsMeantUpToTheNewestThatWasThere() throws {
    let all = ListPart(InboxQuery(), newest: try newest())
    try store.poll(source, [message("31", at: noon + 60)])
    #expect(try read(MessageSelection([], parts: [all])) == 30)
    #expect(try unread == [31])
    try store.expectConsistent()
    #expect(try store.acts.undo(at: noon)?.count == 30)
    #expect(try unread == Set(1...31))
    try store.expectConsistent()
  }

  @Test func aPartGoesFromItsFirstToItsLast() throws {
    let part = ListPart(InboxQuery(), first: try key(20), last: try key(11), newest: try newest())
    #expect(try read(MessageSelection([], parts: [part])) == 10)
    #expect(try unread == Set(1...10).union(21...30))
  }

  @Test func itsEndsNeedNotBeThereAnyMore() throws {
    let part = ListPart(InboxQuery(), first: try key(20), last: try key(11), newest: try newest())
    try store.acts.perform(.dismiss([try id(20), try id(11)]), at: noon)
    #expect(try read(MessageSelection([], parts: [part])) == 8)
  }

  @Test func idsPartsAndExceptionsAreOneAct() throws {
    let newest = try newest()
    let below = ListPart(InboxQuery(), first: try key(3), newest: newest)
    let above = ListPart(InboxQuery(), last: try key(29), newest: newest)
    let selection = MessageSelection(
      [try id(15), try id(2)], parts: [below, above], except: [try id(30), try id(2)])
    #expect(try read(selection) == 5)
    // A named message is included, even if a part excludes it.
    #expect(try unread == Set(4...28).subtracting([15]).union([30]))
    #expect(try store.acts.undo(at: noon)?.count == 5)
    #expect(try store.acts.undo(at: noon) == nil)
  }

  @Test func aLimitCountsFromTheFirst() throws {
    let part = ListPart(InboxQuery(), first: try key(20), limit: 3, newest: try newest())
    #expect(try read(MessageSelection([], parts: [part])) == 3)
    #expect(try unread == Set(1...17).union(21...30))
  }

  @Test func aPartOfASearchHasWhatTheSearchFinds() throws {
    try store.poll(source, [message("a", "Apple pie"), message("b", "Apple cake"), message("c", "Pear")])
    let part = ListPart(InboxQuery(search: "apple"), newest: try newest())
    #expect(try store.acts.perform(UserAct(.dismiss, MessageSelection([], parts: [part])), at: noon) == 2)
    #expect(try store.titles(InboxQuery(search: "pear")) == ["Pear"])
    #expect(try store.titles(InboxQuery(search: "apple")) == [])
    try store.expectConsistent()
  }

  @Test func everyActIsDoneToParts() throws {
    let part = ListPart(InboxQuery(scope: .source(source)), first: try key(3), newest: try newest())
    let selection = MessageSelection([], parts: [part])
    for kind in [UserAct.Kind.read, .unread, .star, .unstar, .snooze, .dismiss] {
      let until = kind == .snooze ? noon + 3600 : nil
      #expect(try store.acts.perform(UserAct(kind, selection, until: until), at: noon) == 3)
      try store.expectConsistent()
      if kind == .snooze || kind == .dismiss {
        #expect(try store.snapshot().total == 27)
        #expect(try store.acts.undo(at: noon)?.kind == kind)
      }
    }
    #expect(try store.snapshot().total == 30)
    for kind in [UserAct.Kind.unstar, .star, .unread, .read] {
      #expect(try store.acts.undo(at: noon)?.kind == kind)
    }
    try store.expectConsistent()
  }

  // MARK: One step with the act before

  @Test func anActJoinsTheOneBefore() throws {
    try store.acts.perform(.dismiss([try id(10)]), at: noon)
    let below = MessageSelection([], parts: [ListPart(InboxQuery(), first: try key(9), newest: try newest())])
    #expect(try store.acts.perform(UserAct(.dismiss, below).joining(try id(10)), at: noon) == 9)
    #expect(try store.snapshot().total == 20)
    let undone = try #require(try store.acts.undo(at: noon))
    #expect(undone.count == 10 && undone.kind == .dismiss)
    #expect(try store.snapshot().total == 30)
    #expect(try store.acts.undo(at: noon) == nil)
    try store.expectConsistent()
  }

  @Test func anActJoinsNoOther() throws {
    let below = MessageSelection([], parts: [ListPart(InboxQuery(), first: try key(9), newest: try newest())])
    try store.acts.perform(.dismiss([try id(10), try id(11)]), at: noon)
    try store.acts.perform(UserAct(.dismiss, below).joining(try id(10)), at: noon)
    #expect(try store.acts.undo(at: noon)?.count == 9)
    #expect(try store.acts.undo(at: noon)?.count == 2)
    try store.acts.perform(.read([try id(10)]), at: noon)
    try store.acts.perform(UserAct(.dismiss, below).joining(try id(10)), at: noon)
    #expect(try store.acts.undo(at: noon)?.count == 9)
    #expect(try store.acts.undo(at: noon)?.kind == .read)
  }

  @Test(
    arguments: [([1, 2, 5], 3), ([1, 2, 5], 0), ([1, 2, 5], 9), ([1, 2, 5], 2), ([], 4)] as [([Int64], Int64)]
  )
  func anIdMoreIsInTheRanges(ids: [Int64], more: Int64) throws {
    let ranges = IDRanges(ids).union(IDRanges([more]))
    #expect(ranges.ranges.flatMap { Array($0) } == Set(ids + [more]).sorted())
    #expect(IDRanges(bytes: ranges.bytes) == ranges)
  }

  // MARK: For programs and files

  private func given(_ given: GivenMessages, limit: Int = 1000) throws -> [Int] {
    let keys = try store.lists.keys(of: given, limit: limit)
    return try keys.compactMap { key in
      try store.messages.find(key.id).flatMap { Int($0.content.remoteID.text) }
    }
  }

  @Test func whatIsGivenStandsInTheOrderOfItsList() throws {
    let newest = try newest()
    let some = try [key(30), key(2)]
    #expect(try given(GivenMessages(some)) == [30, 2])
    let part = ListPart(InboxQuery(), first: try key(20), last: try key(17), newest: newest)
    let both = GivenMessages(some, parts: [part], except: [try id(18)])
    #expect(try given(both) == [30, 20, 19, 17, 2])
    let oldest = ListPart(InboxQuery(order: .oldest), newest: newest)
    #expect(try given(GivenMessages([], parts: [oldest])) == Array(1...30))
  }

  @Test func noMoreThanTheLimitIsGiven() throws {
    let all = ListPart(InboxQuery(), newest: try newest())
    let except = Set(try (21...25).map(id))
    #expect(try given(GivenMessages([try key(1)], parts: [all]), limit: 3) == [30, 29, 28])
    let fewer = GivenMessages([], parts: [all], except: except)
    #expect(try given(fewer, limit: 7) == [30, 29, 28, 27, 26, 20, 19])
    #expect(try given(fewer).count == 25)
  }
}
