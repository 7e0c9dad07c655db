package import Screen

/// A program of the settings that a key starts.
package struct BoundProgram: Hashable, Sendable {
  package var key: KeyPress
  package var template: ProgramTemplate

  package init(key: KeyPress, template: ProgramTemplate) {
    self.key = key
    self.template = template
  }

  /// Where its key means it: where there is a message, if it needs one.
  var places: Places { template.needsMessage ? [.messages, .reader] : .panes }

  /// Program and arguments, as the help shows them.
  var text: SafeText { SafeText(untrusted: template.words.joined(separator: " ")) }
}
