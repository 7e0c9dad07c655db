import Foundation
import Messages
internal import TOMLKit

/// One table of the settings being read: typed access that reports what a value cannot be and which keys nobody
/// asked for.
final class SettingsTable {
  let path: String
  private let table: TOMLTable
  private let lines: SettingsLines
  private let file: String
  private var known: Set<String> = []
  private(set) var mistakes: [SettingsMistake] = []

  init(_ table: TOMLTable, path: String, lines: SettingsLines, file: String) {
    self.table = table
    self.path = path
    self.lines = lines
    self.file = file
  }

  var keys: [String] { table.keys }

  /// Whether something stands there, right or wrong.
  func has(_ setting: Setting) -> Bool { table[setting.key] != nil }

  var line: Int { lines.line(of: path) }

  func report(_ key: String, _ problem: String) {
    let full = key.isEmpty ? path : path.isEmpty ? key : "\(path).\(key)"
    mistakes.append(
      SettingsMistake(
        file: file, line: lines.line(of: full), key: key.isEmpty ? path : key, problem: problem))
  }

  func absorb(_ other: SettingsTable) { mistakes += other.mistakes }

  /// Reports every key that was never asked for.
  func finish() {
    for key in table.keys where !known.contains(key) {
      let allowed = known.sorted().joined(separator: ", ")
      report(key, "is not a setting here; known are \(allowed)")
    }
  }

  /// - Parameter read: nil where the value is not what the setting may be.
  private func value<Value>(_ setting: Setting, _ read: (any TOMLValueConvertible) -> Value?) -> Value? {
    value(setting.key, setting.allowed, read)
  }

  private func value<Value>(
    _ key: String, _ expected: String, _ read: (any TOMLValueConvertible) -> Value?
  ) -> Value? {
    known.insert(key)
    guard let raw = table[key] else { return nil }
    guard let value = read(raw) else {
      report(key, "must be \(expected)")
      return nil
    }
    return value
  }

  func string(_ setting: Setting) -> String? { value(setting) { $0.string } }

  /// The text of a key that a person chose.
  func string(named key: String) -> String? { value(key, "a text in quotes") { $0.string } }

  func bool(_ setting: Setting) -> Bool? { value(setting) { $0.bool } }

  func duration(_ setting: Setting) -> Duration? {
    value(setting) { raw in
      guard case .duration(let range) = setting.row.form else { return nil }
      let duration =
        raw.string.flatMap(DurationText.parse)
        ?? raw.int.map { .seconds($0) } ?? raw.double.flatMap(DurationText.duration(seconds:))
      return duration.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func byteCount(_ setting: Setting) -> Int? {
    value(setting) { raw in
      guard case .bytes(let range) = setting.row.form else { return nil }
      return (raw.int ?? raw.string.flatMap(ByteCountText.parse)).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func count(_ setting: Setting) -> Int? {
    value(setting) { raw in
      guard case .count(let range) = setting.row.form else { return nil }
      return raw.int.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func strings(_ setting: Setting) -> [String]? { value(setting) { Self.texts($0) } }

  /// Names of keys: a list, or one.
  func keyNames(of command: String) -> [String]? {
    value(command, "the name of a key or a list of them, such as [\"n\", \"ctrl-n\"]") { raw in
      raw.string.map { [$0] } ?? Self.texts(raw)
    }
  }

  private static func texts(_ raw: any TOMLValueConvertible) -> [String]? {
    guard let array = raw.array else { return nil }
    let texts = array.compactMap { $0.string }
    return texts.count == array.count ? texts : nil
  }

  /// A program with its arguments; one text is handed to the shell, since the file is its owner's.
  func command(_ setting: Setting) -> [String]? {
    value(setting) { raw in
      if let text = raw.string { return text.isEmpty ? nil : ["/bin/sh", "-c", text] }
      return Self.texts(raw).flatMap { $0.first?.isEmpty == false ? $0 : nil }
    }
  }

  func choice<Choice: RawRepresentable<String>>(_ setting: Setting, of: Choice.Type) -> Choice? {
    value(setting) { $0.string.flatMap(Choice.init(rawValue:)) }
  }

  func table(_ setting: Setting) -> SettingsTable? {
    value(setting) { raw in
      raw.table.map { child($0, path: path.isEmpty ? setting.key : "\(path).\(setting.key)") }
    }
  }

  func tables(_ setting: Setting) -> [SettingsTable] { tables(setting.key) }

  /// The array of tables of a key that a person chose.
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
    SettingsTable(table, path: path, lines: lines, file: file)
  }
}
