package import Interface
import Translations

extension Words {
  /// The interface's words in a language: the nearest of those that there are, else English.
  package static func inLanguage(_ language: String?) -> Words {
    language.map(Words.named) ?? .english
  }
}
