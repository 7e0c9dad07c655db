/// The words of a text, as the search index cuts and folds them, in order.
package struct QueryTokens: Hashable, Sendable {
  /// All words, one after the other: compared byte by byte, as the index does.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// Of each word: many queries are asked of one text, and nearly all of them have words that it doesn't have.
  private var hashes: [UInt32] = []
  /// A bit for each word, by its hash: without the bit, the text doesn't have the word.
  private var presence = SIMD16<UInt64>()

  package init() {}

  package init(_ words: [String]) {
    for word in words {
      var word = word
      word.withUTF8 { append($0) }
    }
  }

  package mutating func append(_ word: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: word)
    ends.append(bytes.count)
    // FNV-1a: short words need no better one.
    var hash: UInt32 = 2_166_136_261
    for byte in word { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    hashes.append(hash)
    presence[Self.lane(hash)] |= Self.bit(hash)
  }

  private static func lane(_ hash: UInt32) -> Int { Int(hash >> 28) }
  private static func bit(_ hash: UInt32) -> UInt64 { 1 << UInt64(hash >> 22 & 63) }

  /// A word, as far as its bit tells it.
  struct Trace {
    fileprivate let hash: UInt32
  }

  /// Of the words that are whole.
  func traces(isPrefix: Bool) -> [Trace] {
    hashes.prefix(max(0, isPrefix ? count - 1 : count)).map { Trace(hash: $0) }
  }

  /// false: the text doesn't have that word.
  func mayHave(_ trace: Trace) -> Bool { presence[Self.lane(trace.hash)] & Self.bit(trace.hash) != 0 }

  package var count: Int { ends.count }
  package var isEmpty: Bool { ends.isEmpty }

  package subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  package var words: [String] { (0..<count).map { String(decoding: self[$0], as: UTF8.self) } }

  /// Whether these words stand in the text next to each other.
  ///
  /// - Parameter isPrefix: the last one may go on.
  package func occurs(in text: QueryTokens, isPrefix: Bool) -> Bool {
    // The words that are whole.
    let whole = isPrefix ? count - 1 : count
    guard !isEmpty, text.count >= count,
      hashes.prefix(whole).allSatisfy({ text.presence[Self.lane($0)] & Self.bit($0) != 0 })
    else { return false }
    return (0...text.count - count).contains { start in
      for offset in 0..<whole where hashes[offset] != text.hashes[start + offset] { return false }
      return (0..<count).allSatisfy { offset in
        let (own, other) = (self[offset], text[start + offset])
        return offset == whole ? other.starts(with: own) : other.elementsEqual(own)
      }
    }
  }
}

/// Cuts a text into words. The search index's own tokenizer is behind it, so that a word of a query, a word of a
/// text and a word of the index are the same.
package protocol QueryTokenizer {
  func tokens(of text: String) -> QueryTokens
}
