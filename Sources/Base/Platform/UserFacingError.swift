/// A failure with a sentence for the user: the problem, its reason and the remedy.
package protocol UserFacingError: Error {
  var sentence: String { get }
}

/// An error for a command that cannot do its work, with the reason and the remedy.
package struct GivenMistake: UserFacingError {
  package var sentence: String

  package init(sentence: String) { self.sentence = sentence }
}
