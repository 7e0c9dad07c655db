import Foundation
import Platform

/// The settings file on disk. Edits keep everything else that the user wrote.
package struct SettingsFile: Sendable {
  package var path: String
  package var home: String

  package init(path: String, home: String) {
    self.path = path
    self.home = home
  }

  /// Why the file could not be read or written.
  package struct Failure: UserFacingError, Hashable {
    package var path: String
    package var reason: String

    package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

    package var sentence: String { "\(path) \(reason)" }
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
  /// - Parameter sources: gets the settings that are in the file now, which another process may have changed
  ///   since this one read them: for each new source the TOML lines of its `[[source]]` table, without the header.
  /// - Throws: `Failure` or `SettingsMistakes`, and what `sources` throws; the file is then as it was.
  package func append(sources: (Settings) throws -> [[String]]) throws {
    try edit { text in
      let before = try reader().read(text)
      let added = try sources(before)
      guard !added.isEmpty else { return nil }
      let longer = SettingsEdit.appending("source", added, to: text)
      var after = try readAgain(longer).withoutLines
      after.sources.removeLast(min(added.count, after.sources.count))
      guard after == before.withoutLines else {
        throw Failure(path: path, reason: "is written in a way that only you can edit: add the source there")
      }
      return longer
    }
  }

  package func append(sources: [[String]]) throws { try append { _ in sources } }

  /// Lets two sources change places in the file.
  ///
  /// - Throws: `Failure` or `SettingsMistakes`; the file is then as it was.
  package func swap(_ first: String, with second: String) throws {
    try edit { text in
      var wanted = try reader().read(text).withoutLines
      guard let a = wanted.sources.firstIndex(where: { $0.name == first }),
        let b = wanted.sources.firstIndex(where: { $0.name == second })
      else { return nil }
      wanted.sources.swapAt(a, b)
      let changed = SettingsEdit.swapping("source[\(min(a, b))]", "source[\(max(a, b))]", of: text)
      guard let changed, try readAgain(changed).withoutLines == wanted else {
        throw Failure(path: path, reason: "is written in a way that only you can edit: move the source there")
      }
      return changed
    }
  }

  /// A key of a table and its value, as TOML; nil takes the key out.
  package struct Change: Sendable {
    var key: String
    var value: String?

    package init(_ key: String, _ value: String?) {
      self.key = key
      self.value = value
    }
  }

  /// Changes keys of the `[[source]]` of a name; comments, order and all else stay.
  ///
  /// - Returns: false where no source has the name.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is then as it was.
  package func change(source name: String, _ changes: [Change]) throws -> Bool {
    var isThere = false
    try edit { text in
      var before = try reader().read(text).withoutLines
      guard let index = before.sources.firstIndex(where: { $0.name == name }) else { return nil }
      isThere = true
      let byHand = Failure(
        path: path, reason: "is written in a way that only you can edit: change the source \"\(name)\" there")
      guard let changed = SettingsEdit.applying(changes, to: "source[\(index)]", of: text) else {
        throw byHand
      }
      var after = try readAgain(changed).withoutLines
      guard after.sources.count == before.sources.count else { throw byHand }
      after.sources.remove(at: index)
      before.sources.remove(at: index)
      guard after == before else { throw byHand }
      return changed
    }
    return isThere
  }

  /// Reads the new text before it is written; its mistakes have no line in the current file.
  func readAgain(_ text: String) throws -> Settings {
    do {
      return try reader().read(text)
    } catch {
      let first = error.mistakes.first.map { $0.key.isEmpty ? $0.problem : "\($0.key): \($0.problem)" }
      throw Failure(path: path, reason: "was not changed: \(first ?? "the result would not be settings")")
    }
  }

  /// - Parameter change: returns the new text, or nil to leave the file as it is. Called again if another
  ///   program has written the file meanwhile.
  func edit(_ change: (String) throws -> String?) throws {
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

  func reader() -> SettingsReader {
    var status = stat()
    // A new file will be readable only by its owner.
    let isReadableByOthers = stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    return SettingsReader(file: path, home: home, isReadableByOthers: isReadableByOthers)
  }
}

/// A text as a TOML basic string with the necessary escapes (TOML 1.0, section String).
package enum TOMLText {
  /// With the fewest escapes: a literal string where that holds the text.
  package static func shortest(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && $0 != "'" }
    return isPlain && text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" } ? "'\(text)'" : quoted(text)
  }

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
