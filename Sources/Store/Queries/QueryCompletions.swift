/// The suggestions for the word that is being typed.
package struct QueryCompletions: Hashable, Sendable {
  /// The bytes to replace, up to the cursor.
  package var range: Range<Int>
  /// Names of fields with their colon, or values, with quotes if needed, sorted by likelihood.
  package var texts: [String]
}

extension Query {
  /// Returns the suggestions for the word or value that ends at the cursor.
  ///
  /// - Parameters:
  ///   - cursor: the position in bytes of the text as UTF-8; the text after it is ignored.
  ///   - names: the known sources, folders, tags and so on.
  package static func completions(
    in text: String, at cursor: Int, names: [NameField: [String]] = [:]
  ) -> QueryCompletions {
    var scalars: [Unicode.Scalar] = []
    var end = 0
    for scalar in text.unicodeScalars {
      guard end + UTF8.width(scalar) <= cursor else { break }
      scalars.append(scalar)
      end += UTF8.width(scalar)
    }
    var place = CompletionPlace(scalars)
    place.find()
    let start = end - scalars[place.start...].reduce(0) { $0 + UTF8.width($1) }
    return QueryCompletions(range: start..<end, texts: place.isInText ? [] : texts(for: place, names))
  }

  private static func texts(for place: CompletionPlace, _ names: [NameField: [String]]) -> [String] {
    guard let field = place.field else {
      return fitting(place.typed, Field.allCases.map(\.rawValue), inside: false).map { $0 + ":" }
    }
    if let name = field.nameField {
      return fitting(place.typed, names[name] ?? [], inside: true).map { QueryPrinter.value(named: $0) }
    }
    return fitting(place.typed, field.values, inside: false)
  }

  /// Returns the names that begin with the typed text, then those that contain it, each in the given order.
  private static func fitting(_ typed: String, _ names: [String], inside: Bool) -> [String] {
    let typed = Caseless.bytes(typed)
    let begin = names.filter { Caseless.bytes($0).starts(with: typed) }
    guard inside, !typed.isEmpty else { return begin }
    let others = names.filter { name in
      let name = Caseless.bytes(name)
      return !name.starts(with: typed) && Caseless.contains(name, typed)
    }
    return begin + others
  }
}

/// The context of the cursor: a word, or a value of a field.
private struct CompletionPlace {
  private let scalars: [Unicode.Scalar]
  private(set) var field: Query.Field?
  /// The start of the word or value.
  private(set) var start = 0
  /// The typed text without quotes.
  private(set) var typed = ""
  /// Whether the cursor is inside a phrase, for which there are no suggestions.
  private(set) var isInText = false
  private var place = 0

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  /// Finds the word or value that ends at the cursor.
  mutating func find() {
    while let scalar = next {
      start = place
      if QuerySyntax.isSpace(scalar) || scalar == "(" || scalar == ")" || scalar == "-" {
        place += 1
        start = place
      } else if scalar == "\"" {
        isInText = quoted() == nil
        if isInText { return }
      } else if let length = knownFieldLength() {
        place += length
        if value() { return }
      } else {
        word { QuerySyntax.isDelimiter($0) }
        if next == nil { return }
      }
    }
    start = place
    (typed, field) = ("", nil)
  }

  private mutating func knownFieldLength() -> Int? {
    let length = QuerySyntax.fieldLength(scalars[place...])
    guard length > 0, scalars[place + length - 1] == ":" else { return nil }
    field = Query.Field(written: QuerySyntax.lowercased(scalars[place..<place + length - 1]))
    return field == nil ? nil : length
  }

  /// Skips a field's values; returns `true` if the text ends in one.
  private mutating func value() -> Bool {
    while true {
      start = place
      if next == "\"" {
        guard let rest = quoted() else { return true }
        typed = rest
      } else {
        word { $0 == "," || QuerySyntax.isDelimiter($0) }
      }
      guard let after = next else { return true }
      guard after == "," else { break }
      place += 1
    }
    field = nil
    return false
  }

  private mutating func word(until isEnd: (Unicode.Scalar) -> Bool) {
    while let scalar = next, !isEnd(scalar) { place += 1 }
    typed = String(String.UnicodeScalarView(scalars[start..<place]))
  }

  /// Skips a phrase, or returns `nil` if it isn't closed; then `typed` is its content.
  private mutating func quoted() -> String? {
    var text = String.UnicodeScalarView()
    place += 1
    while let scalar = next, scalar != "\"" {
      place += 1
      if scalar == "\\", let escaped = next {
        text.append(escaped)
        place += 1
      } else {
        text.append(scalar)
      }
    }
    typed = String(text)
    guard next == "\"" else { return nil }
    place += 1
    return typed
  }
}

extension QueryPrinter {
  /// Returns a name as a value in which each star is a literal character.
  static func value(named name: String) -> String {
    var printer = QueryPrinter()
    printer.print(Glob(pieces: [name]))
    return printer.text
  }
}
