import GRDB
import Messages
import Sync

/// Applies acts of another machine in one transaction.
final class ActIntake {
  private let db: Database
  private let name: ObjectName
  private let now: Milliseconds
  private let merging: ActMerge
  private let sources: WireSources
  private let contents: ContentIntake
  private var batch = ActMerge.Batch()

  /// The number of messages that one transaction may concern, which limits how long others wait.
  static let most = 20_000

  /// - Parameter name: the name of the object, the file at the sync location that contains the acts.
  init(_ db: Database, of name: ObjectName, _ contents: ContentIntake, at now: Milliseconds) {
    (self.db, self.name, self.now, self.contents) = (db, name, now, contents)
    merging = ActMerge(db, at: now)
    sources = WireSources(db)
  }

  /// Applies the next acts, until they concern enough messages. Acts with known numbers are included, since a copy of
  /// the machine may have used the same numbers for other acts.
  ///
  /// - Returns: the number of acts with unknown numbers, and whether there are more.
  func apply(_ reader: inout PayloadReader) throws -> (count: Int, isLeft: Bool) {
    var device = try Devices(db).find(name.device)
    // Packed objects contain acts that are older than those of the newest object.
    if name.seqs.upperBound >= device.known.ranges.last?.upperBound ?? 0 { device.hear(reader.head, at: now) }
    var (acts, weight, isLeft) = ([ReadAct](), 0, false)
    while !isLeft, let act = try reader.next() {
      acts.append(act)
      weight += max(1, act.act.groups.reduce(0) { $0 + $1.weight })
      isLeft = weight >= Self.most
    }
    try apply(acts, of: device.id)
    let known = acts.map(seq).filter { !device.known.contains($0) }
    device.known = device.known.union(IDRanges(known))
    device.partial = device.partial.union(IDRanges(acts.filter(\.isPartial).map(seq)))
    try Devices(db).save(device)
    if acts.contains(where: { $0.act.groups.contains { $0.field == .follow } }) { try sources.link(at: now) }
    try contents.store()
    return (known.count, isLeft)
  }

  private func seq(_ act: ReadAct) -> Int64 { name.seqs.lowerBound + Int64(act.offset) }

  private func apply(_ acts: [ReadAct], of device: Int64) throws {
    // Later acts replaced everything that the other acts wrote.
    let acts = acts.filter { !$0.act.groups.isEmpty }
    for (id, act) in zip(try ids(of: acts, of: device), acts.map(\.act)) {
      for group in act.groups {
        if act.kind == .firstDelivery { try sources.fill(row: batch.source(of: group.source, db).row) }
        try merging.apply(group, act: id, &batch)
      }
    }
    try merging.finish(&batch)
  }

  /// Returns the ids of acts in the journal, after adding missing ones.
  private func ids(of acts: [ReadAct], of device: Int64) throws -> [Int64] {
    guard let first = acts.first, let last = acts.last else { return [] }
    let journal = Journal(db)
    // These acts were cut off, or had parts that could not be read.
    let journaled = try journal.acts(of: device, seq(first)...seq(last))
    var nextID = try journal.nextIDOfOthers()
    var new: [Journal.Row] = []
    let ids = try acts.map { read in
      let (act, same) = (read.act, journaled[seq(read)])
      if let same, same.stamp == act.stamp { return same.id }
      if same != nil, let known = try journal.act(of: device, act.stamp) { return known }
      defer { nextID -= 1 }
      new.append(
        Journal.Row(
          id: nextID, seq: same == nil ? seq(read) : nil, kind: act.kind.journal, stamp: act.stamp,
          at: min(act.stamp.milliseconds, now)))
      return nextID
    }
    try journal.append(new, of: device)
    return ids
  }
}

extension Devices.Device {
  /// Records what the newest object of the machine shows: the machine's name, and how far its clock is ahead.
  fileprivate mutating func hear(_ head: Payload.Head, at now: Milliseconds) {
    // A time far outside all calendars is limited.
    let written = Stamp(milliseconds: head.written).milliseconds
    (name, heard) = (head.machine, written)
    ahead = max(0, written - now)
  }
}

extension Act.Group {
  /// The number of messages for which the group counts in the limit of a transaction. A message that must be
  /// stored counts as many marks.
  fileprivate var weight: Int { field == .content || field == .push ? 100 : targets.count }
}
