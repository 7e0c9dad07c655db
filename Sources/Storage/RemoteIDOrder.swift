import Foundation

/// The messages of a delivery in the order of the index of remote ids: by their bytes.
enum RemoteIDOrder {
  private struct Entry {
    /// The first eight bytes in which the delivery's ids differ: decides nearly every comparison without a look at
    /// the text. Most ids are addresses of one site.
    var head: UInt64
    var position: Int
  }

  /// Positions by remote id. Of those that share one, the last in the delivery stands for all.
  static func positions(_ ids: [String]) -> [Int] {
    let shared = sharedPrefix(ids)
    var entries = ids.enumerated().map { Entry(head: head($1, after: shared), position: $0) }
    entries.sort { first, second in
      if first.head != second.head { return first.head < second.head }
      let order = compare(ids[first.position], ids[second.position])
      return order == 0 ? first.position < second.position : order < 0
    }
    return entries.indices.compactMap { index in
      let entry = entries[index]
      guard index + 1 < entries.count, entries[index + 1].head == entry.head else { return entry.position }
      return compare(ids[entry.position], ids[entries[index + 1].position]) == 0 ? nil : entry.position
    }
  }

  private static func sharedPrefix(_ ids: [String]) -> Int {
    guard var first = ids.first else { return 0 }
    return first.withUTF8 { first in
      var shared = first.count
      for var id in ids {
        id.withUTF8 { bytes in
          shared = min(shared, bytes.count)
          var index = 0
          while index < shared, bytes[index] == first[index] { index += 1 }
          shared = index
        }
        if shared == 0 { break }
      }
      return shared
    }
  }

  /// Padded with zeros; equal heads say nothing.
  private static func head(_ id: String, after start: Int) -> UInt64 {
    var id = id
    return id.withUTF8 { bytes in
      var head: UInt64 = 0
      for index in start..<start + 8 { head = head << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
      return head
    }
  }

  /// Negative, zero or positive as SQLite's BINARY collation orders the two.
  private static func compare(_ first: String, _ second: String) -> Int {
    var (first, second) = (first, second)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        let count = min(first.count, second.count)
        // An empty text may have no address to compare.
        guard count > 0, let left = first.baseAddress, let right = second.baseAddress else {
          return first.count - second.count
        }
        let order = memcmp(left, right, count)
        return order == 0 ? first.count - second.count : Int(order)
      }
    }
  }
}
