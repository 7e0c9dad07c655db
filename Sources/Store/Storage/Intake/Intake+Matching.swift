import GRDB
import Messages

// Finds the stored message for each message of a delivery. Keys chosen by a sender decide alone (Intake+Keys);
// `EntryJudge` decides on entries of feeds.
extension Intake {
  enum Match {
    /// A message that is repeated later in the delivery; the later one is stored instead.
    case superseded
    case new
    /// The number of the stored message, or 0 if it is no longer kept.
    case unchanged(Int64)
    case changed(Int64)
    /// The number of a stored message that was published again, or 0 if it is no longer kept.
    case again(Int64)
    /// The number of a stored message that arrived with another id.
    case joined(Int64)
  }

  struct Matching {
    /// The ids under which the messages are stored.
    var ids: [RemoteID]
    var matches: [Match]
    /// The hashes of the messages' contents; 0 for messages for which matching did not need the hash.
    var hashes: [Int64]
    /// The `EntryReading` of messages that were compared with stored ones, keyed by their positions.
    var readings: [Int: EntryReading] = [:]
    /// The originals in other sources that new messages duplicate, keyed by the positions of the new messages.
    var firsts: [Int: CopyFinder.First] = [:]
    /// The evidence by which entries with other ids were recognised, keyed by their positions.
    var evidence: [Int: JoinEvidence] = [:]

    init(ids: [RemoteID]) {
      self.ids = ids
      matches = Array(repeating: .superseded, count: ids.count)
      hashes = Array(repeating: 0, count: ids.count)
    }
  }

  /// Finds the stored message for each message of a delivery.
  ///
  /// - Parameters:
  ///   - messages: the messages, oldest first.
  ///   - isPart: whether other messages of the delivery precede or follow them. Throws
  ///     `MessageStreamFailure.needsSurvey` if the stored messages can be found only with all messages of the
  ///     delivery.
  func match(_ messages: [some Matchable], isPart: Bool) throws -> Matching {
    var (ids, areEntries): ([RemoteID], [Bool]) = ([], [])
    // All are handled in one loop, since each element is copied with all its strings.
    for message in messages {
      ids.append(message.remoteID.fitting)
      areEntries.append(message.kind == .feed)
      if message.kind == .feed, !message.lacksID, !memory.tellsApart {
        if let ownID, ownID != ids[ids.endIndex - 1] { memory.tellsApart = true }
        ownID = ids[ids.endIndex - 1]
      }
    }
    var matching = Matching(ids: ids)
    if matchesContent { try setApart(messages, &matching.ids) }
    var last: [RemoteID: Int] = [:]
    last.reserveCapacity(messages.count)
    // The position of the previous message with the same id, or -1; empty if each id occurs once.
    var previous: [Int] = []
    for position in messages.indices {
      if let before = last.updateValue(position, forKey: matching.ids[position]) {
        if previous.isEmpty { previous = Array(repeating: -1, count: messages.count) }
        previous[position] = before
      }
    }
    // In the order of the ids, each page of their index is read once.
    let order = last.sorted { $0.key.text < $1.key.text }.map(\.value)
    if isPart {
      // Messages that share an id can only be identified together with the others of that id.
      for position in order where !seen.insert(matching.ids[position].hashValue).inserted {
        throw MessageStreamFailure.needsSurvey
      }
    }
    var open = OpenEntries()
    open.hasRepeatedIDs = !previous.isEmpty
    for position in order {
      guard areEntries[position] else {
        try matchByKey(position, messages, &matching)
        continue
      }
      hasEntries = true
      var all = [position]
      if !previous.isEmpty {
        while let last = all.last, previous[last] >= 0 { all.append(previous[last]) }
      }
      try matchByID(all, messages, &matching, &open)
    }
    if open.matched > 0 { memory.isSteady = true }
    if !open.isEmpty {
      // The match of an entry depends on the others of its document, except on a first poll.
      if isPart, hasSome { throw MessageStreamFailure.needsSurvey }
      try judge(&open, messages, &matching, isInDocument: { last[$0] != nil })
    }
    try findCopies(messages, &matching, isPart: isPart)
    return matching
  }

  /// The entries of a document that aren't stored word for word under their ids.
  struct OpenEntries {
    /// The positions of the entries. If several have one id, all of them are included.
    var positions: [Int] = []
    var stored: [RemoteID: [StoredEntry]] = [:]
    /// The ids that arrived for different entries.
    var doubted: Set<RemoteID> = []
    /// The number of the entries that are stored word for word, and their messages.
    var matched = 0
    var taken: Set<Int64> = []
    /// Whether several entries of the document have the same id.
    var hasRepeatedIDs = false

    var isEmpty: Bool { positions.isEmpty }
  }

  // MARK: - By id

