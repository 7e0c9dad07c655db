import GRDB
import Limits
import Messages

// Which stored message each message of a delivery is: the one place that decides it.
//
// The ids of web feeds do not always identify. One id may come for several entries, in one document or over time: they are
// told apart by title, date and link. One entry may come with another id: it is known by its link, its title and its day.
extension Intake {
  enum Match {
    /// The same message comes again later in the delivery, and that one counts.
    case superseded
    case new
    /// With the number of the stored message; 0: it isn't kept any more.
    case unchanged(Int64)
    case changed(Int64)
    /// The stored message of this number came with another id.
    case joined(Int64)
  }

  /// A stored message that came with another id.
  struct Join {
    var known: Known
    /// Nil where it was found by the id that an earlier version made.
    var words: StoredWords?
  }

  struct Matching {
    /// The ids under which the messages are stored.
    var ids: [RemoteID]
    var matches: [Match]
    /// Of the contents; only of messages that are stored already.
    var hashes: [Int64]
    /// Positions of new entries whose ids the store does not know.
    var unknown: Set<Int> = []
    /// What other sources brought before, by the positions of the new messages that are the same.
    var firsts: [Int: Int64] = [:]
    var joins: [Int: Join] = [:]

    init(ids: [RemoteID]) {
      self.ids = ids
      matches = Array(repeating: .superseded, count: ids.count)
      hashes = Array(repeating: 0, count: ids.count)
    }
  }

  /// What is stored under an id.
  struct Known {
    var remoteID: RemoteID
    /// 0: it isn't kept any more.
    var message: Int64
    var hash: Int64
    var occasion: Int64?
  }

  /// - Parameters:
  ///   - messages: oldest first.
  ///   - isPart: others of the delivery come before or after them. Throws `MessageStreamFailure.needsSurvey` where only all
  ///     of them together tell what they are.
  func match(_ messages: [some Matchable], isPart: Bool) throws -> Matching {
    var (ids, areEntries): ([RemoteID], [Bool]) = ([], [])
    // Once through: each element is copied, with all its texts.
    for message in messages {
      ids.append(message.remoteID.fitting)
      areEntries.append(message.kind == .feed)
    }
    var matching = Matching(ids: ids)
    if matchesContent { try setApart(messages, &matching.ids) }
    var last: [RemoteID: Int] = [:]
    last.reserveCapacity(messages.count)
    // By position the one before with the same id, else -1; empty where each id came once.
    var previous: [Int] = []
    for position in messages.indices {
      if let before = last.updateValue(position, forKey: matching.ids[position]) {
        if previous.isEmpty { previous = Array(repeating: -1, count: messages.count) }
        previous[position] = before
      }
    }
    // In the order of the ids each page of their index is read once.
    let order = last.sorted { $0.key.text < $1.key.text }.map(\.value)
    last = [:]
    if isPart {
      // Which messages of one id a part has is known only with the others of that id.
      for position in order where !seen.insert(matching.ids[position].hashValue).inserted {
        throw MessageStreamFailure.needsSurvey
      }
    }
    for position in order {
      let isAlone = previous.isEmpty || previous[position] < 0
      if areEntries[position] && (repeatsIDs || !isAlone) {
        var all = [position]
        while !isAlone, let last = all.last, previous[last] >= 0 { all.append(previous[last]) }
        try matchEntries(all.reversed(), messages, &matching)
      } else if try !matchByID(position, messages, &matching) {
        try matchEntries([position], messages, &matching)
      }
    }
    try matchByLinks(messages, &matching, isPart: isPart)
    return matching
  }

  /// Gives another id to those whose own is that of a stored message with other content.
  private func setApart(_ messages: [some Matchable], _ ids: inout [RemoteID]) throws {
    for position in messages.indices {
      guard let known = try known(ids[position]) else { continue }
      let hash = try messages[position].contentHash()
      if hash == known.hash { continue }
      ids[position] = RemoteID(ids[position].text + "|" + String(UInt64(bitPattern: hash), radix: 16))
    }
  }

