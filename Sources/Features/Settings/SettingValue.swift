import Formats
package import Messages
import Platform
import Screen
package import Words

/// The type of a setting's value, which is read from TOML and written as TOML.
protocol SettingValue: Equatable, Sendable {
  /// Converts a value from TOML.
  ///
  /// - Parameter home: the folder that replaces `~`.
  /// - Returns: `nil` if the form does not allow the value.
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> Self?

  func toml(_ form: Setting.Form) -> String
}

extension Bool: SettingValue {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> Bool? { raw.bool }

  func toml(_ form: Setting.Form) -> String { self ? "true" : "false" }
}

extension String: SettingValue {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> String? {
    if case .choice(let allowed) = form { return raw.string.flatMap { allowed.contains($0) ? $0 : nil } }
    return raw.string.map { form == .path ? Directories.expandingHome($0, home: home) : $0 }
  }

  func toml(_ form: Setting.Form) -> String { TOMLText.quoted(self) }
}

extension Duration: SettingValue {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> Duration? {
    guard case .duration(let range) = form else { return nil }
    let duration =
      raw.string.flatMap(DurationText.parse)
      ?? raw.int.map { .seconds($0) } ?? raw.double.flatMap(DurationText.duration(seconds:))
    return duration.flatMap { range.contains($0) ? $0 : nil }
  }

  func toml(_ form: Setting.Form) -> String { "\"\(DurationText.format(self))\"" }
}

extension EventReminder: SettingValue {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> EventReminder? {
    guard case .lead(let range) = form else { return nil }
    if raw.string == "off" { return .off }
    return Duration.read(raw, .duration(range), home: home).map {
      .before(seconds: Int($0.components.seconds))
    }
  }

  func toml(_ form: Setting.Form) -> String {
    switch self {
    case .off: "\"off\""
    case .before(let seconds): Duration.seconds(seconds).toml(form)
    }
  }
}

extension Int: SettingValue {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> Int? {
    switch form {
    case .bytes(let range):
      (raw.int ?? raw.string.flatMap(ByteCountText.parse)).flatMap { range.contains($0) ? $0 : nil }
    case .count(let range): raw.int.flatMap { range.contains($0) ? $0 : nil }
    case _: nil
    }
  }

  func toml(_ form: Setting.Form) -> String {
    if case .bytes = form { "\"\(ByteCountText.format(self))\"" } else { "\(self)" }
  }
}

extension RowLines: SettingValue {
  /// The numbers of lines of a message's row that the setting allows.
  static let range = 1...2

  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> RowLines? {
    switch raw.int {
    case 1: .one
    case 2: .two
    case _: raw.string == "auto" ? .auto : nil
    }
  }

  func toml(_ form: Setting.Form) -> String {
    switch self {
    case .auto: "\"auto\""
    case .one: "1"
    case .two: "2"
    }
  }
}

/// A list of strings, or a program with its arguments.
extension [String]: SettingValue {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> [String]? {
    if form == .program { return texts(raw).flatMap { $0.first?.isEmpty == false ? $0 : nil } }
    if case .several(let allowed) = form {
      return texts(raw).flatMap { $0.allSatisfy(allowed.contains) ? $0 : nil }
    }
    guard form == .command else { return texts(raw) }
    // The shell runs a string: it comes from the user's own file.
    if let text = raw.string { return text.isEmpty ? nil : ["/bin/sh", "-c", text] }
    return texts(raw).flatMap { $0.first?.isEmpty == false ? $0 : nil }
  }

  /// Returns the strings of an array, or `nil` if the value is not an array of strings.
  static func texts(_ raw: TOMLValue) -> [String]? {
    guard let array = raw.array else { return nil }
    let texts = array.compactMap { $0.string }
    return texts.count == array.count ? texts : nil
  }

  func toml(_ form: Setting.Form) -> String { "[\(map(TOMLText.quoted).joined(separator: ", "))]" }
}

/// The program that opens links.
extension ProgramTemplate: SettingValue {
  static func read(
    _ raw: TOMLValue, _ form: Setting.Form, home: String
  ) -> ProgramTemplate? {
    guard let table = raw.table else {
      return [String].read(raw, .command, home: home).map { ProgramTemplate($0) }
    }
    guard Set(table.keys).isSubset(of: ["run", "terminal"]), let run = table["run"],
      let words = [String].read(run, .command, home: home)
    else { return nil }
    guard let terminal = table["terminal"] else { return ProgramTemplate(words) }
    return terminal.bool.map { ProgramTemplate(words, usesTerminal: $0) }
  }

  func toml(_ form: Setting.Form) -> String {
    usesTerminal ? "{ run = \(words.toml(.program)), terminal = true }" : words.toml(.program)
  }
}

extension Folder: SettingValue {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> Folder? {
    raw.string.flatMap { $0.unicodeScalars.contains(where: \.isControl) ? nil : Folder($0) }
  }

  func toml(_ form: Setting.Form) -> String { TOMLText.quoted(path) }
}

/// One of several keywords.
extension SettingValue where Self: RawRepresentable, RawValue == String {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> Self? {
    raw.string.flatMap(Self.init(rawValue:))
  }

  func toml(_ form: Setting.Form) -> String { TOMLText.quoted(rawValue) }
}

extension SourceKind: SettingValue {}
extension ListOrder: SettingValue {}

extension SourceKind {
  /// Returns the names of all kinds for a sentence: "feed, native or local".
  package static func words(without kind: SourceKind? = nil) -> String {
    let names = allCases.filter { $0 != kind }.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