  /// Matches entries that are stored word for word under their id, and adds the others to `open`.
  ///
  /// - Parameter all: the positions of the entries with one id, newest first.
  private func matchByID(
    _ all: [Int], _ messages: [some Matchable], _ matching: inout Matching, _ open: inout OpenEntries
  ) throws {
    let position = all[0]
    let id = matching.ids[position]
    guard let row = hasSome ? try table.row(id) ?? formerRow(id, messages[position]) : nil else {
      matching.matches[position] = .new
      if hasSome || all.count > 1 { open.positions += all }
      return
    }
    if all.count == 1, !row.isDoubted {
      let hash = try messages[position].contentHash()
      matching.hashes[position] = hash
      if row.hash == hash { return try keepUnchanged(row, position, &matching, &open) }
      try fillFacts()
      open.stored[id] = [try table.entry(row)]
    } else {
      let rows = row.isDoubted ? try table.rows(under: id) : [row]
      var unmatched = Dictionary(grouping: rows, by: \.hash)
      var rest: [Int] = []
      if row.isDoubted { open.doubted.insert(id) }
      // These are without the others that arrive again word for word.
      var hashes: Set<Int64> = []
      for position in all {
        let hash = try messages[position].contentHash()
        matching.hashes[position] = hash
        guard hashes.insert(hash).inserted else { continue }
        if row.isDoubted, let same = unmatched[hash]?.popLast() {
          try keepUnchanged(same, position, &matching, &open)
        } else {
          rest.append(position)
        }
      }
      if rest.isEmpty { return }
      try fillFacts()
      if !rows.isEmpty {
        open.stored[id] = try unmatched.values.joined().map(table.entry).sorted { $0.number < $1.number }
      }
      open.positions += rest
      return
    }
    open.positions.append(position)
  }

  /// Records that an entry is stored word for word.
  private func keepUnchanged(
    _ row: EntryTable.Row, _ position: Int, _ matching: inout Matching, _ open: inout OpenEntries
  ) throws {
    matching.ids[position] = row.remoteID
    matching.matches[position] = .unchanged(max(0, row.message))
    open.matched += 1
    if row.message != 0 { open.taken.insert(row.message.magnitudeAsNumber) }
    if row.message <= 0 { try stillListed(row.remoteID) }
  }

  /// Finds an entry without an id by the ids that earlier versions derived from its words, and gives it its present id.
  private func formerRow(_ id: RemoteID, _ message: some Matchable) throws -> EntryTable.Row? {
    guard var row = try message.formerIDs.lazy.compactMap({ try self.table.row($0) }).first else {
      return nil
    }
    try rename([Renaming(from: row.remoteID, to: id, isGiven: !message.lacksID)])
    row.remoteID = id
    return row
  }

  // MARK: - Judging

  /// Matches the open entries with stored messages as `EntryJudge` decides, and stores the decisions in `matching`.
  private func judge(
    _ open: inout OpenEntries, _ messages: [some Matchable], _ matching: inout Matching,
    isInDocument: (RemoteID) -> Bool
  ) throws {
    try fillFacts()
    var reader = EntryReader()
    // Each entry is included once, the oldest first. If several have the same words, the last one is used.
    var entries: [EntryJudge.Entry] = []
    var positions: [Int] = []
    var places: [RemoteID: [Int64: Int]] = [:]
    entries.reserveCapacity(open.positions.count)
    for position in open.positions.sorted() {
      let id = matching.ids[position]
      let reading = messages[position].reading(as: id, &reader)
      if matching.hashes[position] == 0 { matching.hashes[position] = try messages[position].contentHash() }
      let entry = EntryJudge.Entry(id: id, reading: reading, hash: matching.hashes[position])
      matching.matches[position] = .new
      if open.hasRepeatedIDs, let same = places[id]?[reading.facts.words] {
        matching.matches[positions[same]] = .superseded
        (entries[same], positions[same]) = (entry, position)
      } else {
        if open.hasRepeatedIDs { places[id, default: [:]][reading.facts.words] = entries.count }
        entries.append(entry)
        positions.append(position)
      }
    }
    var document = EntryJudge.Document()
    document.count = entries.count + open.matched
    document.taken = open.taken
    document.hasKnown = open.matched > 0
    document.onlyMoment = Self.onlyMoment(messages)
    document.now = now.second
    for index in entries.indices {
      try refresh(entries[index], messages[positions[index]], &open)
    }
    var judge = EntryJudge(entries, stored: open.stored, doubted: open.doubted, of: document, memory)
    try judge.judge(in: source.id, table, isInDocument: isInDocument)
    memory = judge.memory
    try apply(judge, entries, positions, open, messages, &matching, isInDocument: isInDocument)
  }

  /// Gives the stored message in `open` the entry's facts if they differ only because this version derives
  /// other text from the same HTML, which does not count as a change.
  private func refresh(
    _ entry: EntryJudge.Entry, _ message: some Matchable, _ open: inout OpenEntries
  ) throws {
    guard !open.doubted.contains(entry.id), let stored = open.stored[entry.id]?.first, stored.isKept,
      try isOnlyShownOtherwise(stored.number, message)
    else { return }
    open.stored[entry.id]?[0].facts = entry.reading.facts
  }

