import GRDB
import Messages
import Sync

/// Messages that programs push into a source that several machines share. Each push is sent as a write of the field
/// `push`; its stamp identifies the event (occasion) that the message reports.
struct SharedPushes {
  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  /// Returns the stamp of the next push of a message, which is greater than all known ones.
  ///
  /// - Parameter known: the message, if it exists here.
  /// - Returns: `nil` if the push is not sent to other machines.
  func nextStamp(of remoteID: RemoteID, known: MessageID?, in source: Source) throws -> Stamp? {
    guard source.isShared, try WireSources(db).uid(of: source.id.rawValue) != nil else { return nil }
    let ids = IDRanges(known.map { [$0.rawValue] } ?? [])
    let last = try cell(of: Act.Target.key(ofRemoteID: remoteID.text), in: source.id.rawValue).map {
      try Writers(db).writer(of: $0).stamp
    }
    let own = try Stamps(db).parts(of: ids, at: now).last?.stamp
    return max(own ?? Stamp(milliseconds: now), MergeRule.stamp(now: now, above: last))
  }

  /// Sends a push that is stored here.
  ///
  /// - Parameter question: the question that the message asks, which any machine may answer.
  func send(
    _ message: IncomingMessage, _ question: ProgramQuestion? = nil, stamp: Stamp, in source: Source
  ) throws {
    var content = message
    content.remoteID = message.remoteID.fitting
    content.expires = message.expiry(received: .init(milliseconds: now))
    content.lifetime = nil
    guard let uid = try WireSources(db).uid(of: source.id.rawValue),
      let bytes = try MessageContent.bytes(of: content, question)
    else { return }
    let target = Act.Target(key: Act.Target.key(ofRemoteID: content.remoteID.text))
    let group = Act.Group(source: uid, field: .push, value: .bytes(bytes), targets: [target])
    let seq = try OwnActs(db).add(.push, stamp: stamp, [group])
    let act = try Journal(db).append(sent: seq, stamp: stamp, at: now)
    try EarlyCells(db, at: now).add(
      EarlyCells.Write(field: .push, value: .none, act: act), of: target, in: WireSources(db).row(of: uid))
  }

  /// Sends a message that was pushed before its source was shared, or before this machine synchronised, with the time
  /// of its arrival.
  func sendStored(_ id: Int64, in source: Source) throws {
    let query = try db.prepared("\(Message.select) WHERE m.id = ?")
    let columns = Columns()
    query.bind(1, id)
    guard let message = try query.first({ Message(query, columns) }),
      try cell(of: Act.Target.key(ofRemoteID: message.content.remoteID.text), in: source.id.rawValue) == nil
    else { return }
    let question = try QuestionRows(db).find(id)
    try send(
      message.content, question?.isAnswerableElsewhere == true ? question : nil,
      stamp: Stamp(milliseconds: message.received.milliseconds), in: source)
  }

  /// Returns the hash of the event that a stored message of a shared source reports, or 0 if it has none.
  func occasion(of remoteID: String, in source: Int64) throws -> UInt64 {
    let act = try cell(of: Act.Target.key(ofRemoteID: remoteID), in: source)
    return try act.map { Act.Target.occasion(ofPush: try Writers(db).writer(of: $0).stamp) } ?? 0
  }

  /// Returns the id of the act that contains the newest push of a message.
  private func cell(of key: UInt64, in source: Int64) throws -> Int64? {
    let cells = EarlyCells(db, at: now)
    let acts = try WireSources(db).rows(of: source).compactMap { try cells.find(.push, of: key, in: $0)?.act }
    let writers = Writers(db)
    return try acts.max { try writers.writer(of: $0) < writers.writer(of: $1) }
  }
}
