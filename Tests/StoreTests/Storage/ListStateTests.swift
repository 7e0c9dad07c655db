import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// The settings that the user changed with keys in a list are stored with the list.
@Suite struct ListStateTests {
  private let directory: Directory

  init() throws { directory = try Directory() }

  private func open() throws -> Store { try Store(path: directory.database, now: noon) }

  private func folder(_ path: String) throws -> InboxQuery.Scope { .folder(try #require(Folder(path))) }

  private func list(_ name: String, _ query: String) -> SavedList { SavedList(name: name, query: query) }

  @Test func eachListHasItsOwnAlsoAtTheNextStart() throws {
    let store = try open()
    let sources = try store.follow(
      configured("one") { $0.folder = Folder("Dev") }, configured("two"), configured("three"))
    try store.savedLists.apply(lists: [list("a", "title:a"), list("b", "title:b"), list("c", "title:c")])
    let lists = try store.savedLists.all().map(\.id)
    #expect(try store.preferences.lists() == [:])
    let wanted: [InboxQuery.Scope: String] = [
      .all: "order=oldest", .hidden: "rows=2", .source(sources[1]): "unread", .list(lists[1]): "list=40",
      try folder("Dev"): "order=priority",
    ]
    for (list, state) in wanted { try store.preferences.set(list, to: state) }
    try store.preferences.set(.all, to: "unread")
    try store.preferences.set(.starred, to: "rows=2")
    try store.preferences.set(.starred, to: nil)
    try store.close()
    let next = try open()
    var expected = wanted
    expected[.all] = "unread"
    #expect(try next.preferences.lists() == expected)
    // Another name changes nothing.
    try next.savedLists.apply(lists: [list("a", "title:a"), list("z", "title:b"), list("c", "title:c")])
    try next.sources.rename(sources[1], to: "deux", at: noon)
    #expect(try next.preferences.lists() == expected)
    for list in wanted.keys { try next.preferences.set(list, to: nil) }
    #expect(try next.preferences.lists() == [:])
    #expect(try next.preferences.all() == [:])
    try next.expectConsistent()
  }

  @Test func itGoesWithItsSourceOrItsSavedList() throws {
    let store = try open()
    let sources = try store.follow(configured("one"), configured("two"), configured("three"))
    try store.savedLists.apply(lists: [list("a", "title:a"), list("b", "title:b"), list("c", "title:c")])
    let lists = try store.savedLists.all().map(\.id)
    for source in sources { try store.preferences.set(.source(source), to: "unread") }
    for list in lists { try store.preferences.set(.list(list), to: "unread") }
    try store.savedLists.apply(lists: [list("a", "title:a"), list("c", "title:c")])
    try store.savedLists.apply(lists: [list("a", "title:a"), list("b", "title:b"), list("c", "title:c")])
    // An undo of its removal brings a source back as it was.
    _ = try store.follow(configured("one"), configured("three"))
    _ = try store.follow(configured("one"), configured("two"), configured("three"))
    var kept = Set(try store.preferences.lists().keys)
    #expect(kept == Set(sources.map { .source($0) } + [.list(lists[0]), .list(lists[2])]))
    try store.sources.forget(sources[1])
    kept.remove(.source(sources[1]))
    _ = try store.follow(configured("one"), configured("two"), configured("three"))
    #expect(Set(try store.preferences.lists().keys) == kept)
  }

  @Test func thatOfAFolderFollowsItsSources() throws {
    let store = try open()
    func follow(_ folders: String?...) throws {
      let sources = folders.enumerated().map { index, path in
        configured("source\(index)") { $0.folder = path.flatMap { Folder($0) } }
      }
      _ = try store.sources.register(sources, at: noon)
    }
    func paths() throws -> [String] {
      try store.preferences.lists().keys.compactMap {
        if case .folder(let folder) = $0 { folder.path } else { nil }
      }.sorted()
    }
    try follow("News", "Dev", "Dev/Swift", "Dev/Swift/Forums", nil)
    for path in ["News", "Dev", "Dev/Swift"] { try store.preferences.set(folder(path), to: "unread") }
    // One source moves out: the folder is still there.
    try follow("News", nil, "Dev/Swift", "Dev/Swift/Forums", nil)
    #expect(try paths() == ["Dev", "Dev/Swift", "News"])
    try follow("News", "Code/Dev", "Code/Swift", "Code/Swift/Forums", nil)
    #expect(try paths() == ["Code", "Code/Swift", "News"])
    // Scattered, and removed.
    try follow(nil, "A", "B", nil, "C")
    #expect(try paths() == [])
    try follow("C", "A", "B")
    try store.preferences.set(folder("C"), to: "unread")
    try follow(nil, "A", "B")
    #expect(try paths() == [])
    // A folder that has its own keeps it.
    for path in ["A", "B"] { try store.preferences.set(folder(path), to: "order=\(path)") }
    try follow(nil, "B", "B")
    #expect(try store.preferences.lists() == [folder("B"): "order=B"])
  }

  /// Before, there was one order for all lists.
  @Test func theOrderOfAllListsBecomesThatOfTheListOfAll() throws {
    let queue = try DatabaseQueue(path: directory.database)
    try queue.writeWithoutTransaction { db in
      try Schema.bringUpToDate(db, path: "", installed: noon.milliseconds, through: Schema.first)
      try db.execute(
        sql: """
          INSERT INTO preference (name, value) VALUES ('list_order', 'oldest'), ('panes', 'list=40');
          PRAGMA application_id = \(Schema.applicationID);
          """)
    }
    try queue.close()
    let store = try open()
    #expect(try store.preferences.lists() == [.all: "order=oldest"])
    #expect(try store.preferences.all() == ["list/all": "order=oldest", "panes": "list=40"])
    try store.expectConsistent()
  }
}
