package import Basics

extension Limits {
  /// The maximum number of characters of a title. Longer titles are cut when they are stored, since every snapshot of a
  /// list loads titles.
  package static let titleCharacters = 1000
  /// The maximum number of characters of a message's single-line fields: author, tag, channel, category, label of an
  /// action.
  package static let nameCharacters = 200
}
