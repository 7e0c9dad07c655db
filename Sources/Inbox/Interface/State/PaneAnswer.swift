/// What came of going to the pane of a message.
package enum PaneAnswer: Hashable, Sendable {
  case isThere
  /// The message comes from no pane.
  case none
  /// It was closed.
  case gone
  /// A clause.
  case cannotAsk(String)
  /// It was selected, but no terminal shows its session.
  case notAttached(session: String)
}
