/// A title and a body in one language.
package struct LocalizedText: Hashable, Sendable, Codable {
  /// The tag of text for all other languages.
  package static let anyLanguage = "default"

  /// A BCP 47 tag as the source wrote it, or `anyLanguage`.
  package var language: String
  package var title: String
  package var body: String

  package init(language: String, title: String, body: String) {
    self.language = language
    self.title = title
    self.body = body
  }

  /// Returns a copy in which the application's name replaces each `{{%s}}`.
  package func naming(application: String) -> LocalizedText {
    LocalizedText(
      language: language, title: Self.fill(title, application), body: Self.fill(body, application))
  }

  /// Replaces each `{{%s}}` by the application's name.
  package static func fill(_ text: String, _ application: String) -> String {
    // Few strings contain it, and searching the bytes is cheaper than replacing.
    var text = text
    guard text.withUTF8({ $0.contains(UInt8(ascii: "{")) }) else { return text }
    return text.replacingBytes("{{%s}}", with: application)
  }
}