  // MARK: - By id

  /// - Returns: false where an entry of a feed differs from what is stored under its id.
  private func matchByID(
    _ position: Int, _ messages: [some Matchable], _ matching: inout Matching
  ) throws -> Bool {
    matching.matches[position] = .new
    // Of a first poll nothing is known.
    guard hasSome else { return true }
    let isEntry = messages[position].kind == .feed
    // What is new is hashed when it is written: its extras are made into text once.
    guard let known = try known(matching.ids[position]) else {
      if isEntry { try matchFormer(position, messages, &matching) }
      return true
    }
    let hash = try messages[position].contentHash()
    matching.hashes[position] = hash
    if known.message == 0 {
      let isNews = isNews(messages[position], known.occasion, isChanged: known.hash != hash)
      try notKept(known.remoteID, isNews: isNews)
      matching.matches[position] = isNews ? .new : .unchanged(0)
    } else if known.hash == hash {
      matching.matches[position] = .unchanged(known.message)
    } else if isEntry {
      return false
    } else if try isReused(known, messages[position]) {
      try giveUpID(known)
    } else {
      matching.matches[position] = .changed(known.message)
    }
    return true
  }

  /// Whether a service has given the id of a stored message to another one.
  private func isReused(_ known: Known, _ message: some Matchable) throws -> Bool {
    guard let reusedID, let stored = try StoredWords.find(known.message, db) else { return false }
    let words = StoredWords(fitting: message)
    switch reusedID {
    case .titleAndDate: return stored.areOther(than: words)
    case .date:
      guard let before = stored.published, let now = words.published else { return false }
      // One answer may have fractions of a second where another one does not.
      return abs(now - before) > 1000
    }
  }

  /// The stored message gets an id of its own, since its own is that of another one now. The service has nothing left of it:
  /// what waits to be sent would reach the other one.
  private func giveUpID(_ known: Known) throws {
    let id = "\(known.remoteID.base)|\(known.message)"
    if isSynced { try WireKeys(db).give(id, to: known.message) }
    for change in [
      "UPDATE identity SET remote_id = ?4 WHERE source_id = ?1 AND remote_id = ?2 AND message_id = ?3",
      "UPDATE detail SET remote_id = ?4 WHERE message_id = ?3 AND ?1 IS NOT NULL AND ?2 IS NOT NULL",
      "DELETE FROM open_upstream WHERE source_id = ?1 AND remote_id = ?2 AND ?3 IS NOT NULL AND ?4 IS NOT NULL",
      "DELETE FROM outgoing WHERE source_id = ?1 AND message_id = ?3 AND ?2 IS NOT NULL AND ?4 IS NOT NULL",
    ] {
      let statement = try db.prepared(change)
      statement.bind(1, source.id.rawValue)
      try statement.bind(2, known.remoteID.text)
      statement.bind(3, known.message)
      try statement.bind(4, id)
      try statement.run()
    }
  }

  /// - Parameter all: the positions of all entries of one id, oldest first.
  private func matchEntries(
    _ all: [Int], _ messages: [some Matchable], _ matching: inout Matching
  ) throws {
    let id = matching.ids[all[0]]
    let entries = all.count == 1 ? all : lastOfEach(all, messages)
    if entries.count > 1 { recorded.repeatedIDs += 1 }
    var rest = entries
    let stored = repeatsIDs ? try knownAll(id) : try known(id).map { [$0] } ?? []
    if !stored.isEmpty {
      var open = stored
      rest = try matchContents(entries, &open, messages, &matching)
      if entries.count == 1, stored.count == 1 {
        rest = try rest.filter { try !isEdit(of: open[0], $0, messages, &matching) }
      } else if !rest.isEmpty {
        rest = try matchTellingApart(rest, of: entries, open, messages, &matching)
      }
      if entries.count == 1, !rest.isEmpty { recorded.repeatedIDs += 1 }
    }
    guard !rest.isEmpty else { return }
    let isRepeated = entries.count > 1 || !stored.isEmpty
    if isRepeated { try rememberRepeats() }
    var given = isRepeated ? Set(stored.map(\.remoteID)) : []
    for position in rest {
      if isRepeated {
        matching.ids[position] = try idApart(messages[position], of: id, from: given)
        given.insert(matching.ids[position])
      }
      matching.matches[position] = .new
      if hasSome, stored.isEmpty { try matchFormer(position, messages, &matching) }
    }
  }

