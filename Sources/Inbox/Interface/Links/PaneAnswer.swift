/// The result of going to the terminal's pane, for example of tmux, that a message comes from.
package enum PaneAnswer: Hashable, Sendable {
  case isThere
  /// The message comes from no pane of a terminal.
  case none
  /// The pane was closed.
  case gone
  /// The program of the pane, for example tmux, cannot be queried. The value is the reason, a clause.
  case cannotAsk(String)
  /// The pane was selected, but no terminal shows its session.
  case notAttached(session: String)
}
