import Dates
import Formats
import Foundation
import Limits
import Messages

/// The cursor of a service that lists what is open, newest first.
///
/// Most polls read only as far as the newest element of the poll before. The whole list is read now and then, to see what
/// is gone from it.
struct ListCursor: Hashable, Sendable {
  /// Time of the newest element, by the service's clock.
  var newest: Date?
  /// When the whole list was last read, by this machine's clock; nil: never.
  var wholeAt: Date?
  /// Polls since then.
  var polls = 0
  /// The ids that came since then: they are in no set of open messages yet.
  var brought: [RemoteID] = []
  /// What was open when the whole list was last read, if that took several pages.
  var open: Set<RemoteID> = []
  /// The elements whose details were read with a request of their own, each with its occasion then.
  var detailed: [RemoteID: String] = [:]

  init() {}

  init(_ cursor: Cursor?) {
    guard let cursor, let object = (try? JSONReader.parse(cursor.text))?.object else { return }
    newest = object["newest"]?.text.flatMap(ISOInstant.parse)
    wholeAt = object["whole"]?.double.map(Date.init(timeIntervalSince1970:))
    polls = max(0, object["polls"]?.integer ?? 0)
    brought = Self.ids(object["brought"])
    open = Set(Self.ids(object["open"]))
    for member in object["detailed"]?.object?.members ?? [] {
      detailed[RemoteID(member.key)] = member.value.text
    }
  }

  private static func ids(_ value: JSONValue?) -> [RemoteID] {
    value?.elements?.compactMap { $0.text.map(RemoteID.init) } ?? []
  }

  var cursor: Cursor {
    var object = JSONObject()
    object["newest"] = newest.map { .string(ISOInstant.text($0)) }
    object["whole"] = wholeAt.map { .double($0.timeIntervalSince1970.rounded(.down)) }
    object["polls"] = .integer(polls)
    if !brought.isEmpty { object["brought"] = .array(brought.map { .string($0.text) }) }
    if !open.isEmpty { object["open"] = .array(open.map(\.text).sorted().map(JSONValue.string)) }
    if !detailed.isEmpty {
      let members = detailed.sorted { $0.key.text < $1.key.text }
      object["detailed"] = .object(
        JSONObject(members.map { JSONObject.Member(key: $0.key.text, value: .string($0.value)) }))
    }
    return Cursor(JSONValue.object(object).serialized())
  }

  /// Whether this poll is to read the whole list.
  func isWholeDue(_ now: Date) -> Bool {
    guard let wholeAt else { return true }
    // A clock that was set back is no reason to wait.
    return polls + 1 >= Limits.pollsUntilWhole || now.timeIntervalSince(wholeAt) >= Limits.wholeListSeconds
      || now < wholeAt
  }

  /// The whole list was read.
  ///
  /// A list of several pages may change while it is read, and an element may then move from a page that is still to be
  /// read to one that was: so it counts as gone only if two reads of the whole list do not have it.
  ///
  /// - Parameter open: the ids of all that is open.
  mutating func noteWhole(_ open: Set<RemoteID>, pages: Int, at now: Date, into state: inout UpstreamState) {
    let known = pages > 1 ? open.union(self.open) : open
    state.open = known
    for id in brought where !known.contains(id) {
      state.marks.append(UpstreamState.Mark(id, UpstreamMarks(isRead: true)))
    }
    wholeAt = now
    polls = 0
    brought = brought.filter { known.contains($0) && !open.contains($0) }
    self.open = pages > 1 ? open : []
    // Those that are gone are read again should they return.
    detailed = detailed.filter { known.contains($0.key) }
  }

  /// Only the list's beginning was read, or nothing of it since nothing is new.
  mutating func noteBeginning(_ ids: [RemoteID]) {
    polls += 1
    let known = Set(brought)
    brought += ids.filter { !known.contains($0) }
  }
}
