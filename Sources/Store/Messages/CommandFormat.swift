/// The format in which the output of a command is read: the setting `format`.
package enum CommandFormat: String, CaseIterable, Sendable {
  /// JSON lines of items, a document of reddot's own JSON feed (`native`), or another feed; the format is detected.
  case items
  /// A monitoring plugin, whose exit status is the state.
  case nagios
  /// Each line is a message.
  case lines
}
