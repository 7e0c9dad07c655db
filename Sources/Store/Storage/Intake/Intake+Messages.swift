import Basics
import Foundation
import GRDB
import Messages
import Queries
import Sync

// Stores single messages of a delivery.
extension Intake {
  /// Adds a new message to the search index. This happens immediately, since the index writes its collected entries to
  /// the file at each id that is less than the one before.
  func enterText(of message: IncomingMessage, _ id: Int64) throws {
    try index.insert(id, title: message.title, body: message.body, author: message.author)
  }

  /// Creates a message that did not exist before, in the form in which it is stored.
  ///
  /// - Parameters:
  ///   - remoteID: the id under which it is stored.
  ///   - first: the original in another source that it duplicates, or `nil` if there is none.
  ///   - hash: the hash of the content from the source, or 0 if it isn't known yet.
  ///   - reading: the facts by which entries of its source are compared with it, if they are known.
  func new(
    _ sent: consuming IncomingMessage, as remoteID: RemoteID, _ id: Int64, hash: Int64, first: Int64?,
    _ reading: EntryReading?
  ) throws -> NewMessage {
    // A change in the part that was cut counts too.
    let hashed = try sent.extrasText(isHashed: true)
    let hash = hash == 0 ? ContentHash.of(sent, extras: hashed) : hash
    let reading = reading ?? (sent.kind == .feed ? reader.read(sent, as: sent.remoteID.fitting) : nil)
    // Usually the hashed text is also the stored text.
    var isSame = sent.extras?.enclosures == nil
    var message = sent
    if message.cutToFit() { isSame = false }
    message.remoteID = remoteID
    return NewMessage(
      message, hash: hash, extras: isSame ? hashed : try message.extrasText(),
      id: id, first: first, reading)
  }

  /// Writes a new message that is already in the search index. Its id is written only at the end of the
  /// delivery.
  ///
  /// - Parameter isUnseen: whether the user has not seen it, if it is unread.
  func insert(_ new: NewMessage, isRead: Bool, isUnseen: Bool = true) throws {
    let (id, first) = (new.id, new.first)
    // The message is read once, since that of the object could change at each access.
    var message = new.message
    var head = MessageHead(message, of: source, id: id, received: received, at: now)
    // A message that is not visible yet stays unread until it is.
    head.isRead = isRead && head.isShown
    var verdict = verdict(on: message, head, arrival)
    if let moment = verdict?.onlyMoment {
      moments.append((id, moment.milliseconds))
      verdict = nil
    }
    if let verdict {
      message.apply(verdict)
      new.message = message
      new.extras = try message.extrasText()
      head.priority = message.priority
    }
    try rows.insert(
      new, head, received: received ?? now, isUnseen: isUnseen && first == nil && head.isListedUnread)
    // The following code reads and changes its rows.
    if verdict != nil || first != nil { try rows.flush() }
    if let verdict {
      try marks.apply(verdict, to: id, isNew: true)
      head = try MessageHead.find(id, db) ?? head
    }
    try facets.add(message, id)
    if let first {
      try Duplicates(db).join(id, to: first, at: now)
      head = try MessageHead.find(id, db) ?? head
    }
    for key in try storeFacts(of: message, id, new.reading) { newKeys.append((key, id)) }
    if let reading = new.reading, !new.comesAgain {
      recurrences.append((reading.facts.recurrence(in: source.id), id))
    }
    if newKeys.count >= Self.mostKeys { try enterNewKeys() }
    // A duplicate of a stored message causes no notification.
    if let verdict, first == nil { try noticeQueue.add(verdict, id, visibleFrom: head.visibleFrom) }
    count(new: message)
    if first != nil {
      // It is counted as a duplicate.
    } else if head.isListed {
      recorded.new += 1
      recorded.ids.append(head.key.id)
    } else {
      recorded.hidden += 1
    }
    identities.append((message.remoteID.text, id, new.hash))
    if isSynced {
      name(message, id, occasion(of: message, hash: new.hash))
      if head.isRead, isRead { old.append(message.remoteID.text) }
    }
  }

  /// Returns the event that a message reports (its occasion), in the form that all machines share.
  private func occasion(of message: IncomingMessage, hash: Int64) -> CurrentOccasion {
    if let push { return CurrentOccasion(Act.Target.occasion(ofPush: push)) }
    return WireKeys.occasion(
      message.extras?.occasion, isArticle: message.kind == .feed,
      hash: source.settings.isUnreadOnChange ? hash : nil)
  }

  private func name(_ message: IncomingMessage, _ id: Int64, _ occasion: CurrentOccasion) {
    named.append(WireKeys.Naming(remoteID: message.remoteID.text, message: id, occasion: occasion))
  }

