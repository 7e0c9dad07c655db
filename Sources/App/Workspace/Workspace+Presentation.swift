import Formats
package import Messages

extension Workspace {
  /// A message as its reader is shown it: in the language that the settings or the locale ask for, where it brought
  /// translations, and with the actions that the settings have for its category.
  package func presented(_ message: Message) -> Message {
    var message = message
    if let language = settings.language ?? environment.language {
      message.content = message.content.inLanguage(language)
    }
    if let category = message.content.extras?.category, let actions = settings.categories[category] {
      message.content.extras?.actions += actions
    }
    return message
  }
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
    message.language =
      translations[index].language == Translation.anyLanguage ? nil : translations[index].language
    return message
  }
}
