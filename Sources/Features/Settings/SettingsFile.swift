import Foundation
import Messages
import Platform
import Storage

/// The settings file on disk, or `sources.toml` beside it, which reddot writes. Edits keep everything else that the user
/// wrote.
package struct SettingsFile: Sendable {
  package var path: String
  package var home: String
  /// Of `sources.toml`: the settings that it belongs to.
  var settingsPath: String?
  /// Records the edits of the user.
  package var recorder: (any EditRecorder)?
  /// The step that edits belong to; `nil` if each is one.
  var step: OneStep?
  /// The permit that each edit needs, or `nil` if it needs none.
  package var permit: WritePermit?

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

  /// The settings, or the defaults if there is no file, with the sources that are followed because other machines do.
  ///
  /// - Throws: `SettingsMistakes`, or `Failure` if a file cannot be read.
  package func load() throws -> Settings { try whole(try own()) }

  /// What stands in this file.
  func own() throws -> Settings {
    if settingsPath != nil { return try ownFollowed() }
    do {
      return try ReplacedFile(path: path).bytes().map { try read(text($0)) } ?? Settings()
    } catch let failure as ReplacedFile.Failure {
      throw Failure(path: path, reason: failure.reason)
    }
  }

  /// The sources of `sources.toml`. If it isn't a file, or can't be read, only a mistake.
  private func ownFollowed() throws -> Settings {
    var settings = Settings()
    func leftOut(_ reason: String) -> Settings {
      settings.leftOut = [SettingsMistake(file: path, line: 0, key: "", problem: reason)]
      settings.hidesSources = true
      return settings
    }
    var status = stat()
    // Nothing else is read: a pipe may have no end.
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return leftOut("this isn't a regular file; its sources stay as they were")
    }
    do {
      guard let bytes = try ReplacedFile(path: path).bytes() else { return settings }
      let readable = try followedText(bytes)
      settings = try read(readable.text)
      (settings.leftOut, settings.hiddenText) = (readable.leftOut, readable.hidden)
      return settings
    } catch let failure as ReplacedFile.Failure {
      return leftOut("\(failure.reason); its sources stay as they were")
    }
  }

  /// Returns the same file, whose edits are one step from now on.
  package func inOneStep() -> SettingsFile {
    var file = self
    file.step = step ?? OneStep()
    return file
  }

  /// Appends sources and keeps everything in the file, with comments. On a machine that synchronises, those that other machines
  /// can follow automatically go into `sources.toml`, where a removal on any machine reaches them.
  ///
  /// - Parameter sources: gets the settings that are in the files now, which another process may have changed
  ///   since this one read them: for each new source the TOML lines of its `[[source]]` table, without the header.
  /// - Throws: `Failure` or `SettingsMistakes`, and what `sources` throws; the file is then as it was.
  package func append(sources: (Settings) throws -> [[String]]) throws {
    try inOneStep().appendInOneStep(sources)
  }

  private func appendInOneStep(_ sources: (Settings) throws -> [[String]]) throws {
    var followed: [ConfiguredSource] = []
    var act: SettingsAct?
    try edit(as: act) { text in
      let before = try read(text)
      let settings = try whole(before)
      var added: [[String]] = []
      followed = []
      let wished = try sources(settings)
      act = .added(wished.count, name: wished.first.flatMap { try? source(of: $0)?.name })
      for lines in wished {
        if let source = try travelling(lines, settings) {
          followed.append(source)
        } else {
          added.append(lines)
        }
      }
      guard !added.isEmpty else { return nil }
      let longer = SettingsEdit.appending("source", added, to: text)
      var after = try readAgain(longer).withoutLines
      after.sources.removeLast(min(added.count, after.sources.count))
      guard after == before.withoutLines else { throw byHand("add the source there") }
      return longer
    }
    try addFollowed(followed, as: act)
  }

  package func append(sources: [[String]]) throws { try append { _ in sources } }

  /// Lets two sources change places in the file.
  ///
  /// - Throws: `Failure` or `SettingsMistakes`; the file is then as it was.
  package func swap(_ first: String, with second: String) throws {
    guard try swapOwn(first, with: second) else {
      guard settingsPath == nil else { return }
      if try followed.swapOwn(first, with: second) { return }
      let there = try followed.own().sources.first { $0.name == first || $0.name == second }
      guard let there else { return }
      throw Failure(
        path: followed.path,
        reason: "holds \"\(there.name)\", and its sources come after those of \(path)")
    }
  }

  /// - Returns: false where the file doesn't hold both.
  private func swapOwn(_ first: String, with second: String) throws -> Bool {
    var isThere = false
    try edit(as: SettingsAct(.moved, first)) { text in
      var wanted = try read(text).withoutLines
      guard let a = wanted.sources.firstIndex(where: { $0.name == first }),
        let b = wanted.sources.firstIndex(where: { $0.name == second })
      else { return nil }
      isThere = true
      wanted.sources.swapAt(a, b)
      let changed = SettingsEdit.swapping("source[\(min(a, b))]", "source[\(max(a, b))]", of: text)
      guard let changed, try readAgain(changed).withoutLines == wanted else {
        throw byHand("move the source there")
      }
      return changed
    }
    return isThere
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
    for file in files where try file.changeOwn(name, changes) { return true }
    return false
  }

  private func changeOwn(_ name: String, _ changes: [Change]) throws -> Bool {
    var isThere = false
    var act: SettingsAct?
    try edit(as: act) { text in
      var before = try read(text).withoutLines
      guard let index = before.sources.firstIndex(where: { $0.name == name }) else { return nil }
      isThere = true
      let byHand = byHand("change the source \"\(name)\" there")
      guard let changed = SettingsEdit.applying(changes, to: "source[\(index)]", of: text) else {
        throw byHand
      }
      var after = try readAgain(changed).withoutLines
      guard after.sources.count == before.sources.count else { throw byHand }
      act = .changed(name, to: after.sources.remove(at: index).name, changes)
      before.sources.remove(at: index)
      guard after == before else { throw byHand }
      return changed
    }
    return isThere
  }

  /// Reads the new text before it is written; its mistakes have no line in the current file.
  func readAgain(_ text: String) throws -> Settings {
    do {
      let own = try read(text)
      _ = try whole(own, isStrict: true)
      return own
    } catch let error as SettingsMistakes {
      let first = error.mistakes.first.map { $0.key.isEmpty ? $0.problem : "\($0.key): \($0.problem)" }
      throw Failure(path: path, reason: "was not changed: \(first ?? "the result would not be settings")")
    }
  }

  /// The one way to write the file.
  ///
  /// - Parameters:
  ///   - act: of the user, which is recorded before the file changes; `nil` if it is none. Evaluated after `change`.
  ///   - change: returns the new text, or nil to leave the file as it is. Called again if another
  ///     program has written the file meanwhile.
  func edit(as act: @autoclosure () -> SettingsAct?, _ change: (String) throws -> String?) throws {
    var record = EditRecord(recorder, step, isFollowed: settingsPath != nil)
    do {
      try ReplacedFile(path: path).edit { bytes in
        try record.discard()
        guard settingsPath != nil, let bytes else {
          let old = try bytes.map(text) ?? ""
          guard let new = try change(old) else { return nil }
          try permit?.use()
          try record.write(old, new, rules: ruleChanges(old, new), as: act())
          return Data(new.utf8)
        }
        let readable = try followedText(bytes)
        return try change(readable.text).map { changed in
          guard let whole = readable.bytes(of: changed) else {
            throw Failure(
              path: path, reason: "was not changed: lines that cannot be read would be lost; repair them")
          }
          try permit?.use()
          try record.write(readable.text, changed, as: act())
          return whole
        }
      }
    } catch {
      try record.discard()
      if let failure = error as? ReplacedFile.Failure { throw Failure(path: path, reason: failure.reason) }
      throw error
    }
  }

  private func ruleChanges(_ old: String, _ new: String) -> [RuleChange] {
    let reader = reader()
    guard let before = try? reader.read(old), let after = try? reader.read(new) else { return [] }
    return RuleChange.between(before.ruleTexts, after.ruleTexts)
  }

  func byHand(_ what: String) -> Failure {
    Failure(path: path, reason: "is written in a way that only you can edit: \(what)")
  }

  /// What a text of this file says.
  func read(_ text: String) throws -> Settings {
    guard let settingsPath else { return try reader().read(text) }
    let settings = try SettingsFile(path: settingsPath, home: home).own()
    return try reader().readFollowed(text, defaults: settings.sourceDefaults)
  }

  private func followedText(_ bytes: Data) throws -> FollowedText {
    try FollowedText(bytes, of: path, read)
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
      // No setting can hold it: the file could not be read again.
      case "\0": result += "\u{FFFD}"
      case _ where scalar.value < 32 || scalar.value == 127:
        result += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