  /// Resets the marks of a message on all machines if it reports another event than before (a new occasion): the marks
  /// were meant for the old one.
  private func beginOccasion(_ message: IncomingMessage, _ id: Int64, hash: Int64) throws {
    let occasion = occasion(of: message, hash: hash)
    if try WireKeys(db).name(of: id)?.target.occasion == occasion.occasion { return }
    // This happens while the keys still contain the old occasion.
    try OwnActs(db).encode()
    try ActMerge(db, at: now).beginOccasion(of: id)
    name(message, id, occasion)
  }

  /// Resets the marks of a message that a program pushes again, since even a push without changes is a new message.
  func beginPush(_ message: IncomingMessage, _ id: Int64) throws {
    guard isSynced, push != nil, !named.contains(where: { $0.message == id }) else { return }
    var message = message
    message.remoteID = message.remoteID.fitting
    try beginOccasion(message, id, hash: 0)
  }

  /// Returns the verdict of the rules, or `nil` if nothing is judged, or if the verdict on a new message
  /// changes nothing.
  private func verdict(
    on message: IncomingMessage, _ head: MessageHead, _ arrival: Arrival
  ) -> Verdict? {
    guard let judge else { return nil }
    func facts() -> Facts {
      var facts = RuleMarks.facts(message, head, of: source, names: sourceNames)
      if arrival != .changed { facts.states.insert(.new) }
      return facts
    }
    let verdict = judge.verdict(on: facts(), arrival)
    recorded.overBudget.formUnion(verdict.overBudget)
    return arrival != .changed && verdict == Verdict() ? nil : verdict
  }

  /// Updates a stored message that arrived with other content.
  ///
  /// - Parameter isQuiet: whether the change is not reported and does not make the message unread, because
  ///   title and text are the same.
  func update(
    _ id: Int64, _ sent: IncomingMessage, as remoteID: RemoteID, hash: Int64, isQuiet: Bool = false
  ) throws {
    try rows.flush()
    var message = sent.fitting
    message.remoteID = remoteID
    let reading = sent.kind == .feed ? reader.read(sent, as: sent.remoteID.fitting) : nil
    if try isOnlyShownOtherwise(id, sent) {
      return try write(textOf: message, id, hash: hash, reading)
    }
    if message.kind == .feed { try keepPublication(in: &message, id) }
    let isNewOccasion = try isNewOccasion(message, id)
    let keepsMarks = try source.settings.isUnreadOnChange && isOnlyTaggedOtherwise(id, sent)
    // The same moment in other words is the same occasion, and keeps its marks.
    if isSynced, !isQuiet, isNewOccasion || message.extras?.occasion == nil && !keepsMarks {
      try beginOccasion(message, id, hash: hash)
    }
    guard let old = try MessageHead.find(id, db), let received = try rows.received(id) else { return }
    var new = MessageHead(message, id: id, source: old.source, received: received)
    new.isShown = new.isShown(at: now, channels: source.settings.shownChannels)
    if isNewOccasion { news.append(id) }
    new.isRead = old.isRead && (!source.settings.isUnreadOnChange || isQuiet || keepsMarks) && !isNewOccasion
    new.isStarred = old.isStarred
    new.isOutOfInbox = old.isOutOfInbox
    new.first = old.first
    let verdict = isQuiet ? nil : verdict(on: message, new, .changed)
    if let verdict {
      message.apply(verdict)
      new.priority = message.priority
    }
    // This is the position that it got when it became unread again.
    if message.kind == .local || message.kind == .desktop {
      new.key.sortTime = max(new.key.sortTime, old.key.sortTime)
    }
    try index.remove(id)
    formerKeys.append((try entryKeys.shared(of: id) + entryKeys.own(of: id), id))
    let formerFacets = try facets.facets(of: id)
    try rows.update(message, new, extras: try message.extrasText(), before: old)
    try facets.replace(formerFacets, by: message, id)
    try SavedLists(db).judgeLater(changed: id)
    for key in try storeFacts(of: message, id, reading) { keys.append((key, id)) }
    try enterText(of: message, id)
    try db.prepared("UPDATE article SET is_current = 0 WHERE message_id = ?").run(id)
    try MarkLog(db).forgetRules(of: id)
    if new.isRead != old.isRead {
      try occasions.set(.read(false), on: IDRanges([id]))
      unreadAgain.append(id)
    }
    if let verdict {
      try marks.apply(verdict, to: id, isNew: false, isUnreadAgain: new.isRead != old.isRead)
      if let marked = try MessageHead.find(id, db) {
        (new.isRead, new.isStarred, new.isOutOfInbox) = (marked.isRead, marked.isStarred, marked.isOutOfInbox)
      }
      // A message that is still unread caused a notification on arrival, unless a rule requests one only now.
      let isNews = new.isRead != old.isRead
      if isNews || verdict.isNotified == true {
        try noticeQueue.add(verdict, id, visibleFrom: new.visibleFrom, again: isNews)
      }
    }
    try saveHash(hash, of: message.remoteID)
    if isQuiet { return }
    if !old.isShown, new.isListedUnread {
      try db.prepared("UPDATE status SET is_unseen = 1 WHERE message_id = ?").run(id)
    }
    recorded.updated += 1
    if !isNewOccasion {
      recorded.identity.changed += 1
    } else if message.kind != .feed {
      recorded.identity.add(.again, IdentityReport.Return.occasion.rawValue, title: message.title)
    }
    if old.isRead, !new.isRead { recorded.back += 1 }
  }

