package import Messages
import Screen

/// A form with what is typed into it.
package struct SourceForm: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    let asked: SourceFields.Entry
    var editor: LineEditor

    var field: SourceFields.Field { asked.field }
  }

  package let subject: SourceFields.Subject
  /// In the order of the fields.
  var entries: [Entry]
  var selected = 0
  var phase = Prompt.Phase.editing

  package init(_ fields: SourceFields) {
    subject = fields.subject
    entries = fields.entries.map { Entry(asked: $0, editor: LineEditor($0.stored)) }
  }

  var isOfService: Bool { if case .service = subject { true } else { false } }

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

  /// The fields that were changed, without spaces around their texts; an empty one goes back to what is usual.
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

/// What the inbox changes in the settings of a source with one key.
package enum SourceChange: Hashable, Sendable {
  case pause
  case resume
  /// Changes places with another one.
  case swap(with: SourceID)
}
