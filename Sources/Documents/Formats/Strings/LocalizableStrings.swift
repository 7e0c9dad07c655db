package import Foundation

/// A `Localizable.strings` file: keys and their strings in one language.
package struct LocalizableStrings: Hashable, Sendable {
  /// The keys in the order of their first occurrence, without duplicates.
  package private(set) var keys: [String] = []
  private var texts: [KeyBytes: String] = [:]

  package init() {}

  init(capacity: Int) {
    keys.reserveCapacity(capacity)
    texts.reserveCapacity(capacity)
  }

  /// The string of a key; keys are compared byte by byte.
  package subscript(key: String) -> String? { texts[KeyBytes(key)] }

  /// Sets the string of a key, replacing an earlier one.
  mutating func set(_ key: String, _ text: String) {
    if texts.updateValue(text, forKey: KeyBytes(key)) == nil { keys.append(key) }
  }

  /// Reads UTF-8, or UTF-16 with a byte order mark.
  ///
  /// - Throws: `StringsFailure` for the first error; then nothing of the file is used.
  package static func read(_ bytes: Data) throws(StringsFailure) -> LocalizableStrings {
    var parser = StringsParser(try StringsParser.decode(bytes))
    return try parser.run()
  }
}

/// The reason why a `.strings` file cannot be read.
package struct StringsFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case encoding
    case missingSemicolon
    case missingQuote
    /// There is neither a string nor a bare word where one is expected.
    case unexpected(String)
  }

  /// The line, from 1.
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

  /// Adds the strings of a language; `language` is the name of its folder without `.lproj` (`pt-BR`, `zh_CN`).
  package mutating func add(_ strings: LocalizableStrings, language: String) {
    tables[LanguageChoice.normalized(language)] = strings
  }

  /// The languages with strings, normalized (`pt-br`) and sorted.
  package var languages: [String] { tables.keys.sorted() }

  package var isEmpty: Bool { tables.isEmpty }

  /// Returns a language and its fallbacks, nearest first: the language itself, its base languages, `en`.
  package static func candidates(for language: String) -> [String] {
    let candidates = LanguageChoice.candidates(for: language)
    return candidates.contains("en") ? candidates : candidates + ["en"]
  }

  /// Returns a key's string in the user's language, its base language or `en`, or the key itself if there is none.
  package func text(for key: String, language: String) -> String {
    for candidate in Self.candidates(for: language) {
      if let text = tables[candidate]?[key] { return text }
    }
    return key
  }
}
