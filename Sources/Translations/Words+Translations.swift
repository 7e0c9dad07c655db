import Formats
package import Interface

/// The interface's words, read from the files that the program was built with.
extension Words {
  /// BCP 47 tags of the languages that there are.
  package static let languages = Language.allCases.map(\.rawValue)

  /// The language that the others are translated from.
  package static let english = Words(.english)
  private static let chineseSimplified = Words(.chineseSimplified)
  private static let chineseTraditional = Words(.chineseTraditional)
  private static let hindi = Words(.hindi)

  /// The words of the language nearest to a tag. Each file is read once, when its language is first asked for.
  package static func named(_ tag: String) -> Words {
    switch Language(nearest: tag) {
    case .english: .english
    case .chineseSimplified: .chineseSimplified
    case .chineseTraditional: .chineseTraditional
    case .hindi: .hindi
    }
  }

  private init(_ language: Language) {
    self.init(language, own: language.readableStrings) { Language.english.readableStrings }
  }

  /// - Parameter english: asked only where the language's own strings lack a text.
  init(_ language: Language, own: LocalizableStrings, english: () -> LocalizableStrings) {
    var spare: LocalizableStrings?
    self.init(language: language.rawValue, plurals: language.plurals) { key in
      if let text = own[key] { return text }
      let strings = spare ?? english()
      spare = strings
      return strings[key]
    }
  }
}

extension Language {
  /// Tests read every file. Should one be unreadable all the same, English or the keys are better than no interface.
  fileprivate var readableStrings: LocalizableStrings {
    do { return try strings() } catch { return LocalizableStrings() }
  }
}
