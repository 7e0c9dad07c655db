package import Screen

/// Commands in the settings that one key performs, one after the other.
package struct BoundCommands: Hashable, Sendable {
  package var key: KeyPress
  /// The commands in their order; never empty.
  package var calls: [CommandCall]

  package init(key: KeyPress, calls: [CommandCall]) {
    (self.key, self.calls) = (key, calls)
  }

  /// The panes in which the key works, which are those of the first command.
  package var places: Places { calls.first?.command.row.places ?? [] }

  /// The commands as text for the help.
  package var text: SafeText { SafeText(untrusted: calls.map(\.text).joined(separator: ", ")) }

  /// The first command that would ask for text although other commands follow it, or `nil` if there is none.
  package var asking: CommandCall? {
    calls.dropLast().first { $0.command.asksForText && $0.argument.isEmpty }
  }
}