  /// Whether a delivered message differs from the stored one only in the text that this version derives from
  /// the same HTML, which is no change for the user.
  func isOnlyShownOtherwise(_ id: Int64, _ sent: some Matchable) throws -> Bool {
    guard let sent = sent.whole, sent.html != nil else { return false }
    let query = try db.prepared(
      """
      SELECT m.title, d.body, i.hash FROM message m CROSS JOIN detail d ON d.message_id = m.id
        CROSS JOIN identity i ON i.source_id = ?2 AND i.remote_id = d.remote_id
      WHERE m.id = ?1 AND d.html IS NOT NULL
      """)
    query.bind(1, id)
    query.bind(2, source.id.rawValue)
    guard let (title, body, hash) = try query.first({ (query.text(0), query.text(1), query.int(2)) }) else {
      return false
    }
    var earlier = sent
    earlier.body = body
    if try earlier.contentHash() == hash { return true }
    // A title that the publisher did not write was derived from the body.
    guard sent.hasMadeTitle else { return false }
    earlier.title = title
    return try earlier.hasMadeTitle && earlier.contentHash() == hash
  }

  /// Stores the title, the body and the `EntryFacts` of a message whose HTML is unchanged, but from which this version
  /// of reddot derives other text. This does not count as a change for the user.
  private func write(
    textOf message: IncomingMessage, _ id: Int64, hash: Int64, _ reading: EntryReading?
  ) throws {
    if let reading {
      formerKeys.append((try entryKeys.own(of: id), id))
      keys += reading.facts.keys(in: source.id).map { ($0, id) }
      try table.save(reading.facts, of: id)
    }
    try index.remove(id)
    for (text, change) in [
      (message.title, "UPDATE message SET title = ?2 WHERE id = ?1"),
      (message.body, "UPDATE detail SET body = ?2 WHERE message_id = ?1"),
    ] {
      let statement = try db.prepared(change)
      statement.bind(1, id)
      try statement.bind(2, text)
      try statement.run()
    }
    try enterText(of: message, id)
    try SavedLists(db).judgeLater(changed: id)
    try saveHash(hash, of: message.remoteID)
  }

  /// Whether a service's message has changed only in its tags, for example in the state of a pull request. That alone
  /// does not make it unread again, even if the settings of its source make changed messages unread.
  private func isOnlyTaggedOtherwise(_ id: Int64, _ sent: IncomingMessage) throws -> Bool {
    guard sent.kind == .service else { return false }
    let query = try db.prepared("\(Message.select) WHERE m.id = ?")
    query.bind(1, id)
    guard var known = try query.first({ Message(query, columns).content }) else { return false }
    known.tags = sent.tags
    return try known.contentHash() == sent.contentHash()
  }

  func saveHash(_ hash: Int64, of id: RemoteID) throws {
    let update = try db.prepared("UPDATE identity SET hash = ? WHERE source_id = ? AND remote_id = ?")
    update.bind(1, hash)
    update.bind(2, source.id.rawValue)
    try update.bind(3, id.text)
    try update.run()
  }

  /// Whether a stored message arrives again with a later event (occasion), so that it becomes unread.
  private func isNewOccasion(_ message: IncomingMessage, _ id: Int64) throws -> Bool {
    guard let occasion = message.extras?.occasion else { return false }
    guard let known = try storedOccasion(of: id) else { return true }
    return Occasion(occasion).isLater(than: Occasion(known))
  }

  /// Whether a message reports an earlier event than the stored one, because the response is late.
  func isLate(_ occasion: String?, _ id: Int64) throws -> Bool {
    guard let occasion, let known = try storedOccasion(of: id) else { return false }
    let (new, old) = (Occasion(occasion), Occasion(known))
    return new.moment != nil && old.isLater(than: new)
  }

  private func storedOccasion(of id: Int64) throws -> String? {
    let query = try db.prepared("SELECT extras ->> '$.occasion' FROM detail WHERE message_id = ?")
    query.bind(1, id)
    return try query.first { query.optionalText(0) } ?? nil
  }

