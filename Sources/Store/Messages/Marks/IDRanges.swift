/// A set of message ids as ascending ranges, and their bytes in the journal.
///
/// A million consecutive ids are one range. The bytes are LEB128 numbers in pairs: the distance of the range from the
/// end of the one before, and its length less one.
package struct IDRanges: Hashable, Sendable {
  package private(set) var ranges: [ClosedRange<Int64>] = []

  package init() {}

  package init(_ ids: [Int64]) {
    var ids = ids
    self.init(sorting: &ids)
  }

  package init(_ range: ClosedRange<Int64>) { ranges = [range] }

  /// - Parameter ranges: the ranges in any order, which may overlap.
  package init(covering ranges: [ClosedRange<Int64>]) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
  }

  /// Sorts the ids in place, which avoids a second copy of up to a million ids.
  package init(sorting ids: inout [Int64]) {
    ids.sort()
    for id in ids { append(id) }
  }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The number of ids, or the largest integer if there are more: the bytes of a damaged database may contain any
  /// ranges.
  package var count: Int {
    ranges.reduce(0) { count, range in
      let (behind, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      let (sum, isMore) = count.addingReportingOverflow(Int(behind))
      return overflows || isMore || sum == .max ? .max : sum + 1
    }
  }

  /// Whether no id of the set is greater than `id`.
  package func isBehind(_ id: Int64) -> Bool { ranges.last.map { $0.upperBound <= id } ?? true }

  /// Appends an id that is no smaller than those before it.
  package mutating func append(_ id: Int64) {
    // Commands can also contain ids, which may be the smallest possible.
    guard let last = ranges.last, last.upperBound >= id || last.upperBound + 1 == id else {
      ranges.append(id...id)
      return
    }
    if last.upperBound < id { ranges[ranges.count - 1] = last.lowerBound...id }
  }

  /// Appends a range that begins no lower than the last one.
  package mutating func append(_ range: ClosedRange<Int64>) {
    append(range.lowerBound)
    if let last = ranges.last, last.upperBound < range.upperBound {
      ranges[ranges.count - 1] = last.lowerBound...range.upperBound
    }
  }

  package func contains(_ id: Int64) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < id { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(id)
  }

  /// Returns the ids of the set up to `last`, including it.
  package func through(_ last: Int64) -> IDRanges {
    var rest = IDRanges()
    for range in ranges where range.lowerBound <= last {
      rest.append(range.lowerBound...min(range.upperBound, last))
    }
    return rest
  }

  /// Returns the ids that another set doesn't contain.
  package func subtracting(_ other: IDRanges) -> IDRanges {
    var rest = IDRanges()
    var others = other.ranges[...]
    for range in ranges {
      while let next = others.first, next.upperBound < range.lowerBound { others.removeFirst() }
      var first: Int64? = range.lowerBound
      for cut in others {
        guard let start = first, cut.lowerBound <= range.upperBound else { break }
        if cut.lowerBound > start { rest.append(start...cut.lowerBound - 1) }
        first = cut.upperBound < range.upperBound ? cut.upperBound + 1 : nil
      }
      if let first { rest.append(first...range.upperBound) }
    }
    return rest
  }

  /// Returns the ids of both sets.
  package func union(_ other: IDRanges) -> IDRanges {
    if other.isEmpty { return self }
    if isEmpty { return other }
    var merged = IDRanges()
    var (own, others) = (ranges[...], other.ranges[...])
    while let range = own.first, let second = others.first {
      merged.append(range.lowerBound <= second.lowerBound ? own.removeFirst() : others.removeFirst())
    }
    for range in own + others { merged.append(range) }
    return merged
  }

  /// Returns the ids in pieces of at most this many.
  package func pieces(of most: Int) -> [IDRanges] {
    var pieces: [IDRanges] = []
    var piece = IDRanges()
    var room = Int64(most)
    for range in ranges {
      var first = range.lowerBound
      while true {
        let last = range.upperBound - first < room ? range.upperBound : first + room - 1
        piece.append(first...last)
        room -= last - first + 1
        if room == 0 {
          pieces.append(piece)
          (piece, room) = (IDRanges(), Int64(most))
        }
        if last == range.upperBound { break }
        first = last + 1
      }
    }
    return piece.isEmpty ? pieces : pieces + [piece]
  }

  /// The encoded form for the journal.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func write(_ number: Int64) {
      var rest = UInt64(bitPattern: number)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    var end: Int64 = 0
    for range in ranges {
      // The number is written as bits, since a distance may exceed a signed integer.
      write(range.lowerBound &- end)
      write(range.upperBound &- range.lowerBound)
      end = range.upperBound
    }
    return bytes
  }

  /// Decodes a set, or returns `nil` for bytes that the property `bytes` never contains.
  package init?(bytes: [UInt8]) {
    var index = 0
    func read() -> Int64? {
      var number: UInt64 = 0
      var shift: UInt64 = 0
      while index < bytes.count, shift < 64 {
        let byte = bytes[index]
        index += 1
        // The tenth byte has only one bit left.
        guard shift < 63 || byte <= 1 else { return nil }
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return Int64(bitPattern: number) }
        shift += 7
      }
      return nil
    }
    var end: Int64 = 0
    while index < bytes.count {
      guard let gap = read(), let length = read() else { return nil }
      let lower = end &+ gap
      let upper = lower &+ length
      guard ranges.isEmpty || lower > end, upper >= lower else { return nil }
      ranges.append(lower...upper)
      end = upper
    }
  }
}