  private func matchFormer(
    _ position: Int, _ messages: [some Matchable], _ matching: inout Matching
  ) throws {
    for former in messages[position].formerIDs {
      guard let known = try known(former) else { continue }
      try join(position, known, &matching)
      return
    }
    matching.unknown.insert(position)
  }

  /// Without those that come again, word for word, later in the delivery.
  private func lastOfEach(_ all: [Int], _ messages: [some Matchable]) -> [Int] {
    var last: [Int: Int] = [:]
    for position in all { last[messages[position].wordsHash] = position }
    return last.count == all.count ? all : last.values.sorted()
  }

  /// What is stored word for word.
  ///
  /// - Parameter open: loses what was found.
  /// - Returns: the others.
  private func matchContents(
    _ entries: [Int], _ open: inout [Known], _ messages: [some Matchable], _ matching: inout Matching
  ) throws -> [Int] {
    var byHash = Dictionary(open.indices.map { (open[$0].hash, $0) }) { first, _ in first }
    var found: Set<Int> = []
    var rest: [Int] = []
    for position in entries {
      let hash = try messages[position].contentHash()
      matching.hashes[position] = hash
      guard let index = byHash.removeValue(forKey: hash) else {
        rest.append(position)
        continue
      }
      found.insert(index)
      let known = open[index]
      matching.ids[position] = known.remoteID
      if known.message == 0 { try notKept(known.remoteID, isNews: false) }
      matching.matches[position] = .unchanged(known.message)
    }
    if !found.isEmpty { open = open.indices.filter { !found.contains($0) }.map { open[$0] } }
    return rest
  }

  /// Whether the only entry of an id is the only stored message of it: not with another title and another date or link.
  private func isEdit(
    of known: Known, _ position: Int, _ messages: [some Matchable], _ matching: inout Matching
  ) throws -> Bool {
    guard known.message != 0 else {
      // What it was is not known any more.
      try notKept(known.remoteID, isNews: false)
      matching.matches[position] = .unchanged(0)
      return true
    }
    if let words = try StoredWords.find(known.message, db),
      words.areOther(than: StoredWords(fitting: messages[position]))
    {
      return false
    }
    matching.matches[position] = .changed(known.message)
    return true
  }

  /// Where an id has several messages, an entry is the one with the same title and date, or with the same date and link. Several
  /// of the same are told apart by their texts, so that another text is another message.
  ///
  /// - Parameters:
  ///   - rest: those of `entries` that are not stored word for word.
  ///   - open: what is stored, but for what others of `entries` are.
  /// - Returns: those that are none of them.
  private func matchTellingApart(
    _ rest: [Int], of entries: [Int], _ open: [Known], _ messages: [some Matchable],
    _ matching: inout Matching
  ) throws -> [Int] {
    var stored: [(known: Known, words: StoredWords)] = []
    for known in open where known.message != 0 {
      if let words = try StoredWords.find(known.message, db) { stored.append((known, words)) }
    }
    if stored.isEmpty { return rest }
    let words = entries.map { StoredWords(fitting: messages[$0]) }
    var rest = Set(rest)
    for key in [{ $0.titleAndDate }, { $0.dateAndLink }] as [(StoredWords) -> EntryKey?] {
      var byKey: [EntryKey: Int] = [:]
      var several: Set<EntryKey> = []
      for index in stored.indices {
        guard let key = key(stored[index].words) else { continue }
        if byKey.updateValue(index, forKey: key) != nil { several.insert(key) }
      }
      var counts: [EntryKey: Int] = [:]
      for key in words.compactMap(key) { counts[key, default: 0] += 1 }
      for (position, words) in zip(entries, words) where rest.contains(position) {
        guard let key = key(words), counts[key] == 1, !several.contains(key), let index = byKey[key] else {
          continue
        }
        rest.remove(position)
        matching.ids[position] = stored[index].known.remoteID
        matching.matches[position] = .changed(stored[index].known.message)
        stored[index].known.message = 0
      }
      stored.removeAll { $0.known.message == 0 }
    }
    return rest.sorted()
  }

