import GRDB
import Messages
import Sync

/// Applies acts of another machine in one transaction.
final class ActIntake {
  private let db: Database
  private let name: ObjectName
  private let now: Milliseconds
  private let merging: Merging
  private let sources: WireSources
  private let contents: ContentIntake
  private var batch = Merging.Batch()

  /// How many messages one transaction is about: others wait that long.
  static let most = 20_000

  /// - Parameter name: of the object.
  init(_ db: Database, of name: ObjectName, _ contents: ContentIntake, at now: Milliseconds) {
    (self.db, self.name, self.now, self.contents) = (db, name, now, contents)
    merging = Merging(db, at: now)
    sources = WireSources(db)
  }

  /// The next acts, until they are about enough messages. Those whose numbers are known too: a copy of the machine may have done
  /// other acts under the same numbers.
  ///
  /// - Returns: how many had numbers that weren't known, and whether there are more.
  func apply(_ reader: inout PayloadReader) throws -> (count: Int, isLeft: Bool) {
    var device = try Devices(db).find(name.device)
    // Packed objects hold older acts than the newest object.
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
    // Later ones replaced all that the others wrote.
    let acts = acts.filter { !$0.act.groups.isEmpty }
    for (id, act) in zip(try ids(of: acts, of: device), acts.map(\.act)) {
      for group in act.groups {
        if act.kind == .firstDelivery { try sources.fill(row: batch.source(of: group.source, db).row) }
        try merging.apply(group, act: id, &batch)
      }
    }
    try merging.finish(&batch)
  }

  /// The ids of acts in the journal, after adding those that are missing.
  private func ids(of acts: [ReadAct], of device: Int64) throws -> [Int64] {
    guard let first = acts.first, let last = acts.last else { return [] }
    let journal = Journal(db)
    // They were cut off, or had parts that could not be read.
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
  /// Notes what its newest object says: its name, and how wrong its clock is.
  fileprivate mutating func hear(_ head: Payload.Head, at now: Milliseconds) {
    // A time far outside of all calendars is cut.
    let written = Stamp(milliseconds: head.written).milliseconds
    (name, heard) = (head.machine, written)
    ahead = max(0, written - now)
  }
}

extension Act.Group {
  /// As how many messages its transaction counts it: a message that is stored takes longer than a mark.
  fileprivate var weight: Int { field == .content || field == .push ? 100 : targets.count }
}
