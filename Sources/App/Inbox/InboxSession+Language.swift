import Formats
package import Messages

extension InboxSession {
  private var language: String { workspace.language }

  /// A message in the reader's language, where it brought translations.
  func localized(_ message: Message) -> Message {
    var message = message
    message.content = message.content.inLanguage(language)
    return message
  }

  func localized(_ snapshot: InboxSnapshot) -> InboxSnapshot { snapshot }
}

extension IncomingMessage {
  /// With title and body of the translation that a language gets: exact tag, base, `default`, the first.
  package func inLanguage(_ language: String) -> IncomingMessage {
    guard let translations = extras?.translations, !translations.isEmpty,
      let index = LanguageChoice.index(for: language, in: translations.map(\.language))
    else { return self }
    var message = self
    message.title = translations[index].title
    message.body = translations[index].body
    message.language = translations[index].language
    return message
  }
}
