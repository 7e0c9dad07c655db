import Foundation
import Messages
import Testing

@testable import Storage

/// The information that a window of a list has about the rest of the list.
@Suite struct ListPlaceTests {
  private static let middle = InboxWindow(
    anchor: .key(ListKey(rank: .normal, sortTime: (noon - 3000).milliseconds, id: MessageID(0))), before: 5,
    after: 5)

  private static func store() throws -> (store: Store, sources: [SourceID]) {
    let store = try Store.fresh()
    let sources = try store.follow(
      configured("one") { $0.folder = Folder("Dev") }, configured("two") { $0.folder = Folder("Dev/Swift") },
      configured("three"))
    try store.pollNothing(sources[0], sources[1], sources[2])
    for (place, source) in sources.enumerated() { try store.poll(source, messages(1...(100 + 10 * place))) }
    try store.acts.perform(.read([store.id("90", of: sources[0])]), at: noon)
    return (store, sources)
  }

  @Test func theCountIsTheOneThatIsKept() throws {
    let (store, sources) = try Self.store()
    try store.acts.perform(.star([store.id("3", of: sources[0]), store.id("4", of: sources[1])]), at: noon)
    try store.acts.perform(.dismiss([store.id("5", of: sources[0])]), at: noon)
    let dev = try #require(Folder("Dev"))
    let swift = try #require(Folder("Dev/Swift"))
    let lists: [(InboxQuery.Scope, all: Int?, unread: Int?)] = [
      (.all, 329, 328), (.source(sources[0]), 99, 98), (.source(sources[2]), 120, 120),
      (.folder(dev), 209, 208), (.folder(swift), 110, 110), (.starred, 2, nil), (.snoozed, 0, nil),
      (.dismissed, nil, nil), (.hidden, 0, nil),
    ]
    for (scope, all, unread) in lists {
      for order in [ListOrder.newest, .oldest] {
        #expect(
          try store.lists.snapshot(InboxQuery(scope: scope, order: order), Self.middle).count == all,
          "\(scope)")
        let query = InboxQuery(scope: scope, isUnreadOnly: true, order: order)
        #expect(try store.lists.snapshot(query, Self.middle).count == unread, "\(scope)")
      }
    }
    #expect(try store.snapshot(InboxQuery(search: "title")).count == nil)
  }

  /// A message that several sources of a folder delivered is in the folder's list once.
  @Test func copiesCountOnce() throws {
    let store = try Store.fresh()
    let sources = try store.follow(
      configured("one") { $0.folder = Folder("Dev") }, configured("two") { $0.folder = Folder("Dev") },
      configured("three"))
    try store.pollNothing(sources[0], sources[1], sources[2])
    for source in sources {
      try store.poll(
        source,
        (1...3).map { id in
          var copy = message("\(id)", at: noon - Double(id) * 60)
          copy.url = "https://example.org/page/\(id)"
          return copy
        })
    }
    for scope in [InboxQuery.Scope.all, .folder(try #require(Folder("Dev"))), .source(sources[1])] {
      let snapshot = try store.snapshot(InboxQuery(scope: scope))
      #expect(snapshot.count == snapshot.rows.count, "\(scope)")
    }
  }

  @Test(arguments: [ListOrder.newest, .oldest])
  func theTimesAreThoseOfTheEndsOfTheList(order: ListOrder) throws {
    let (store, sources) = try Self.store()
    try store.poll(sources[2], [pinned()])
    func times(_ scope: InboxQuery.Scope, _ window: InboxWindow = Self.middle) throws -> ClosedRange<Int64>? {
      try store.lists.snapshot(InboxQuery(scope: scope, order: order), window).times
    }
    func minutes(_ count: Double) -> ClosedRange<Int64> {
      (noon - count * 60).milliseconds...noon.milliseconds
    }
    #expect(try times(.all) == minutes(119))
    #expect(try times(.source(sources[0])) == minutes(99))
    #expect(try times(.folder(#require(Folder("Dev")))) == minutes(109))
    // At the beginning of the list one counts from there.
    #expect(try times(.all, InboxWindow(after: 20)) == nil)
  }

  /// A message that is above all others, whatever its time is.
  private func pinned() -> IncomingMessage {
    var pinned = message("pinned", at: noon - 1_000_000)
    pinned.rank = .downtime
    return pinned
  }
}
