import Basics
import Formats
import Foundation
import Messages

/// The position in the list of notifications, for the next part of a poll.
struct MastodonCursor: ServiceCursor {
  /// A list that the last part read only to some point.
  struct Reading: Codable, Equatable, Sendable {
    /// The id of the oldest notification of the pages so far: the next page begins before it.
    var oldest: String
    /// The id of the newest notification. It becomes the known one once the list is read down to the previously known
    /// one.
    var newest: String
    /// The time at which the newest notification was created, in ISO 8601.
    var time: String?
    var pages: Int
  }

  /// The id of the newest notification up to which all were read, without a gap.
  var newest: String?
  /// The time at which the newest notification was created, in ISO 8601.
  var time: String?
  /// The ids of the last notifications on the server, oldest first. If one is missing later, it was dismissed
  /// elsewhere.
  var recent: [String]?
  /// The id of the last notification that was read elsewhere.
  var marker: String?
  /// The time at which the marker was requested, in seconds since 1970.
  var markerAt: Double?
  var reading: Reading?

  init() {}

  /// Reads the form of earlier versions, which stored only the newest id.
  init?(earlier text: String) { newest = text }
}

/// Reads one page of notifications, and collects its results.
///
/// The list begins with the newest notification. A first poll reads only a few pages; a later poll reads down to the
/// newest known notification. If it has to stop before, the next poll continues there, so that no gap remains.
struct MastodonReading {
  /// The minimum number of elements of a page that is not the last page: no server makes shorter pages.
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

  /// Adds the notifications of a page.
  ///
  /// - Parameter isPartial: whether the server reports that the response lacks some elements.
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

  /// Whether to request the marker, the user's read position elsewhere. It is requested after new notifications, and
  /// otherwise only from time to time, so that most polls need one request.
  func wantsMarker(at now: Date) -> Bool {
    guard let asked = earlier.markerAt else { return true }
    let passed = now.timeIntervalSince1970 - asked
    return !list.messages.isEmpty || !isFirstPage || passed < 0 || passed >= Limits.markerSeconds
  }

  /// Records the user's read position elsewhere (the marker), or that it could not be read.
  mutating func set(marker: RemoteID?, at now: Date) {
    self.marker = marker?.text
    markerAt = now.timeIntervalSince1970.rounded(.down)
  }

  /// Whether the page contains nothing new, and no further page has to be read.
  var isEmpty: Bool { list.messages.isEmpty && list.problems.isEmpty && problem == nil && hasEnded }

  /// The ids of earlier notifications that no longer exist on the server.
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

  /// The state of messages at the server: which were dismissed, and up to which notification the user has read
  /// elsewhere.
  var upstream: UpstreamState {
    var state = UpstreamState()
    state.marks = dismissed.map { UpstreamState.Mark($0, UpstreamMarks(isDone: true)) }
    if let marker, marker != earlier.marker { state.readThrough = RemoteID(marker) }
    return state
  }

  /// The cursor after this page.
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
