/// A decoded act, and its position in its object.
package struct ReadAct: Hashable, Sendable {
  /// The distance of the act's number from that of the first act in its object.
  package var offset: Int
  /// The part of the act that this version supports.
  package var act: Act
  /// Whether the act contains parts that this version does not support, so that a later version must read it again.
  package var isPartial: Bool

  package init(offset: Int, act: Act, isPartial: Bool) {
    (self.offset, self.act, self.isPartial) = (offset, act, isPartial)
  }
}

/// Converts single acts to bytes, with their length in front: kind, stamp, number of the undone act, groups.
package enum ActCodec {
  /// Encodes an act. Equal acts have equal bytes: groups are sorted by their bytes, and targets by key and occasion,
  /// without duplicates.
  package static func encode(_ act: Act) -> [UInt8] {
    var body: [UInt8] = []
    body.append(number: act.kind.rawValue)
    body.append(number: UInt64(clamping: act.stamp.rawValue))
    body.append(number: UInt64(clamping: act.undoes))
    let groups = act.groups.map(encode).sorted { $0.lexicographicallyPrecedes($1) }
    for group in groups { body.append(contentsOf: group) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count + 10)
    bytes.append(counted: body)
    return bytes
  }

  /// Decodes one act; it must be the whole input.
  package static func decode(_ bytes: [UInt8]) throws(DamagedPayload) -> ReadAct {
    var reader = ByteReader(bytes)
    let act = try read(&reader, offset: 0)
    guard reader.left == 0 else { throw .goesOn }
    return act
  }

  static func read(_ reader: inout ByteReader, offset: Int) throws(DamagedPayload) -> ReadAct {
    var body = try reader.part(try reader.number())
    let kind = Act.Kind(rawValue: try body.number())
    let stamp = try body.number()
    guard stamp < UInt64(Stamp.limit) else { throw .stamp }
    var act = Act(kind: kind, stamp: Stamp(rawValue: Int64(stamp)), undoes: try body.count(), groups: [])
    var isPartial = false
    while body.left > 0 {
      // The position after a group of unknown form is not known.
      guard let group = try readGroup(&body) else {
        return ReadAct(offset: offset, act: act, isPartial: true)
      }
      if group.field.isKnown { act.groups.append(group) } else { isPartial = true }
    }
    return ReadAct(offset: offset, act: act, isPartial: isPartial)
  }

  // MARK: Groups

  /// The flag of a group with occasions: bit 0.
  private static let hasOccasions: UInt64 = 1

  private enum ValueType: UInt64 { case none, integer, bytes }

  private static func encode(_ group: Act.Group) -> [UInt8] {
    let flags = group.targets.contains { $0.occasion != 0 } ? hasOccasions : 0
    var bytes = group.source.bytes
    bytes.reserveCapacity(40 + group.targets.count * (flags == 0 ? 8 : 16))
    bytes.append(number: group.field.rawValue)
    bytes.append(number: flags)
    switch group.value {
    case .none: bytes.append(number: ValueType.none.rawValue)
    case .integer(let integer):
      bytes.append(number: ValueType.integer.rawValue)
      bytes.append(number: UInt64(bitPattern: integer << 1 ^ integer >> 63))
    case .bytes(let value):
      bytes.append(number: ValueType.bytes.rawValue)
      bytes.append(counted: value)
    }
    let targets = ascending(group.targets)
    bytes.append(number: UInt64(targets.count))
    for target in targets {
      bytes.append(word: target.key)
      if flags != 0 { bytes.append(word: target.occasion) }
    }
    return bytes
  }

  /// Returns the targets in ascending order, without duplicates.
  private static func ascending(_ targets: [Act.Target]) -> [Act.Target] {
    if zip(targets, targets.dropFirst()).allSatisfy(<) { return targets }
    var kept: [Act.Target] = []
    for target in targets.sorted() where target != kept.last { kept.append(target) }
    return kept
  }

  /// Reads a group, or returns `nil` if its form is unknown to this version.
  private static func readGroup(_ body: inout ByteReader) throws(DamagedPayload) -> Act.Group? {
    guard let source = WireUID(bytes: try body.bytes(16)) else { throw .endsEarly }
    let field = Act.Field(rawValue: try body.number())
    let flags = try body.number()
    guard flags <= hasOccasions, let type = ValueType(rawValue: try body.number()) else { return nil }
    let value: Act.Value
    switch type {
    case .none: value = .none
    case .integer:
      let zigzag = try body.number()
      value = .integer(Int64(bitPattern: zigzag >> 1) ^ -Int64(zigzag & 1))
    case .bytes: value = .bytes(Array(try body.bytes(try body.number())))
    }
    let count = try body.number()
    guard count <= UInt64(body.left / (flags == 0 ? 8 : 16)) else { throw .endsEarly }
    var targets: [Act.Target] = []
    targets.reserveCapacity(Int(count))
    for _ in 0..<count {
      targets.append(Act.Target(key: try body.word(), occasion: flags == 0 ? 0 : try body.word()))
    }
    return Act.Group(source: source, field: field, value: value, targets: targets)
  }
}

extension Act.Field {
  /// Whether this version supports the field; fields of later versions are skipped.
  package var isKnown: Bool {
    switch rawValue {
    case 1...9, 16...20, 32, 33: true
    default: false
    }
  }
}

extension Act.Target: Comparable {
  package static func < (left: Act.Target, right: Act.Target) -> Bool {
    (left.key, left.occasion) < (right.key, right.occasion)
  }
}
