/// The intake of one document.
final class IdentityPoll {
  typealias Facts = IdentityFacts
  typealias Message = IdentityMessage

  let source: IdentitySource
  let now: ExactText
  let mutant: IdentityMutant?
  private let entries: [Facts]
  /// The entries, oldest first. Identical ones are one entry.
  let unique: [Facts]
  private let groups: [ExactText: [Facts]]
  private(set) var stored: [ExactText: [Message]] = [:]
  private var found: [Facts: Message] = [:]
  private var verdicts: [Facts: IdentityVerdict] = [:]
  private var taken: Set<Message> = []

  private struct Content: Hashable {
    var id: ExactText
    var content: [ExactText?]

    init(_ facts: Facts) { (id, content) = (facts.id, facts.content) }
  }

  init(_ source: IdentitySource, _ entries: [Facts], now: ExactText, _ mutant: IdentityMutant?) {
    self.source = source
    self.entries = entries
    self.now = now
    self.mutant = mutant
    var seen: Set<Content> = []
    unique = entries.reversed().filter { seen.insert(Content($0)).inserted }
    groups = Dictionary(grouping: unique, by: \.id)
    stored = Dictionary(grouping: source.messages, by: \.id)
    if mutant != .trustsRepeatedIDs {
      for (id, group) in groups where group.count > 1 { source.doubted.insert(id) }
    }
    source.tellsApart = source.tellsApart || Set(unique.compactMap(\.own)).count > 1
  }

  func match(_ entry: Facts, _ message: Message, _ verdict: IdentityVerdict) {
    found[entry] = message
    let isHidden = verdict == .changed && !message.isKept && mutant != .editOfPrunedIsChange
    verdicts[entry] = isHidden ? .same : verdict
    taken.insert(message)
  }

  /// Pruned messages that exist again.
  private(set) var returned: [Message] = []

  private var rest: [Facts] { unique.filter { found[$0] == nil } }

  /// Matches entries with stored messages.
  func match() {
    matchSame()
    matchPlaces()
    matchByID()
    join()
  }

  /// 1. The id is the same, and so are all words.
  private func matchSame() {
    for entry in unique {
      let same = stored[entry.id]?.first { !taken.contains($0) && $0.facts.content == entry.content }
      if let same { match(entry, same, .same) }
    }
  }

  /// 2. A known message has the same words under the id of another one: such ids are positions in a list.
  private func matchPlaces() {
    if mutant == .placesAreBelieved { return }
    let alike = Dictionary(grouping: source.messages, by: \.facts.content)
    for entry in rest {
      let same = (alike[entry.content] ?? []).filter {
        // This includes a message that had lost its position: otherwise it would be listed next to another one with its
        // words.
        !taken.contains($0) && (groups[$0.id] != nil || $0.formerID.flatMap { groups[$0] } != nil)
      }
      if stored[entry.id] != nil, same.count == 1, entry.when != nil || entry.text != nil {
        match(entry, same[0], .same)
      }
    }
  }

  /// 3. The id is the same.
  private func matchByID() {
    let isAlone =
      switch mutant {
      case .trustsIDsOfOneEntry: false
      case .neverTrustsIDsOfOneEntry: unique.count == 1
      default: unique.count == 1 && !source.tellsApart
      }
    let again = publishedAgain(rest)
    var seen: Set<ExactText> = []
    for id in rest.map(\.id) where seen.insert(id).inserted {
      let group = (groups[id] ?? []).filter { found[$0] == nil }
      let open = (stored[id] ?? []).filter { !taken.contains($0) }
      if source.doubted.contains(id) {
        tellApart(group, open, hasOthers: unique.count > 1)
      } else if let message = open.first, let entry = group.first {
        if isAnother(entry, message.facts, isAlone: isAlone) {
          source.doubted.insert(id)
        } else {
          match(entry, message, again.contains(entry) ? .again : .changed)
        }
      }
    }
  }

