/// A query, which selects the messages of a search, a saved list or a rule.
///
/// It is a tree in normal form, as the parser creates it. `and` and `or` have at least two members, none of the same
/// kind, and `everything` is only used as a whole query. Code should use `all(of:)` and `any(of:)`, which keep that
/// form: only then its text parses to the same tree.
package indirect enum Query: Hashable, Sendable {
  case and([Query])
  case or([Query])
  case not(Query)
  case test(Test)

  /// The empty query.
  package static let everything = Query.and([])
  /// The negation of `everything`, which only `negationNormalForm` and similar properties return; it has no text.
  package static let nothing = Query.or([])

  /// Returns the query, in normal form, that is true if all given queries are.
  package static func all(of queries: [Query]) -> Query {
    var members: [Query] = []
    for query in queries {
      switch query {
      case .or(let none) where none.isEmpty: return .nothing
      case .and(let inner): members += inner
      case .or, .not, .test: members.append(query)
      }
    }
    return members.count == 1 ? members[0] : .and(members)
  }

  /// Returns the query, in normal form, that is true if at least one of the given queries is.
  package static func any(of queries: [Query]) -> Query {
    var members: [Query] = []
    for query in queries {
      switch query {
      case .and(let none) where none.isEmpty: return .everything
      case .or(let inner): members += inner
      case .and, .not, .test: members.append(query)
      }
    }
    return members.count == 1 ? members[0] : .or(members)
  }
}

extension Query {
  /// One condition. If it has several values, one of them is enough.
  package enum Test: Hashable, Sendable {
    /// The text occurs in title, body or author.
    case text(TextTerm)
    /// The text occurs in this field.
    case inText(TextField, [TextTerm])
    case name(NameField, [NamePattern])
    /// The author, or the site of the link, matches.
    case from([TextTerm])
    case priority([Int])
    /// The priority compared with a level, 1 to 5.
    case compared(Comparison, Int)
    case state([State])
    case has([Part])
    /// The list's time is before the start of the date.
    case before([DatePoint])
    /// The list's time is at the start of the date or later.
    case after([DatePoint])
    case date([DateRange])
    case older([TimeSpan])
    case newer([TimeSpan])
    /// The link contains the text.
    case address([AddressTerm])
    /// A local id, or a remote id compared byte by byte.
    case id([ExactText])
    /// `in:all`, which is always true, and includes messages that lists hide.
    case everywhere
  }

  package enum TextField: String, Hashable, Sendable, CaseIterable {
    case title, body, author
  }

  /// The fields that are compared as a whole.
  package enum NameField: String, Hashable, Sendable, CaseIterable {
    case source, folder, tag, kind, lang, channel, site, rule
  }

  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case atLeast = ">="
    case greater = ">"
  }

  /// The values of `is:`.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case unread, read, starred, dismissed, snoozed, hidden, expired, pinned
    /// The message is unseen.
    case new
    /// The alert is resolved, the request is merged or closed, the question is answered.
    case done
    /// A program waits for the user.
    case waiting
  }

  /// The values of `has:`.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case link, actions, picture, html, tag, enclosure
  }

  /// Consecutive words, or a regular expression.
  package enum TextTerm: Hashable, Sendable {
    /// The words as written, which the tokenizer splits. With `isPrefix`, the last word may continue.
    case words(ExactText, isPrefix: Bool)
    case pattern(RegularExpression)
  }

  package enum AddressTerm: Hashable, Sendable {
    /// The URL contains the text, ignoring case.
    case contains(ExactText)
    case pattern(RegularExpression)
  }

  package enum NamePattern: Hashable, Sendable {
    case glob(Glob)
    case pattern(RegularExpression)
  }

  /// Text that is equal only if all bytes are. Swift's `String` compares by canonical equivalence.
  package struct ExactText: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }
    package init(stringLiteral text: String) { self.text = text }

    package static func == (a: Self, b: Self) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    package func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}
