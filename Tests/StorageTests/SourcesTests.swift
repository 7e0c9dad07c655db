import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct SourcesTests {
  let store: Store

  init() throws { store = try Store.fresh() }

  @Test func namesKeepTheirIDsAndTheSettingsTheirOrder() throws {
    let first = try store.register([configured("a"), configured("b")], at: noon)
    let second = try store.register([configured("c"), configured("b"), configured("a")], at: noon)
    #expect(second.map(\.name) == ["c", "b", "a"])
    #expect(second[1].id == first[1].id && second[2].id == first[0].id)
    #expect(try store.statuses().map(\.source) == second)
  }

  @Test func allSettingsOfASourceComeBack() throws {
    let sent = configured("a", kind: .native) {
      $0.polling.interval = .milliseconds(10_500)
      $0.polling.responseLimit = 12
      $0.isUnreadOnChange = true
      $0.channels = ["general", "be\"ta"]
      $0.typeNames = [1: "others", 7: "general"]
      $0.appVersion = "2.1"
      $0.retention = Retention(age: .seconds(86400.5), count: 7)
    }
    // A field that is left out here would come back in any case.
    let (given, usual) = (Mirror(reflecting: sent.settings), Mirror(reflecting: SourceSettings()))
    for (field, other) in zip(given.children, usual.children) {
      #expect("\(field.value)" != "\(other.value)", "\(field.label ?? "")")
    }
    let registered = try store.register([sent], at: noon)
    #expect(try store.statuses().map(\.source) == registered)
    #expect(registered.map { ConfiguredSource($0) } == [sent])
  }

  @Test func aRemovedSourceIsListedAndCountedNowhereUntilItsNameReturns() throws {
    let ids = try store.sources(configured("a"), configured("b"))
    for id in ids { try store.poll(id, messages(1...5)) }
    try store.perform(.star([try store.id("1", of: ids[0])]), at: noon)
    let before = try store.snapshot()
    try store.register([configured("b")], at: noon)
    let without = try store.snapshot()
    #expect(without.total == 5 && without.unread == 5 && without.starred == 0)
    #expect(without.rows.allSatisfy { $0.source == ids[1] })
    #expect(try store.titles(InboxQuery(scope: .source(ids[0]))) == [])
    #expect(try store.titles(InboxQuery(scope: .starred)) == [])
    #expect(try store.titles(search: "title", .source(ids[0])) == [])
    #expect(try store.snapshot(InboxQuery(search: "title")).rows.count == 5)
    try store.expectConsistent()
    try store.register([configured("a"), configured("b")], at: noon)
    #expect(try store.snapshot() == before)
    try store.expectConsistent()
  }

  @Test func removeTakesOneSourceOffTheLists() throws {
    let ids = try store.sources(configured("a"), configured("b"))
    try store.poll(ids[0], messages(1...5))
    try store.remove(ids[0])
    #expect(try store.snapshot().total == 0)
    #expect(try store.statuses().map(\.source.id) == [ids[1]])
    #expect(try !store.snapshot().isUnseen)
  }

  @Test func whatArrivesForARemovedSourceIsThereWhenItReturns() throws {
    let id = try store.sources(configured("a"))[0]
    try store.pollNothing(id)
    try store.register([], at: noon)
    #expect(try store.poll(id, messages(1...3)).new == 3)
    try store.expectConsistent()
    try store.register([configured("a")], at: noon)
    #expect(try store.snapshot().total == 3)
    try store.expectConsistent()
  }

  @Test func forgettingDeletesMessagesAndTheirWords() throws {
    let ids = try store.sources(configured("a"), configured("b"))
    for id in ids { try store.poll(id, messages(1...5)) }
    let gone = try store.id("1", of: ids[0])
    try store.perform(.read([gone, try store.id("1", of: ids[1])]), at: noon)
    try store.forget(ids[0])
    #expect(try store.message(gone) == nil)
    #expect(try store.snapshot(InboxQuery(search: "title")).rows.count == 5)
    #expect(try store.checkSearchIndex() == [])
    #expect(try store.undo(at: noon) != nil, "what is left of the act is taken back")
    #expect(try store.snapshot().unread == 5)
    try store.expectConsistent()
    let again = try store.register([configured("a")], at: noon)[0]
    #expect(again.id != ids[0], "an id is never given twice")
  }

  @Test func anotherAddressStartsFromNothingAndKeepsTheMessages() throws {
    let id = try store.sources(configured("a"))[0]
    try store.poll(id, messages(1...3), cursor: "3") {
      $0.position.validators.etag = "\"1\""
      $0.title = "Old"
    }
    try store.register([configured("a", address: "https://other.example")], at: noon)
    #expect(try store.position(of: id) == PollPosition())
    #expect(try store.state(of: id) == PollState())
    #expect(try store.status(id).title == nil)
    #expect(try store.snapshot().total == 3)
    #expect(try store.poll(id, messages(101...150)).new == 50)
    #expect(try store.status(id).unread == 23, "its first poll, as of a new source")
  }

  @Test func anotherKindStartsFromNothing() throws {
    let id = try store.sources(configured("a"))[0]
    try store.poll(id, messages(1...3), cursor: "3")
    try store.register([configured("a", kind: .native)], at: noon)
    #expect(try store.position(of: id) == PollPosition())
  }

  @Test func theAddressThatPermanentRedirectsLedToContinues() throws {
    let id = try store.sources(configured("a"))[0]
    try store.poll(id, messages(1...3), cursor: "3") {
      $0.position.validators.etag = "\"1\""
      $0.position.movedTo = "https://new.example"
      $0.position.movedCount = 3
    }
    try store.register([configured("a", address: "https://new.example")], at: noon)
    let position = try store.position(of: id)
    #expect(position.cursor == Cursor("3") && position.validators.etag == "\"1\"")
    #expect(position.permanentAddress == nil)
  }

  @Test func settingsReadBeforeAnotherRegisteredAreReadAgain() throws {
    let before = try store.registered()
    // Another process adds a source to the settings and registers them.
    try store.register([configured("a"), configured("b")], at: noon)
    #expect(try store.register([configured("a")], since: before, at: noon) == nil)
    #expect(try store.statuses().map(\.source.name) == ["a", "b"])
    let now = try store.registered()
    // What a script pushes meanwhile changes no settings.
    try store.push(message("1"), at: noon)
    let listed = try store.register([configured("b")], since: now, at: noon)
    #expect(listed?.map(\.name) == ["b", "local"])
    try store.expectConsistent()
  }

  @Test func sourcesOfSettingsAreKnownByTheirNames() throws {
    let id = try store.sources(configured("a"))[0]
    let local = try store.push(message("1"), at: noon).source
    let registered = try store.registered()
    #expect(
      registered.sources(of: [configured("new"), configured("a")]).map(\.id) == [
        Source.unregistered, id, local,
      ])
    #expect(registered.sources(ifTheyAre: [configured("a")])?.map(\.id) == [id, local])
    #expect(registered.sources(ifTheyAre: [configured("new")]) == nil)
  }

  @Test func registeringTheSameAgainWritesNothing() async throws {
    try store.register([configured("a"), configured("b")], at: noon)
    var changes = store.changes().makeAsyncIterator()
    #expect(await changes.next() == .current)
    try store.register([configured("a"), configured("b")], at: noon + 60)
    let id = try store.register([configured("a")], at: noon + 60)[0].id
    #expect(await changes.next() == .here)
    #expect(try store.statuses().map(\.source.id) == [id])
  }
}
