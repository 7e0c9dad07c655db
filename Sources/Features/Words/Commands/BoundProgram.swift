package import Screen

/// A program in the settings that a key starts.
package struct BoundProgram: Hashable, Sendable {
  package var key: KeyPress
  package var template: ProgramTemplate

  package init(key: KeyPress, template: ProgramTemplate) {
    self.key = key
    self.template = template
  }

  /// The panes in which the key works: those with a message, if the program needs one.
  package var places: Places { template.needsMessage ? [.messages, .reader] : .panes }

  /// The program and its arguments, for the help.
  package var text: SafeText { SafeText(untrusted: template.words.joined(separator: " ")) }
}
