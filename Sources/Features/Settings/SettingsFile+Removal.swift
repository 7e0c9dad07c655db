import Formats
package import Messages
import Storage

/// Removes a source, a saved list or a rule from the file.
extension SettingsFile {
  /// The name of an array of tables whose elements have names.
  package enum NamedTable: String, Hashable, Sendable {
    case source, list, rule
  }

  /// Removes the table with a name and its sub-tables; keeps comments before the next table.
  ///
  /// - Parameter act: the user's action, or `nil` if there is none.
  /// - Returns: `false` if no table has the name.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is unchanged then.
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

  /// Returns the path of the table with a name, as in `source[0]`, or `nil` if there is none.
  ///
  /// - Parameter verb: the verb for the error if the table has no header, for example `remove`.
  func header(of name: String, in table: NamedTable, to verb: String, of text: String) throws -> String? {
    guard let line = try read(text).line(of: name, in: table) else { return nil }
    // Tables that are left out because of an error count too.
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
  /// Returns the line of the table with a name, or `nil` if there is none.
  fileprivate func line(of name: String, in table: SettingsFile.NamedTable) -> Int? {
    switch table {
    case .source: sources.first { $0.name == name }?.line
    case .list: lists.first { $0.name == name }?.line
    case .rule: rules.first { $0.name == name }?.line
    }
  }

  /// Returns the settings without the entry with a name, and without the errors of entries.
  fileprivate func without(_ name: String, in table: SettingsFile.NamedTable) -> Settings {
    var settings = withoutProblems
    switch table {
    case .source: settings.sources.removeAll { $0.name == name }
    case .list: settings.lists.removeAll { $0.name == name }
    case .rule: settings.rules.removeAll { $0.name == name }
    }
    return settings
  }

  /// The settings without errors. They are compared in this form, since errors contain the numbers of lines,
  /// and one entry may be the reason for another's error.
  fileprivate var withoutProblems: Settings {
    var settings = self
    settings.problems = []
    return settings
  }
}
