import GRDB
import Limits
import Messages

// New messages of a delivery that are stored already: with another id in their source, or by another source.
extension Intake {
  /// - Parameter isPart: others come before or after them.
  func matchByLinks(
    _ messages: [some Matchable], _ matching: inout Matching, isPart: Bool
  ) throws {
    // Nearly always a poll brings nothing new: then the other sources aren't asked for.
    guard matching.hasNew else { return }
    let others = source.settings.isDeduplicated ? try links.otherSources(than: source) : []
    if others.isEmpty, matching.unknown.isEmpty { return }
    var keys: [(key: Int64, position: Int)] = []
    var ownKeys: [(key: Int64, position: Int)] = []
    for position in messages.indices {
      guard case .new = matching.matches[position] else { continue }
      let isUnknown = matching.unknown.contains(position)
      if others.isEmpty, !isUnknown { continue }
      for key in LinkKey.all(url: messages[position].url, remoteID: matching.ids[position].text) {
        keys.append((key, position))
      }
      if isUnknown, let key = LinkKey.withoutQuery(messages[position], as: matching.ids[position]) {
        ownKeys.append((key, position))
      }
    }
    keys.sort { ($0.key, $0.position) < ($1.key, $1.position) }
    if isPart, !others.isEmpty {
      for (key, _) in keys where seenKeys.contains(key) { throw MessageStreamFailure.needsSurvey }
      for (key, _) in keys { seenKeys.insert(key) }
    }
    let known = try links.known(keys.map(\.key))
    if !matching.unknown.isEmpty {
      ownKeys.sort { ($0.key, $0.position) < ($1.key, $1.position) }
      let knownOwn = try links.known(ownKeys.map(\.key))
      let wanted = keys.filter { known.contains($0.key) } + ownKeys.filter { knownOwn.contains($0.key) }
      try matchOwn(wanted, messages, &matching, isPart: isPart)
    }
    if !others.isEmpty, !known.isEmpty {
      try findFirsts(keys, known: known, of: others, &matching)
    }
  }

  /// Finds new entries that are stored under another id: with the same link, title and day, and not themselves in this
  /// delivery.
  private func matchOwn(
    _ keys: [(key: Int64, position: Int)], _ messages: [some Matchable], _ matching: inout Matching,
    isPart: Bool
  ) throws {
    var taken: Set<Int64>?
    var start = keys.startIndex
    while start < keys.endIndex {
      let key = keys[start].key
      let end = keys[start...].firstIndex { $0.key != key } ?? keys.endIndex
      let entries = keys[start..<end].map(\.position).filter { matching.unknown.contains($0) }
      start = end
      if entries.isEmpty { continue }
      let stored = try links.messages(key, of: source.id.rawValue)
      if stored.isEmpty { continue }
      var byWords: [EntryKey: [Int]] = [:]
      for index in stored.indices { byWords[stored[index].words.titleAndDay, default: []].append(index) }
      for position in entries {
        let words = StoredWords(fitting: messages[position])
        guard var indices = byWords[words.titleAndDay] else { continue }
        // What this delivery has by its id is not looked for.
        let those = taken ?? matching.takenMessages
        indices.removeAll { those.contains(stored[$0].message) }
        taken = those
        // At best of the same moment.
        let best = indices.first { stored[$0].words.published == words.published } ?? indices.first
        guard let best else { continue }
        if isPart { throw MessageStreamFailure.needsSurvey }
        let found = stored[best]
        taken?.insert(found.message)
        guard let known = try known(found.remoteID) else { continue }
        try join(position, known, words: found.words, &matching)
      }
    }
  }

  /// A new entry is a stored message, which from now on has the entry's id.
  func join(_ position: Int, _ known: Known, words: StoredWords? = nil, _ matching: inout Matching) throws {
    matching.unknown.remove(position)
    let id = matching.ids[position]
    if known.remoteID != id {
      let rename = try db.prepared(
        "UPDATE identity SET remote_id = ?3 WHERE source_id = ?1 AND remote_id = ?2")
      rename.bind(1, source.id.rawValue)
      try rename.bind(2, known.remoteID.text)
      try rename.bind(3, id.text)
      try rename.run()
    }
    matching.matches[position] = known.message == 0 ? .unchanged(0) : .joined(known.message)
    if known.message != 0 { matching.joins[position] = Join(known: known, words: words) }
  }

  /// Stores what is new of a message that came with another id.
  func store(_ entry: IncomingMessage, as id: RemoteID, _ join: Join) throws {
    let known = join.known
    let hash = try entry.contentHash()
    var sameAddress = entry
    sameAddress.url = join.words?.url ?? entry.url
    let isSame = try known.hash == hash || join.words != nil && sameAddress.contentHash() == known.hash
    if known.remoteID != id || isSame && known.hash != hash {
      // Another address of the same page is no change that a person hears of.
      formerKeys.append((try links.keys(of: known.message), known.message))
      if isSame { try facets.remove(known.message) }
      if isSynced, let occasion = try WireKeys(db).rename(known.message, to: id.text) {
        named.append((id.text, known.message, occasion))
      }
      let update = try db.prepared(
        "UPDATE detail SET remote_id = ?2, url = CASE WHEN ?4 THEN ?3 ELSE url END WHERE message_id = ?1")
      update.bind(1, known.message)
      try update.bind(2, id.text)
      try update.bind(3, entry.fitting.url)
      update.bind(4, isSame)
      try update.run()
      if isSame {
        try facets.add(known.message)
        try db.prepared(
          "INSERT OR IGNORE INTO list_pending (message_id) SELECT ?1 WHERE EXISTS (SELECT 1 FROM saved_list)"
        ).run(known.message)
        try saveHash(hash, of: id)
        for key in try links.keys(of: known.message) { keys.append((key, known.message)) }
      }
    }
    if !isSame { try update(known.message, entry, as: id, hash: hash) }
  }

  private func findFirsts(
    _ keys: [(key: Int64, position: Int)], known: Set<Int64>, of others: Set<Int64>,
    _ matching: inout Matching
  ) throws {
    for index in keys.indices {
      let (key, position) = keys[index]
      guard known.contains(key), case .new = matching.matches[position] else { continue }
      // Several messages of this delivery have it: it does not tell which they are.
      if index > 0, keys[index - 1].key == key { continue }
      if index + 1 < keys.count, keys[index + 1].key == key { continue }
      guard matching.firsts[position] == nil else { continue }
      matching.firsts[position] = try links.first(key, besides: source.id.rawValue, of: others)
    }
  }
}

extension Intake.Matching {
  fileprivate var hasNew: Bool {
    matches.contains { if case .new = $0 { true } else { false } }
  }

  fileprivate var takenMessages: Set<Int64> {
    var taken: Set<Int64> = []
    for match in matches {
      switch match {
      case .unchanged(let id), .changed(let id), .joined(let id): taken.insert(id)
      case .new, .superseded: break
      }
    }
    return taken
  }
}
