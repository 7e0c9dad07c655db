package import Basics

extension [LocalizedText] {
  /// Returns the text for the user's language, or `nil` if there are none.
  package func choice(for language: String) -> LocalizedText? {
    LanguageChoice.index(for: language, in: map(\.language)).map { self[$0] }
  }

  /// The maximum number of languages, which is more than the world's written languages; further ones are dropped.
  static var limit: Int { 1000 }

  /// Adds text. A later text in the same language replaces the earlier one, in its position.
  mutating func add(_ text: LocalizedText) {
    guard count < Self.limit else { return }
    if let place = firstIndex(where: { sameBytes($0.language, text.language) }) {
      self[place] = text
    } else {
      append(text)
    }
  }
}
