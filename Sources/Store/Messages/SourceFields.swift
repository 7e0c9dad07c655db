/// The fields of a form: settings of a source, of a saved list or of a new service, written as in the settings file.
package struct SourceFields: Hashable, Sendable {
  /// A field; the raw value is its key in the settings.
  package enum Field: String, CaseIterable, Hashable, Sendable {
    case name, title, url, folder, interval, notify, keep, query, user
    case tokenCommand = "token_command"

    package static let ofSources: [Field] = [.name, .title, .url, .folder, .interval, .notify, .keep]
    package static let ofLists: [Field] = [.name, .query]
  }

  package enum Subject: Hashable, Sendable {
    case source(SourceID)
    case list(SavedListID)
    /// A service to add, and its name.
    case service(SourceKind, name: String)
  }

  package struct Entry: Hashable, Sendable {
    package var field: Field
    /// The value in the settings; empty if they contain none.
    package var stored: String
    /// The default while the field is empty.
    package var usual: String
    /// A description of the allowed values.
    package var help: String

    package init(field: Field, stored: String, usual: String, help: String = "") {
      self.field = field
      self.stored = stored
      self.usual = usual
      self.help = help
    }
  }

  package let subject: Subject
  /// The entries, from the top of the form.
  package let entries: [Entry]

  package init(_ subject: Subject, entries: [Entry]) {
    self.subject = subject
    self.entries = entries
  }
}
