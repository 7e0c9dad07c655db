import Basics
import Foundation
import Messages

/// The cursor of a service that lists what is open, newest first, in pages.
///
/// Most polls read only as far as the newest element of the poll before. The whole list is read now and then, to see what
/// is gone from it. A list that could not be read to its end is read on by the next poll.
struct ListCursor: ServiceCursor {
  /// A list in the middle of which the last part ended.
  struct Reading: Codable, Equatable, Sendable {
    /// Names the next page, in the service's own way.
    var page: String
    /// How many elements the pages so far had.
    var count = 0
    /// Whether all pages are read in any case.
    var isWhole: Bool
    /// Time of the newest element, in ISO 8601.
    var newest: String?
    /// The greatest id, where ids are counted.
    var greatest: Int?
    /// `Last-Modified` of the first page.
    var lastModified: String?
    /// What the pages so far have that is open; of a whole list.
    var open: [String] = []
    /// Whether an element of it could not be read: then it isn't known what is missing.
    var isDamaged = false
  }

  /// Time of the newest element, by the service's clock, in ISO 8601.
  private var newest: String?
  /// When the whole list was last read, by this machine's clock, in seconds since 1970; nil: never.
  private var whole: Double?
  /// Polls since then.
  private var polls: Int?
  /// The ids that came since then: they are in no set of open messages yet.
  private var brought: [String]?
  /// What was open when the whole list was last read, if that took several pages.
  private var open: [String]?
  /// The elements whose details were read with a request of their own, each with its occasion then.
  private var detailed: [String: String]?
  /// The names of what elements belong to, by the id that elements have of it; empty where the service doesn't say one.
  var names: [String: String]?
  /// The greatest id, where ids are numbers that are counted up.
  private(set) var greatest: Int?
  var reading: Reading?

  init() {}

  var newestDate: Date? { newest.flatMap(ISOInstant.parse) }

  /// Whether this poll is to read the whole list.
  ///
  /// - Parameters:
  ///   - polls: after how many it is due.
  ///   - seconds: after how many it is due, however few polls there were.
  func isWholeDue(_ now: Date, afterPolls most: Int, seconds: Double) -> Bool {
    guard let whole else { return true }
    let passed = now.timeIntervalSince1970 - whole
    // A clock that was set back isn't a reason to wait.
    return (polls ?? 0) >= most - 1 || passed >= seconds || passed < 0
  }

  /// The whole list was read.
  ///
  /// A list of several pages may change while it is read, and an element may then move from a page that is still to be
  /// read to one that was: so it counts as gone only if two reads of the whole list do not have it.
  ///
  /// - Parameter there: the ids of all that is open.
  mutating func endWhole(_ there: Set<String>, isOnePage: Bool, at now: Date, into state: inout UpstreamState)
  {
    let known = isOnePage ? there : there.union(open ?? [])
    state.open = Set(known.map { RemoteID($0) })
    for id in brought ?? [] where !known.contains(id) {
      state.marks.append(UpstreamState.Mark(RemoteID(id), UpstreamMarks(isRead: true)))
    }
    whole = now.timeIntervalSince1970.rounded(.down)
    polls = nil
    let left = (brought ?? []).filter { known.contains($0) && !there.contains($0) }
    brought = left.isEmpty ? nil : left
    open = isOnePage || there.isEmpty ? nil : there.sorted()
    // Those that are gone are read again should they return.
    let still = (detailed ?? [:]).filter { known.contains($0.key) }
    detailed = still.isEmpty ? nil : still
  }

  /// Only the list's beginning was read, or nothing of it since nothing is new.
  mutating func endBeginning() { polls = (polls ?? 0) + 1 }

  mutating func add(brought ids: [RemoteID]) {
    let known = Set(brought ?? [])
    let new = ids.map(\.text).filter { !known.contains($0) }
    if !new.isEmpty { brought = (brought ?? []) + new }
  }

  /// The occasion at which the details of an element were read.
  subscript(detailsOf id: RemoteID) -> String? {
    get { detailed?[id.text] }
    set { detailed = (detailed ?? [:]).merging(newValue.map { [id.text: $0] } ?? [:]) { $1 } }
  }

  /// Goes on one page earlier, where pages have numbers.
  mutating func stepBack() {
    guard let page = reading.flatMap({ Int($0.page) }), page > 2 else { return }
    reading?.page = String(page - 1)
    reading?.count = 0
  }

  /// The list was read as far as it was wanted.
  mutating func end(_ reading: Reading) {
    newest = reading.newest ?? newest
    greatest = reading.greatest ?? greatest
    self.reading = nil
  }
}

extension ListCursor.Reading {
  mutating func extend(to elements: [ListElement], countsIDs: Bool) {
    let times = elements.compactMap(\.time) + [newest.flatMap(ISOInstant.parse)].compactMap { $0 }
    newest = times.max().map(ISOInstant.text)
    guard countsIDs else { return }
    let ids = elements.compactMap(\.number) + [greatest].compactMap { $0 }
    greatest = ids.max()
  }
}
