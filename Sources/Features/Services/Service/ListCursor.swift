import Basics
import Foundation
import Messages

/// The cursor of a service that lists open elements, newest first, in pages.
///
/// Most polls read only as far as the newest element of the previous poll. The whole list is read from time to time, to
/// find the elements that are gone. If a list could not be read to its end, the next poll continues it.
struct ListCursor: ServiceCursor {
  /// A list that the last part read only to some point.
  struct Reading: Codable, Equatable, Sendable {
    /// The next page, in the service's own form.
    var page: String
    /// The number of elements of the pages so far.
    var count = 0
    /// Whether all pages are read, even after the newest known element is reached.
    var isWhole: Bool
    /// The time of the newest element, in ISO 8601.
    var newest: String?
    /// The greatest id, if ids are numbers that increase.
    var greatest: Int?
    /// The `Last-Modified` of the first page.
    var lastModified: String?
    /// The ids of the open elements of the pages so far, if the whole list is read.
    var open: [String] = []
    /// The ids of those elements of the pages so far for which `states` has tags.
    var stated: [String]?
    /// Whether an element of the list could not be read. If so, it is unknown which elements are missing.
    var isDamaged = false
  }

  /// The time of the newest element, by the service's clock, in ISO 8601.
  private var newest: String?
  /// The time at which the whole list was last read, by this machine's clock, in seconds since 1970; `nil` if it never
  /// was.
  private var whole: Double?
  /// The number of polls since the whole list was last read.
  private var polls: Int?
  /// The ids that have arrived since the whole list was last read, and so are in no earlier list of open elements.
  private var brought: [String]?
  /// The ids of the elements that were open when the whole list was last read, if that took several pages.
  private var open: [String]?
  /// The ids of the elements whose details were read with a separate request, each with the message's `occasion` at
  /// that time.
  private var detailed: [String: String]?
  /// The tags of each element's issue or pull request, for example `closed`, separated by spaces. They are kept from
  /// the last response that contained them.
  private var states: [String: String]?
  /// Whether the last request for the states of issues and pull requests had no response, and whether a response lacked
  /// some of these states. They are stored so that each problem is reported only once.
  private var unanswered: Bool?
  private var unansweredInPart: Bool?
  /// The names of the groups of elements, by the id that elements contain; a name is empty if the service reports none.
  var names: [String: String]?
  /// The greatest id, if ids are numbers that increase.
  private(set) var greatest: Int?
  var reading: Reading?

  init() {}

  var newestDate: Date? { newest.flatMap(ISOInstant.parse) }

  /// Whether this poll should read the whole list.
  ///
  /// - Parameters:
  ///   - polls: the number of polls after which it is due.
  ///   - seconds: the number of seconds after which it is due, regardless of the number of polls.
  func isWholeDue(_ now: Date, afterPolls most: Int, seconds: Double) -> Bool {
    guard let whole else { return true }
    let passed = now.timeIntervalSince1970 - whole
    // A clock that was set back is no reason to wait.
    return (polls ?? 0) >= most - 1 || passed >= seconds || passed < 0
  }

  /// Records that the whole list was read, and adds the resulting state of the messages to `state`.
  ///
  /// A list of several pages may change while it is read, and an element may then move from a page that is still to be
  /// read to one that was read. So an element counts as gone only if it is missing from two reads of the whole list.
  ///
  /// - Parameters:
  ///   - there: the ids of all open elements.
  ///   - stated: the ids of all listed elements that have tags of states, open or not.
  mutating func endWhole(
    _ there: Set<String>, stated: [String], isOnePage: Bool, at now: Date, into state: inout UpstreamState
  ) {
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
    // The details of elements that are gone are read again if they return.
    let still = (detailed ?? [:]).filter { known.contains($0.key) }
    detailed = still.isEmpty ? nil : still
    let listed = known.union(stated)
    let kept = (states ?? [:]).filter { listed.contains($0.key) }
    states = kept.isEmpty ? nil : kept
  }

  /// Records that only the list's beginning was read, or that nothing was new.
  mutating func endBeginning() { polls = (polls ?? 0) + 1 }

  /// Adds ids that have arrived since the whole list was last read.
  mutating func add(brought ids: [RemoteID]) {
    let known = Set(brought ?? [])
    let new = ids.map(\.text).filter { !known.contains($0) }
    if !new.isEmpty { brought = (brought ?? []) + new }
  }

  /// The `occasion` that a message had when its details were read, or `nil` if they were not read.
  subscript(detailsOf id: RemoteID) -> String? {
    get { detailed?[id.text] }
    set { detailed = (detailed ?? [:]).merging(newValue.map { [id.text: $0] } ?? [:]) { $1 } }
  }

  /// The tags of an element's issue or pull request, or `nil` if none are known. No tag contains a space.
  subscript(tagsOf id: RemoteID) -> [String]? {
    get { states?[id.text].map { $0.split(onBytes: " ").map(String.init) } }
    set {
      states = (states ?? [:]).merging(newValue.map { [id.text: $0.joined(separator: " ")] } ?? [:]) { $1 }
    }
  }

  /// Whether the last request for the states of issues and pull requests had no response.
  var lacksStates: Bool {
    get { unanswered ?? false }
    set { unanswered = newValue ? true : nil }
  }

  /// Whether a response lacked the states of some issues or pull requests.
  var lacksSomeStates: Bool {
    get { unansweredInPart ?? false }
    set { unansweredInPart = newValue ? true : nil }
  }

  /// Moves back by one page, so that the page before is read again, if pages are numbered.
  mutating func stepBack() {
    guard let page = reading.flatMap({ Int($0.page) }), page > 2 else { return }
    reading?.page = String(page - 1)
    reading?.count = 0
  }

  /// Records that the list was read as far as needed.
  mutating func end(_ reading: Reading) {
    newest = reading.newest ?? newest
    greatest = reading.greatest ?? greatest
    self.reading = nil
  }
}

extension ListCursor.Reading {
  /// Updates the newest time and, if ids are increasing numbers, the greatest id with those of a page.
  mutating func extend(to elements: [ListElement], countsIDs: Bool) {
    let times = elements.compactMap(\.time) + [newest.flatMap(ISOInstant.parse)].compactMap { $0 }
    newest = times.max().map(ISOInstant.text)
    guard countsIDs else { return }
    let ids = elements.compactMap(\.number) + [greatest].compactMap { $0 }
    greatest = ids.max()
  }
}
