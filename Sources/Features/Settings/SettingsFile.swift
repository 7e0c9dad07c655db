import Foundation
import Messages
import Platform
import Storage

/// The settings file on disk, or `sources.toml` next to it, which reddot writes. Edits keep everything else that the
/// user wrote.
package struct SettingsFile: Sendable {
  package var path: String
  package var home: String
  /// The path of the settings that `sources.toml` belongs to; `nil` if this is the settings file.
  var settingsPath: String?
  /// Records the edits of the user.
  package var recorder: (any EditRecorder)?
  /// The step that edits belong to, or `nil` if each is a separate step.
  var step: OneStep?
  /// The permit that each edit needs, or `nil` if none is needed.
  package var permit: WritePermit?

  package init(path: String, home: String) {
    self.path = path
    self.home = home
  }

  /// The reason why the file could not be read or written.
  package struct Failure: UserFacingError, Hashable {
    package var path: String
    package var reason: String

    package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

    package var sentence: String { "\(path) \(reason)" }
  }

  package var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Returns the settings, or the defaults if there is no file, with the sources that are followed because other
  /// machines do.
  ///
  /// - Throws: `SettingsMistakes`, or `Failure` if a file cannot be read.
  package func load() throws -> Settings { try whole(try own()) }

  /// Returns the settings of this file.
  func own() throws -> Settings {
    if settingsPath != nil { return try ownFollowed() }
    do {
      return try ReplacedFile(path: path).bytes().map { try read(text($0)) } ?? Settings()
    } catch let failure as ReplacedFile.Failure {
      throw Failure(path: path, reason: failure.reason)
    }
  }

  /// Returns the sources of `sources.toml`. If it isn't a file or cannot be read, the result contains only an error.
  private func ownFollowed() throws -> Settings {
    var settings = Settings()
    func leftOut(_ reason: String) -> Settings {
      settings.leftOut = [SettingsMistake(file: path, line: 0, key: "", problem: reason)]
      settings.hidesSources = true
      return settings
    }
    var status = stat()
    // Only regular files are read: a pipe may have no end.
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return leftOut("this is not a regular file; its sources stay as they were")
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

  /// Returns a copy for the same file. Its edits are one step of the journal, so that they are undone together.
  package func inOneStep() -> SettingsFile {
    var file = self
    file.step = step ?? OneStep()
    return file
  }

  /// Appends sources and keeps everything else in the file, with comments.
  ///
  /// If this machine is synced, the sources that other machines can follow automatically are added to `sources.toml`
  /// instead. A source in that file is also removed from it if another machine removes the source.
  ///
  /// - Parameter sources: gets the settings that are in the files now, which another process may have changed
  ///   since this one read them. Returns for each new source the TOML lines of its `[[source]]` table, without the
  ///   header.
  /// - Throws: `Failure` or `SettingsMistakes`, and the errors of `sources`; the file is unchanged then.
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

  /// Creates the file with `head` if there is none.
  package func create() throws {
    guard !exists else { return }
    try edit(as: nil) { $0 }
  }

  /// The beginning of a file that reddot creates: its purpose, the manual, and an example of a rule.
  private static let head = """
    # The settings of reddot: what it follows, lists, rules, keys. A setting that is not here has its default.
    # The manual is in the program: reddot help config has all settings, reddot help rules has rules and lists.
    # reddot config opens this file and checks it. Other commands change only their own lines and keep comments.
    # A rule looks like this; without the #, it marks messages of a build server as read, unless a build failed:
    #[[rule]]
    #name = "quiet builds"
    #when = "source:build -title:failed"
    #do = ["read"]

    """

  package func append(sources: [[String]]) throws { try append { _ in sources } }

  /// Swaps two sources in the file.
  ///
  /// - Throws: `Failure` or `SettingsMistakes`; the file is unchanged then.
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

  /// - Returns: `false` if the file doesn't contain both sources.
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

  /// A key of a table and its value as TOML, or `nil` to remove the key.
  package struct Change: Sendable {
    var key: String
    var value: String?

    package init(_ key: String, _ value: String?) {
      self.key = key
      self.value = value
    }
  }

  /// Changes keys of the `[[source]]` with a name; keeps comments, order and everything else.
  ///
  /// - Returns: `false` if no source has the name.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is unchanged then.
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

  /// Checks the new text of the file before it is written. The reported error has no line number, since its
  /// line is not in the current file.
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

  /// Writes the file; all edits use this method.
  ///
  /// - Parameters:
  ///   - act: the user's action, recorded before the file changes; `nil` if there is none. Evaluated after `change`.
  ///   - change: returns the new text, or `nil` to leave the file unchanged. Called again if another
  ///     program has written the file in the meantime.
  func edit(as act: @autoclosure () -> SettingsAct?, _ change: (String) throws -> String?) throws {
    guard let recorder else { return try editNow(act, change) }
    try recorder.inTurn { try editNow(act, change) }
  }

  private func editNow(_ act: () -> SettingsAct?, _ change: (String) throws -> String?) throws {
    var record = EditRecord(recorder, step, isFollowed: settingsPath != nil)
    do {
      try ReplacedFile(path: path).edit { bytes in
        try record.discard()
        guard settingsPath != nil, let bytes else {
          let old = try bytes.map(text) ?? (settingsPath == nil ? Self.head : "")
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

  /// Returns the rules that differ between two versions of the file.
  private func ruleChanges(_ old: String, _ new: String) -> [RuleChange] {
    let reader = reader()
    guard let before = try? reader.read(old), let after = try? reader.read(new) else { return [] }
    return RuleChange.between(before.ruleTexts, after.ruleTexts)
  }

  /// Returns the failure for a file whose form reddot cannot edit.
  ///
  /// - Parameter what: a clause that describes the edit for the user.
  func byHand(_ what: String) -> Failure {
    Failure(path: path, reason: "has a form that reddot cannot edit; edit it yourself: \(what)")
  }

  /// Returns the settings in a string that is, or may become, the content of this file.
  func read(_ text: String) throws -> Settings {
    guard let settingsPath else { return try reader().read(text) }
    let settings = try SettingsFile(path: settingsPath, home: home).own()
    return try reader().readFollowed(text, defaults: settings.sourceDefaults)
  }

  private func followedText(_ bytes: Data) throws -> FollowedText {
    try FollowedText(bytes, of: path, read)
  }

  func text(_ bytes: Data) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(path: path, reason: "is not UTF-8 text")
    }
    return text
  }

  func reader() -> SettingsReader {
    var status = stat()
    // A new file is readable only by its owner.
    let isReadableByOthers = stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    return SettingsReader(file: path, home: home, isReadableByOthers: isReadableByOthers)
  }
}

/// Strings in the notation of TOML, with the necessary escapes (TOML 1.0, section String).
package enum TOMLText {
  /// Returns the string with the fewest escapes: as a literal string if possible.
  package static func shortest(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && $0 != "'" }
    return isPlain && text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" } ? "'\(text)'" : quoted(text)
  }

  /// Returns the string as a basic string, in double quotes.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      // A setting cannot contain it: the file could not be read again.
      case "\0": result += "\u{FFFD}"
      case _ where scalar.value < 32 || scalar.value == 127:
        result += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
