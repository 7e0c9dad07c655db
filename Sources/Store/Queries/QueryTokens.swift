/// The words of text in order, as the search index splits and folds them.
package struct QueryTokens: Hashable, Sendable {
  /// All words, one after the other. They are compared byte by byte, as in the index.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// The hash of each word, which is compared before its bytes: many queries are matched with the same text,
  /// and nearly all of them have words that it lacks.
  private var hashes: [UInt32] = []
  /// Bits derived from the words' hashes, one for each word: if the bit of a word is missing, the text does
  /// not contain the word.
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
    // This is FNV-1a: short words need no better hash.
    var hash: UInt32 = 2_166_136_261
    for byte in word { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    hashes.append(hash)
    presence[Self.lane(hash)] |= Self.bit(hash)
  }

  /// Returns the element of `presence` for a hash.
  private static func lane(_ hash: UInt32) -> Int { Int(hash >> 28) }
  /// Returns the bit for a hash in its element of `presence`.
  private static func bit(_ hash: UInt32) -> UInt64 { 1 << UInt64(hash >> 22 & 63) }

  /// A word, represented by its hash.
  struct Trace {
    fileprivate let hash: UInt32
  }

  /// Returns the traces of these words, without the last one if it is a prefix.
  func traces(isPrefix: Bool) -> [Trace] {
    hashes.prefix(max(0, isPrefix ? count - 1 : count)).map { Trace(hash: $0) }
  }

  /// Whether the text may contain the word; `false` is certain.
  func mayHave(_ trace: Trace) -> Bool { presence[Self.lane(trace.hash)] & Self.bit(trace.hash) != 0 }

  package var count: Int { ends.count }
  package var isEmpty: Bool { ends.isEmpty }

  package subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  package var words: [String] { (0..<count).map { String(decoding: self[$0], as: UTF8.self) } }

  /// Whether these words are consecutive in the text.
  ///
  /// - Parameter isPrefix: whether the last one may continue.
  package func occurs(in text: QueryTokens, isPrefix: Bool) -> Bool {
    // These are the complete words.
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

/// Splits text into words with the search index's own tokenizer, so that the words of a query, of text and of the index
/// are the same.
package protocol QueryTokenizer {
  func tokens(of text: String) -> QueryTokens
}
