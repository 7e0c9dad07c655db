/// The questions of a form: settings of a source, of a saved list or of a new service, written as in the settings file.
package struct SourceFields: Hashable, Sendable {
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
