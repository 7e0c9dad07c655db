import Sync
import SyncModel
import TestBasics
import Testing

/// The writes that a packed object keeps.
@Suite struct PackingTests {
  private static let source = uid(1)

  private static func uid(_ byte: UInt8) -> WireUID {
    guard let uid = WireUID(bytes: Array(repeating: byte, count: 16)) else { fatalError("16 bytes") }
    return uid
  }

  private func act(_ kind: Act.Kind, _ stamp: Int64, undoes: Int64 = 0, _ groups: Act.Group...) -> [UInt8] {
    ActCodec.encode(Act(kind: kind, stamp: Stamp(rawValue: stamp), undoes: undoes, groups: groups))
  }

  private func group(
    _ field: Act.Field, _ value: Act.Value, _ keys: UInt64..., of source: WireUID = source
  ) -> Act.Group {
    Act.Group(source: source, field: field, value: value, targets: keys.map { Act.Target(key: $0) })
  }

  @Test func ofEachCellTheGreatestStampStays() throws {
    let acts = [
      act(.read, 10, group(.read, .integer(1), 1, 2, 3)),
      act(.unread, 20, group(.read, .integer(0), 2)),
      act(.star, 30, group(.starred, .integer(1), 2)),
      // A clock that was set back.
      act(.seen, 5, group(.seen, .integer(1), 4)), act(.seen, 4, group(.seen, .integer(1), 4)),
      act(.read, 40, group(.read, .integer(1), 1, of: Self.uid(2))),
      act(.undo, 50, undoes: 3, group(.starred, .integer(0), 2)),
    ]
    #expect(
      try Packing.trimmed(acts) == [
        act(.read, 10, group(.read, .integer(1), 1, 3)), acts[1], act(.star, 30), acts[3], act(.seen, 4),
        acts[5], acts[6],
      ])
    #expect(try Packing.trimmed(Packing.trimmed(acts)) == Packing.trimmed(acts))
    #expect(try Packing.trimmed(acts, part: 2..<5) == [act(.star, 30), acts[3], act(.seen, 4)])
    #expect(
      try Packing.trimmed([act(.undo, 1, undoes: 9, group(.read, .none, 1))] + acts)[0] == act(.undo, 1))
  }

  @Test func kindsAndFirstDeliveriesStay() throws {
    let empty = act(.firstDelivery, 1, group(.old, .integer(1)))
    let acts = [
      empty, act(.firstDelivery, 2, group(.old, .integer(1), 7, of: Self.uid(2))),
      act(.setUp, 3, group(.read, .integer(1), 1)), act(.push, 4, group(.push, .bytes([1]), 1)),
      act(.sources, 5, group(.name, .bytes([2]), 0)), act(.carried, 6, group(.read, .integer(1), 2)),
      act(.read, 7, group(.read, .integer(0), 1, 2)), act(.push, 8, group(.push, .bytes([3]), 1)),
      act(.sources, 9, group(.name, .none, 0)),
      act(.firstDelivery, 10, group(.old, .integer(1), 7, of: Self.uid(2))),
    ]
    let trimmed = try Packing.trimmed(acts)
    #expect(
      trimmed[..<6] == [
        empty, act(.firstDelivery, 2, group(.old, .integer(1), of: Self.uid(2))), act(.setUp, 3),
        act(.push, 4), act(.sources, 5), act(.carried, 6),
      ])
    #expect(trimmed[6...] == acts[6...])
  }

  @Test func whatALaterProgramWroteStaysWhole() throws {
    let later = Act.Field(rawValue: 99)
    let acts = [
      act(.read, 1, group(.read, .integer(1), 1), group(later, .integer(7), 1)),
      act(.unread, 2, group(.read, .integer(0), 1)),
    ]
    #expect(try Packing.trimmed(acts) == acts)
    #expect(throws: DamagedPayload.self) { try Packing.trimmed([[3, 1]]) }
  }

  /// The model trims cells, the program bytes.
  @Test func itKeepsWhatTheModelKeeps() throws {
    for seed in 0..<200 {
      var random = SeededRandom(seed: seed)
      var acts: [ModelAct] = []
      for seq in 1...Int.random(in: 1...30, using: &random) {
        let fills = Int.random(in: 0..<9, using: &random) == 0
        var writes: [Write] = []
        for message in 1...5 where !fills && Bool.random(using: &random) {
          let field = [Act.Field.read, .starred, .seen].randomElement(using: &random) ?? .read
          let occasion: UInt64 = field == .starred ? 0 : UInt64.random(in: 0...1, using: &random)
          writes.append(Write(cell: Cell(message: message, occasion: occasion, field: field), value: 1))
        }
        let stamp = Stamp(rawValue: Int64(seq + Int.random(in: -2...0, using: &random)))
        acts.append(
          ModelAct(
            seq: seq, stamp: stamp, kind: "act", writes: writes,
            undoes: Int.random(in: 0...1, using: &random), fills: fills))
      }
      #expect(
        try Packing.trimmed(acts.map(bytes)) == ModelAct.trimmed(acts).map(bytes), "seed \(seed)")
    }
  }

  private func bytes(_ act: ModelAct) -> [UInt8] {
    let fields = Dictionary(grouping: act.writes, by: \.cell.field)
    var groups = fields.map { field, writes in
      Act.Group(
        source: Self.source, field: field, value: .integer(1),
        targets: writes.map { Act.Target(key: UInt64($0.cell.message), occasion: $0.cell.occasion) })
    }
    if act.fills { groups.append(group(.old, .integer(1))) }
    return ActCodec.encode(
      Act(
        kind: act.fills ? .firstDelivery : .read, stamp: act.stamp, undoes: Int64(act.undoes), groups: groups)
    )
  }
}
