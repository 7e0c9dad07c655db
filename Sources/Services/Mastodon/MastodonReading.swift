import Formats
import Foundation
import Limits
import Messages

/// What a poll leaves to the next one.
struct MastodonCursor: Codable, Hashable, Sendable {
  /// The newest notification that was read, without a gap before it.
  var newest: String?
  /// The last ones that the server had, oldest first: what is missing later was dismissed elsewhere.
  var recent: [String] = []
  /// How far the person had read elsewhere.
  var marker: String?
  /// When that was asked for, in seconds since 1970.
  var markerAt: Double?

  init(_ cursor: Cursor?) {
    guard let text = cursor?.text else { return }
    if let known = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) {
      self = known
    } else {
      // Earlier versions kept the newest id alone.
      newest = text
    }
  }

  /// Nil before the first notification.
  var cursor: Cursor? {
    if newest == nil, marker == nil { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { Cursor(String(decoding: $0, as: UTF8.self)) }
  }
}

/// What the pages of one poll brought so far.
///
/// The first page has the newest. A first poll goes on backwards, and no further than a person looks. A later one goes on
/// forwards from the newest known one if the first page does not reach it, so that no gap remains.
struct MastodonReading {
  private struct Page {
    var list = ServiceMessages()
    var ids: [RemoteID] = []
    /// Whether all of its elements could be read.
    var isWhole = true

    var oldest: RemoteID? { ids.min { $0.isBefore($1) } }
    var newest: RemoteID? { ids.max { $0.isBefore($1) } }
  }

  /// No server cuts a list into shorter pages.
  private static let shortestPage = 20

  private let earlier: MastodonCursor
  private let known: RemoteID?
  private var first: Page?
  private var others: [Page] = []
  private var seen: Set<RemoteID> = []
  private(set) var isDone = false
  /// What was missing for the marker.
  var problem: PollProblem?
  private var marker: String?
  private var markerAt: Double?

  init(_ cursor: MastodonCursor) {
    earlier = cursor
    known = cursor.newest.map(RemoteID.init)
  }

  /// The query of the next page.
  var next: [(String, String)] {
    guard let first else { return [] }
    if known != nil { return reached.map { [("min_id", $0.text)] } ?? [] }
    return (others.last ?? first).oldest.map { [("max_id", $0.text)] } ?? []
  }

  mutating func add(_ elements: [JSONValue]) {
    var page = Page()
    for (index, element) in elements.enumerated() {
      page.list.take(element, at: JSONPath.index(index, under: "$")) { fields in
        guard let message = MastodonMessage.message(&fields) else { return nil }
        let id = message.remoteID
        page.ids.append(id)
        let isNew = known?.isBefore(id) ?? true
        return isNew && seen.insert(id).inserted ? message : nil
      }
    }
    page.isWhole = page.ids.count == elements.count
    let (before, oldest) = (reached, (others.last ?? first)?.oldest)
    if first == nil { first = page } else { others.append(page) }
    if known != nil {
      // A page that leads no further would be asked for again and again.
      isDone =
        hasNoGap || !others.isEmpty && before == reached || others.count >= Limits.servicePages
    } else {
      let leadsFurther = page.oldest.map { new in oldest.map(new.isBefore) ?? true } ?? false
      isDone = !leadsFurther || others.count + 1 >= Limits.firstPages
    }
  }

  /// Up to where a later poll has read forwards.
  private var reached: RemoteID? { others.compactMap(\.newest).last ?? known }

  /// Whether the first page and those from the known one on have met.
  private var hasNoGap: Bool {
    guard let known, let oldest = first?.oldest else { return true }
    if others.last?.ids.isEmpty == true || !known.isBefore(oldest) { return true }
    return !others.isEmpty && reached.map { !$0.isBefore(oldest) } ?? false
  }

  /// Whether to ask how far the person has read: with news, and else now and then, since most polls are one request.
  func wantsMarker(at now: Date) -> Bool {
    guard let asked = earlier.markerAt else { return true }
    let passed = now.timeIntervalSince1970 - asked
    return !messages.isEmpty || passed < 0 || passed >= Limits.markerSeconds
  }

  mutating func set(marker: RemoteID?, at now: Date) {
    self.marker = marker?.text
    markerAt = now.timeIntervalSince1970.rounded(.down)
  }

  var isEmpty: Bool { messages.isEmpty && problems.isEmpty }
  var problems: [PollProblem] { pages.flatMap(\.list.problems) + (problem.map { [$0] } ?? []) }

  /// Oldest first.
  var messages: [IncomingMessage] { pages.flatMap { $0.list.messages.reversed() } }

  private var pages: [Page] {
    let first = first.map { [$0] } ?? []
    return known == nil ? others.reversed() + first : others + first
  }

  /// Those of the last poll that the server has no more.
  private var dismissed: Set<RemoteID> {
    guard let first, first.isWhole else { return [] }
    let ids = Set(first.ids)
    // A short page is all that there is.
    let oldest = ids.count < Self.shortestPage ? nil : first.oldest
    return Set(
      earlier.recent.map(RemoteID.init).filter { id in
        !ids.contains(id) && !(oldest.map(id.isBefore) ?? false)
      })
  }

  var upstream: UpstreamState {
    var state = UpstreamState()
    state.marks = dismissed.map { UpstreamState.Mark($0, UpstreamMarks(isDone: true)) }
    if let marker, marker != earlier.marker { state.readThrough = RemoteID(marker) }
    return state
  }

  var cursor: MastodonCursor {
    var cursor = earlier
    let newest = known == nil || hasNoGap ? first?.newest ?? known : reached
    cursor.newest = newest?.text
    let there = Set(pages.flatMap(\.ids)).union(earlier.recent.map(RemoteID.init)).subtracting(dismissed)
    cursor.recent = there.sorted { $0.isBefore($1) }.suffix(Limits.recentNotifications).map(\.text)
    cursor.marker = marker ?? earlier.marker
    cursor.markerAt = markerAt ?? earlier.markerAt
    return cursor
  }
}
