package import Sync

/// A message of a source, the same on every machine.
package typealias MessageID = Int

package struct Cell: Hashable, Sendable {
  package var message: MessageID
  package var occasion: UInt64
  package var field: Act.Field

  package init(message: MessageID, occasion: UInt64, field: Act.Field) {
    (self.message, self.occasion, self.field) = (message, occasion, field)
  }
}

/// The value of a cell: 0 or 1, or the end of a snooze.
package struct Written: Hashable, Sendable {
  package var by: WrittenBy
  package var value: Int64?
}

package struct Write: Hashable, Sendable {
  package var cell: Cell
  package var value: Int64?

  package init(cell: Cell, value: Int64?) { (self.cell, self.value) = (cell, value) }
}

/// An act in the model: it has cells instead of bytes.
package struct ModelAct: Hashable, Sendable {
  package var seq: Int
  package var stamp: Stamp
  package var kind: String
  package var writes: [Write]
  package var undoes = 0
  /// Whether the first delivery of the source has come.
  package var fills = false

  package init(
    seq: Int, stamp: Stamp, kind: String, writes: [Write], undoes: Int = 0, fills: Bool = false
  ) {
    (self.seq, self.stamp, self.kind, self.writes) = (seq, stamp, kind, writes)
    (self.undoes, self.fills) = (undoes, fills)
  }

  /// Returns the parts of one machine's acts that a packed object keeps.
  package static func trimmed(_ acts: [ModelAct], mutant: Mutant? = nil) -> [ModelAct] {
    var lasts: [Cell: (stamp: Stamp, seq: Int)] = [:]
    for act in acts {
      for write in act.writes where (lasts[write.cell]?.stamp).map({ $0 <= act.stamp }) ?? true {
        lasts[write.cell] = (act.stamp, act.seq)
      }
    }
    return acts.map { act in
      var trimmed = act
      trimmed.writes.removeAll { mutant == .trimAll || lasts[$0.cell]?.seq != act.seq }
      if mutant == .noEmptyDelivery, trimmed.writes.isEmpty { trimmed.fills = false }
      if trimmed.writes.isEmpty, !trimmed.fills { trimmed.undoes = 0 }
      return trimmed
    }
  }

  static func areSame(_ one: [ModelAct], _ other: [ModelAct]) -> Bool { trimmed(one) == trimmed(other) }
}

/// Immutable objects with names: objects of two copies of a machine never have the same name.
package struct ModelPlace {
  package struct Name: Hashable, Comparable, Sendable {
    package var device: DeviceID
    var first: Int
    var last: Int
    var digest: UInt64

    package static func < (left: Name, right: Name) -> Bool {
      (left.device, left.first, left.last, left.digest) < (
        right.device, right.first, right.last, right.digest
      )
    }
  }

  private let mutant: Mutant?
  private(set) var objects: [Name: [ModelAct]] = [:]

  package init(mutant: Mutant?) { self.mutant = mutant }

  /// The names, in an order that is the same in every run.
  package var names: [Name] { objects.keys.sorted() }

  func names(of device: DeviceID) -> [Name] { names.filter { $0.device == device } }

  mutating func put(_ device: DeviceID, _ acts: [ModelAct]) {
    guard let first = acts.first, let last = acts.last else { return }
    let digest = mutant == .noDigest ? 0 : Self.digest(acts)
    objects[Name(device: device, first: first.seq, last: last.seq, digest: digest)] = acts
  }

  mutating func delete(_ name: Name) { objects[name] = nil }

  /// Copies another folder: an object with the same name and other bytes is overwritten.
  mutating func carry(_ other: ModelPlace) { objects.merge(other.objects) { $1 } }

  /// Returns a digest that is the same in every run.
  private static func digest(_ acts: [ModelAct]) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ number: Int64) { digest = (digest ^ UInt64(bitPattern: number)) &* 0x100_0000_01B3 }
    for act in acts {
      add(Int64(act.seq))
      add(act.stamp.rawValue)
      add(Int64(act.undoes))
      add(act.fills ? 1 : 0)
      for byte in act.kind.utf8 { add(Int64(byte)) }
      for write in act.writes {
        add(Int64(write.cell.message))
        add(Int64(bitPattern: write.cell.occasion))
        add(Int64(write.cell.field.rawValue))
        add(write.value ?? -1)
      }
    }
    return digest
  }
}
