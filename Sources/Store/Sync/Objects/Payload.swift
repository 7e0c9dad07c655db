import Basics

/// The sealed content of an object: its writer, and its acts in the order of their numbers.
package enum Payload {
  /// The part of the payload before the acts.
  package struct Head: Hashable, Sendable {
    /// The level of fields and values that the writing program supported; this one writes 1.
    package var level: UInt64 = 1
    /// The time of writing, in milliseconds since 1970.
    package var written: Int64
    /// The machine's name, or in a marker the id of the sync location, as 32 hex digits.
    package var machine: String
    /// The program's version.
    package var program: String

    package init(written: Int64, machine: String, program: String) {
      (self.written, self.machine, self.program) = (written, machine, program)
    }
  }

  /// - Parameter acts: the acts, each from `ActCodec.encode`.
  package static func encode(_ head: Head, acts: some Sequence<[UInt8]>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: head.level)
    bytes.append(number: UInt64(clamping: head.written))
    bytes.append(counted: head.machine.utf8)
    bytes.append(counted: head.program.utf8)
    for act in acts { bytes.append(contentsOf: act) }
    return bytes
  }

  /// Decodes the whole payload of an object. `PayloadReader` reads it act by act.
  package static func decode(
    _ bytes: [UInt8], of name: ObjectName
  ) throws(DamagedPayload) -> (head: Head, acts: [ReadAct]) {
    var reader = try PayloadReader(bytes, of: name)
    var acts: [ReadAct] = []
    while let act = try reader.next() { acts.append(act) }
    return (reader.head, acts)
  }
}

/// Reads the acts of an object one after the other, so that only one is in memory. A copy of the reader reads them
/// again.
package struct PayloadReader {
  package let head: Payload.Head
  /// The size in bytes.
  package let size: Int
  private var reader: ByteReader
  private var offset = 0
  private let count: Int

  package init(_ bytes: [UInt8], of name: ObjectName) throws(DamagedPayload) {
    guard bytes.count <= Limits.payloadBytes else { throw .tooLong }
    // Counting from the number of an act then never overflows.
    guard name.seqs.upperBound <= ObjectName.lastSeq else { throw .number }
    size = bytes.count
    reader = ByteReader(bytes)
    count = name.actCount
    let level = try reader.number()
    let written = try reader.count()
    var head = Payload.Head(written: written, machine: try reader.text(), program: try reader.text())
    head.level = level
    head.machine = head.machine.cut(toBytes: Limits.machineNameBytes)
    head.program = head.program.cut(toBytes: Limits.machineNameBytes)
    self.head = head
  }

  /// Returns the next act, or `nil` after the last one. Only `nil` shows that the payload is complete.
  package mutating func next() throws(DamagedPayload) -> ReadAct? {
    guard offset < count else {
      guard reader.left == 0 else { throw .goesOn }
      return nil
    }
    defer { offset += 1 }
    return try ActCodec.read(&reader, offset: offset)
  }
}

extension ObjectName {
  /// The number of acts according to the name; the marker has none.
  package var actCount: Int {
    if self == .marker { return 0 }
    let (behind, overflows) = seqs.upperBound.subtractingReportingOverflow(seqs.lowerBound)
    return overflows || behind == .max ? .max : Int(behind) + 1
  }
}
