package import Basics

extension Limits {
  /// The characters of a title; longer ones are cut when they are stored. Every snapshot of the list loads titles.
  package static let titleCharacters = 1000
  /// The characters of a message's single-line fields: author, tag, channel, category, label of an action.
  package static let nameCharacters = 200
}
