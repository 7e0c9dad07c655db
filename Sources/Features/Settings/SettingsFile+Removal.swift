import Formats
package import Messages
import Storage

/// Taking a source, a saved list or a rule out of the file.
extension SettingsFile {
  /// An array of tables that have a name.
  package enum NamedTable: String, Hashable, Sendable {
    case source, list, rule
  }

  /// Removes the table of a name, with its sub-tables; comments before the next table stay.
  ///
  /// - Parameter act: of the user; `nil` if it is none.
  /// - Returns: false where none has the name.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is then as it was.
  package func remove(_ table: NamedTable, named name: String, as act: SettingsAct?) throws -> Bool {
    for file in files where try file.removeOwn(table, named: name, as: act) { return true }
    return false
  }

  private func removeOwn(_ table: NamedTable, named name: String, as act: SettingsAct?) throws -> Bool {
    var isThere = false
    try edit(as: act) { text in
      isThere = false
      let before = try read(text)
      guard let header = try header(of: name, in: table, to: "remove", of: text) else { return nil }
      let rest = SettingsEdit.removing(header, from: text)
      guard let after = try? read(rest).withoutLines.withoutProblems,
        after == before.withoutLines.without(name, in: table)
      else { throw byHand("remove the \(table.rawValue) \"\(name)\" there") }
      isThere = true
      return rest
    }
    return isThere
  }

  /// The path of the table of a name, as in `source[0]`, or `nil` if none has it.
  ///
  /// - Parameter verb: for the error if the table has no header.
  func header(of name: String, in table: NamedTable, to verb: String, of text: String) throws -> String? {
    guard let line = try read(text).line(of: name, in: table) else { return nil }
    // Tables that are left out because of a mistake count too.
    let headers = TOMLDocument.blocks(of: text).filter {
      $0.path.count == 1 && $0.path[0].hasPrefix("\(table.rawValue)[")
    }
    guard let header = headers.first(where: { $0.header == line })?.path[0] else {
      throw byHand("\(verb) the \(table.rawValue) \"\(name)\" there")
    }
    return header
  }
}

extension Settings {
  /// The line of the table of a name; nil where none has it.
  fileprivate func line(of name: String, in table: SettingsFile.NamedTable) -> Int? {
    switch table {
    case .source: sources.first { $0.name == name }?.line
    case .list: lists.first { $0.name == name }?.line
    case .rule: rules.first { $0.name == name }?.line
    }
  }

  /// Without the entry of a name, and without the mistakes of entries.
  fileprivate func without(_ name: String, in table: SettingsFile.NamedTable) -> Settings {
    var settings = withoutProblems
    switch table {
    case .source: settings.sources.removeAll { $0.name == name }
    case .list: settings.lists.removeAll { $0.name == name }
    case .rule: settings.rules.removeAll { $0.name == name }
    }
    return settings
  }

  /// They name lines, and one entry may be the reason for another's.
  fileprivate var withoutProblems: Settings {
    var settings = self
    settings.problems = []
    return settings
  }
}
