import Formats
import Synchronization

/// Loads the interface's strings from the embedded files.
extension Words {
  /// The BCP 47 tags of all languages.
  package static let languages = Language.allCases.map(\.rawValue)

  /// The source language of the translations.
  package static let english = Words(.english)
  private static let chineseSimplified = Words(.chineseSimplified)
  private static let chineseTraditional = Words(.chineseTraditional)
  private static let hindi = Words(.hindi)

  /// Returns the strings of the language nearest to a tag. Each file is read once, when its language is first used.
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

  /// - Parameter english: called once, and only if a string is missing in the language's own file.
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
  /// The language's strings, or none if its file cannot be read: English or the keys are shown then. Tests
  /// read every file.
  fileprivate var readableStrings: LocalizableStrings {
    do { return try strings() } catch { return LocalizableStrings() }
  }
}
