import Basics

/// What is sealed in an object: who wrote it, and its acts in the order of their numbers.
package enum Payload {
  /// What stands before the acts.
  package struct Head: Hashable, Sendable {
    /// Which fields and values the program that wrote it knew; this one writes 1.
    package var level: UInt64 = 1
    /// Milliseconds since 1970.
    package var written: Int64
    /// The machine's name; in a marker the id of the place, 32 hex digits.
    package var machine: String
    /// The program's version.
    package var program: String

    package init(written: Int64, machine: String, program: String) {
      (self.written, self.machine, self.program) = (written, machine, program)
    }
  }

  /// - Parameter acts: each as `ActCodec.encode` makes it.
  package static func encode(_ head: Head, acts: some Sequence<[UInt8]>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: head.level)
    bytes.append(number: UInt64(clamping: head.written))
    bytes.append(counted: head.machine.utf8)
    bytes.append(counted: head.program.utf8)
    for act in acts { bytes.append(contentsOf: act) }
    return bytes
  }

  /// The whole of an object's payload. `PayloadReader` reads it act by act.
  package static func decode(
    _ bytes: [UInt8], of name: ObjectName
  ) throws(DamagedPayload) -> (head: Head, acts: [ReadAct]) {
    var reader = try PayloadReader(bytes, of: name)
    var acts: [ReadAct] = []
    while let act = try reader.next() { acts.append(act) }
    return (reader.head, acts)
  }
}

/// Reads the acts of an object one after the other, so that only one is in memory. A copy reads them again.
package struct PayloadReader {
  package let head: Payload.Head
  /// In bytes.
  package let size: Int
  private var reader: ByteReader
  private var offset = 0
  private let count: Int

  package init(_ bytes: [UInt8], of name: ObjectName) throws(DamagedPayload) {
    guard bytes.count <= Limits.payloadBytes else { throw .tooLong }
    // Counting from the number of an act never overflows then.
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

  /// Nil after the last one; only then is it sure that the payload is whole.
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
  /// How many acts it says that it holds; the marker has none.
  package var actCount: Int {
    if self == .marker { return 0 }
    let (behind, overflows) = seqs.upperBound.subtractingReportingOverflow(seqs.lowerBound)
    return overflows || behind == .max ? .max : Int(behind) + 1
  }
}
