import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

@Suite struct FolderTests {
  let store: Store

  init() throws { store = try Store.fresh() }

  private func filed(_ name: String, _ folder: String?) -> ConfiguredSource {
    configured(name) { $0.folder = folder.flatMap(Folder.init) }
  }

  private func query(_ folder: String, unread: Bool = false, search: String? = nil) throws -> InboxQuery {
    InboxQuery(scope: .folder(try #require(Folder(folder))), isUnreadOnly: unread, search: search)
  }

  /// Adds four sources: two in Dev, one of them deeper; one elsewhere; one in a folder whose name begins with the same
  /// letters.
  private func four() throws -> [SourceID] {
    let ids = try store.follow(
      filed("a", "Dev"), filed("b", "Dev/Swift"), filed("c", nil), filed("d", "Development"))
    try store.pollNothing(ids[0], ids[1], ids[2], ids[3])
    for (index, id) in ids.enumerated() {
      try store.poll(
        id,
        (1...3).map {
          message(
            "\($0)", "\("abcd".map(String.init)[index])\($0)", body: "words",
            at: noon - Double($0 * 60 + index))
        })
    }
    return ids
  }

  @Test func aFolderListsItsSourcesAndThoseOfTheFoldersInIt() throws {
    _ = try four()
    #expect(try store.titles(query("Dev")) == ["a1", "b1", "a2", "b2", "a3", "b3"])
    #expect(try store.titles(query("Dev/Swift")) == ["b1", "b2", "b3"])
    #expect(try store.titles(query("Development")) == ["d1", "d2", "d3"])
    #expect(try store.titles(query("Nowhere")) == [])
  }

  @Test func searchesAndActsOfAFolderLeaveTheOthersAlone() throws {
    let ids = try four()
    #expect(try store.titles(query("Dev", search: "words")).count == 6)
    #expect(try store.titles(query("Dev", search: "b2")) == ["b2"])
    #expect(try store.acts.perform(.readAll(query("Dev", search: "a1")), at: noon) == 1)
    #expect(try store.titles(query("Dev", unread: true)) == ["b1", "a2", "b2", "a3", "b3"])
    #expect(try store.lists.nextUnread(after: nil, query: query("Dev"), forward: true).found != nil)
    #expect(try store.acts.perform(.readAll(query("Dev")), at: noon) == 5)
    #expect(try store.sources.statuses().map(\.unread) == [0, 0, 3, 3])
    #expect(try store.acts.undo(at: noon)?.count == 5)
    try store.acts.markSeen(query("Dev").scope)
    #expect(try store.sources.statuses().map(\.isUnseen) == [false, false, true, true])
    try store.expectConsistent()
    try store.sources.remove(ids[0])
    #expect(try store.titles(query("Dev")) == ["b1", "b2", "b3"])
  }

  @Test func aSourceThatIsFiledElsewhereTakesItsMessagesAlong() throws {
    _ = try four()
    try store.sources.register(
      [filed("a", "Other"), filed("b", "Dev/Swift"), filed("c", nil), filed("d", "Development")], at: noon)
    #expect(try store.titles(query("Dev")) == ["b1", "b2", "b3"])
    #expect(try store.titles(query("Other")) == ["a1", "a2", "a3"])
  }

  /// Regardless of the order of its messages among its sources, a folder shows the same as the list of all of them,
  /// page by page, in both directions.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func pagesOfAFolderAreThoseOfOneList(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 2...12, using: &random)
    let ids = try store.sources.register((0..<count).map { filed("s\($0)", "F/\($0 % 3)") }, at: noon).map(
      \.id)
    for id in ids {
      try store.pollNothing(id)
      let lengths = Int.random(in: 0...3, using: &random) == 0 ? 0...80 : 0...6
      let length = Int.random(in: lengths, using: &random)
      try store.poll(
        id,
        (0..<length).map { message("\($0)", at: noon - Double(Int.random(in: 0...5000, using: &random))) })
    }
    let all = try store.lists.snapshot(InboxQuery(), InboxWindow(anchor: .start, before: 0, after: 2000)).rows
      .map(
        \.key)
    let folder = try query("F")
    var read: [ListKey] = []
    while true {
      let page = try store.lists.keys(folder, after: read.last, limit: Int.random(in: 1...30, using: &random))
      if page.isEmpty { break }
      read += page
    }
    #expect(read == all)
    guard let key = all.randomElement(using: &random), let place = all.firstIndex(of: key) else { return }
    let window = try store.lists.snapshot(folder, InboxWindow(anchor: .key(key), before: 7, after: 9))
    #expect(window.rows.map(\.key) == Array(all[max(0, place - 7)..<min(all.count, place + 9)]))
    #expect(window.hasMoreBefore == (place > 7) && window.hasMoreAfter == (place + 9 < all.count))
  }
}
