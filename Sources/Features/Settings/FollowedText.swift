import Foundation

/// The text of `sources.toml`, with comments in the places of sources that cannot be read.
///
/// reddot writes that file itself. If a broken disk or another program damages one source, the other commands must
/// still work, and its lines must not be lost when the file is written again.
struct FollowedText {
  /// The readable text, with as many lines as the file.
  private(set) var text = ""
  /// The reasons why sources are left out, in the order of the file.
  private(set) var leftOut: [SettingsMistake] = []
  /// The lines that are left out, with U+FFFD for bytes that aren't UTF-8.
  private(set) var hidden = ""
  /// The bytes of the lines that are left out, keyed by the comments in their places.
  private var lines: [String: Data] = [:]

  /// - Throws: `SettingsMistakes` if leaving out single sources does not help.
  init(_ bytes: Data, of file: String, _ read: (String) throws -> Settings) throws {
    if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) {
      self.text = text
      do {
        _ = try read(text)
        return
      } catch is SettingsMistakes {
        // One source after the other is tried.
      }
    }
    text = ""
    let newline = UInt8(ascii: "\n")
    let all = bytes.split(separator: newline, omittingEmptySubsequences: false)
    var names: Set<String> = []
    var first = 0
    var parts: [String] = []
    while first < all.count {
      let next = all[(first + 1)...].firstIndex(where: Self.beginsTable) ?? all.count
      let part = all[first..<next]
      if let mistake = Self.mistake(in: part, of: file, &names, read) {
        leftOut.append(mistake)
        for line in part {
          let comment = "# left out \(UUID().uuidString)"
          lines[comment] = line
          parts.append(comment)
          hidden += String(decoding: line, as: UTF8.self) + "\n"
        }
      } else {
        parts += part.map { String(decoding: $0, as: UTF8.self) }
      }
      first = next
    }
    text = parts.joined(separator: "\n")
    _ = try read(text)
  }

  private static func beginsTable(_ line: Data) -> Bool {
    line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.starts(with: "[[".utf8)
  }

  /// Returns the reason why a table, with its sub-tables, is left out, or `nil` if it can be read.
  ///
  /// - Parameter names: the names of the sources before it; the table's own name is added.
  private static func mistake(
    in lines: ArraySlice<Data>, of file: String, _ names: inout Set<String>,
    _ read: (String) throws -> Settings
  ) -> SettingsMistake? {
    func leftOut(_ line: Int, key: String = "", _ problem: String) -> SettingsMistake {
      SettingsMistake(
        file: file, line: line, key: key,
        problem: "\(problem); this source is left out until you repair or delete it")
    }
    for (number, line) in zip(lines.indices, lines) {
      if line.contains(0) { return leftOut(number + 1, "a NUL byte") }
      if String(validating: line, as: UTF8.self) == nil { return leftOut(number + 1, "is not UTF-8 text") }
    }
    let text = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    do {
      let sources = try read(text).sources
      if let double = sources.first(where: { names.contains($0.name) }) {
        return leftOut(
          lines.startIndex + max(1, double.line), key: "name",
          "\"\(double.name)\" is the name of another source")
      }
      names.formUnion(sources.map(\.name))
      return nil
    } catch let error as SettingsMistakes {
      guard let first = error.mistakes.first else { return nil }
      return leftOut(lines.startIndex + max(1, first.line), key: first.key, first.problem)
    } catch {
      return leftOut(lines.startIndex + 1, "\(error)")
    }
  }

  /// Returns the bytes of a changed text, with the lines that were left out, or `nil` if the comment of such a line is
  /// missing.
  func bytes(of changed: String) -> Data? {
    if lines.isEmpty { return Data(changed.utf8) }
    var missing = Set(lines.keys)
    let newline = UInt8(ascii: "\n")
    let all = changed.utf8.split(separator: newline, omittingEmptySubsequences: false).map { line -> Data in
      let text = String(decoding: line, as: UTF8.self)
      guard let bytes = lines[text] else { return Data(line) }
      missing.remove(text)
      return bytes
    }
    return missing.isEmpty ? Data(all.joined(separator: [newline])) : nil
  }
}
