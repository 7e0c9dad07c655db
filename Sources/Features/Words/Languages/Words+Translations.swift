import Formats
import Synchronization

/// The interface's texts, read from the embedded files.
extension Words {
  /// BCP 47 tags of all languages.
  package static let languages = Language.allCases.map(\.rawValue)

  /// The source language of the translations.
  package static let english = Words(.english)
  private static let chineseSimplified = Words(.chineseSimplified)
  private static let chineseTraditional = Words(.chineseTraditional)
  private static let hindi = Words(.hindi)

  /// The texts of the language nearest to a tag. Each file is read once, when its language is first used.
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

  /// - Parameter english: asked once, and only if a text is missing in the language's own strings.
  init(
    _ language: Language, own: LocalizableStrings, english: @escaping @Sendable () -> LocalizableStrings
  ) {
    let spare = Mutex<LocalizableStrings?>(nil)
    self.init(language: language.rawValue, plurals: language.plurals) { key in
      if let text = own[key] { return text }
      return spare.withLock { spare in
        let strings = spare ?? english()
        spare = strings
        return strings[key]
      }
    }
  }
}

extension Language {
  /// Tests read every file. If one is unreadable all the same, English or the keys are shown.
  fileprivate var readableStrings: LocalizableStrings {
    do { return try strings() } catch { return LocalizableStrings() }
  }
}
