import Basics
import Foundation
import Messages
import Services
import Storage
import TestBasics
import Testing

/// The identity of messages, as a user sees it who follows a feed with ids that are not unique.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct FeedIdentityTests {
  private typealias Result = FollowedFeed.Result

  /// Returns a feed that was polled before, so that new entries are not its first poll.
  private func followed() async throws -> FollowedFeed {
    let feed = try FollowedFeed()
    try await feed.poll([])
    return feed
  }

  // MARK: - One id for several entries

  /// A guid, a link or a recording that three entries share.
  @Test(arguments: ["guid", "link", "first page", "file"]) func entriesOfOneIDAreSeveral(
    id: String
  )
    async throws
  {
    func news(_ number: Int) -> String {
      switch id {
      case "guid": item(guid: "x", "News \(number)", day: number)
      case "link": item("News \(number)", link: "http://h.example/poll", day: number)
      case "first page": item("News \(number)", link: "http://h.example/", day: number)
      default: item("News \(number)", day: number, file: "http://h.example/live.mp3")
      }
    }
    let feed = try await followed()
    #expect(try await feed.poll([news(3), news(2), news(1)]).new.count == 3)
    #expect(
      try feed.problems() == [
        "1 id came for more than one entry; reddot distinguishes these by title, date, link and text"
      ])
    try feed.markAllRead()
    #expect(try await feed.poll([news(3), news(2), news(1)]) == Result())
    #expect(try await feed.poll([news(1), news(2), news(3)]) == Result())
    #expect(try await feed.poll([news(4), news(3), news(2)]).new.count == 1)
    #expect(try feed.messages().count == 4)
    #expect(try feed.unread().count == 1)
    #expect(try feed.store.check.compareAll() == [])
  }

  /// Documents of one, two, one and one entries with one guid.
  @Test func aGuidThatIsTheSameForEverythingLosesNothing() async throws {
    let feed = try await followed()
    let (one, two, three) = (
      item(guid: "x", "One", day: 1), item(guid: "x", "Two", day: 2), item(guid: "x", "Three", day: 3)
    )
    #expect(try await feed.poll([one]).new == ["One"])
    try feed.markAllRead()
    #expect(try await feed.poll([two, one]).new == ["Two"])
    #expect(try await feed.poll([two]) == Result())
    #expect(try await feed.poll([three]).new == ["Three"])
    #expect(try await feed.poll([one]) == Result())
    #expect(try feed.titles() == ["One", "Two", "Three"])
    #expect(try feed.unread() == ["Two", "Three"])
  }

  @Test func aKnownIDWithAnotherTitleAndDateIsNews() async throws {
    let feed = try await followed()
    try await feed.poll([item(guid: "x", "Monday", link: "http://h.example/now", day: 1)])
    try feed.markAllRead()
    #expect(
      try await feed.poll([item(guid: "x", "Tuesday", link: "http://h.example/now", day: 2)]).new == [
        "Tuesday"
      ])
    #expect(try feed.titles() == ["Monday", "Tuesday"])
  }

  @Test func aKnownIDWithAnotherTitleAndLinkIsNews() async throws {
    let feed = try await followed()
    try await feed.poll([item(guid: "x", "Monday", link: "http://h.example/1")])
    #expect(try await feed.poll([item(guid: "x", "Tuesday", link: "http://h.example/2")]).new == ["Tuesday"])
  }

  @Test(arguments: [
    item(guid: "x", "Titel", link: "http://h.example/1", day: 1, body: "Text"),
    item(guid: "x", "Title", link: "http://h.example/1", day: 5, body: "Other text"),
    item(guid: "x", "Title", link: "http://h.example/2", day: 1, body: "Text"),
    item(guid: "x", "Title", link: "http://h.example/2", day: 3, body: "Text"),
  ]) func anEditIsAnEdit(edited: String) async throws {
    let feed = try await followed()
    try await feed.poll([item(guid: "x", "Title", link: "http://h.example/1", day: 1, body: "Text")])
    try feed.markAllRead()
    #expect(try await feed.poll([edited]) == Result(updated: 1))
    #expect(try feed.unread() == [])
  }

  /// If an id is known to belong to several entries, each can still be edited separately.
  @Test func oneOfSeveralIsEdited() async throws {
    let feed = try await followed()
    func entry(_ number: Int, _ title: String? = nil, _ body: String = "Text") -> String {
      item(guid: "x", title ?? "News \(number)", link: "http://h.example/\(number)", day: number, body: body)
    }
    try await feed.poll((1...5).map { entry($0) })
    try feed.markAllRead()
    let edited = [entry(1), entry(2, nil, "Other"), entry(3, "Mended"), entry(4), entry(6)]
    #expect(try await feed.poll(edited) == Result(new: ["News 6"], updated: 2))
    #expect(try await feed.poll(edited.reversed()) == Result())
    #expect(try feed.messages().count == 6)
    #expect(try feed.unread() == ["News 6"])
    #expect(Set(try feed.titles()).contains("Mended"))
  }

  /// Merged feeds list an entry in several channels.
  @Test func theSameEntryTwiceIsOne() async throws {
    let feed = try await followed()
    let entry = item(guid: "x", "Title", link: "http://h.example/1", day: 1, body: "Text")
    try await feed.poll([entry, item(guid: "y", "Other", day: 2), entry])
    #expect(try feed.titles().sorted() == ["Other", "Title"])
    #expect(try feed.problems() == [])
  }

  @Test func anIDThatGoesOnBehindABarIsAnother() async throws {
    let feed = try await followed()
    try await feed.poll([
      item(guid: "a", "A1", day: 1), item(guid: "a", "A2", day: 2), item(guid: "a|b", "AB", day: 3),
    ])
    try feed.markAllRead()
    #expect(
      try await feed.poll([item(guid: "a|b", "AB", day: 3), item(guid: "a", "A2", day: 2)]) == Result())
    #expect(
      try await feed.poll([item(guid: "a|b", "AB", day: 3, body: "More"), item(guid: "a", "A3", day: 4)])
        == Result(new: ["A3"], updated: 1))
    #expect(try feed.titles().sorted() == ["A1", "A2", "A3", "AB"])
  }

  @Test func inspectNamesEachIDThatCameTwice() throws {
    let feed = try FollowedFeed()
    let entries = [
      item(guid: "x", "1"), item(guid: "x", "2"), item(guid: "y", "3"), item(guid: "y", "4"),
      item(guid: "z", "5"), item(guid: "z", "5"),
    ]
    func inspect(_ entries: [String]) -> Inspection {
      Inspector.inspect(
        Data(feed.rss(entries).utf8), kind: .feed, address: "http://h.example/",
        context: PollContext(now: now))
    }
    let inspection = inspect(entries)
    #expect(inspection.messages.count == 6)
    #expect(
      inspection.problems.map(\.message) == [
        "the id “y” came for 2 entries; reddot distinguishes these by title, date, link and text",
        "the id “x” came for 2 entries; reddot distinguishes these by title, date, link and text",
      ])
    #expect(Set(inspection.messages.map(\.remoteID)).count == 5)
    #expect(inspect([entries[0]]).messages[0].remoteID == RemoteID("x"))
    #expect(inspect([entries[0]]).problems == [])
  }

  @Test func inspectShowsTheIDsUnderWhichEntriesAreStored() async throws {
    let feed = try await followed()
    let entries = [item(guid: "x", "1", day: 1), item(guid: "y", "2", day: 2), item(guid: "x", "3", day: 3)]
    try await feed.poll(entries)
    let inspection = Inspector.inspect(
      Data(feed.rss(entries).utf8), kind: .feed, address: "http://h.example/", context: PollContext(now: now))
    let stored = Set(try feed.messages().map(\.content.remoteID))
    #expect(Set(inspection.messages.map(\.remoteID)) == stored)
    #expect(stored.contains(RemoteID("y")) && !stored.contains(RemoteID("x")))
  }

  // MARK: - One entry with several ids

  static let renewals: [(String, String)] = [
    (
      item(guid: "http://h.example/1", "Title", link: "http://h.example/1", day: 1, hour: 8),
      item(guid: "https://www.h.example/1/", "Title", link: "https://www.h.example/1/", day: 1, hour: 8)
    ),
    (
      item("Title", link: "http://h.example/1", day: 1, hour: 8),
      item("Title", link: "https://www.h.example/1/", day: 1, hour: 8)
    ),
    (
      item(guid: "17 at 8:00", "Title", link: "http://h.example/1", day: 1, hour: 8),
      item(guid: "17 at 9:00", "Title", link: "http://h.example/1", day: 1, hour: 8)
    ),
    (
      item("Title", link: "http://h.example/1?sid=17", day: 1, hour: 8),
      item("Title", link: "http://h.example/1?sid=18", day: 1, hour: 8)
    ),
    (
      item(guid: "http://h.example/?p=1", "Title", day: 1, hour: 8),
      item(guid: "https://h.example/?p=1", "Title", day: 1, hour: 8)
    ),
    (
      item("Title", day: 1, hour: 8, file: "http://h.example/1.mp3"),
      item("Title", day: 1, hour: 8, file: "https://h.example/1.mp3")
    ),
  ]

  @Test(arguments: renewals) func anEntryWithAnotherIDIsTheSame(old: String, new: String) async throws {
    let feed = try await followed()
    let other = item(guid: "other", "Other", link: "http://h.example/other", day: 1)
    try await feed.poll([old, other])
    try feed.markAllRead()
    let arrival = try feed.messages().map(\.id)
    for document in [new, old, new, new] {
      #expect(try await feed.poll([document, other]).new == [])
      #expect(try feed.messages().map(\.id) == arrival)
      #expect(try feed.unread() == [])
      #expect(try feed.store.check.compareAll() == [])
    }
  }

  /// Reports with equal words are counted by their ids, unless something else shows that one of them was seen before.
  @Test(arguments: [
    (
      item(guid: "17", "Title", link: "http://h.example/1"),
      item(guid: "18", "Title", link: "http://h.example/1")
    ),
    (
      item("Title", link: "http://h.example/1?id=17", day: 1),
      item("Title", link: "http://h.example/1?id=18", day: 1)
    ),
    (
      item("Title", link: "http://h.example/1#a", day: 1, hour: 8),
      item("Title", link: "http://h.example/1#b", day: 1, hour: 8)
    ),
    (
      item(guid: "17", "Title", link: "http://h.example/1", day: 1, hour: 8),
      item(guid: "18", "Title", link: "http://h.example/1", day: 1, hour: 9)
    ),
  ]) func anEntryWithAnotherIDAndNoEvidenceIsNew(old: String, new: String) async throws {
    let feed = try await followed()
    let other = item(guid: "other", "Other", link: "http://h.example/other", day: 1)
    try await feed.poll([old, other])
    #expect(try await feed.poll([new, other]).new == ["Title"])
    #expect(try await feed.poll([old, new, other]) == Result())
    #expect(try feed.titles().sorted() == ["Other", "Title", "Title"])
  }

  /// An entry without an id counts as an edit of one that has left if both have the same title and moment.
  @Test func aTextBesideItsTitleAndMomentIsAnEdit() async throws {
    let feed = try await followed()
    func report(_ number: Int) -> String { item("News", day: 1, hour: 8, body: "Text \(number)") }
    #expect(try await feed.poll([report(3), report(2), report(1)]).new.count == 3)
    #expect(try await feed.poll([report(4), report(3), report(2)]) == Result(updated: 1))
    #expect(try await feed.poll([report(5), report(4), report(3), report(2)]).new.count == 1)
    #expect(try feed.messages().count == 4)
  }

  /// The change causes no notification, even if the source's changes do.
  @Test func anotherTokenIsNoChange() async throws {
    let feed = try FollowedFeed(Store.inMemory(now: now)) { $0.isUnreadOnChange = true }
    func document(_ token: Int) -> [String] {
      [1, 2, 3].map { (number: Int) in
        item("News \(number)", link: "http://h.example/\(number)?t=\(token)", day: number, body: "Text")
      }
    }
    try await feed.poll(document(0))
    try feed.markAllRead()
    for token in 1...3 {
      #expect(try await feed.poll(document(token)) == Result())
      #expect(try feed.messages().compactMap(\.content.url).allSatisfy { $0.hasSuffix("t=\(token)") })
    }
    #expect(try feed.unread() == [])
  }

  @Test func aSourceByItselfKnowsItsOwnToo() async throws {
    let feed = try FollowedFeed(Store.inMemory(now: now)) { $0.joinsOthers = false }
    try await feed.poll([
      item(guid: "http://h.example/1", "Title", link: "http://h.example/1", day: 1, hour: 8)
    ])
    try feed.markAllRead()
    #expect(
      try await feed.poll([item(guid: "https://h.example/1", "Title", link: "https://h.example/1", day: 1)])
        == Result())
  }

  /// A build server: each failure has one title and one page.
  @Test func entriesWithTheirOwnIDsInOneDocumentAreNotTheSame() async throws {
    let feed = try await followed()
    func failure(_ number: Int) -> String {
      item(guid: "run-\(number)", "Build failed", link: "http://ci.example/main", day: 1, hour: number)
    }
    #expect(try await feed.poll([failure(1)]).new.count == 1)
    #expect(try await feed.poll([failure(3), failure(2), failure(1)]).new.count == 2)
    #expect(try await feed.poll([failure(4), failure(3), failure(2), failure(1)]).new.count == 1)
    #expect(try feed.messages().count == 4)
  }

  @Test func theSameLinkOnAnotherDayIsNews() async throws {
    let feed = try await followed()
    try await feed.poll([item(guid: "1", "Report", link: "http://h.example/report", day: 1)])
    #expect(
      try await feed.poll([item(guid: "2", "Report", link: "http://h.example/report", day: 2)]).new == [
        "Report"
      ])
    #expect(
      try await feed.poll([item(guid: "3", "Other", link: "http://h.example/report", day: 2)]).new == [
        "Other"
      ])
  }

  // MARK: - Neither guid nor link

  @Test func anEditedTextIsAnEdit() async throws {
    let feed = try await followed()
    func document(_ text: String) -> [String] {
      [
        item("Trouble", day: 1, body: text),
        item("Episode", day: 2, body: text, file: "http://h.example/1.mp3"),
      ]
    }
    #expect(try await feed.poll(document("first")).new.count == 2)
    try feed.markAllRead()
    #expect(try await feed.poll(document("second")) == Result(updated: 2))
    #expect(try feed.unread() == [])
  }

  @Test func withoutADateAnotherTextIsNews() async throws {
    let feed = try await followed()
    #expect(try await feed.poll([item("Work", body: "first")]).new == ["Work"])
    #expect(try await feed.poll([item("Work", body: "first")]) == Result())
    #expect(try await feed.poll([item("Work", body: "second"), item("Work", body: "first")]).new == ["Work"])
  }

  @Test func anEpisodeIsItsRecording() async throws {
    let feed = try await followed()
    try await feed.poll([item("Episode", day: 1, body: "Notes", file: "http://h.example/1.mp3")])
    #expect(
      try await feed.poll([item("Episode 1", day: 1, body: "Mended", file: "http://h.example/1.mp3")])
        == Result(updated: 1))
    #expect(try feed.messages()[0].content.remoteID.text == "http://h.example/1.mp3")
  }

  @Test func anEmptyItemIsNothing() async throws {
    let feed = try await followed()
    #expect(
      try await feed.poll(["<item/>", "<item><pubDate>1 Nov 2026</pubDate></item>", item("Title")]).new == [
        "Title"
      ])
  }

  // MARK: - All kinds of feeds

  enum Kind: CaseIterable {
    case guid, constantGuid, twoGuids, onePage, firstPage, nothing, tokenGuid, tokenLink, scheme

    func item(_ number: Int, _ random: inout SeededRandom) -> String {
      let (title, link) = ("News \(number)", "http://h.example/\(number)")
      let token = Int.random(in: 0..<1_000_000, using: &random)
      func make(_ guid: String?, _ link: String?) -> String {
        ServicesTests.item(
          guid: guid, title, link: link, day: number / 3, hour: number % 23 + 1, body: "Text \(number)")
      }
      return switch self {
      case .guid: make("id-\(number)", link)
      case .constantGuid: make("x", link)
      case .twoGuids: make("x\(number % 2)", nil)
      case .onePage: make(nil, "http://h.example/page")
      case .firstPage: make(nil, "http://h.example")
      case .nothing: make(nil, nil)
      case .tokenGuid: make("\(number)-\(token)", link)
      case .tokenLink: make(nil, "\(link)?t=\(token)")
      case .scheme:
        Bool.random(using: &random)
          ? make(link, link) : make("https://h.example/\(number)", "https://h.example/\(number)")
      }
    }
  }

  /// Parts of one list of entries, in any order: each entry is new once, regardless of the others.
  @Test(arguments: Kind.allCases) func eachEntryIsNewsOnce(kind: Kind) async throws {
    for seed in 1...6 {
      var random = SeededRandom(seed: seed)
      let feed = try await followed()
      var shown: Set<Int> = []
      var start = 0
      for _ in 0..<12 {
        start = max(0, start + Int.random(in: -2...4, using: &random))
        let window = Array(start..<start + Int.random(in: 1...8, using: &random)).shuffled(using: &random)
        var document = window.map { kind.item($0, &random) }
        if Bool.random(using: &random), let first = document.first { document.append(first) }
        let fresh = Set(window).subtracting(shown)
        shown.formUnion(window)
        let result = try await feed.poll(document)
        #expect(Set(result.new) == Set(fresh.map { "News \($0)" }), "seed \(seed)")
        #expect(result.new.count == fresh.count, "seed \(seed)")
        #expect(result.updated == 0, "seed \(seed)")
        try feed.markAllRead()
      }
      #expect(try feed.messages().count == shown.count)
      #expect(try feed.store.check.compareAll() == [])
    }
  }

  /// A large feed is stored while it is read.
  @Test func ofALargeFeedNothingIsLostEither() async throws {
    let filler = String(repeating: "word ", count: 40)
    func entry(_ number: Int, scheme: String = "http") -> String {
      let link = "\(scheme)://h.example/\(number)"
      return item(
        guid: number % 100 == 0 ? "same" : link, "News \(number)", link: link, day: number % 3000, hour: 8,
        body: "\(number) \(filler)")
    }
    let feed = try await followed()
    let all = (0..<8000).map { entry($0) }
    #expect(try await feed.poll(document: feed.rss(all), asStream: true).new.count == 8000)
    try feed.markAllRead()
    #expect(try await feed.poll(document: feed.rss(all), asStream: true) == Result())
    #expect(
      try await feed.poll(document: feed.rss((0..<8000).map { entry($0, scheme: "https") }), asStream: true)
        .new
        == [])
    #expect(try feed.messages().count == 8000)
    #expect(try feed.unread() == [])
  }

  /// Nothing takes time that grows with the square of their number.
  @Test func veryManyEntriesOfOneID() async throws {
    let feed = try await followed()
    let all = (0..<8000).map {
      item(guid: "x", "News \($0)", link: "http://h.example/page", day: $0 % 9000)
    }
    #expect(try await feed.poll(all).new.count == 8000)
    #expect(try await feed.poll(all.reversed()) == Result())
    let edited = (0..<8000).map {
      item(guid: "x", "News \($0)", link: "http://h.example/page", day: $0 % 9000, body: "t")
    }
    #expect(try await feed.poll(edited) == Result(updated: 8000))
  }

  /// Another version makes different text from the same HTML.
  @Test func anotherTextOfTheSameHTMLIsNoNews() async throws {
    let feed = try FollowedFeed(Store.inMemory(now: now)) { $0.isUnreadOnChange = true }
    let items = [
      item(guid: "1", nil, link: "http://feeds.example/1", body: "<![CDATA[<p>2<sup>10</sup> bytes</p>]]>")
    ]
    try await feed.poll([])
    try await feed.poll(items)
    let stored = try #require(try feed.messages().first)
    #expect(stored.content.body == "2¹⁰ bytes" && stored.content.title == "2¹⁰ bytes")
    // This is the form in which an earlier version stored it.
    var earlier = stored.content
    (earlier.title, earlier.body) = ("210 bytes", "210 bytes")
    let content = PollContent(messages: [earlier], position: PollPosition())
    _ = try feed.store.polls.record(
      .content(content, PollHints()), for: feed.source.id, attempt: .periodic, start: now, end: now,
      state: PollState())
    try feed.markAllRead()
    #expect(try await feed.poll(items) == FollowedFeed.Result())
    #expect(try feed.unread() == [])
    #expect(try feed.messages().map(\.content.body) == ["2¹⁰ bytes"])
    #expect(try feed.titles() == ["2¹⁰ bytes"])
    #expect(try feed.store.check.compareSearchIndex() == [])
    let edited = [item(guid: "1", nil, link: "http://feeds.example/1", body: "<![CDATA[<p>new</p>]]>")]
    #expect(try await feed.poll(edited).updated == 1)
    #expect(try feed.unread() == ["new"])
  }
}
