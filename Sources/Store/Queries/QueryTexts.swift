import Messages

/// The text of a message with which several queries are matched. It is tokenized once, and only if a
/// condition needs it.
package struct QueryTexts {
  private let title: String
  private let body: String
  private let author: String?
  private let tokenizer: any QueryTokenizer
  private var titleWords = QueryTokens()
  private var bodyWords = QueryTokens()
  private var authorWords = QueryTokens()
  /// The fields that are already tokenized.
  private var cut: QueryNeeds.Fields = []

  init(title: String, body: String, author: String?, _ tokenizer: any QueryTokenizer) {
    (self.title, self.body, self.author, self.tokenizer) = (title, body, author, tokenizer)
  }

  subscript(_ field: Query.TextField) -> String? {
    switch field {
    case .title: title
    case .body: body
    case .author: author
    }
  }

  mutating func tokens(_ field: Query.TextField) -> QueryTokens {
    prepare(field)
    switch field {
    case .title: return titleWords
    case .body: return bodyWords
    case .author: return authorWords
    }
  }

  /// Whether one of the fields may contain a word.
  mutating func mayHave(_ word: QueryTokens.Trace, in fields: QueryNeeds.Fields) -> Bool {
    for field in Query.TextField.allCases
    where fields.contains(QueryNeeds.Fields(field)) && tokens(field).mayHave(word) { return true }
    return false
  }

  /// Tokenizes a field if that has not happened yet.
  private mutating func prepare(_ field: Query.TextField) {
    guard !cut.contains(QueryNeeds.Fields(field)) else { return }
    cut.insert(QueryNeeds.Fields(field))
    let tokens = self[field].map(tokenizer.tokens) ?? QueryTokens()
    switch field {
    case .title: titleWords = tokens
    case .body: bodyWords = tokens
    case .author: authorWords = tokens
    }
  }
}
