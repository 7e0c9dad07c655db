import Basics
import Formats
package import Messages
import Platform
import Settings

extension Profile {
  /// Returns a message as it is shown: in the language of the settings or the locale, if it has translations, and with
  /// the actions of its category in the settings.
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
  /// Returns the message with the title and body of the best translation for a language. In order of preference, that is
  /// the translation for the exact tag, for the base language, for `default`, or the first one.
  package func inLanguage(_ language: String) -> IncomingMessage {
    guard let translations = extras?.translations, !translations.isEmpty,
      let index = LanguageChoice.index(for: language, in: translations.map(\.language))
    else { return self }
    var message = self
    message.title = translations[index].title
    message.body = translations[index].body
    message.language =
      translations[index].language == LocalizedText.anyLanguage ? nil : translations[index].language
    return message
  }
}
