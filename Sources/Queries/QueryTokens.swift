/// The words of a text, as the search index cuts and folds them, in order.
package struct QueryTokens: Hashable, Sendable {
  /// All words, one after the other: compared byte by byte, as the index does.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

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
  }

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
    !isEmpty && text.count >= count
      && (0...text.count - count).contains { start in
        (0..<count).allSatisfy { offset in
          let (own, other) = (self[offset], text[start + offset])
          return isPrefix && offset == count - 1 ? other.starts(with: own) : other.elementsEqual(own)
        }
      }
  }
}

/// Cuts a text into words. The search index's own tokenizer is behind it, so that a word of a query, a word of a
/// text and a word of the index are the same.
package protocol QueryTokenizer {
  func tokens(of text: String) -> QueryTokens
}
