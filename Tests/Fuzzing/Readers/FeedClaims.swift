import Basics
import Foundation
import Messages
import Services

@testable import Formats

/// Web feeds: the result is bounded by their size and a base before each link, dates are within the calendar, and
/// there are as many messages as entries.
enum FeedClaims {
  static let address = "http://feeds.example/news/all.xml"

  static func check(_ bytes: Data) throws(Violation) {
    switch FeedReader.read(bytes, charset: nil, mediaType: nil, address: address) {
    case .feed(let feed): try check(feed, bytes.count)
    case .page(let title, let alternates):
      try claimBounded(
        title.textBytes + alternates.textBytes, by: bytes.count, times: Limits.baseBytes / 8, "page")
    case .notAFeed(let found): try claim(found.utf8.count < 500, "what came instead is \(found)")
    }
  }

  private static func check(_ feed: ParsedFeed, _ count: Int) throws(Violation) {
    try claimBounded(feed.textBytes, by: count, times: Limits.baseBytes / 8, "feed")
    try claim(feed.entries.count <= count, "\(count) bytes hold \(feed.entries.count) entries")
    try claim(feed.skipHours.allSatisfy { (0...23).contains($0) }, "skipHours are \(feed.skipHours)")
    try claim(feed.skipDays.allSatisfy { (1...7).contains($0) }, "skipDays are \(feed.skipDays)")
    try claim((feed.timeToLiveMinutes ?? 0) >= 0, "ttl is \(feed.timeToLiveMinutes ?? 0)")
    for entry in feed.entries {
      try claimWritable(entry.published, "published of an entry")
      try claimWritable(entry.updated, "updated of an entry")
    }
    let messages = WebFeedMessages.messages(of: feed)
    // An entry without any text is left out.
    try claim(
      messages.count <= feed.entries.count, "\(feed.entries.count) entries are \(messages.count) messages")
    try claimBounded(messages.textBytes, by: count, times: Limits.baseBytes / 4, "messages")
    for message in messages {
      try claim(!message.title.contains(where: \.isNewline), "a title has two lines: \(message.title)")
      try claim(!message.remoteID.text.isEmpty, "a message has an empty id")
    }
  }
}

/// Subscription lists: bounded, and the same after writing and reading them again.
enum OPMLClaims {
  static func check(_ bytes: Data) throws(Violation) {
    guard let document = try? OPML.read(bytes) else { return }
    try claimBounded(document.textBytes, by: bytes.count, times: 16, "subscriptions")
    let written = OPML.write(document)
    try claim(String(validating: written, as: UTF8.self) != nil, "what was written is not UTF-8")
    let again: OPMLDocument
    do throws(OPMLFailure) { again = try OPML.read(written) } catch {
      throw Violation(description: "what was written reads as \(error.found)")
    }
    try claim(again.problems.isEmpty, "what was written has problems: \(again.problems)")
    try claimEqual(again.title, document.title, "the title of a list")
    // Feeds of one folder are written together, so their order may change; and no folder of a feed is its first one.
    try claimEqual(
      Set(again.feeds.map(Placed.init)), Set(document.feeds.map(Placed.init)), "the feeds of a list")
    guard document.feeds.allSatisfy(\.alsoIn.isEmpty) else { return }
    try claimEqual(OPML.write(again), written, "a list written twice")
  }

  private struct Placed: Hashable {
    let feed: OPMLDocument.Feed
    let folders: Set<[String]>

    init(_ feed: OPMLDocument.Feed) {
      folders = Set([feed.folders] + feed.alsoIn)
      var feed = feed
      (feed.folders, feed.alsoIn) = ([], [])
      self.feed = feed
    }
  }
}

/// Native feeds: bounded, cursors never go back, and there are messages for the items.
enum NativeClaims {
  private static let now = Date(timeIntervalSince1970: 1_795_000_000)

  static func check(_ bytes: Data) throws(Violation) {
    // The bytes are also read as lines with one item each.
    if let lines = try? NativeLinesReader.read(bytes) { try check(lines, of: bytes) }
    guard let page = try? NativeFeedReader.read(bytes) else { return }
    try check(page, of: bytes)
  }

  private static func check(_ page: NativePage, of bytes: Data) throws(Violation) {
    try claim(page.items.count <= bytes.count, "\(bytes.count) bytes hold \(page.items.count) items")
    try claimBounded(page.problems.textBytes + page.unknownKeys.textBytes, by: bytes.count, "problems")
    // If one id is a string, the order of the list decides.
    let integers = page.items.compactMap { if case .integer(let id) = $0.id { id } else { nil } }
    if case .integer(let newest)? = page.newestID, integers.count == page.items.count {
      let isGreatest = integers.allSatisfy { $0 <= newest }
      try claim(isGreatest || !page.problems.isEmpty, "the cursor \(newest) is below an id")
    }
    var native = NativeMessages(
      context: PollContext(now: now, language: "hi-IN", installed: now, application: "The app"),
      typeNames: [7: "downtime"])
    native.take(page.items)
    let bound = Limits.growthConstant + Limits.growthFactor * bytes.count
    try claim(native.messages.textBytes <= bound, "\(bytes.count) bytes became \(native.messages.textBytes)")
    try claimBounded(native.features.textBytes, by: bytes.count, times: 16, "features")
    for message in native.messages {
      try claimWritable(message.published, "published")
      try claimWritable(message.visibleFrom, "visible from")
      try claimWritable(message.expiry(received: now), "expiry")
      try claim((1...5).contains(message.priority.rawValue), "priority is \(message.priority)")
    }
  }
}
