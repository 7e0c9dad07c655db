import Basics
import Formats
import Foundation
import Messages

/// What a part leaves to the next one.
struct MastodonCursor: ServiceCursor {
  /// A list in the middle of which the last part ended.
  struct Reading: Codable, Equatable, Sendable {
    /// The oldest notification of the pages so far: the next one is before it.
    var oldest: String
    /// The newest one: known once the list is read down to the one known before.
    var newest: String
    /// When that one was made, in ISO 8601.
    var time: String?
    var pages: Int
  }

  /// The newest notification that was read, without a gap before it.
  var newest: String?
  /// When that one was made, in ISO 8601.
  var time: String?
  /// The last ones that the server had, oldest first: what is missing later was dismissed elsewhere.
  var recent: [String]?
  /// How far the person had read elsewhere.
  var marker: String?
  /// When that was asked for, in seconds since 1970.
  var markerAt: Double?
  var reading: Reading?

  init() {}

  /// Earlier versions kept the newest id alone.
  init?(earlier text: String) { newest = text }
}

/// What one page brought.
///
/// The list has its newest notification first. A first poll goes back no further than a person looks; a later one down to
/// the newest that is known. Where it has to stop before, the next one goes on there: so no gap remains.
struct MastodonReading {
  /// No server cuts a list into shorter pages.
  private static let shortestPage = 20

  private let earlier: MastodonCursor
  private let known: RemoteID?
  private let knownTime: Date?
  /// What is new, newest first.
  private(set) var list = ServiceMessages()
  /// Whether the list was read as far as wanted.
  private(set) var hasEnded = false
  /// What was missing for the marker.
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

  /// The query of the page.
  var query: [(String, String)] { earlier.reading.map { [("max_id", $0.oldest)] } ?? [] }

  /// - Parameter isPartial: whether the server says that it has more than these.
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
      // A server that was restored from a backup counts on from an older id.
      let isLater = knownTime.flatMap { message.published?.timeIntervalSince($0) }.map { $0 > 1 } ?? false
      let isNew = known?.isBefore(id) ?? true || isLater
      hasReachedKnown = hasReachedKnown || !isNew
      return isNew && !ids.contains(id) ? message : nil
    }
    (self.ids, self.times) = (ids, times)
    isWhole = ids.count == elements.count && !isPartial
    let before = earlier.reading.map { RemoteID($0.oldest) }
    // A page that leads no further would be asked for again and again.
    let leadsFurther = oldest.map { new in before.map(new.isBefore) ?? true } ?? false
    let isFar = known == nil && (earlier.reading?.pages ?? 0) + 1 >= Limits.firstPages
    hasEnded = hasReachedKnown || !leadsFurther || isFar
  }

  private var oldest: RemoteID? { ids.min { $0.isBefore($1) } }
  private var newest: RemoteID? { ids.max { $0.isBefore($1) } }

  /// Whether to ask how far the person has read: with news, and else now and then, since most polls are one request.
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

  /// Those of the last poll that the server has no more.
  private var dismissed: Set<RemoteID> {
    guard isFirstPage, isWhole else { return [] }
    let ids = Set(ids)
    // A short page is all that there is.
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
