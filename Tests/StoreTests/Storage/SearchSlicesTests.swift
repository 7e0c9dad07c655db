import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// A long search runs in slices, which find the same messages as a search in one step.
@Suite struct SearchSlicesTests {
  let store: Store
  let source: SourceID

  init() throws {
    (store, source) = try Store.following()
    let body = String(repeating: "words that say nothing ", count: 60)
    let sent = (0..<1200).map { number in
      var message = message("\(number)", "Number \(number)", body: body + (number % 300 == 7 ? "needle" : ""))
      message.published = noon + Double(number)
      return message
    }
    try store.poll(source, sent, at: noon + 5000)
  }

  private let query = InboxQuery(search: "/need[l]e$/")

  private func slice(_ window: InboxWindow = InboxWindow()) throws -> InboxSnapshot {
    try store.lists.snapshot(query, window, inSlices: true)
  }

  @Test func eachSliceSaysHowFarItLookedAndTheLastHasAll() throws {
    let whole = try store.snapshot(query)
    #expect(whole.rows.count == 4 && whole.lookedTo == nil)
    var slices: [InboxSnapshot] = []
    repeat { slices.append(try slice()) } while slices.last?.lookedTo != nil && slices.count < 1000
    #expect(slices.count > 3)
    #expect(slices.last?.rows == whole.rows)
    let times = slices.compactMap(\.lookedTo)
    #expect(times == times.sorted(by: >) && times.count == slices.count - 1)
    for slice in slices {
      #expect(slice.rows == Array(whole.rows.prefix(slice.rows.count)))
      #expect(
        slice.lookedTo.map { time in slice.rows.allSatisfy { $0.key.sortTime >= time.milliseconds } } ?? true)
    }
    #expect(try slice().rows == whole.rows && slice().lookedTo == nil)
  }

  @Test func aSearchGoesOnWhileMessagesComeAndChange() throws {
    var looked = try #require(try slice().lookedTo)
    for number in 0..<5 {
      var new = message("new \(number)", "New \(number)", body: "a needle")
      new.published = noon + 2000 + Double(number)
      try store.poll(source, [new], at: noon + 5000)
      let next = try slice()
      #expect(next.rows.first?.title == "New \(number)")
      let time = try #require(next.lookedTo)
      #expect(time < looked, "it doesn't begin again")
      looked = time
    }
    let first = try #require(try slice().rows.first)
    try store.acts.perform(.dismiss([first.id]), at: noon)
    #expect(try slice().rows.first?.title == "New 3")
    while try slice().lookedTo != nil {}
    #expect(try slice().rows == store.snapshot(query).rows)
  }

  @Test func hitsAndTheNextUnreadOneAreLookedForInSlices() throws {
    var hits = try store.lists.hits(query, limit: 1001)
    #expect(hits.lookedTo != nil)
    while hits.lookedTo != nil { hits = try store.lists.hits(query, limit: 1001) }
    #expect(hits.found == (try store.lists.keys(query, limit: 1001)))
    let last = try #require(hits.found.last)
    try store.acts.perform(.read(hits.found.dropLast().map(\.id)), at: noon)
    var next = try store.lists.nextUnread(after: hits.found.first, query: query, forward: true)
    while next.lookedTo != nil {
      next = try store.lists.nextUnread(after: hits.found.first, query: query, forward: true)
    }
    #expect(next.found == last)
  }

  @Test func aRareWordNeedsNoSlices() throws {
    let snapshot = try store.lists.snapshot(
      InboxQuery(search: "needle number"), InboxWindow(), inSlices: true)
    #expect(snapshot.rows.count == 4 && snapshot.lookedTo == nil)
  }

  @Test func messagesOfAnEarlierVersionGetTheirFacetsLittleByLittle() throws {
    var tagged = message("tagged", "Tagged")
    tagged.tags = ["Rare"]
    try store.poll(source, [tagged])
    try store.write { db in
      try db.execute(sql: "DELETE FROM facet; UPDATE store SET facets_from = last_message + 1")
    }
    let query = InboxQuery(search: "tag:rare")
    #expect(try store.titles(query) == ["Tagged"], "found without them")
    var steps = 0
    while try store.search.fill(limit: 500) {
      steps += 1
      #expect(try store.titles(query) == ["Tagged"])
    }
    #expect(steps == 2)
    #expect(try store.search.isFilled() && !store.search.fill())
    #expect(try store.titles(query) == ["Tagged"])
    try store.expectConsistent()
  }

  /// An earlier version's index is built again while others use the database.
  @Test func theTextIndexIsFilledLittleByLittle() throws {
    let query = InboxQuery(search: "needle")
    let whole = try store.titles(query)
    #expect(whole.count == 4)
    try store.write { db in try SearchIndex.empty(db) }
    #expect(try !store.search.isFilled())
    #expect(try store.titles(query) == whole, "found without it")
    var steps = 0
    while try store.search.fill(limit: 500) {
      steps += 1
      #expect(try store.titles(query) == whole)
      // Messages that are already in the index, that are not, and that are new.
      try store.poll(
        source, [message("\(steps)", "Changed \(steps)", body: "other"), message("new \(steps)")],
        at: noon + 5000)
      #expect(try store.titles(InboxQuery(search: "changed")).count == steps)
    }
    #expect(steps == 2)
    #expect(try store.titles(query) == whole)
    #expect(try store.check.compareSearchIndex() == [])
    try store.expectConsistent()
  }
}
