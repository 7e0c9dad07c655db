/// The format in which the output of a command is read: the setting `format`.
package enum CommandFormat: String, CaseIterable, Sendable {
  /// JSON lines of items, a native document, or a feed, as detected.
  case items
  /// A monitoring plugin, whose exit status is the state.
  case nagios
  /// Each line is a message.
  case lines
}
