import GRDB
import Messages
import Queries

/// Splits text into words with the tokenizer of the search index, so that a message in memory and the index cannot
/// disagree. Use it only inside the closure that gives access to its database.
final class SearchTokenizer: QueryTokenizer {
  /// The components of the tokenizer. Marks belong to their words, for example the vowel signs of Hindi. Case and
  /// accents are folded before (`SearchText.indexed`).
  private static let components = ["unicode61", "remove_diacritics", "0", "categories", "L* N* Co M*"]

  /// The tokenizer as in the definition of an index.
  static let definition = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"

  private let tokenizer: any FTS5Tokenizer

  init(_ db: Database) throws {
    tokenizer = try db.makeTokenizer(FTS5TokenizerDescriptor(components: Self.components))
  }

  func tokens(of text: String) -> QueryTokens {
    var text = SearchText.indexed(text)
    var tokens = QueryTokens()
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        withUnsafeMutablePointer(to: &tokens) { found in
          // The only failure is missing memory, which ends a Swift program anyway.
          _ = tokenizer.tokenize(
            context: found, tokenization: .document, pText: characters.baseAddress,
            nText: CInt(characters.count)
          ) { found, _, word, length, _, _ in
            guard let found, let word else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: word, count: Int(length))
            bytes.withMemoryRebound(to: UInt8.self) {
              found.assumingMemoryBound(to: QueryTokens.self).pointee.append($0)
            }
            return 0
          }
        }
      }
    }
    return tokens
  }
}
