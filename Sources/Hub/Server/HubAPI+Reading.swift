import Basics
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Messages

extension HubAPI {
  /// Returns the feeds that a caller may read.
  func list(for caller: HubAccess?) throws(HubFailure) -> Answer {
    let feeds = watch.feeds.filter { $0.isPublic || caller?.reads.contains($0.name) == true }
    if caller == nil, feeds.isEmpty { throw .noToken }
    let list = feeds.map { feed -> JSONValue in
      .object(
        JSONObject([
          .init(key: "name", value: .string(feed.name.text)), .init(key: "title", value: .string(feed.title)),
          .init(key: "url", value: .string("\(options.address)/v1/feeds/\(feed.name)")),
          .init(key: "public", value: .bool(feed.isPublic)),
          .init(key: "last_id", value: .number("\(feed.lastID)")),
        ]))
    }
    let text = JSONValue.object(JSONObject([.init(key: "feeds", value: .array(list))])).serialized()
    return Answer(
      content: .text(text), fields: [(.cacheControl, "private, no-cache"), (.vary, "Authorization")])
  }

  /// Returns a page of a feed. If it is empty, the response is held until there are new items, for as long as the
  /// reader requests.
  func page(
    _ request: HubRequest, of name: FeedName, for caller: HubAccess?
  ) async throws(HubFailure) -> Answer {
    var feed = try readable(name, for: caller)
    let since = try request.number("since_id", in: 0...Int64.max, or: 0)
    let limit = Int(
      try request.number(
        "limit", in: 1...Int64(Limits.hubPageItems), or: Int64(Limits.hubUsualPageItems)))
    let wait = try request.number("wait", in: 0...Int64(Limits.hubWaitSeconds), or: 0)
    let end = ContinuousClock.now + .seconds(wait)
    var hasWaited = false
    while true {
      if watch.isOld(at: .now) { throw .storeAway }
      let page = try await page(of: feed, since: since, limit: limit, hasWaited: hasWaited)
      let isOver = wait == 0 || !page.items.isEmpty || ContinuousClock.now >= end || watch.isStopping
      guard !isOver else { return answer(request, page, feed, isHeld: wait > 0) }
      let last = max(page.lastID, since)
      await watch.wait(for: .feed(name), past: last, until: end)
      hasWaited = true
      // The caller's rights may have changed meanwhile.
      feed = try readable(name, for: caller)
      if feed.lastID <= last { return answer(request, page, feed, isHeld: true) }
    }
  }

  private func page(
    of feed: HubFeed, since: Int64, limit: Int, hasWaited: Bool
  ) async throws(HubFailure) -> HubPage {
    // This is only for the last id that this hub knows: another hub may know more about a greater one.
    if since > 0, since == feed.lastID { return HubPage(items: [], hasMore: false, lastID: since) }
    @Sendable func ask() async throws(HubFailure) -> HubPage {
      try await store.page(of: feed.name, since: since, limit: limit, now: now())
    }
    return hasWaited
      ? try await waitedPage.page(of: feed.name, since: since, limit: limit, last: feed.lastID, ask: ask)
      : try await ask()
  }

  private func answer(_ request: HubRequest, _ page: HubPage, _ feed: HubFeed, isHeld: Bool) -> Answer {
    let title = JSONValue.string(feed.title).serialized()
    let text =
      "{\"title\":\(title),\"list\":[\(page.items.joined(separator: ","))],"
      + "\"has_more\":\(page.hasMore),\"last_id\":\(page.lastID)}"
    let tag = Self.tag(SHA256.digest(text))
    var answer = Answer(content: .text(text), fields: [(.eTag, tag)])
    if isHeld {
      answer.fields.append((.cacheControl, "no-store"))
    } else {
      answer.fields += Self.caching(feed)
    }
    if let known = request.request.headers[.ifNoneMatch], Self.has(tag, in: known) { answer.status = 304 }
    return answer
  }

  /// Returns an entity tag: the beginning of a digest.
  ///
  /// - Parameter digest: the digest of the sent content.
  static func tag(_ digest: [UInt8]) -> String {
    "\"\(digest.prefix(8).hex)\""
  }

  /// Returns the cache headers for a feed's responses.
  static func caching(_ feed: HubFeed) -> [(name: HTTPField.Name, value: String)] {
    feed.isPublic
      ? [(.cacheControl, "public, max-age=0, s-maxage=5, stale-if-error=600")]
      : [(.cacheControl, "private, no-cache"), (.vary, "Authorization")]
  }

  /// Whether a list of entity tags contains this one (RFC 9110, section 13.1.2).
  static func has(_ tag: String, in list: String) -> Bool {
    list.split(onBytes: ",").contains { part in
      let known = part.trimmingCharacters(in: .whitespaces)
      return known == "*" || (known.hasPrefix("W/") ? String(known.dropFirst(2)) : known) == tag
    }
  }
}
