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
  /// The acts that are in the journal already, by their numbers: they were cut off, or had parts that could not be read.
  private var journaled: [Int64: (id: Int64, stamp: Stamp)] = [:]
  /// Up to this number.
  private var lookedThrough: Int64 = -1
  private var nextID: Int64

  /// How many messages one transaction is about: others wait that long.
  static let most = 5000

  /// - Parameter name: of the object.
  init(_ db: Database, of name: ObjectName, _ contents: ContentIntake, at now: Milliseconds) throws {
    (self.db, self.name, self.now, self.contents) = (db, name, now, contents)
    merging = Merging(db, at: now)
    sources = WireSources(db)
    nextID = try Journal(db).nextIDOfOthers()
  }

  /// The next acts, until they are about enough messages. Those whose numbers are known too: a copy of the machine may have done
  /// other acts under the same numbers.
  ///
  /// - Returns: how many had numbers that weren't known, and whether there are more.
  func apply(_ reader: inout PayloadReader) throws -> (count: Int, isLeft: Bool) {
    var device = try Devices(db).find(name.device)
    // Packed objects hold older acts than the newest object.
    if name.seqs.upperBound >= device.known.ranges.last?.upperBound ?? 0 { device.hear(reader.head, at: now) }
    var (known, partial) = ([Int64](), [Int64]())
    var (targets, isLeft, sawSource) = (0, false, false)
    while let read = try reader.next() {
      let seq = name.seqs.lowerBound + Int64(read.offset)
      try apply(read.act, seq: seq, of: device.id)
      if !device.known.contains(seq) { known.append(seq) }
      if read.isPartial { partial.append(seq) }
      sawSource = sawSource || read.act.groups.contains { $0.field == .follow }
      targets += read.act.groups.reduce(1) { $0 + $1.weight }
      if targets >= Self.most {
        isLeft = true
        break
      }
    }
    try merging.finish(&batch)
    device.known = device.known.union(IDRanges(known))
    device.partial = device.partial.union(IDRanges(partial))
    try Devices(db).save(device)
    if sawSource { try sources.link(at: now) }
    try contents.store()
    return (known.count, isLeft)
  }

  private func apply(_ act: Act, seq: Int64, of device: Int64) throws {
    // Later ones replaced all that it wrote.
    if act.groups.isEmpty { return }
    if seq > lookedThrough {
      lookedThrough = seq + min(Int64(Self.most), name.seqs.upperBound - seq)
      journaled = try Journal(db).acts(of: device, seq...lookedThrough)
    }
    let id = try self.id(of: act, seq: seq, of: device)
    for group in act.groups {
      if act.kind == .firstDelivery { try sources.fill(row: batch.source(of: group.source, db).row) }
      try merging.apply(group, act: id, &batch)
    }
  }
}

extension ActIntake {
  /// Returns the id of an act in the journal, after adding it if it is missing.
  private func id(of act: Act, seq: Int64, of device: Int64) throws -> Int64 {
    let same = journaled[seq]
    if let same, same.stamp == act.stamp { return same.id }
    if same != nil, let known = try Journal(db).act(of: device, act.stamp) { return known }
    defer { nextID -= 1 }
    let time = min(act.stamp.milliseconds, now)
    try Journal(db).append(
      nextID, of: device, seq: same == nil ? seq : nil, act.kind.journal, stamp: act.stamp, at: time)
    return nextID
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
  fileprivate var weight: Int { field == .content || field == .push ? 25 : targets.count }
}
