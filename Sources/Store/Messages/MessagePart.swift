/// A part of a message that was too large. It was cut, or left out if a part of it would be wrong.
package enum MessagePart: String, Hashable, Sendable, Codable, CaseIterable {
  case id, title, body, html, url, author, tags, channel, language, actions, translations, poster, category,
    sound, data, group
}
