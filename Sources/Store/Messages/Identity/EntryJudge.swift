/// Matches each entry of a document with a stored message of its source, by the rules of the manual's page Formats, in
/// their order.
///
/// It receives the entries that are not stored word for word under their ids, and looks up stored messages only by
/// keys.
package struct EntryJudge {
  /// An entry to match.
  package struct Entry: Sendable {
    package var id: RemoteID
    package var reading: EntryReading
    /// The hash of everything except the id.
    package var hash: Int64

    package init(id: RemoteID, reading: EntryReading, hash: Int64) {
      (self.id, self.reading, self.hash) = (id, reading, hash)
    }
  }

  /// The properties of the whole document, including its entries that need no matching.
  package struct Document: Sendable {
    /// The number of the document's entries, without exact duplicates.
    package var count = 0
    /// Whether some of the document's entries are stored word for word under their ids.
    package var hasKnown = false
    /// The numbers of the stored messages that have the same words and the same id as an entry.
    package var taken: Set<Int64> = []
    /// The moment (a date with a time of day) that all entries of the document share. The inner `nil` means
    /// that no entry has a moment, the outer `nil` that their moments differ.
    package var onlyMoment: Int64??
    /// The time at which the document was read, in seconds.
    package var now: Int64 = 0

    package init() {}
  }

  /// The stored message that an entry matches.
  package struct Match: Sendable {
    package var stored: StoredEntry
    /// The decision, or `nil` if nothing changes: the content is the same, or the message is no longer kept.
    package var verdict: EntryVerdict?
    /// The evidence, if the message has another id.
    package var evidence: JoinEvidence?
  }

  package private(set) var memory: SourceMemory
  /// The matches of the entries, by their positions, or `nil` for those that are new.
  package private(set) var matches: [Match?]
  /// The ids in doubt: several different entries arrived with the same id, in earlier documents or in this one.
  package private(set) var doubted: Set<RemoteID>
  /// The ids that are in doubt only since this document.
  package private(set) var newlyDoubted: [RemoteID] = []

  private let entries: [Entry]
  private let stored: [RemoteID: [StoredEntry]]
  private let document: Document
  /// Whether the document has only one entry, and no document has shown yet that the source's ids distinguish entries.
  private let isAlone: Bool
  /// The numbers of the stored messages that are already matched.
  private var taken: Set<Int64>

  /// - Parameters:
  ///   - entries: the entries, oldest first, without exact duplicates.
  ///   - stored: for each id, the stored messages that match no other entry. For an id in doubt, these are all messages
  ///     that arrived with it.
  ///   - doubted: the ids in `stored` with which different entries arrived in earlier documents.
  package init(
    _ entries: [Entry], stored: [RemoteID: [StoredEntry]], doubted: Set<RemoteID>, of document: Document,
    _ memory: SourceMemory
  ) {
    (self.entries, self.stored, self.document) = (entries, stored, document)
    (self.doubted, self.memory) = (doubted, memory)
    matches = Array(repeating: nil, count: entries.count)
    isAlone = document.count == 1 && !memory.tellsApart
    taken = document.taken
  }

  /// The positions of the entries without a match.
  private var rest: [Int] { entries.indices.filter { matches[$0] == nil } }

  private var hasMatches: Bool { matches.contains { $0 != nil } }

  /// Returns, for each id that several entries of the document share, the positions of these entries.
  private func groups() -> [RemoteID: [Int]] {
    var firsts: [RemoteID: Int] = [:]
    firsts.reserveCapacity(entries.count)
    var groups: [RemoteID: [Int]] = [:]
    for index in entries.indices {
      let id = entries[index].id
      if let first = firsts[id] {
        groups[id, default: [first]].append(index)
      } else {
        firsts[id] = index
      }
    }
    return groups
  }

  /// Applies the rules, and stores the results in `matches`, `doubted` and `memory`.
  ///
  /// - Parameter isInDocument: whether the document has an entry with this id.
  package mutating func judge(
    in source: SourceID, _ store: some StoredEntries, isInDocument: (RemoteID) -> Bool
  ) throws {
    let groups = groups()
    for entry in entries where groups[entry.id] != nil { doubt(entry.id) }
    findSameWords()
    try findPlaces(in: source, store, isInDocument)
    findByID(groups)
    memory.isSteady = memory.isSteady || hasMatches || document.hasKnown
    try join(in: source, store)
  }

  /// The stored messages that match no entry of the document although it contains their ids, which now belong to other
  /// entries.
  package var displaced: [StoredEntry] {
    stored.flatMap { id, all in doubted.contains(id) ? [] : all.filter { !taken.contains($0.number) } }
  }

  /// Records that an id is in doubt.
  private mutating func doubt(_ id: RemoteID) {
    if doubted.insert(id).inserted { newlyDoubted.append(id) }
  }

  private mutating func match(
    _ index: Int, _ message: StoredEntry, _ verdict: EntryVerdict?, _ evidence: JoinEvidence? = nil
  ) {
    matches[index] = Match(
      stored: message, verdict: message.isKept || verdict == .again ? verdict : nil, evidence: evidence)
    taken.insert(message.number)
  }

  /// Matches an entry with a message that has its title, link, dates and text; the rest of the two may differ.
  private mutating func match(sameWords message: StoredEntry, _ index: Int) {
    match(index, message, message.hash == entries[index].hash ? nil : .changed)
  }

  /// Returns the stored messages with an id, without those that are already matched with an entry.
  private func open(_ id: RemoteID) -> [StoredEntry] {
    stored[id]?.filter { !taken.contains($0.number) } ?? []
  }

  // MARK: - 1. The same id, the same words

  /// Matches entries with the stored message of the same id that has the same words.
  private mutating func findSameWords() {
    var places: [RemoteID: [Int64: Int]] = [:]
    for index in entries.indices {
      let entry = entries[index]
      guard let all = stored[entry.id] else { continue }
      if places[entry.id] == nil {
        var those: [Int64: Int] = [:]
        for (place, message) in all.enumerated().reversed() {
          those[message.hash] = place
          if let facts = message.facts { those[facts.words] = place }
        }
        places[entry.id] = those
      }
      let place = places[entry.id]?[entry.hash] ?? places[entry.id]?[entry.reading.facts.words]
      if let place, !taken.contains(all[place].number) { match(sameWords: all[place], index) }
    }
  }

  // MARK: - 2. Ids that are places in a list

  /// Matches entries whose words are stored under another id of the document. The ids of such a document are
  /// positions in a list, so they change when the list does.
  private mutating func findPlaces(
    in source: SourceID, _ store: some StoredEntries, _ isInDocument: (RemoteID) -> Bool
  ) throws {
    for index in rest {
      let entry = entries[index]
      let facts = entry.reading.facts
      guard stored[entry.id] != nil, facts.time != nil || facts.text != nil else { continue }
      let key = facts.wordsKey(in: source)
      let alike = try store.numbers(with: key, without: taken, atMost: Self.mostAlike) ?? []
      let same = try alike.compactMap(store.entry).filter {
        $0.facts?.words == facts.words && (isInDocument($0.storedID) || isInDocument($0.storedID.undoubted))
      }
      if same.count == 1 { match(sameWords: same[0], index) }
    }
  }

  /// The maximum number of messages with the same words that are examined; if there are more, none of them matches.
  private static let mostAlike = 64

  // MARK: - 3. The same id, other words

  /// Matches entries with a stored message of the same id whose words differ.
  private mutating func findByID(_ groups: [RemoteID: [Int]]) {
    let again = publishedAnew()
    var seen: Set<RemoteID> = []
    for index in rest where seen.insert(entries[index].id).inserted {
      let id = entries[index].id
      let open = open(id)
      if doubted.contains(id) {
        tellApart((groups[id] ?? [index]).filter { matches[$0] == nil }, open)
      } else if let message = open.first {
        if let facts = message.facts, isAnother(entries[index].reading, than: facts) {
          doubt(id)
        } else {
          match(index, message, again.contains(index) ? .again : .changed)
        }
      }
    }
  }

  /// Whether an id that is not in doubt now belongs to another message: nothing of the stored message stayed
  /// the same. If the id is the link, or the document has only one entry, fewer differences are enough.
  private func isAnother(_ entry: EntryReading, than old: EntryFacts) -> Bool {
    let new = entry.facts
    let isReworded = Self.oppose(new.text, old.text)
    let isMoved =
      new.time?.isPublished == true && old.time?.isPublished == true
      && Self.oppose(new.time?.point, old.time?.point)
    if entry.origin == .link, isMoved, isReworded { return true }
    // A document with one entry does not show yet whether its ids distinguish entries.
    if isAlone {
      if Self.oppose(new.title, old.title), Self.oppose(new.time?.point, old.time?.point) { return true }
      if entry.origin != .own, isReworded, isMoved || new.time?.moment == nil { return true }
    }
    let stays =
      Self.agree(new.title, old.title) || Self.agree(new.page, old.page)
      || Self.agree(new.time?.point, old.time?.point) || Self.agree(new.text, old.text)
    return !stays
  }

  /// Returns the entries whose date of publication is 30 days or more later than that of their stored message. Returns
  /// none if there are many, since the site was probably moved.
  private func publishedAnew() -> Set<Int> {
    let tomorrow = EntryTime.day(ofSecond: document.now) + 1
    let found = rest.filter { index in
      guard let new = entries[index].reading.facts.time,
        let old = stored[entries[index].id]?.first?.facts?.time
      else {
        return false
      }
      return new.isPublished && old.isPublished && new.day <= tomorrow
        && new.day - old.day >= Self.daysUntilAnew
    }
    return found.count <= max(1, document.count / 5) ? Set(found) : []
  }

  private static let daysUntilAnew: Int64 = 30

  /// Matches the entries of an id in doubt by pairs of facts that only one of these entries and only one message have.
  private mutating func tellApart(_ group: [Int], _ open: [StoredEntry]) {
    let hasOthers = document.count > 1
    let pairs: [(EntryFacts) -> [Int64]?] = [
      { Self.pair($0.title, $0.time?.moment) }, { Self.pair($0.title, $0.text) },
      { Self.pair($0.time?.moment, $0.page) },
      { facts in
        let day = facts.time.flatMap { $0.isDay ? $0.day : nil }
        return hasOthers ? Self.pair(facts.title, day) : nil
      },
    ]
    var (group, open) = (group, open)
    for pair in pairs {
      let messages = Dictionary(grouping: open) { $0.facts.flatMap(pair) }
      let counts = Dictionary(grouping: group) { pair(entries[$0].reading.facts) }.mapValues(\.count)
      for index in group {
        guard let key = pair(entries[index].reading.facts), counts[key] == 1, let same = messages[key],
          same.count == 1, !taken.contains(same[0].number)
        else { continue }
        match(index, same[0], .changed)
      }
      group.removeAll { matches[$0] != nil }
      open.removeAll { taken.contains($0.number) }
    }
  }

  // MARK: - 4. Another id

  /// Matches the entries that still have no match with messages that have another id, if the facts are
  /// evidence and only one message fits.
  private mutating func join(in source: SourceID, _ store: some StoredEntries) throws {
    let rest = rest
    if rest.isEmpty { return }
    let isRenewed = !hasMatches && !document.hasKnown && document.count > 1
    var isStamped = false
    if isRenewed, document.count > 2, document.onlyMoment != nil {
      isStamped = try store.haveSeveralMoments()
    }
    let candidates = try candidates(for: rest, in: source, store)
    // The number of messages that each entry may match.
    var counts = Array(repeating: 0, count: entries.count)
    var place = candidates.startIndex
    while place < candidates.endIndex {
      let number = candidates[place].number
      let those = candidates[place...].prefix { $0.number == number }
      place = those.endIndex
      guard let message = try store.entry(number) else { continue }
      var fitting: [(index: Int, evidence: JoinEvidence)] = []
      for (_, index) in those {
        if let evidence = evidence(entries[index], message, isRenewed: isRenewed, isStamped: isStamped) {
          fitting.append((index, evidence))
          counts[index] += 1
        }
      }
      if fitting.count == 1 {
        let entry = entries[fitting[0].index].reading.facts
        let isEdited = message.facts.map { $0.title != entry.title || $0.text != entry.text }
        matches[fitting[0].index] = Match(
          stored: message, verdict: .joined(isEdited: isEdited ?? true), evidence: fitting[0].evidence)
      }
    }
    for index in rest {
      let found = matches[index]
      matches[index] = nil
      if let found, counts[index] == 1 { match(index, found.stored, found.verdict, found.evidence) }
    }
  }

  /// Returns each message that shares a pair of facts with an entry, together with the entry's position: once
  /// for each of its entries, sorted by the messages' numbers.
  private func candidates(
    for rest: [Int], in source: SourceID, _ store: some StoredEntries
  ) throws -> [(number: Int64, index: Int)] {
    // Each page of the index is read only once if keys are looked up in their order.
    var asked: [(key: Int64, index: Int)] = []
    for index in rest {
      for key in entries[index].reading.facts.pairs(in: source) { asked.append((key, index)) }
    }
    asked.sort { ($0.key, $0.index) < ($1.key, $1.index) }
    var found: [(number: Int64, index: Int)] = []
    var last: (key: Int64, numbers: [Int64])?
    for (key, index) in asked {
      let numbers: [Int64]
      if let last, last.key == key {
        numbers = last.numbers
      } else {
        // A pair that many messages share is no evidence.
        numbers = try store.numbers(with: key, without: taken, atMost: Self.mostOfAPair) ?? []
        last = (key, numbers)
      }
      for number in numbers { found.append((number, index)) }
    }
    found.sort { ($0.number, $0.index) < ($1.number, $1.index) }
    var before: (number: Int64, index: Int)?
    found.removeAll { candidate in
      defer { before = candidate }
      return before.map { $0 == candidate } ?? false
    }
    return found
  }

  /// The maximum number of messages that may share a pair of facts; a pair that more messages share is no
  /// evidence.
  private static let mostOfAPair = 8

  /// Returns the evidence that an entry is a stored message of its source that has another id, or `nil` if there is
  /// none.
  ///
  /// - Parameters:
  ///   - isRenewed: whether no id of the document is known, because the publisher has created new ones.
  ///   - isStamped: whether all entries have the same moment, although the stored messages have several: it is the
  ///     moment of the site's move.
  private func evidence(
    _ entry: Entry, _ message: StoredEntry, isRenewed: Bool, isStamped: Bool
  ) -> JoinEvidence? {
    guard let old = message.facts else { return nil }
    let new = entry.reading.facts
    let (title, text) = (Self.agree(new.title, old.title), Self.agree(new.text, old.text))
    let page = Self.agree(new.page, old.page) || Self.agree(new.name, old.name)
    let isOtherText = Self.oppose(new.text, old.text)
    let isOtherPage = Self.oppose(new.page, old.page) && !page
    let (moment, oldMoment) = (new.time?.moment, old.time?.moment)
    if Self.agree(moment, oldMoment) {
      if isRenewed { return title ? .titleAndMoment : page && text ? .textAndMoment : nil }
      if isOtherText { return nil }
      if title && !isOtherPage { return .titleAndMoment }
      return text && (title || page || entry.reading.isLong) ? .textAndMoment : nil
    }
    guard isRenewed, !memory.recurs, title, !isOtherText, !isOtherPage, text || page else { return nil }
    // Without moments on either side, ids that are known to be steady must also be alike.
    if memory.isSteady, moment == nil, oldMoment == nil {
      let names = (
        PageAddress(entry.id.text)?.nameHash, PageAddress(message.storedID.undoubted.text)?.nameHash
      )
      if !Self.agree(names.0, names.1) { return nil }
    }
    let evidence = text ? JoinEvidence.titleAndText : .titleAndPage
    guard let time = new.time else { return evidence }
    if isStamped || time.isDay && old.time?.day == time.day { return evidence }
    // A message that was published after the last poll can't be one that was read then.
    guard let last = memory.lastDocument else { return nil }
    return (time.isDay ? time.day < EntryTime.day(ofSecond: last) : time.second <= last) ? evidence : nil
  }

  // MARK: - Comparing

  /// Whether both facts are known and equal.
  private static func agree(_ one: Int64?, _ two: Int64?) -> Bool { one != nil && one == two }

  /// Whether both facts are known and differ.
  private static func oppose(_ one: Int64?, _ two: Int64?) -> Bool { one != nil && two != nil && one != two }

  /// Returns both facts, or `nil` if one of them is missing.
  private static func pair(_ one: Int64?, _ two: Int64?) -> [Int64]? {
    if let one, let two { [one, two] } else { nil }
  }
}
