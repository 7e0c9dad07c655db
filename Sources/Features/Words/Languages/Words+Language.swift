extension Words {
  /// The interface's texts in a language: the nearest available one, else English.
  package static func inLanguage(_ language: String?) -> Words {
    language.map(Words.named) ?? .english
  }
}
