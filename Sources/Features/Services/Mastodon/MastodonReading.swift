import Basics
import Formats
import Foundation
import Messages

/// The state that a part of a poll passes to the next part.
struct MastodonCursor: ServiceCursor {
  /// A list that the last part read only to some point.
  struct Reading: Codable, Equatable, Sendable {
    /// The oldest notification of the pages so far: the next page begins before it.
    var oldest: String
    /// The newest notification. It becomes the known one once the list is read down to the previously known one.
    var newest: String
    /// The time at which the newest notification was created, in ISO 8601.
    var time: String?
    var pages: Int
  }

  /// The newest notification that was read, without a gap before it.
  var newest: String?
  /// The time at which the newest notification was created, in ISO 8601.
  var time: String?
  /// The ids of the last notifications on the server, oldest first: one that is missing later was dismissed elsewhere.
  var recent: [String]?
  /// The id of the last notification that was read elsewhere.
  var marker: String?
  /// The time at which the marker was requested, in seconds since 1970.
  var markerAt: Double?
  var reading: Reading?

  init() {}

  /// Earlier versions stored only the newest id.
  init?(earlier text: String) { newest = text }
}

/// The result of one page.
///
/// The list begins with the newest notification. A first poll reads only a few pages; a later poll reads down to the
/// newest known notification. If it has to stop before, the next poll continues there, so that no gap remains.
struct MastodonReading {
  /// The least number of elements of a page that is not the last: no server makes shorter pages.
  private static let shortestPage = 20

  private let earlier: MastodonCursor
  private let known: RemoteID?
  private let knownTime: Date?
  /// The new notifications, newest first.
  private(set) var list = ServiceMessages()
  /// Whether the list was read as far as needed.
  private(set) var hasEnded = false
  /// The reason for which the marker could not be read.
  var problem: FormatProblem?
  private var ids: [RemoteID] = []
  private var times: [RemoteID: Date] = [:]
  /// Whether all elements could be read.
  private var isWhole = true
  private var marker: String?
  private var markerAt: Double?

  init(_ cursor: MastodonCursor) {
    earlier = cursor
    known = cursor.newest.map(RemoteID.init)
    knownTime = cursor.time.flatMap(ISOInstant.parse)
  }

  private var isFirstPage: Bool { earlier.reading == nil }

  /// The query items of the page's request.
  var query: [(String, String)] { earlier.reading.map { [("max_id", $0.oldest)] } ?? [] }

  /// - Parameter isPartial: whether the server reports that it has more than these.
  mutating func add(_ elements: [JSONValue], isPartial: Bool) {
    if isPartial { list.note(ServiceAnswer.partialProblem) }
    let (known, knownTime) = (known, knownTime)
    var ids: [RemoteID] = []
    var times: [RemoteID: Date] = [:]
    var hasReachedKnown = false
    list.read(elements) { fields in
      guard let message = MastodonMessage.message(&fields) else { return nil }
      let id = message.remoteID
      defer { ids.append(id) }
      times[id] = message.published
      // A server that was restored from a backup continues with older ids.
      let isLater = knownTime.flatMap { message.published?.timeIntervalSince($0) }.map { $0 > 1 } ?? false
      let isNew = known?.isBefore(id) ?? true || isLater
      hasReachedKnown = hasReachedKnown || !isNew
      return isNew && !ids.contains(id) ? message : nil
    }
    (self.ids, self.times) = (ids, times)
    isWhole = ids.count == elements.count && !isPartial
    let before = earlier.reading.map { RemoteID($0.oldest) }
    // A page that leads no further would be requested for ever.
    let leadsFurther = oldest.map { new in before.map(new.isBefore) ?? true } ?? false
    let isFar = known == nil && (earlier.reading?.pages ?? 0) + 1 >= Limits.firstPages
    hasEnded = hasReachedKnown || !leadsFurther || isFar
  }

  private var oldest: RemoteID? { ids.min { $0.isBefore($1) } }
  private var newest: RemoteID? { ids.max { $0.isBefore($1) } }

  /// Whether to request the marker: after new notifications, and otherwise only from time to time, so that most polls
  /// need one request.
  func wantsMarker(at now: Date) -> Bool {
    guard let asked = earlier.markerAt else { return true }
    let passed = now.timeIntervalSince1970 - asked
    return !list.messages.isEmpty || !isFirstPage || passed < 0 || passed >= Limits.markerSeconds
  }

  mutating func set(marker: RemoteID?, at now: Date) {
    self.marker = marker?.text
    markerAt = now.timeIntervalSince1970.rounded(.down)
  }

  var isEmpty: Bool { list.messages.isEmpty && list.problems.isEmpty && problem == nil && hasEnded }

  /// The notifications of the last poll that no longer exist on the server.
  private var dismissed: Set<RemoteID> {
    guard isFirstPage, isWhole else { return [] }
    let ids = Set(ids)
    // A short page is the last one.
    let oldest = ids.count < Self.shortestPage ? nil : oldest
    return Set(
      (earlier.recent ?? []).map(RemoteID.init).filter { id in
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
    let time = earlier.reading?.time ?? newest.flatMap { times[$0] }.map(ISOInstant.text)
    let newest = earlier.reading?.newest ?? newest?.text
    if hasEnded {
      if let newest { (cursor.newest, cursor.time) = (newest, time) }
      cursor.reading = nil
    } else if let newest, let oldest {
      cursor.reading = MastodonCursor.Reading(
        oldest: oldest.text, newest: newest, time: time, pages: (earlier.reading?.pages ?? 0) + 1)
    }
    let there = Set(ids).union((earlier.recent ?? []).map(RemoteID.init)).subtracting(dismissed)
    let recent = there.sorted { $0.isBefore($1) }.suffix(Limits.recentNotifications).map(\.text)
    cursor.recent = recent.isEmpty ? nil : recent
    cursor.marker = marker ?? earlier.marker
    cursor.markerAt = markerAt ?? earlier.markerAt
    return cursor
  }
}
