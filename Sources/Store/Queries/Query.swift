/// A query: which messages a search, a saved list or a rule means.
///
/// A tree in its normal form, as the parser makes it: `and` and `or` have two members or more, none of their own
/// kind; `everything` is only the whole. Built by hand, use `all(of:)` and `any(of:)`, which keep that form: only
/// then does its text parse to the same tree.
package indirect enum Query: Hashable, Sendable {
  case and([Query])
  case or([Query])
  case not(Query)
  case test(Test)

  /// The empty query.
  package static let everything = Query.and([])
  /// Its negation, which only `negationNormalForm` and the like can return; it has no text.
  package static let nothing = Query.or([])

  /// All of them at once, in normal form.
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

  /// At least one of them, in normal form.
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
  /// One condition. Of several values one is enough.
  package enum Test: Hashable, Sendable {
    /// In title, body or author.
    case text(TextTerm)
    /// In that text.
    case inText(TextField, [TextTerm])
    case name(NameField, [NamePattern])
    /// By author, or by site.
    case from([TextTerm])
    case priority([Int])
    /// Against a level, 1 to 5.
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
    /// The link contains it.
    case address([AddressTerm])
    /// A local id, or a remote id byte by byte.
    case id([ExactText])
    /// `in:all`: true, and it shows what is off the lists.
    case everywhere
  }

  package enum TextField: String, Hashable, Sendable, CaseIterable {
    case title, body, author
  }

  /// Fields that are compared as a whole.
  package enum NameField: String, Hashable, Sendable, CaseIterable {
    case source, folder, tag, kind, lang, channel, site, rule
  }

  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case atLeast = ">="
    case greater = ">"
  }

  /// What `is:` asks for.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case unread, read, starred, dismissed, snoozed, hidden, expired, pinned
    /// Nobody has looked at it.
    case new
  }

  /// What `has:` asks for.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case link, actions, picture, html, tag, enclosure
  }

  /// Words that stand next to each other, or a regular expression.
  package enum TextTerm: Hashable, Sendable {
    /// As written; the tokenizer cuts it. With `isPrefix` its last word may go on.
    case words(ExactText, isPrefix: Bool)
    case pattern(RegularExpression)
  }

  package enum AddressTerm: Hashable, Sendable {
    /// Ignoring case.
    case contains(ExactText)
    case pattern(RegularExpression)
  }

  package enum NamePattern: Hashable, Sendable {
    case glob(Glob)
    case pattern(RegularExpression)
  }

  /// Text that is equal only byte by byte. Swift's `String` compares by canonical equivalence.
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