  /// Keeps the date of publication as the event of a message that was published again: it still reports that
  /// publication when it is edited.
  private func keepPublication(in message: inout IncomingMessage, _ id: Int64) throws {
    guard message.extras?.occasion == nil, let known = try storedOccasion(of: id) else { return }
    message.extras = message.extras ?? MessageExtras()
    message.extras?.occasion = known
  }

  /// Updates the stored message of an entry that arrived with another id. The message is already stored under
  /// that id.
  func store(
    _ entry: IncomingMessage, joined id: Int64, as remoteID: RemoteID, hash: Int64, at position: Int
  ) throws {
    try rows.flush()
    let known = try table.row(remoteID)
    guard known?.hash != hash else { return }
    let query = try db.prepared(
      "SELECT m.title, d.body FROM message m CROSS JOIN detail d ON d.message_id = m.id WHERE m.id = ?")
    query.bind(1, id)
    let words = try query.first { [query.text(0), query.text(1)].map(ComparedText.text) }
    let isEdited = words != [entry.fitting.title, entry.fitting.body].map(ComparedText.text)
    if isEdited { recordVerdict(.changed, at: position) }
    try update(id, entry, as: remoteID, hash: hash, isQuiet: !isEdited)
  }

  /// Stores the `EntryFacts` of a message.
  ///
  /// - Returns: the keys under which it is looked up.
  private func storeFacts(
    of message: IncomingMessage, _ id: Int64, _ reading: EntryReading?
  ) throws -> [Int64] {
    guard let reading else {
      return source.settings.isDeduplicated ? EntryKeys.shared(url: message.url, id: message.remoteID) : []
    }
    // An id that the document didn't contain is no worldwide one, even if it is the link.
    let shared = EntryFacts.shared(page: reading.facts.page, worldwideID: reading.worldwideID)
    try table.save(reading.facts, of: id)
    return shared + reading.facts.keys(in: source.id)
  }

  /// The number of keys of new messages that are kept in memory. Each time they are written, most pages of their table
  /// are written.
  private static let mostKeys = 1 << 16

  /// Writes the keys of new messages, and records whether two messages of the source have the same title and page. Then
  /// title and page are no evidence that an entry is a stored message.
  func enterNewKeys() throws {
    recurrences.sort { $0.key < $1.key }
    if !memory.recurs {
      memory.recurs = zip(recurrences, recurrences.dropFirst()).contains { $0.key == $1.key }
    }
    // Earlier ones of this delivery are already written.
    if !memory.recurs, hasSome || hasEnteredKeys {
      memory.recurs = try recurrences.contains { try entryKeys.isShared($0.key, besides: $0.message) }
    }
    try entryKeys.add(newKeys)
    hasEnteredKeys = true
    newKeys.removeAll(keepingCapacity: true)
    recurrences.removeAll(keepingCapacity: true)
  }

  /// Removes messages that arrived again as non-display notifications, which are never shown.
  func withdraw(_ notices: [FeatureNotice]) throws {
    let lookup = try db.prepared("SELECT message_id FROM identity WHERE source_id = ? AND remote_id = ?")
    let forget = try db.prepared("UPDATE identity SET hash = 0 WHERE source_id = ? AND remote_id = ?")
    for notice in notices {
      lookup.bind(1, source.id.rawValue)
      try lookup.bind(2, notice.remoteID.text)
      guard let id = try lookup.first({ lookup.int(0) }), try MessageHead.find(id, db) != nil else {
        continue
      }
      try db.prepared(
        "UPDATE status SET is_shown = 0, is_unseen = 0, expires = min(coalesce(expires, ?2), ?2) WHERE message_id = ?1"
      )
      .run(id, now)
      // No content has this hash: if it arrives as a message again, it is shown again.
      forget.bind(1, source.id.rawValue)
      try forget.bind(2, notice.remoteID.text)
      try forget.run()
    }
  }
}

extension Verdict {
  /// The time at which the rules must judge the message again, or `nil` if the verdict contains anything else.
  fileprivate var onlyMoment: Date? {
    var rest = self
    rest.nextMoment = nil
    return rest == Verdict() ? nextMoment : nil
  }
}

extension IncomingMessage {
  /// Sets the date of publication as the event that the message reports, since the entry was published again.
  mutating func reportPublication() {
    guard let published else { return }
    extras = extras ?? MessageExtras()
    extras?.occasion = ISOInstant.text(published)
  }

  /// Whether the title is empty or the beginning of the body, as for a message without its own title.
  fileprivate var hasMadeTitle: Bool {
    title.isEmpty || body.hasPrefix(title.hasSuffix("…") ? String(title.dropLast()) : title)
  }
}