  // MARK: - Ids

  func known(_ id: RemoteID) throws -> Known? {
    guard hasSome else { return nil }
    let lookup = try db.prepared(
      "SELECT message_id, hash, occasion FROM identity WHERE source_id = ? AND remote_id = ?")
    lookup.bind(1, source.id.rawValue)
    try lookup.bind(2, id.text)
    return try lookup.first {
      Known(remoteID: id, message: lookup.int(0), hash: lookup.int(1), occasion: lookup.optionalInt(2))
    }
  }

  /// Also what is stored under ids that `idApart` made of it, or an earlier version, which added the link.
  private func knownAll(_ id: RemoteID) throws -> [Known] {
    guard hasSome else { return [] }
    let lookup = try db.prepared(
      """
      SELECT remote_id, message_id, hash, occasion FROM identity WHERE source_id = ?1 AND remote_id = ?2
      UNION ALL SELECT remote_id, message_id, hash, occasion FROM identity
      WHERE source_id = ?1 AND remote_id >= ?3 || '|' AND remote_id < ?3 || '}'
      """)
    lookup.bind(1, source.id.rawValue)
    try lookup.bind(2, id.text)
    try lookup.bind(3, id.base)
    var all: [Known] = []
    try lookup.forEach {
      all.append(
        Known(
          remoteID: RemoteID(lookup.text(0)), message: lookup.int(1), hash: lookup.int(2),
          occasion: lookup.optionalInt(3)))
    }
    return all
  }

  /// An id for one of several messages that came with the same: made of that id, the title, the date and the link, where
  /// these are the same of all its content too.
  private func idApart(
    _ message: some Matchable, of shared: RemoteID, from given: Set<RemoteID>
  ) throws -> RemoteID {
    func id(_ words: String) -> RemoteID {
      RemoteID("\(shared.base)|" + String(UInt64(bitPattern: ContentHash.of(words)), radix: 16))
    }
    let date = message.published.map { "\($0.milliseconds)" } ?? ""
    var words = "\(message.title)\u{0}\(date)\u{0}\(message.url ?? "")"
    var made = id(words)
    while given.contains(made) {
      words += "\u{0}\(try message.contentHash())"
      made = id(words)
    }
    return made
  }

  private func rememberRepeats() throws {
    if repeatsIDs { return }
    repeatsIDs = true
    try db.prepared("UPDATE polling SET repeats_ids = 1 WHERE source_id = ?").run(source.id.rawValue)
  }

  // MARK: - What is not kept

  /// Whether what is not kept any more comes again because something happened again: a thread, an alert, a check.
  private func isNews(_ message: some Matchable, _ known: Int64?, isChanged: Bool) -> Bool {
    guard let occasion = message.occasionHash else { return false }
    return known.map { $0 != occasion } ?? isChanged
  }

  /// What is not kept any more is still in the feed, or is news.
  private func notKept(_ id: RemoteID, isNews: Bool) throws {
    let change = try db.prepared(
      isNews
        ? "DELETE FROM identity WHERE source_id = ?1 AND remote_id = ?2 AND ?3 IS NOT NULL"
        : """
        UPDATE identity SET last_listed = ?3
        WHERE source_id = ?1 AND remote_id = ?2 AND last_listed NOT BETWEEN ?3 - \(Self.week) AND ?3
        """)
    change.bind(1, source.id.rawValue)
    try change.bind(2, id.text)
    change.bind(3, now)
    try change.run()
  }

  private static let week: Milliseconds = 7 * 86_400_000
}
