import Basics

/// One language's text of an in-app notification or a schedule's entry.
package struct LocalizedText: Hashable, Sendable {
  /// A tag as the document wrote it, or `default`.
  package var language: String
  package var title: String
  package var body: String

  package init(language: String, title: String, body: String) {
    self.language = language
    self.title = title
    self.body = body
  }

  /// With each `{{%s}}` replaced by the application's name.
  package func naming(application: String) -> LocalizedText {
    LocalizedText(
      language: language, title: Self.fill(title, application), body: Self.fill(body, application))
  }

  /// Replaces each `{{%s}}` by the application's name.
  package static func fill(_ text: String, _ application: String) -> String {
    // Few texts have one, and searching the bytes is cheaper than replacing.
    var text = text
    guard text.withUTF8({ $0.contains(UInt8(ascii: "{")) }) else { return text }
    return text.replacing(exactly: "{{%s}}", with: application)
  }
}

extension [LocalizedText] {
  /// The text for the user's language; nil if there are none.
  package func choice(for language: String) -> LocalizedText? {
    LanguageChoice.index(for: language, in: map(\.language)).map { self[$0] }
  }

  /// More than the world's written languages; further ones are dropped.
  static var limit: Int { 1000 }

  /// A later text of the same language replaces the earlier one, in its position.
  mutating func add(_ text: LocalizedText) {
    guard count < Self.limit else { return }
    if let place = firstIndex(where: { sameBytes($0.language, text.language) }) {
      self[place] = text
    } else {
      append(text)
    }
  }
}
