import Basics
package import Queries

/// A table `[[list]]` of the settings: a saved list. The meaning of a field is in `rows`.
struct ListEntry: Hashable, Sendable {
  var name = ""
  var query = ""
}

/// A saved list of the settings.
package struct ConfiguredList: Hashable, Sendable {
  package var name: String
  /// The query, or `nil` if it is invalid. The list is empty then.
  package var query: Query?
  /// The query in the form in which it is written.
  package var written: String
  /// The error in the query, or `nil` if it is valid.
  package var problem: String?
  /// The number of the line in the file at which the list's table begins.
  package var line: Int
}

extension ListEntry: SettingsRoot {
  static let standard = ListEntry()
  static let places = [Setting.Place.list]

  static let rows: [SettingRow<ListEntry>] = [
    SettingRow(
      "name", .text, \.name, else: Setting.required, example: "\"Waiting\"",
      "unique name"),
    SettingRow(
      "query", .text, \.query, else: Setting.required, example: "\"is:unread tag:waiting\"",
      "query for its messages"),
  ]
}

extension SettingsReader {
  /// Returns the lists in their order. Lists with errors are empty, and their errors are reported; the other settings
  /// still apply.
  func readLists(
    _ tables: [SettingsTable], reportTo root: SettingsTable
  ) -> (lists: [ConfiguredList], problems: [SettingsMistake]) {
    var lists: [ConfiguredList] = []
    var problems: [SettingsMistake] = []
    for table in tables {
      var entry = ListEntry()
      table.read(ListEntry.rows, in: .list, into: &entry)
      for key in ["name", "query"] where !table.has(key) { table.report("", "a list needs \(key)") }
      table.finish()
      root.absorb(table)
      guard table.gave("name"), table.gave("query") else { continue }
      if lists.count == Limits.savedLists {
        problems.append(
          table.mistake("", "there are more than \(Limits.savedLists) lists; this one is left out"))
        break
      }
      if let problem = problem(ofName: entry.name, lists) {
        problems.append(table.mistake("name", problem + "; the list is left out"))
        continue
      }
      let query = Query.parse(entry.query, .strict)
      var list = ConfiguredList(name: entry.name, written: entry.query, line: table.line)
      switch query {
      case .success(let query): list.query = query
      case .failure(let mistake):
        list.problem = mistake.sentence(in: entry.query)
        problems.append(
          table.mistake("query", mistake.sentence(in: entry.query) + "; the list shows nothing"))
      }
      lists.append(list)
    }
    return (lists, problems)
  }

  private func problem(ofName name: String, _ lists: [ConfiguredList]) -> String? {
    if !SourceName.isValid(name) {
      return "must be 1 to 64 visible characters, without line ends or spaces at its ends"
    }
    return lists.first { $0.name == name }
      .map { "\"\(name)\" is already the name of the list on line \($0.line)" }
  }
}
