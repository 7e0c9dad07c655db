/// A prefix code of Deflate (RFC 1951 section 3.2.2), decoded by table for short codes and by counting for
/// long ones, so that a table costs little even where a hostile stream brings thousands.
struct HuffmanCode: ~Copyable {
  static let tableBits = 10
  private static let longest = 15

  /// For every reversed start of `tableBits` bits: symbol << 4 | length; 0 where the code is longer.
  private let table: UnsafeMutablePointer<UInt16>
  private let symbols: UnsafeMutablePointer<UInt16>
  private let counts: UnsafeMutablePointer<UInt16>

  init(capacity: Int) {
    table = .allocate(capacity: 1 << Self.tableBits)
    symbols = .allocate(capacity: capacity)
    counts = .allocate(capacity: Self.longest + 1)
    table.initialize(repeating: 0, count: 1 << Self.tableBits)
    symbols.initialize(repeating: 0, count: capacity)
    counts.initialize(repeating: 0, count: Self.longest + 1)
  }

  deinit {
    table.deallocate()
    symbols.deallocate()
    counts.deallocate()
  }

  /// False where the lengths make no code: too many of them, or gaps in a code of more than one symbol.
  mutating func build(_ lengths: ArraySlice<UInt8>) -> Bool {
    for length in 0...Self.longest { counts[length] = 0 }
    for length in lengths { counts[Int(length)] += 1 }
    table.update(repeating: 0, count: 1 << Self.tableBits)
    let used = lengths.count - Int(counts[0])
    var left = 1
    for length in 1...Self.longest {
      left = left * 2 - Int(counts[length])
      if left < 0 { return false }
    }
    // A lone code of one bit is allowed (section 3.2.7), and so is none where no distance is used.
    if left > 0, used > 1 || used == 1 && counts[1] != 1 { return false }

    var offsets = [Int](repeating: 0, count: Self.longest + 2)
    var firstCodes = offsets
    for length in 1...Self.longest {
      offsets[length + 1] = offsets[length] + Int(counts[length])
      firstCodes[length + 1] = (firstCodes[length] + Int(counts[length])) << 1
    }
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      symbols[offsets[length]] = UInt16(symbol)
      offsets[length] += 1
      let code = firstCodes[length]
      firstCodes[length] += 1
      guard length <= Self.tableBits else { continue }
      var index = Self.reversed(code, length)
      while index < 1 << Self.tableBits {
        table[index] = UInt16(symbol << 4 | length)
        index += 1 << length
      }
    }
    return true
  }

  private static func reversed(_ code: Int, _ length: Int) -> Int {
    var code = code
    var result = 0
    for _ in 0..<length {
      result = result << 1 | code & 1
      code >>= 1
    }
    return result
  }

  /// The symbol at the start of `bits` and its length; nil where no code begins so.
  @inline(__always)
  func decode(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    let entry = table[Int(bits & (1 << UInt64(Self.tableBits) - 1))]
    if entry != 0 { return (Int(entry >> 4), Int(entry & 15)) }
    return decodeSlowly(bits)
  }

  private func decodeSlowly(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    var bits = bits
    var code = 0
    var first = 0
    var index = 0
    for length in 1...Self.longest {
      code |= Int(bits & 1)
      bits >>= 1
      let count = Int(counts[length])
      if code - count < first { return (Int(symbols[index + code - first]), length) }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }
}
