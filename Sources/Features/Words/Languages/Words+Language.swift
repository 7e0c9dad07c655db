extension Words {
  /// Returns the interface's strings in the nearest available language, or in English if there is none.
  package static func inLanguage(_ language: String?) -> Words {
    language.map(Words.named) ?? .english
  }
}
