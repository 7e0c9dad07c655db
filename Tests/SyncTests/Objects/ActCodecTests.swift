import Basics
import TestBasics
import Testing

@testable import Sync

@Suite struct ActCodecTests {
  private let source = WireUID(syncAs: "mail")
  private let name = ObjectName(device: .random(), seqs: 1...1)

  @Test func anActIsReadAsItWasWritten() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<300 {
      let act = Self.act(&random)
      let bytes = ActCodec.encode(act)
      let read = try ActCodec.decode(bytes)
      #expect(!read.isPartial)
      #expect(ActCodec.encode(read.act) == bytes)
      #expect(read.act == Self.sorted(act))
    }
  }

  /// Equal acts have the same bytes, in whatever order they were collected, because a machine compares its own
  /// objects.
  @Test func theOrderOfWritesDoesNotMatter() {
    let group = { (field: Act.Field, keys: [UInt64]) in
      Act.Group(
        source: self.source, field: field, value: .integer(1), targets: keys.map { Act.Target(key: $0) })
    }
    let one = Act(
      kind: .read, stamp: Stamp(rawValue: 1), groups: [group(.read, [1, 2]), group(.starred, [3])])
    let other = Act(
      kind: .read, stamp: Stamp(rawValue: 1), groups: [group(.starred, [3, 3]), group(.read, [2, 1, 2])])
    #expect(ActCodec.encode(one) == ActCodec.encode(other))
  }

  @Test func actsFollowEachOther() throws {
    var random = SeededRandom(seed: 2)
    let acts = (0..<5).map { _ in Self.sorted(Self.act(&random)) }
    let head = Payload.Head(written: 1_795_600_000_000, machine: "laptop", program: "0.3.0")
    let bytes = Payload.encode(head, acts: acts.map(ActCodec.encode))
    let read = try Payload.decode(bytes, of: ObjectName(device: .random(), seqs: 11...15))
    #expect(read.head == head)
    #expect(read.acts == acts.enumerated().map { ReadAct(offset: $0, act: $1, isPartial: false) })
    for last: Int64 in [11, 14, 16, .max] {
      #expect(throws: DamagedPayload.self) {
        try Payload.decode(bytes, of: ObjectName(device: .random(), seqs: 11...last))
      }
    }
  }

  @Test func whatIsWrongIsSaid() {
    #expect(failure([]) == .endsEarly)
    #expect(failure([4, 1, 5, 0]) == .endsEarly)
    #expect(failure([3, 1, 5, 0, 0]) == .goesOn)
    #expect(failure([2, 1, 5]) == .endsEarly)
    // A number of 65 bits, and one of eleven bytes.
    #expect(failure([12] + Array(repeating: 0xff, count: 9) + [2, 5, 0]) == .number)
    #expect(failure([13] + Array(repeating: 0x80, count: 10) + [0, 5, 0]) == .number)
    #expect(failure([11, 1] + Array(repeating: 0x80, count: 8) + [0x40, 0]) == .stamp)
    // The act undoes one beyond all numbers.
    #expect(failure([12, 1, 5] + Array(repeating: 0xff, count: 9) + [1]) == .number)
    #expect(failure([1], Payload.Head(written: 0, machine: "", program: "")) == .endsEarly)
  }

  /// No memory is reserved for acts that can't follow.
  @Test func aCountBeyondTheEndIsRefused() {
    let huge: [UInt8] = Array(repeating: 0xff, count: 9) + [1]
    for form: [UInt8] in [
      [1, 0, 0] + huge, [1, 1, 0] + huge, [1, 0, 2] + huge, [1, 0, 0, 1],
      [1, 1, 0, 1] + Array(repeating: 0, count: 8),
    ] {
      let body = [1, 5, 0] + source.bytes + form
      #expect(failure([UInt8(body.count)] + body) == .endsEarly)
    }
    #expect(throws: DamagedPayload.endsEarly) { try Payload.decode([1, 0] + huge, of: name) }
  }

  @Test func namesAreUTF8AndBounded() throws {
    #expect(throws: DamagedPayload.text) { try Payload.decode([1, 0, 1, 0xff, 0], of: .marker) }
    let long = String(repeating: "ü", count: 5000)
    let bytes = Payload.encode(Payload.Head(written: 0, machine: long, program: long), acts: [])
    let head = try Payload.decode(bytes, of: .marker).head
    #expect(head.machine.utf8.count == Limits.machineNameBytes)
    #expect(head.program.utf8.count == Limits.machineNameBytes)
    #expect(throws: DamagedPayload.number) {
      try Payload.decode([1] + Array(repeating: 0xff, count: 9) + [1, 0, 0], of: .marker)
    }
    #expect(throws: DamagedPayload.goesOn) { try Payload.decode(bytes + [0], of: .marker) }
  }

  /// If acts are cut or changed at any byte, they are damaged or different, but nothing traps.
  @Test func anyBytesAreReadOrRefused() throws {
    for sample in SealedSample.all {
      let name = try sample.name
      for length in sample.payload.indices {
        #expect(throws: DamagedPayload.self) {
          try Payload.decode(Array(sample.payload[..<length]), of: name)
        }
      }
      for index in sample.payload.indices {
        for byte: UInt8 in [0, 1, 0x7f, 0x80, 0xff] {
          var changed = sample.payload
          changed[index] = byte
          _ = try? Payload.decode(changed, of: name)
        }
      }
    }
  }

  private func failure(_ bytes: [UInt8]) -> DamagedPayload? {
    do throws(DamagedPayload) {
      _ = try ActCodec.decode(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func failure(_ act: [UInt8], _ head: Payload.Head) -> DamagedPayload? {
    do throws(DamagedPayload) {
      _ = try Payload.decode(Payload.encode(head, acts: [act]), of: name)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Random acts

  private static func act(_ random: inout SeededRandom) -> Act {
    let fields: [Act.Field] = [.read, .starred, .snoozed, .old, .follow, .folder, .push, .content]
    let groups = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let value: Act.Value =
        switch Int.random(in: 0...2, using: &random) {
        case 0: .none
        case 1: .integer(Int64(bitPattern: number(&random)))
        default:
          .bytes(
            (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next())
            })
        }
      let hasOccasions = Bool.random(using: &random)
      let targets = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        Act.Target(key: number(&random), occasion: hasOccasions ? number(&random) : 0)
      }
      return Act.Group(
        source: WireUID(syncAs: "\(Int.random(in: 0...2, using: &random))"),
        field: fields[Int.random(in: 0..<fields.count, using: &random)], value: value, targets: targets)
    }
    return Act(
      kind: Act.Kind(rawValue: number(&random)), stamp: Stamp(rawValue: Int64(number(&random) >> 2)),
      undoes: Int64(number(&random) >> 1), groups: groups)
  }

  /// Returns a number of any length.
  private static func number(_ random: inout SeededRandom) -> UInt64 {
    random.next() >> UInt64.random(in: 0...63, using: &random)
  }

  private static func sorted(_ act: Act) -> Act {
    var sorted = act
    for index in sorted.groups.indices {
      sorted.groups[index].targets = Set(act.groups[index].targets).sorted()
    }
    sorted.groups.sort {
      // An act of one group consists of a head of constant length and that group's bytes.
      func bytes(_ group: Act.Group) -> ArraySlice<UInt8> {
        let bytes = ActCodec.encode(Act(kind: .read, stamp: Stamp(rawValue: 0), groups: [group]))
        return bytes.drop { $0 >= 0x80 }.dropFirst(4)
      }
      return bytes($0).lexicographicallyPrecedes(bytes($1))
    }
    return sorted
  }
}
