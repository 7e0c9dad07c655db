/// A failure with a sentence for the user: what happened, to what, and what to do.
package protocol UserFacingError: Error {
  var sentence: String { get }
}

/// A command can't do what was asked: what is wrong with it, and what to do.
package struct GivenMistake: UserFacingError {
  package var sentence: String

  package init(sentence: String) { self.sentence = sentence }
}