  /// Stores the decisions of `EntryJudge` in `matching`, and gives messages their new ids.
  private func apply(
    _ judge: EntryJudge, _ entries: [EntryJudge.Entry], _ positions: [Int], _ open: OpenEntries,
    _ messages: [some Matchable], _ matching: inout Matching, isInDocument: (RemoteID) -> Bool
  ) throws {
    var renamings: [Renaming] = []
    var given: [RemoteID: Set<RemoteID>] = [:]
    func apart(_ id: RemoteID, _ facts: EntryFacts) throws -> RemoteID {
      // This includes the ids of messages that were displaced while it was trusted.
      let others = try given[id] ?? Set(table.rows(under: id).map(\.remoteID))
      let new = id.apart(facts, from: others)
      given[id] = others.union([new])
      return new
    }
    func rename(_ stored: StoredEntry, to id: RemoteID, isGiven: Bool = true) {
      if stored.storedID != id {
        renamings.append(Renaming(from: stored.storedID, to: id, isGiven: isGiven))
      }
    }
    for index in entries.indices {
      let (entry, position) = (entries[index], positions[index])
      let isDoubted = judge.doubted.contains(entry.id)
      guard let match = judge.matches[index] else {
        if isDoubted { matching.ids[position] = try apart(entry.id, entry.reading.facts) }
        matching.readings[position] = entry.reading
        continue
      }
      let stored = match.stored
      let hasOwnID = isDoubted && stored.storedID.isApart(from: entry.id)
      let isFormer = isDoubted && stored.storedID == entry.id && !judge.newlyDoubted.contains(entry.id)
      let id =
        hasOwnID || isFormer
        ? stored.storedID : isDoubted ? try apart(entry.id, entry.reading.facts) : entry.id
      matching.ids[position] = id
      matching.evidence[position] = match.evidence
      let number = stored.isKept ? stored.number : 0
      if number == 0 { try stillListed(stored.storedID) }
      if match.verdict == .again, number == 0, let row = try table.row(stored.storedID) {
        // The deleted message is stored again, so its facts are no longer needed.
        try table.forget(row)
      } else {
        rename(stored, to: id, isGiven: !messages[position].lacksID)
      }
      switch match.verdict {
      case .again:
        matching.matches[position] = .again(number)
        if number == 0 { matching.readings[position] = entry.reading }
      // Everything but the id is the same word for word.
      case .joined where number != 0 && stored.hash == entry.hash:
        matching.matches[position] = .unchanged(number)
      case .joined where number != 0: matching.matches[position] = .joined(number)
      case .changed where number != 0: matching.matches[position] = .changed(number)
      case _:
        matching.matches[position] = .unchanged(number)
        if number == 0, stored.facts != nil { try renew(entry, of: stored) }
      }
    }
    for stored in judge.displaced {
      let id = stored.storedID
      rename(stored, to: try apart(id, stored.facts ?? Self.noFacts(stored.hash)))
    }
    if !judge.newlyDoubted.isEmpty {
      newlyDoubted += judge.newlyDoubted
      let settled = Set(renamings.map(\.from) + judge.matches.compactMap { $0?.stored.storedID })
      for id in judge.newlyDoubted {
        for stored in open.stored[id] ?? [] where stored.storedID == id && !settled.contains(id) {
          rename(stored, to: try apart(id, stored.facts ?? Self.noFacts(stored.hash)))
        }
      }
    }
    try self.rename(renamings, isReused: isInDocument)
    for id in judge.newlyDoubted { try table.doubt(id) }
  }

  /// Returns the `EntryFacts` for a message of which only the hash is known.
  private static func noFacts(_ hash: Int64) -> EntryFacts {
    EntryFacts(words: hash, time: nil, title: hash, text: nil, page: nil, name: nil)
  }

  /// Updates the hash, the facts and the keys that remain of a deleted message to those of its present entry.
  private func renew(_ entry: EntryJudge.Entry, of stored: StoredEntry) throws {
    if let old = stored.facts { formerKeys.append((old.keys(in: source.id), stored.number)) }
    keys += entry.reading.facts.keys(in: source.id).map { ($0, stored.number) }
    let facts = try db.prepared(
      """
      UPDATE entry_facts SET words = ?2, time = ?3, title = ?4, text = ?5, page = ?6, name = ?7 WHERE message_id = ?1
      """)
    EntryTable.bind(entry.reading.facts, stored.number, to: facts, from: 1)
    try facts.run()
    try saveHash(entry.hash, of: stored.storedID)
  }

  /// Returns the moment that all entries have, which is itself `nil` if all lack one. Returns `nil` if they differ.
  private static func onlyMoment(_ messages: [some Matchable]) -> Int64?? {
    var only: Int64??
    for message in messages where message.kind == .feed {
      let moment = message.time?.moment
      if let only, only != moment { return nil }
      only = .some(moment)
    }
    return only
  }

  /// Derives the `EntryFacts` of the source's messages that an earlier version stored without them.
  private func fillFacts() throws {
    if hasFacts || !hasSome { return }
    try rows.flush()
    try EntryFilling(db).fill(source.id, &memory)
    hasFacts = true
  }
}
