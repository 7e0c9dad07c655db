import Basics
import Foundation
import HTTPTypes
import HummingbirdCore
import Messages

extension HubAPI {
  /// The formats that feed readers support.
  enum FeedFormat: String, CaseIterable {
    case atom, json

    var contentType: String {
      switch self {
      case .atom: "application/atom+xml; charset=utf-8"
      case .json: "application/feed+json"
      }
    }
  }

  /// Parses `ops.atom`, a feed in another format, or returns `nil` for other names.
  static func format(_ name: String) -> (feed: FeedName, format: FeedFormat)? {
    for format in FeedFormat.allCases where name.hasSuffix(".\(format.rawValue)") {
      return FeedName(String(name.dropLast(format.rawValue.utf8.count + 1))).map { ($0, format) }
    }
    return nil
  }

  /// Returns the newest items for display, in a format of feed readers.
  func feed(
    _ request: HubRequest, of name: FeedName, as format: FeedFormat, for caller: HubAccess?
  ) async throws(HubFailure) -> Answer {
    let feed = try readable(name, for: caller)
    let time = now()
    // Some items are for display in no reader.
    let items = try await store.newest(of: name, limit: 2 * Limits.hubFeedEntries, now: time)
    let channel = FeedChannel(
      uid: try await store.uid(), feed: name, title: feed.title,
      address: "\(options.address)/v1/feeds/\(name).\(format.rawValue)")
    let entries = Array(
      items.lazy.compactMap { FeedEntry($0, in: channel, now: time) }.prefix(Limits.hubFeedEntries))
    let text = format == .atom ? channel.atom(entries) : channel.jsonFeed(entries)
    let tag = Self.tag(SHA256.digest(text))
    var answer = Answer(content: .text(text), type: format.contentType, fields: [(.eTag, tag)])
    answer.fields += Self.caching(feed)
    if let known = request.request.headers[.ifNoneMatch], Self.has(tag, in: known) { answer.status = 304 }
    return answer
  }
}
