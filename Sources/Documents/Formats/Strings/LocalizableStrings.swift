package import Foundation

/// A `Localizable.strings` file: keys and their texts in one language.
package struct LocalizableStrings: Hashable, Sendable {
  /// Distinct keys in the order of their first occurrence.
  package private(set) var keys: [String] = []
  private var texts: [KeyBytes: String] = [:]

  package init() {}

  init(capacity: Int) {
    keys.reserveCapacity(capacity)
    texts.reserveCapacity(capacity)
  }

  /// The text of a key; keys are compared byte by byte.
  package subscript(key: String) -> String? { texts[KeyBytes(key)] }

  /// Replaces an earlier text of the key.
  mutating func set(_ key: String, _ text: String) {
    if texts.updateValue(text, forKey: KeyBytes(key)) == nil { keys.append(key) }
  }

  /// UTF-8, or UTF-16 with a byte order mark.
  ///
  /// - Throws: `StringsFailure` for the first mistake; then nothing of the file is used.
  package static func read(_ bytes: Data) throws(StringsFailure) -> LocalizableStrings {
    var parser = StringsParser(try StringsParser.decode(bytes))
    return try parser.run()
  }
}

/// Why a `.strings` file cannot be read.
package struct StringsFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case encoding
    case missingSemicolon
    case missingQuote
    /// Neither a string nor a bare word where one is expected.
    case unexpected(String)
  }

  /// From 1.
  package var line: Int
  package var reason: Reason

  package init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }
}

extension StringsFailure: CustomStringConvertible {
  package var description: String {
    let reason =
      switch reason {
      case .encoding: "neither UTF-8 nor UTF-16 with a byte order mark"
      case .missingSemicolon: "a semicolon is missing before this line's end or the next key"
      case .missingQuote: "a string that begins here has no closing quote"
      case .unexpected(let found): "\(found) where a string is expected"
      }
    return "line \(line): \(reason)"
  }
}

/// The strings of an app in several languages, from its `<language>.lproj` folders.
package struct LocalizedStringsCatalog: Hashable, Sendable {
  private var tables: [String: LocalizableStrings] = [:]

  package init() {}

  /// Adds the strings of a language; `language` is the folder's name (`pt-BR`, `zh_CN`).
  package mutating func add(_ strings: LocalizableStrings, language: String) {
    tables[LanguageChoice.normalized(language)] = strings
  }

  /// The languages with strings, normalized (`pt-br`) and sorted.
  package var languages: [String] { tables.keys.sorted() }

  package var isEmpty: Bool { tables.isEmpty }

  /// A language and its fallbacks, nearest first: the exact one, its bases, `en`.
  package static func candidates(for language: String) -> [String] {
    let candidates = LanguageChoice.candidates(for: language)
    return candidates.contains("en") ? candidates : candidates + ["en"]
  }

  /// A key's text in the user's language: of the exact language, its base, `en`, else the key itself.
  package func text(for key: String, language: String) -> String {
    for candidate in Self.candidates(for: language) {
      if let text = tables[candidate]?[key] { return text }
    }
    return key
  }
}
