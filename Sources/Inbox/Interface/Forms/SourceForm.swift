package import Messages
import Screen

/// A form for the settings of a source, a saved list or a new service, with the text that is typed into it.
package struct SourceForm: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The field with its stored value and its default.
    let asked: SourceFields.Entry
    var editor: LineEditor

    var field: SourceFields.Field { asked.field }
    /// Whether the field is a choice between yes and no.
    var isChoice: Bool { field == .notify }
    /// Whether the choice is yes. If the field is empty, its default applies.
    var isOn: Bool {
      let text = editor.text.trimmingSpaces
      return ["true", "yes", "y", "on"].contains((text.isEmpty ? asked.usual : text).lowercased())
    }

    /// Chooses the other value; the default value is written as an empty field.
    mutating func toggle() {
      let text = isOn ? "false" : "true"
      editor = LineEditor(text == asked.usual ? "" : text)
    }
  }

  package let subject: SourceFields.Subject
  /// The entries in the order of the fields.
  var entries: [Entry]
  var selected = 0
  var phase = Prompt.Phase.editing

  package init(_ fields: SourceFields) {
    subject = fields.subject
    entries = fields.entries.map { Entry(asked: $0, editor: LineEditor($0.stored)) }
  }

  var isOfService: Bool { if case .service = subject { true } else { false } }

  /// Whether the selected field is a choice between yes and no.
  var isAtChoice: Bool { entries.indices.contains(selected) && entries[selected].isChoice }

  mutating func select(_ field: SourceFields.Field?) {
    if let place = entries.firstIndex(where: { $0.field == field }) { selected = place }
  }

  /// The content of each field, without spaces around it, or the default of an empty one.
  package var texts: [SourceFields.Field: String] {
    Dictionary(
      uniqueKeysWithValues: entries.map { entry in
        let text = entry.editor.text.trimmingSpaces
        return (entry.field, text.isEmpty ? entry.asked.usual : text)
      })
  }

  /// The changed fields, without spaces around their text; an empty field restores the default.
  package var changes: [(field: SourceFields.Field, text: String)] {
    entries.compactMap { entry in
      let text = entry.editor.text.trimmingSpaces
      return text == entry.asked.stored ? nil : (entry.field, text)
    }
  }
}

extension String {
  var trimmingSpaces: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// A change of a source's settings by a single key.
package enum SourceChange: Hashable, Sendable {
  case pause
  case resume
  /// Swaps the positions of the source and another one in the settings.
  case swap(with: SourceID)
}
