import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct SourcesTests {
  let store: Store

  init() throws { store = try Store.fresh() }

  @Test func namesKeepTheirIDsAndTheSettingsTheirOrder() throws {
    let first = try store.sources.register([configured("a"), configured("b")], at: noon)
    let second = try store.sources.register([configured("c"), configured("b"), configured("a")], at: noon)
    #expect(second.map(\.name) == ["c", "b", "a"])
    #expect(second[1].id == first[1].id && second[2].id == first[0].id)
    #expect(try store.sources.statuses().map(\.source) == second)
  }

  @Test func allSettingsOfASourceComeBack() throws {
    let sent = configured("a", kind: .native) {
      $0.polling.interval = .milliseconds(10_500)
      $0.polling.responseLimit = 12
      $0.isUnreadOnChange = true
      $0.channels = ["general", "be\"ta"]
      $0.typeNames = [1: "others", 7: "general"]
      $0.appVersion = "2.1"
      $0.title = "A \u{0} title"
      $0.folder = Folder("Dev/Swift")
      $0.retention = Retention(age: .seconds(86400.5), count: 7)
    }
    // A field that is missing here would return in any case.
    let (given, usual) = (Mirror(reflecting: sent.settings), Mirror(reflecting: SourceSettings()))
    for (field, other) in zip(given.children, usual.children) {
      #expect("\(field.value)" != "\(other.value)", "\(field.label ?? "")")
    }
    let registered = try store.sources.register([sent], at: noon)
    #expect(try store.sources.statuses().map(\.source) == registered)
    #expect(registered.map { ConfiguredSource($0) } == [sent])
  }

  /// The settings of 20,000 sources are in memory several times while a list of them is imported.
  @Test func settingsOfASourceAreSmallAndCopiesOfThemApart() {
    #expect(MemoryLayout<SourceSettings>.stride <= 128)
    let usual = SourceSettings(address: "https://a.example/")
    var changed = usual
    changed.options.page = "https://a.example/news"
    changed.polling.interval = .seconds(60)
    #expect(usual == SourceSettings(address: "https://a.example/") && usual != changed)
    #expect(usual.options.page == nil && usual.polling.interval == .seconds(600))
    #expect(changed.options.page != nil && changed.polling.interval == .seconds(60))
    changed.options.page = nil
    changed.polling.interval = .seconds(600)
    #expect(usual == changed && usual.hashValue == changed.hashValue)
  }

  @Test func aRemovedSourceIsListedAndCountedNowhereUntilItsNameReturns() throws {
    let ids = try store.follow(configured("a"), configured("b"))
    for id in ids { try store.poll(id, messages(1...5)) }
    try store.acts.perform(.star([try store.id("1", of: ids[0])]), at: noon)
    let before = try store.snapshot()
    try store.sources.register([configured("b")], at: noon)
    let without = try store.snapshot()
    #expect(without.total == 5 && without.unread == 5 && without.starred == 0)
    #expect(without.rows.allSatisfy { $0.source == ids[1] })
    #expect(try store.titles(InboxQuery(scope: .source(ids[0]))) == [])
    #expect(try store.titles(InboxQuery(scope: .starred)) == [])
    #expect(try store.titles(search: "title", .source(ids[0])) == [])
    #expect(try store.snapshot(InboxQuery(search: "title")).rows.count == 5)
    try store.expectConsistent()
    try store.sources.register([configured("a"), configured("b")], at: noon)
    #expect(try store.snapshot() == before)
    try store.expectConsistent()
  }

  // MARK: - Names and addresses

  @Test func anotherNameInTheSettingsKeepsMessagesMarksAndPosition() throws {
    let id = try store.follow(configured("a", address: "https://example.org/feed"), configured("b"))[0]
    try store.poll(id, messages(1...5), cursor: "5") { $0.title = "Team" }
    try store.acts.perform(.star([try store.id("1", of: id)]), at: noon)
    let uid = try uid(of: id)
    // Scheme and host are compared without case.
    let renamed = configured("new", address: "HTTPS://Example.org:443/feed")
    #expect(try store.sources.register([renamed, configured("b")], at: noon)[0].id == id)
    let snapshot = try store.snapshot()
    #expect(
      snapshot.total == 5 && snapshot.starred == 1 && snapshot.sources.map(\.source.name) == ["new", "b"])
    #expect(try self.uid(of: id) == uid)
    try store.expectConsistent()
    let back = configured("a", address: "https://example.org/feed")
    #expect(try store.sources.register([back, configured("b")], at: noon)[0].id == id)
  }

  @Test func aRenamedSourceContinuesAtItsCursor() throws {
    let id = try store.follow(configured("a", address: "https://example.org/feed"))[0]
    try store.poll(id, messages(1...5), cursor: "5") { $0.title = "Team" }
    try store.sources.register([configured("b", address: "https://example.org/feed")], at: noon)
    #expect(try store.polls.position(of: id).cursor == Cursor("5"))
    #expect(try store.status(id).title == "Team")
  }

  @Test func twoSourcesCanSwapTheirNames() throws {
    let ids = try store.follow(
      configured("a", address: "https://1.example"), configured("b", address: "https://2.example"))
    try store.poll(ids[0], [message("1", "of one")])
    try store.poll(ids[1], [message("1", "of two")])
    let swapped = try store.sources.register(
      [configured("a", address: "https://2.example"), configured("b", address: "https://1.example")], at: noon
    )
    #expect(swapped.map(\.id) == [ids[1], ids[0]])
    #expect(try store.titles(InboxQuery(scope: .source(swapped[0].id))) == ["of two"])
    try store.expectConsistent()
  }

  @Test func aNameThatAnotherSourceTakesCanBeTakenBack() throws {
    let ids = try store.follow(
      configured("a", address: "https://1.example"), configured("b", address: "https://2.example"))
    try store.poll(ids[0], [message("1", "of one")])
    // The first source is gone, and the second one has its name.
    let left = try store.sources.register([configured("a", address: "https://2.example")], at: noon)
    #expect(left.map(\.id) == [ids[1]])
    #expect(try store.titles() == [])
    let both = try store.sources.register(
      [configured("a", address: "https://2.example"), configured("one", address: "https://1.example")],
      at: noon)
    #expect(both.map(\.id) == [ids[1], ids[0]])
    #expect(try store.titles() == ["of one"])
    try store.expectConsistent()
  }

  @Test func aRemovedSourceComesBackUnderAnotherNameWithItsMessages() throws {
    let id = try store.follow(configured("a", address: "https://1.example"))[0]
    try store.poll(id, messages(1...3))
    try store.sources.register([], at: noon)
    #expect(try store.sources.register([configured("b", address: "https://1.example")], at: noon)[0].id == id)
    #expect(try store.snapshot().total == 3)
  }

  @Test func sourcesOfOneAddressStayTwo() throws {
    let two = [configured("a", address: "https://1.example"), configured("b", address: "https://1.example")]
    let ids = try store.sources.register(two, at: noon).map(\.id)
    #expect(try uid(of: ids[0]) != uid(of: ids[1]))
    let renamed = configured("c", address: "https://1.example")
    #expect(try store.sources.register([two[0], renamed], at: noon).map(\.id) == ids)
    #expect(try store.sources.register([renamed, two[0]], at: noon).map(\.id) == [ids[1], ids[0]])
  }

  @Test func localSourcesAreRenamedByTheStore() throws {
    let id = try store.pushes.add(message("1"), at: noon).source
    try store.sources.rename(id, to: "scripts", at: noon)
    #expect(try store.sources.statuses().map(\.source.name) == ["scripts"])
    #expect(
      try store.sources.register([configured("scripts", kind: .local, address: "")], at: noon).map(\.id) == [
        id
      ])
    let other = try store.sources.register(
      [configured("scripts", kind: .local, address: ""), configured("b")], at: noon)[1]
    #expect(throws: StoreFailure.nameTaken(name: "scripts")) {
      try store.sources.rename(other.id, to: "scripts", at: noon)
    }
    #expect(throws: StoreFailure.unknownSource(SourceID(99))) {
      try store.sources.rename(SourceID(99), to: "x", at: noon)
    }
    try store.sources.remove(id)
    try store.sources.rename(other.id, to: "scripts", at: noon)
    #expect(try store.sources.statuses().map(\.source.name) == ["scripts"])
  }

  private func uid(of id: SourceID) throws -> String {
    try store.read { db in
      let query = try db.prepared("SELECT hex(uid) FROM source WHERE id = ?")
      query.bind(1, id.rawValue)
      return try #require(try query.first { query.text(0) })
    }
  }

  @Test func theUIDIsThatOfKindAndAddress() throws {
    // printf 'feed\0https://example.org/' | sha256sum | cut -c1-32
    let id = try store.follow(configured("a", address: "https://EXAMPLE.org:443#top"))[0]
    #expect(try uid(of: id) == "762C250DCC973BAD209FF8203B03FF18")
  }

  @Test func theInboxsStoredLookStays() throws {
    #expect(try store.preferences.all() == [:])
    try store.preferences.set("a", to: "1")
    try store.preferences.set("a", to: "2")
    try store.preferences.set("b", to: "3")
    try store.preferences.set("b", to: nil)
    #expect(try store.preferences.all() == ["a": "2"])
  }

  // MARK: - Leaving and coming back

  @Test func removeTakesOneSourceOffTheLists() throws {
    let ids = try store.follow(configured("a"), configured("b"))
    try store.poll(ids[0], messages(1...5))
    try store.sources.remove(ids[0])
    #expect(try store.snapshot().total == 0)
    #expect(try store.sources.statuses().map(\.source.id) == [ids[1]])
    #expect(try !store.snapshot().isUnseen)
  }

  @Test func whatArrivesForARemovedSourceIsThereWhenItReturns() throws {
    let id = try store.follow(configured("a"))[0]
    try store.pollNothing(id)
    try store.sources.register([], at: noon)
    #expect(try store.poll(id, messages(1...3)).new == 3)
    try store.expectConsistent()
    try store.sources.register([configured("a")], at: noon)
    #expect(try store.snapshot().total == 3)
    try store.expectConsistent()
  }

  @Test func forgettingDeletesMessagesAndTheirWords() throws {
    let ids = try store.follow(configured("a"), configured("b"))
    for id in ids { try store.poll(id, messages(1...5)) }
    let gone = try store.id("1", of: ids[0])
    try store.acts.perform(.read([gone, try store.id("1", of: ids[1])]), at: noon)
    try store.sources.forget(ids[0])
    #expect(try store.messages.find(gone) == nil)
    #expect(try store.snapshot(InboxQuery(search: "title")).rows.count == 5)
    #expect(try store.check.compareSearchIndex() == [])
    #expect(try store.acts.undo(at: noon) != nil, "what is left of the act is taken back")
    #expect(try store.snapshot().unread == 5)
    try store.expectConsistent()
    let again = try store.sources.register([configured("a")], at: noon)[0]
    #expect(again.id != ids[0], "an id is never given twice")
  }

  @Test func anotherAddressStartsFromNothingAndKeepsTheMessages() throws {
    let id = try store.follow(configured("a"))[0]
    try store.poll(id, messages(1...3), cursor: "3") {
      $0.position.validators.etag = "\"1\""
      $0.title = "Old"
    }
    try store.sources.register([configured("a", address: "https://other.example")], at: noon)
    #expect(try store.polls.position(of: id) == PollPosition())
    #expect(try store.polls.state(of: id) == PollState())
    #expect(try store.status(id).title == nil)
    #expect(try store.snapshot().total == 3)
    #expect(try store.poll(id, messages(101...150)).new == 50)
    #expect(try store.status(id).unread == 23, "its first poll, as of a new source")
  }

  @Test func anotherKindStartsFromNothing() throws {
    let id = try store.follow(configured("a"))[0]
    try store.poll(id, messages(1...3), cursor: "3")
    try store.sources.register([configured("a", kind: .native)], at: noon)
    #expect(try store.polls.position(of: id) == PollPosition())
  }

  @Test func theAddressThatPermanentRedirectsLedToContinues() throws {
    let id = try store.follow(configured("a"))[0]
    try store.poll(id, messages(1...3), cursor: "3") {
      $0.position.validators.etag = "\"1\""
      $0.position.movedTo = "https://new.example"
      $0.position.movedCount = 3
    }
    try store.sources.register([configured("a", address: "https://new.example")], at: noon)
    let position = try store.polls.position(of: id)
    #expect(position.cursor == Cursor("3") && position.validators.etag == "\"1\"")
    #expect(position.permanentAddress == nil)
  }

  @Test func settingsReadBeforeAnotherRegisteredAreReadAgain() throws {
    let before = try store.sources.registered()
    // Another process adds a source to the settings and registers them.
    try store.sources.register([configured("a"), configured("b")], at: noon)
    #expect(try store.sources.register([configured("a")], since: before, at: noon) == nil)
    #expect(try store.sources.statuses().map(\.source.name) == ["a", "b"])
    let now = try store.sources.registered()
    // A push of a script in the meantime changes no settings.
    try store.pushes.add(message("1"), at: noon)
    let listed = try store.sources.register([configured("b")], since: now, at: noon)
    #expect(listed?.map(\.name) == ["b", "local"])
    try store.expectConsistent()
  }

  @Test func sourcesOfSettingsAreKnownByTheirNames() throws {
    let id = try store.follow(configured("a"))[0]
    let local = try store.pushes.add(message("1"), at: noon).source
    let registered = try store.sources.registered()
    #expect(
      registered.sources(of: [configured("new"), configured("a")]).map(\.id) == [
        Source.unregistered, id, local,
      ])
    #expect(registered.sources(ifTheyAre: [configured("a")])?.map(\.id) == [id, local])
    #expect(registered.sources(ifTheyAre: [configured("new")]) == nil)
  }

  @Test func registeringTheSameAgainWritesNothing() async throws {
    try store.sources.register([configured("a"), configured("b")], at: noon)
    var changes = store.changes().makeAsyncIterator()
    #expect(await changes.next() == .current)
    try store.sources.register([configured("a"), configured("b")], at: noon + 60)
    let id = try store.sources.register([configured("a")], at: noon + 60)[0].id
    #expect(await changes.next() == .here)
    #expect(try store.sources.statuses().map(\.source.id) == [id])
  }
}
