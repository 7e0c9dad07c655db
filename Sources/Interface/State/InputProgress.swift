import Messages

/// What the next key or click continues, or brings back.
package struct InputProgress: Hashable, Sendable {
  /// The number typed so far, before a motion.
  package internal(set) var count: Int?
  var clicked = Clicked.other
  /// The last command that a message was given to; the prompt brings it back.
  var pipe = ""

  /// What was under the last click. The second click of a double click means the same thing, even if the list or the panes
  /// moved in between.
  enum Clicked: Hashable, Sendable {
    case message(MessageID)
    case link(String)
    case choice(Int)
    case other
  }
}
