import Basics

/// The current version of each event of a calendar, selected from all its items.
///
/// An event is identified by its UID, and an override of a series also by its RECURRENCE-ID. Some calendars give one
/// UID to different events. Therefore items with one UID are versions of one event only if start and summary are equal,
/// or if one of them is equal and SEQUENCE differs. Otherwise each of them is an event.
package struct CalendarEvents: Sendable {
  /// The current versions, in the given order, each with the key of its event.
  package private(set) var items: [CalendarItem]
  /// For each UID that several events share, the first item, in the given order.
  package private(set) var repeated: [CalendarItem]

  /// Selects the events from the items of all files of a calendar.
  package init(_ given: [CalendarItem]) {
    let groups = Dictionary(grouping: given.indices) { Name(given[$0]) }
    let shown = groups.mapValues { Self.events(of: $0, given) }
    var keys: [Int: String] = [:]
    var shared: [Name: Series] = [:]
    for (name, places) in shown {
      keys[places[0]] = name.uid
      for place in places.dropFirst() { keys[place] = given[place].ownKey }
      guard places.count > 1 else { continue }
      let masters = name.recurrence == nil ? places : shown[name.series] ?? []
      shared[name.series] = Series(masters.map { given[$0] })
    }
    for (name, places) in shown {
      guard let recurrence = name.recurrence, let series = shared[name.series] else { continue }
      keys[places[0]] = series.key(at: recurrence) ?? name.uid
    }
    items = keys.keys.sorted().map { place in
      var item = given[place]
      item.key = keys[place] ?? item.uid
      return item
    }
    repeated = items.filter { shared.removeValue(forKey: Name($0).series) != nil }
  }

  /// The properties that are equal in all versions of an event.
  private struct Name: Hashable {
    var kind: CalendarItem.Kind
    var uid: String
    /// The RECURRENCE-ID.
    var recurrence: String?

    init(_ item: CalendarItem) {
      (kind, uid, recurrence) = (item.kind, item.uid, item.overrides?.universalText)
    }

    /// The name of the series to which an override belongs.
    var series: Name {
      var series = self
      series.recurrence = nil
      return series
    }
  }

  /// Returns the positions of the current versions among items with the same `Name`, sorted by start.
  ///
  /// The event that starts first, wherever it is in its file, keeps the UID as its id.
  private static func events(of places: [Int], _ given: [CalendarItem]) -> [Int] {
    guard places.count > 1 else { return places }
    let candidates = places.map { Candidate(place: $0, item: given[$0]) }
    var versions = Versions()
    return candidates.sorted { $0.rank > $1.rank }.filter { versions.insert($0) }
      .sorted { ($0.start, $0.item.summary) < ($1.start, $1.item.summary) }.map(\.place)
  }

  /// The recurring events of one UID.
  private struct Series {
    /// The starts, sorted.
    private var starts: [String] = []
    /// The keys of the events, in the same order.
    private var keys: [String] = []

    /// - Parameter masters: the events with the UID, sorted by start. The first event has the UID as its id.
    init(_ masters: [CalendarItem]) {
      for (number, item) in masters.enumerated() where !item.dates.isEmpty {
        starts.append(item.start.universalText)
        keys.append(number == 0 ? item.uid : item.ownKey)
      }
    }

    /// Returns the key of the event to which an override belongs: the latest event that starts at or before
    /// the overridden occurrence.
    func key(at recurrence: String) -> String? {
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] <= recurrence { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? keys[low - 1] : nil
    }
  }

  /// An item that may be the current version of its event.
  private struct Candidate {
    /// The position of the item among all items.
    var place: Int
    var item: CalendarItem
    /// The start of the item in a form for comparisons.
    var start: String
    /// Whether the name of the item's file shows that the file is a copy.
    var isCopy: Bool

    init(place: Int, item: CalendarItem) {
      (self.place, self.item) = (place, item)
      start = item.start.universalText
      isCopy = CalendarEvents.isCopy(item.file)
    }

    /// The rank by which versions are compared; the highest one is current.
    var rank: (Int, Int, Int, Int, Int) {
      (isCopy ? 0 : 1, item.sequence, item.modified ?? .min, item.stamp ?? .min, place)
    }
  }

  /// The current versions among the candidates with one UID and one RECURRENCE-ID.
  private struct Versions {
    private var isEmpty = true
    /// The start and summary of each current candidate.
    private var known: Set<[String]> = []
    /// The SEQUENCEs of the current candidates, keyed by start and by summary.
    private var starts: [String: Set<Int>] = [:]
    private var summaries: [String: Set<Int>] = [:]

    /// Adds a candidate, unless it is a version of one that was added before. Candidates are added from the highest
    /// rank to the lowest. A candidate from a file that is a copy is only added if there is no other.
    ///
    /// - Returns: whether it was added.
    mutating func insert(_ candidate: Candidate) -> Bool {
      let (start, item) = (candidate.start, candidate.item)
      if !isEmpty, candidate.isCopy { return false }
      if known.contains([start, item.summary]) { return false }
      if isEdit(item, starts[start]) || isEdit(item, summaries[item.summary]) { return false }
      isEmpty = false
      known.insert([start, item.summary])
      starts[start, default: []].insert(item.sequence)
      summaries[item.summary, default: []].insert(item.sequence)
      return true
    }

    /// Whether an item is a version of one of the items with the same start or the same summary.
    ///
    /// - Parameter sequences: the SEQUENCEs of those items, or `nil` if there are none.
    private func isEdit(_ item: CalendarItem, _ sequences: Set<Int>?) -> Bool {
      guard let sequences else { return false }
      return item.overrides != nil || sequences.contains { $0 != item.sequence }
    }
  }

  /// Whether the name of a file is one that Syncthing, Dropbox or browsers give to copies.
  private static func isCopy(_ file: String) -> Bool {
    let name = file.lowercased()
    if name.utf8.contains("conflict".utf8) { return true }
    guard name.hasSuffix(").ics"), let begin = name.utf8.lastIndex(of: UInt8(ascii: "(")) else {
      return false
    }
    let digits = name.utf8[begin...].dropFirst().dropLast(5)
    return !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit)
  }
}

extension CalendarItem {
  /// A digest that distinguishes events with the same UID. An event has the same digest on every machine.
  package var mark: String {
    let facts = [kind.rawValue, uid, start.universalText, summary]
    return SHA256.digest(facts.joined(separator: "\u{0}")).prefix(8).hex
  }

  /// The id of the event if other events have the same UID.
  package var ownKey: String { "\(uid)|\(mark)" }
}
