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
    // Nearly no text has one; looking for the bytes is cheaper than replacing.
    var text = text
    guard text.withUTF8({ $0.contains(UInt8(ascii: "{")) }) else { return text }
    return text.replacing("{{%s}}", with: application)
  }
}

extension [LocalizedText] {
  /// The text for a reader's language; nil where there is none at all.
  package func choice(for language: String) -> LocalizedText? {
    LanguageChoice.index(for: language, in: map(\.language)).map { self[$0] }
  }

  /// More languages than the world writes in; the rest is dropped.
  static var limit: Int { 1000 }

  /// A later text of the same language replaces the earlier in its place.
  mutating func add(_ text: LocalizedText) {
    guard count < Self.limit else { return }
    if let place = firstIndex(where: { sameBytes($0.language, text.language) }) {
      self[place] = text
    } else {
      append(text)
    }
  }
}
