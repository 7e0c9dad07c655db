package import Messages
import Screen

/// The settings of a source or of a saved list that can be changed in the inbox, or what a new service needs, as texts like those
/// of the settings file.
package struct SourceForm: Hashable, Sendable {
  /// The raw value is the key in the settings.
  package enum Field: String, CaseIterable, Hashable, Sendable {
    case name, title, url, folder, interval, notify, keep, query, user
    case tokenCommand = "token_command"

    package static let ofSources: [Field] = [.name, .title, .url, .folder, .interval, .notify, .keep]
    package static let ofLists: [Field] = [.name, .query]
  }

  package enum Subject: Hashable, Sendable {
    case source(SourceID)
    case list(SavedListID)
    /// A service that is to be added, and what it is called.
    case service(SourceKind, name: String)
  }

  package struct Entry: Hashable, Sendable {
    package var field: Field
    /// As it is in the settings; empty where they say nothing.
    package var stored: String
    /// What holds while it is empty.
    package var usual: String
    /// What can be said here.
    package var help: String
    package internal(set) var editor: LineEditor

    package init(field: Field, stored: String, usual: String, help: String = "") {
      self.field = field
      self.stored = stored
      self.usual = usual
      self.help = help
      editor = LineEditor(stored)
    }
  }

  package let subject: Subject
  /// In the order of the fields.
  package internal(set) var entries: [Entry]
  var selected = 0
  var phase = Prompt.Phase.editing

  package init(source: SourceID, entries: [Entry]) { self.init(.source(source), entries: entries) }

  package init(_ subject: Subject, entries: [Entry]) {
    self.subject = subject
    self.entries = entries
  }

  var isOfService: Bool { if case .service = subject { true } else { false } }

  mutating func select(_ field: Field?) {
    if let place = entries.firstIndex(where: { $0.field == field }) { selected = place }
  }

  /// What stands in a field, else what holds without it.
  package func text(_ field: Field) -> String? {
    guard let entry = entries.first(where: { $0.field == field }) else { return nil }
    let text = entry.editor.text.trimmingSpaces
    return text.isEmpty ? entry.usual : text
  }

  /// The fields that were changed, without spaces around their texts; an empty one goes back to what is usual.
  package var changes: [(field: Field, text: String)] {
    entries.compactMap { entry in
      let text = entry.editor.text.trimmingSpaces
      return text == entry.stored ? nil : (entry.field, text)
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
