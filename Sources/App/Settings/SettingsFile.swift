import Foundation
import Messages
import Storage

/// The settings file on disk. Edits keep everything else that the user wrote.
package struct SettingsFile: Sendable {
  package var path: String
  package var home: String

  package init(path: String, home: String) {
    self.path = path
    self.home = home
  }

  /// Why the file could not be read or written.
  package struct Failure: Error, Hashable, Sendable {
    package var path: String
    package var reason: String
  }

  /// Whether the file exists.
  package var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// The settings, or the defaults if there is no file.
  ///
  /// - Throws: `SettingsMistakes`, or `Failure` if the file cannot be read.
  package func load() throws -> Settings {
    do {
      guard let bytes = try ReplacedFile(path: path).bytes() else { return Settings() }
      return try reader().read(text(bytes))
    } catch let failure as ReplacedFile.Failure {
      throw Failure(path: path, reason: failure.reason)
    }
  }

  /// Appends sources and keeps everything in the file, with comments.
  ///
  /// - Parameter sources: from the settings as they stand in the file now, which another process may have changed
  ///   since this one read them: for each new source the TOML lines of its `[[source]]` table, without the header.
  /// - Throws: `Failure` or `SettingsMistakes`, and what `sources` throws; the file is then as it was.
  package func append(sources: (Settings) throws -> [[String]]) throws {
    try edit { text in
      let before = try reader().read(text)
      let added = try sources(before)
      guard !added.isEmpty else { return nil }
      let end = text.utf8.contains(UInt8(ascii: "\r")) && text.contains("\r\n") ? "\r\n" : "\n"
      var longer = text
      if let last = text.utf8.last, last != UInt8(ascii: "\n") { longer += end }
      for lines in added {
        if !longer.isEmpty { longer += end }
        longer += (["[[source]]"] + lines).map { $0 + end }.joined()
      }
      var after = try readAgain(longer).withoutLines
      after.sources.removeLast(min(added.count, after.sources.count))
      guard after == before.withoutLines else {
        throw Failure(path: path, reason: "is written in a way that only you can edit: add the source there")
      }
      return longer
    }
  }

  package func append(sources: [[String]]) throws { try append { _ in sources } }

  /// Removes the `[[source]]` of a name, with its sub-tables; comments before the next table stay.
  ///
  /// - Returns: false if no source has the name.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is then as it was.
  package func removeSource(named name: String) throws -> Bool {
    var isThere = false
    try edit { text in
      var wanted = try reader().read(text).withoutLines
      guard let index = wanted.sources.firstIndex(where: { $0.name == name }) else { return nil }
      isThere = true
      wanted.sources.remove(at: index)
      let shorter = Self.removing("source[\(index)]", from: text)
      // Whatever the new text's mistake is, only the user can make this edit.
      guard let after = try? readAgain(shorter).withoutLines, after == wanted else {
        throw Failure(
          path: path,
          reason: "is written in a way that only you can edit: remove the source \"\(name)\" there")
      }
      return shorter
    }
    return isThere
  }

  /// The text without the lines of a table and of the tables in it.
  private static func removing(_ table: String, from text: String) -> String {
    let bytes = Array(text.utf8)
    let bom = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    // The start of each line, and the end of the text.
    var starts = [bom]
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
    starts.append(bytes.count)
    var kept = bytes
    for block in SettingsLines(text).blocks.reversed() where block.path.first == table {
      kept.removeSubrange(starts[block.header - 1]..<starts[min(block.last, starts.count - 1)])
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// Reads the new text before it is written; its mistakes have no line in the current file.
  private func readAgain(_ text: String) throws -> Settings {
    do {
      return try reader().read(text)
    } catch {
      let first = error.mistakes.first.map { $0.key.isEmpty ? $0.problem : "\($0.key): \($0.problem)" }
      throw Failure(path: path, reason: "was not changed: \(first ?? "the result would not be settings")")
    }
  }

  /// - Parameter change: returns the new text, or nil to leave the file as it is. Called again if another
  ///   program has written the file meanwhile.
  private func edit(_ change: (String) throws -> String?) throws {
    do {
      try ReplacedFile(path: path).edit { bytes in
        try change(bytes.map(text) ?? "").map { Data($0.utf8) }
      }
    } catch let failure as ReplacedFile.Failure {
      throw Failure(path: path, reason: failure.reason)
    }
  }

  private func text(_ bytes: Data) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(path: path, reason: "is not UTF-8 text")
    }
    return text
  }

  private func reader() -> SettingsReader {
    var status = stat()
    // A new file will be readable only by its owner.
    let isReadableByOthers = stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    return SettingsReader(file: path, home: home, isReadableByOthers: isReadableByOthers)
  }
}

/// A text as a TOML basic string with the necessary escapes (TOML 1.0, section String).
package enum TOMLText {
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 32 || scalar.value == 127:
        result += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
