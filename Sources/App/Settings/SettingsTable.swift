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
      report(key, "is no setting here; known are \(allowed)")
    }
  }

  func value<Value>(_ key: String, _ expected: String, _ read: (any TOMLValueConvertible) -> Value?) -> Value?
  {
    known.insert(key)
    guard let raw = table[key] else { return nil }
    guard let value = read(raw) else {
      report(key, "must be \(expected)")
      return nil
    }
    return value
  }

  func string(_ key: String) -> String? { value(key, "a text in quotes") { $0.string } }

  func bool(_ key: String) -> Bool? { value(key, "true or false") { $0.bool } }

  func duration(_ key: String) -> Duration? {
    value(key, "a time such as \"90s\", \"10m\", \"2h\" or a number of seconds, above zero") { raw in
      let duration =
        raw.string.flatMap(DurationText.parse)
        ?? raw.int.map { .seconds($0) } ?? raw.double.map { .seconds($0) }
      return duration.flatMap { $0 > .zero && $0 <= .seconds(366 * 86400) ? $0 : nil }
    }
  }

  func byteCount(_ key: String) -> Int? {
    value(key, "a size such as \"64 MiB\" or a number of bytes, above zero") { raw in
      (raw.int ?? raw.string.flatMap(ByteCountText.parse)).flatMap { $0 > 0 ? $0 : nil }
    }
  }

  func strings(_ key: String) -> [String]? {
    value(key, "a list of texts, such as [\"general\"]") { raw in
      guard let array = raw.array else { return nil }
      let texts = array.compactMap { $0.string }
      return texts.count == array.count ? texts : nil
    }
  }

  /// A program with its arguments; one text is handed to the shell, since the file is its owner's.
  func command(_ key: String) -> [String]? {
    value(key, "a program with its arguments, such as [\"pass\", \"show\", \"team\"]") { raw in
      if let text = raw.string { return text.isEmpty ? nil : ["/bin/sh", "-c", text] }
      guard let array = raw.array else { return nil }
      let texts = array.compactMap { $0.string }
      return texts.count == array.count && !texts.isEmpty ? texts : nil
    }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, of: Choice.Type) -> Choice? {
    let allowed = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return value(key, "one of \(allowed)") { $0.string.flatMap(Choice.init(rawValue:)) }
  }

  func table(_ key: String) -> SettingsTable? {
    value(key, "a table, written [\(key)]") { raw in
      raw.table.map { child($0, path: path.isEmpty ? key : "\(path).\(key)") }
    }
  }

  func tables(_ key: String) -> [SettingsTable] {
    let full = path.isEmpty ? key : "\(path).\(key)"
    return value(key, "written [[\(key)]]") { raw -> [SettingsTable]? in
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
