import Basics

/// Reads D-Bus values of either byte order. Malformed bytes give `nil`, never a trap.
struct BusReader {
  private let bytes: [UInt8]
  private let isBigEndian: Bool
  private(set) var position: Int
  /// The number of values that may still be read from the message.
  private var room = Limits.busValues

  init(_ bytes: [UInt8], isBigEndian: Bool, at position: Int = 0) {
    (self.bytes, self.isBigEndian, self.position) = (bytes, isBigEndian, position)
  }

  /// Moves to the next multiple of an alignment. Returns whether that is within the bytes.
  mutating func align(_ alignment: Int) -> Bool {
    position = (position + alignment - 1) / alignment * alignment
    return position <= bytes.count
  }

  mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = Number.bitWidth / 8
    guard align(size), position + size <= bytes.count else { return nil }
    var number: Number = 0
    for offset in 0..<size {
      let place = isBigEndian ? position + offset : position + size - 1 - offset
      number = number << 8 | Number(truncatingIfNeeded: bytes[place])
    }
    position += size
    return number
  }

  /// Returns the values of a signature, or `nil` if one of them cannot be read.
  mutating func values(_ signature: String) -> [BusValue]? {
    let (values, areAll) = leadingValues(signature)
    return areAll ? values : nil
  }

  /// Returns the values of a signature up to the first one that cannot be read.
  mutating func leadingValues(_ signature: String) -> (values: [BusValue], areAll: Bool) {
    var types = Array(signature.utf8)[...]
    var values: [BusValue] = []
    while !types.isEmpty {
      guard let type = Self.takeType(&types), let value = value(type, depth: 0) else {
        return (values, false)
      }
      values.append(value)
    }
    return (values, true)
  }

  /// Removes and returns one complete type from the front of a signature.
  private static func takeType(_ types: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let whole = types
    var open = 0
    while let type = types.first {
      guard BusValue.alignment(type) != nil || type == UInt8(ascii: ")") || type == UInt8(ascii: "}") else {
        return nil
      }
      types = types.dropFirst()
      switch type {
      case UInt8(ascii: "("), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"): open -= 1
      case UInt8(ascii: "a"): continue
      case _: break
      }
      if open < 0 { return nil }
      if open == 0 { return whole[..<types.startIndex] }
    }
    return nil
  }

  private mutating func value(_ type: ArraySlice<UInt8>, depth: Int) -> BusValue? {
    guard depth < Limits.busDepth, room > 0, let first = type.first else { return nil }
    room -= 1
    switch first {
    case UInt8(ascii: "y"): return integer(UInt8.self).map(BusValue.byte)
    case UInt8(ascii: "b"): return integer(UInt32.self).map { .boolean($0 != 0) }
    case UInt8(ascii: "n"): return integer(Int16.self).map(BusValue.int16)
    case UInt8(ascii: "q"): return integer(UInt16.self).map(BusValue.uint16)
    case UInt8(ascii: "i"): return integer(Int32.self).map(BusValue.int32)
    case UInt8(ascii: "u"), UInt8(ascii: "h"): return integer(UInt32.self).map(BusValue.uint32)
    case UInt8(ascii: "x"): return integer(Int64.self).map(BusValue.int64)
    case UInt8(ascii: "t"): return integer(UInt64.self).map(BusValue.uint64)
    case UInt8(ascii: "d"): return integer(UInt64.self).map { .double(Double(bitPattern: $0)) }
    case UInt8(ascii: "s"): return text(length: integer(UInt32.self).map(Int.init)).map(BusValue.string)
    case UInt8(ascii: "o"): return text(length: integer(UInt32.self).map(Int.init)).map(BusValue.objectPath)
    case UInt8(ascii: "g"): return text(length: integer(UInt8.self).map(Int.init)).map(BusValue.signature)
    case UInt8(ascii: "v"):
      guard let signature = text(length: integer(UInt8.self).map(Int.init)) else { return nil }
      var types = Array(signature.utf8)[...]
      guard let type = Self.takeType(&types), types.isEmpty, let value = value(type, depth: depth + 1) else {
        return nil
      }
      return .variant(value)
    case UInt8(ascii: "a"): return array(type.dropFirst(), depth: depth)
    case UInt8(ascii: "("): return members(type, depth: depth).map(BusValue.structure)
    case UInt8(ascii: "{"):
      guard let members = members(type, depth: depth), members.count == 2 else { return nil }
      return .entry(members[0], members[1])
    case _: return nil
    }
  }

  private mutating func array(_ element: ArraySlice<UInt8>, depth: Int) -> BusValue? {
    guard let length = integer(UInt32.self), let first = element.first,
      let alignment = BusValue.alignment(first), align(alignment), Int(length) <= bytes.count - position
    else { return nil }
    let end = position + Int(length)
    if first == UInt8(ascii: "y") {
      defer { position = end }
      return .bytes(Array(bytes[position..<end]))
    }
    var values: [BusValue] = []
    while position < end {
      let start = position
      // An element without bytes would never reach the end.
      guard let value = value(element, depth: depth + 1), position > start else { return nil }
      values.append(value)
    }
    guard position == end else { return nil }
    return .array(String(decoding: element, as: UTF8.self), values)
  }

  /// Returns the members of a structure or of a dictionary's entry, whose types are between two brackets.
  private mutating func members(_ type: ArraySlice<UInt8>, depth: Int) -> [BusValue]? {
    guard align(8) else { return nil }
    var types = type.dropFirst().dropLast()
    var members: [BusValue] = []
    while !types.isEmpty {
      guard let type = Self.takeType(&types), let value = value(type, depth: depth + 1) else { return nil }
      members.append(value)
    }
    return members
  }

  /// Reads a string of this many bytes and the NUL after it.
  private mutating func text(length: Int?) -> String? {
    guard let length, length < bytes.count - position, bytes[position + length] == 0 else { return nil }
    defer { position += length + 1 }
    return String(decoding: bytes[position..<position + length], as: UTF8.self)
  }
}
