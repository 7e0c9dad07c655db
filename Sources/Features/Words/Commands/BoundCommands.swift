package import Screen

/// Commands in the settings that one key performs, one after the other.
package struct BoundCommands: Hashable, Sendable {
  package var key: KeyPress
  /// Never empty.
  package var calls: [CommandCall]

  package init(key: KeyPress, calls: [CommandCall]) {
    (self.key, self.calls) = (key, calls)
  }

  /// The panes in which the key works: those of its first command.
  package var places: Places { calls.first?.command.row.places ?? [] }

  /// The commands for the help.
  package var text: SafeText { SafeText(untrusted: calls.map(\.text).joined(separator: ", ")) }

  /// The first command that would ask for text although others follow it.
  package var asking: CommandCall? {
    calls.dropLast().first { $0.command.asksForText && $0.argument.isEmpty }
  }
}
