import Basics
import Formats
import Foundation
import Messages
import Services
import Storage
import TestBasics
import Testing

/// A database in which an earlier version stored four feeds. It gave repeated guids `guid|link`, and entries without
/// guid and link a digest of title, date and text.
struct EarlierFeedsTests {
  private static let folder = Project.folder.appending(path: "Tests/StoreTests/Storage/Databases")

  private func opened() throws -> Store {
    let copy = NSTemporaryDirectory() + "reddot-\(UUID().uuidString).sqlite"
    try FileManager.default.copyItem(
      atPath: Self.folder.appending(path: "v101-feeds.sqlite").path, toPath: copy)
    return try Store(path: copy, now: now)
  }

  private func document(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: "feeds/\(name).xml"), encoding: .utf8)
  }

  struct Row: Equatable {
    var id: MessageID
    var title: String
    var isUnread: Bool
    var isStarred: Bool
    var isDismissed: Bool
  }

  private func rows(_ feed: FollowedFeed) throws -> [Row] {
    try feed.messages().map {
      Row(
        id: $0.id, title: $0.content.title, isUnread: $0.isUnread, isStarred: $0.isStarred,
        isDismissed: $0.isDismissed)
    }
  }

  @Test(arguments: [("guids", 24), ("links", 12), ("repeated", 12), ("bare", 12)])
  func whatStandsStays(name: String, count: Int) async throws {
    let feed = try FollowedFeed(try opened(), name: name)
    let before = try rows(feed)
    #expect(before.count == count)
    #expect(before.contains { !$0.isUnread })
    // The first poll uses the earlier rules, the second one the stored new ids.
    for _ in 1...2 {
      #expect(try await feed.poll(document: document(name)) == FollowedFeed.Result())
      #expect(try rows(feed) == before)
      #expect(try feed.store.check.compareAll() == [])
    }
    // Ids that belong to several entries are reported when that is found.
    #expect(try feed.problems() == [])
  }

  @Test func whatWasAnIDWithALinkIsEditedAndGoesOn() async throws {
    let feed = try FollowedFeed(try opened(), name: "repeated")
    let edited = try document("repeated").replacingOccurrences(of: "Report text 3", with: "Mended")
    #expect(try await feed.poll(document: edited) == FollowedFeed.Result(updated: 1))
    let alone = item(guid: "entry", "Report 7", link: "https://repeated.example/r/7", day: 70)
    #expect(try await feed.poll([alone]).new == ["Report 7"])
  }

  @Test func aTextWithoutAnIDIsEditedAfterwards() async throws {
    let feed = try FollowedFeed(try opened(), name: "bare")
    try await feed.poll(document: document("bare"))
    let edited = try document("bare").replacingOccurrences(of: "Line 4 of the notice", with: "Mended")
      .replacingOccurrences(of: "Notes 2", with: "Mended")
    #expect(try await feed.poll(document: edited) == FollowedFeed.Result(updated: 2))
  }

  /// Later versions made the id from title and day, or from the title alone.
  @Test func whatHadAnIDOfItsDayStays() async throws {
    let feed = try FollowedFeed()
    let document = feed.rss([
      item("Trouble", day: 1, body: "first"), item(nil, day: 2, body: "Only text"),
      item("Work", body: "first"), item(nil, day: 2, body: "Only text"),
    ])
    let reading = FeedReader.read(
      Data(document.utf8), charset: nil, mediaType: nil, address: "http://feeds.example/")
    guard case .feed(let parsed) = reading else {
      Issue.record("no feed")
      return
    }
    let stored = WebFeedMessages.messages(of: parsed).map { message in
      var message = message
      message.remoteID = message.formerIDs[0]
      message.formerTitle = nil
      return message
    }
    try feed.store.polls.record(
      .content(PollContent(messages: stored), PollHints()), for: feed.source.id, attempt: .initial,
      start: now,
      end: now, state: PollState())
    try feed.markAllRead()
    let before = try rows(feed)
    #expect(before.count == 3)
    for _ in 1...2 {
      #expect(try await feed.poll(document: document) == FollowedFeed.Result())
      #expect(try rows(feed) == before)
    }
    // The text is edited, and the message is recognised by its present id.
    let edited = document.replacingOccurrences(of: "<description>first", with: "<description>Mended")
    #expect(try await feed.poll(document: edited) == FollowedFeed.Result(new: ["Work"], updated: 1))
  }

  @Test func anotherSchemeIsTheSame() async throws {
    for name in ["guids", "links"] {
      let feed = try FollowedFeed(try opened(), name: name)
      let moved = try document(name).replacingOccurrences(
        of: "https://\(name).example", with: "http://www.\(name).example"
      )
      .replacingOccurrences(of: ">post-", with: ">new-post-")
      #expect(try await feed.poll(document: moved).new == [])
    }
  }
}
