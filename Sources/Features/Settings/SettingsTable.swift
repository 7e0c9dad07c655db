import Formats
import Foundation
import Messages
import Screen

/// A table of the settings while it is read: typed access that reports invalid values and unknown keys.
final class SettingsTable {
  let path: String
  private let table: TOMLTable
  private let file: String
  private let home: String
  private let present: Set<String>
  /// The keys that were read, with a value or without one.
  private var known: Set<String> = []
  /// Returns the keys of the `SettingRow` lists that were read. The keys are listed only if an unknown key
  /// has to be reported.
  private var knownOfRows: [() -> [String]] = []
  /// The keys that had a valid value.
  private var given: Set<String> = []
  private(set) var mistakes: [SettingsMistake] = []
  /// Remarks about settings that have no effect. Unlike errors, they disable nothing.
  private(set) var notes: [SettingsMistake] = []

  /// - Parameter home: the home folder, which replaces `~`.
  init(_ table: TOMLTable, path: String, file: String, home: String) {
    self.table = table
    present = Set(table.keys)
    self.path = path
    self.file = file
    self.home = home
  }

  var keys: [String] { table.keys }

  /// Whether the table contains the key, with a valid value or not.
  func has(_ key: String) -> Bool { present.contains(key) }

  /// Whether the key had a valid value.
  func gave(_ key: String) -> Bool { given.contains(key) }

  var line: Int { table.line }

  func report(_ key: String, _ problem: String) { mistakes.append(mistake(key, problem)) }

  func note(_ key: String, _ problem: String) { notes.append(mistake(key, problem)) }

  /// Returns an error without reporting it.
  func mistake(_ key: String, _ problem: String) -> SettingsMistake {
    SettingsMistake(file: file, line: table.line(of: key), key: key.isEmpty ? path : key, problem: problem)
  }

  /// Adds the errors and notes of another table to those of this one.
  func absorb(_ other: SettingsTable) {
    mistakes += other.mistakes
    notes += other.notes
  }

  /// Reports every key that was not read.
  func finish() {
    for key in table.keys where !known.contains(key) {
      let names = known.union(knownOfRows.flatMap { $0() }).sorted()
      let meant = NearestName.question(key, in: names)
      report(
        key, "is not a setting here\(meant.isEmpty ? ";" : meant) known are \(names.joined(separator: ", "))")
    }
  }

  /// Reads those of the given settings (rows) that this table may contain, and stores their values in `root`.
  func read<Root>(_ rows: [SettingRow<Root>], in place: Setting.Place, into root: inout Root) {
    knownOfRows.append { rows.filter { $0.places.contains(place) }.map(\.key) }
    // A table has a few of dozens of keys, and a file may have hundreds of tables.
    for row in rows where present.contains(row.key) && row.places.contains(place) {
      row.take(self, &root)
    }
  }

  func value<Value: SettingValue>(_ setting: Setting) -> Value? { value(setting.key, setting.form) }

  func value<Value: SettingValue>(_ key: String, _ form: Setting.Form) -> Value? {
    value(key, form.allowed(for: key)) { Value.read($0, form, home: home) }
  }

  /// Returns the string of a setting, which is not parsed further.
  func text(_ setting: Setting) -> String? { value(setting.key, setting.allowed) { $0.string } }

  /// Reads a key, and reports an invalid value.
  ///
  /// - Parameter read: returns `nil` if the value isn't allowed.
  private func value<Value>(
    _ key: String, _ expected: @autoclosure () -> String, _ read: (TOMLValue) -> Value?
  ) -> Value? {
    known.insert(key)
    guard let raw = table[key] else { return nil }
    guard let value = read(raw) else {
      report(key, "must be \(expected())")
      return nil
    }
    given.insert(key)
    return value
  }

  /// Returns the string of a key that no `Setting` describes.
  func string(named key: String) -> String? { value(key, "a string in quotes") { $0.string } }

  /// Returns a style: a string, or the number of a colour.
  func style(named key: String, _ expected: String) -> Style? {
    value(key, expected) { raw in
      (raw.string ?? raw.int.map { String($0) }).flatMap { Style(parsing: $0) }
    }
  }

  /// Returns the value of a key that may be a string or a table.
  func textOrTable(_ key: String, _ expected: @autoclosure () -> String) -> TextOrTable? {
    value(key, expected()) { raw in
      raw.string.map { .text($0) } ?? raw.table.map { .table(child($0, path: key)) }
    }
  }

  enum TextOrTable {
    case text(String)
    case table(SettingsTable)
  }

  /// Returns the names of the keys for a command: the setting is a list, or one string.
  func keyNames(of command: String) -> [String]? {
    value(command, "the name of a key or a list of them, such as [\"n\", \"ctrl-n\"]") { raw in
      raw.string.map { [$0] } ?? [String].texts(raw)
    }
  }

  func table(_ setting: Setting) -> SettingsTable? {
    value(setting.key, setting.allowed) { raw in
      raw.table.map { child($0, path: path.isEmpty ? setting.key : "\(path).\(setting.key)") }
    }
  }

  func tables(_ setting: Setting) -> [SettingsTable] { tables(setting.key) }

  /// Returns the array of tables of a key whose name the user chose.
  func tables(named key: String) -> [SettingsTable] { tables(key) }

  private func tables(_ key: String) -> [SettingsTable] {
    let full = path.isEmpty ? key : "\(path).\(key)"
    return value(key, "written [[\(full)]]") { raw -> [SettingsTable]? in
      guard let array = raw.array else { return nil }
      let tables = array.compactMap { $0.table }
      guard tables.count == array.count else { return nil }
      return tables.enumerated().map { child($1, path: "\(full)[\($0)]") }
    } ?? []
  }

  private func child(_ table: TOMLTable, path: String) -> SettingsTable {
    SettingsTable(table, path: path, file: file, home: home)
  }
}
