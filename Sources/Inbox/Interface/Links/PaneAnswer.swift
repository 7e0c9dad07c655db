/// The result of going to the pane of a message.
package enum PaneAnswer: Hashable, Sendable {
  case isThere
  /// The message comes from no pane.
  case none
  /// The pane was closed.
  case gone
  /// The program of the pane, for example tmux, cannot be queried. The value is the reason, a clause.
  case cannotAsk(String)
  /// The pane was selected, but no terminal shows its session.
  case notAttached(session: String)
}
