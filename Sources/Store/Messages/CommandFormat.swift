/// How the output of a command is read: the setting `format`.
package enum CommandFormat: String, CaseIterable, Sendable {
  /// JSON lines of items, a native document, or a feed, whichever it is.
  case items
  /// A monitoring plugin: its exit status is the state.
  case nagios
  /// Each line is a message.
  case lines
}