  /// 4. The id is different, and enough else is the same. Only one entry and one message may match each other.
  private func join() {
    source.isSteady = source.isSteady || !found.isEmpty
    let isRenewed =
      switch mutant {
      case .newSetIsUnseen: false
      case .oneNewIDIsNewSet: true
      case .oneEntryIsNewSet: found.isEmpty
      default: found.isEmpty && unique.count > 1
      }
    let isStamped =
      mutant != .dateOfMoveIsDate && unique.count > 2 && Set(unique.map(\.moment)).count == 1
      && Set(source.messages.map(\.facts.moment)).count > 1
    if mutant == .joinsNothing { return }

    var near: [Facts.Pair: [Message]] = [:]
    for message in source.messages where mutant == .joinsWhatIsInDocument || !taken.contains(message) {
      for pair in message.facts.pairs { near[pair, default: []].append(message) }
    }
    var pairs: [(entry: Facts, message: Message)] = []
    for entry in rest {
      var few: [Message] = []
      for pair in entry.pairs {
        guard let some = near[pair], some.count <= 8 else { continue }
        for message in some where !few.contains(message) { few.append(message) }
      }
      for message in few where isJoined(entry, message.facts, isRenewed: isRenewed, isStamped: isStamped) {
        pairs.append((entry, message))
      }
    }
    let entries = Dictionary(grouping: pairs, by: \.entry).mapValues(\.count)
    let messages = Dictionary(grouping: pairs, by: \.message).mapValues(\.count)
    for (entry, message) in pairs {
      let isOne = entries[entry] == 1 && messages[message] == 1
      guard mutant == .joinsThoughSeveralFit ? found[entry] == nil : isOne else { continue }
      let isEdit = entry.title != message.facts.title || entry.text != message.facts.text
      match(entry, message, isEdit ? .changed : .same)
    }
  }

  /// 5. The entry is new, and perhaps a duplicate of a message of another source.
  ///
  /// - Parameter others: the kept messages of the other sources.
  func add(as name: String, others: [Message], count: inout Int) {
    var pages: [ExactText: [Message]] = [:]
    for message in others {
      for name in message.facts.names { pages[name, default: []].append(message) }
    }
    var here: [ExactText: [Facts]] = [:]
    for entry in rest {
      for name in entry.names { here[name, default: []].append(entry) }
    }
    for entry in rest {
      let first = first(of: entry, pages, here)
      count += 1
      let message = Message(entry, source: name, number: count)
      // The comparison is with the messages as they were before this document, not with all earlier states.
      source.recurs =
        source.recurs
        || source.messages.contains { $0.facts.fold == entry.fold && $0.facts.link == entry.link }
      source.messages.append(message)
      match(entry, message, first.map { .copy(of: $0.source) } ?? .new)
      if let first {
        message.first = first.first ?? first
        message.isRead = first.isRead
      }
    }
  }

  /// Stores the results.
  func finish() {
    if mutant != .keepsIDGivenUp {
      for message in source.messages
      where !taken.contains(message) && groups[message.id] != nil && !source.doubted.contains(message.id) {
        // Another message has its id now.
        message.formerID = message.id
        message.id = ExactText(message.id.text + "|\(message.number)")
      }
    }
    for (entry, message) in found {
      // An identical message is not written again, so nothing new is known about its id.
      let isUnchanged = message.id == entry.id && message.facts.content == entry.content
      if !isUnchanged { message.facts = entry }
      message.id = entry.id
      message.formerID = nil
      if verdicts[entry] == .again {
        message.isRead = false
        if !message.isKept { returned.append(message) }
        message.isKept = true
      }
    }
    if !entries.isEmpty { source.polled = now }
  }

  /// The verdict on each entry of the document. An identical second entry has the same verdict.
  var verdictsInOrder: [IdentityVerdict] {
    var byContent: [Content: IdentityVerdict] = [:]
    for (entry, verdict) in verdicts { byContent[Content(entry)] = verdict }
    var seen: Set<Content> = []
    return entries.map { entry in
      let content = Content(entry)
      let isFirst = seen.insert(content).inserted
      return isFirst || mutant == .twiceIsTwo ? byContent[content] ?? .same : .same
    }
  }
}
