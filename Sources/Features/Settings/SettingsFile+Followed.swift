package import Messages
import Platform
package import Storage

/// `sources.toml` next to the settings: the sources that this machine follows because the user's other machines do.
extension SettingsFile {
  /// The file `sources.toml` in the folder of this settings file.
  var followed: SettingsFile {
    var file = self
    file.path = "\(ReplacedFile.folder(of: path))/sources.toml"
    file.settingsPath = path
    return file
  }

  /// The files that contain sources, in their order.
  var files: [SettingsFile] { settingsPath == nil ? [self, followed] : [self] }

  /// The paths of this settings file and of its `sources.toml`, whether the files exist or not.
  package var paths: [String] { files.map(\.path) }

  /// Returns the path of the file that contains a source.
  package func path(of source: SourceEntry) -> String { source.isFollowed ? followed.path : path }

  /// Returns the settings of both files.
  ///
  /// - Parameters:
  ///   - own: the settings in this file.
  ///   - isStrict: whether a source of `sources.toml` whose name is taken is an error; otherwise it is left out.
  /// - Throws: `SettingsMistakes`, or `Failure` if the other file cannot be read.
  func whole(_ own: Settings, isStrict: Bool = false) throws -> Settings {
    if let settingsPath {
      return try SettingsFile(path: settingsPath, home: home).own().joined(own, of: path, isStrict: isStrict)
    }
    return try own.joined(followed.own(), of: followed.path, isStrict: isStrict)
  }

  /// Changes of `sources.toml`.
  package struct FollowedChanges {
    /// The names of sources that are no longer followed.
    package var removed: Set<String> = []
    /// New values, each with the name of its source.
    package var changed: [(name: String, changes: [Change])] = []
    /// New names, keyed by the former ones.
    package var renamed: [String: String] = [:]
    package var added: [ConfiguredSource] = []

    package var isEmpty: Bool { removed.isEmpty && changed.isEmpty && renamed.isEmpty && added.isEmpty }

    package init() {}
  }

  /// Returns the reason why a source of another machine cannot be in `sources.toml` here, or `nil` if it can.
  ///
  /// - Parameter settings: the settings of both files.
  package func problem(ofFollowed source: ConfiguredSource, _ settings: Settings) -> String? {
    let text = SettingsEdit.appending("source", [SourceEntry(source: source).lines()], to: "")
    do throws(SettingsMistakes) {
      let read = try followed.reader().readFollowed(text, defaults: settings.sourceDefaults)
      return read.sources.map(\.name) == [source.name] ? nil : "it cannot be written down"
    } catch {
      return error.mistakes.first.map { $0.key.isEmpty ? $0.problem : "\($0.key) \($0.problem)" }
        ?? "it cannot be written down"
    }
  }

  /// Changes `sources.toml` and keeps everything else that the user wrote there.
  ///
  /// - Parameters:
  ///   - act: the user's action; `nil` if other machines want the change.
  ///   - wish: gets the joined settings of this file and `sources.toml`, and returns the changes.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is unchanged then.
  package func changeFollowed(
    as act: SettingsAct? = nil, _ wish: (Settings) throws -> FollowedChanges
  ) throws {
    let file = followed
    try file.edit(as: act) { text in
      let before = try file.read(text)
      let wished = try wish(file.whole(before))
      if wished.isEmpty { return nil }
      let byHand = file.byHand("make these changes there")
      var changed = text.isEmpty ? Self.firstLine + "\n" : text
      for (index, entry) in before.sources.enumerated().reversed() {
        if wished.removed.contains(entry.name) {
          changed = SettingsEdit.removing("source[\(index)]", from: changed)
          continue
        }
        var changes = wished.changed.first { $0.name == entry.name }?.changes ?? []
        if let name = wished.renamed[entry.name] { changes.append(Change("name", TOMLText.quoted(name))) }
        if !changes.isEmpty {
          guard let next = SettingsEdit.applying(changes, to: "source[\(index)]", of: changed) else {
            throw byHand
          }
          changed = next
        }
      }
      changed = SettingsEdit.appending(
        "source", wished.added.map { SourceEntry(source: $0).lines() }, to: changed)
      let after = try file.readAgain(changed)
      let names = before.sources.map(\.name).filter { !wished.removed.contains($0) }
        .map { wished.renamed[$0] ?? $0 }
      guard after.sources.map(\.name) == names + wished.added.map(\.name) else { throw byHand }
      return changed
    }
  }

  /// Adds sources to `sources.toml`.
  func addFollowed(_ sources: [ConfiguredSource], as act: SettingsAct?) throws {
    if sources.isEmpty { return }
    try changeFollowed(as: act) { _ in
      var changes = FollowedChanges()
      changes.added = sources
      return changes
    }
  }

  /// Returns the source that the lines of a table describe if this machine syncs its sources and everything
  /// in the table can be synced; otherwise `nil`.
  func travelling(_ lines: [String], _ settings: Settings) throws -> ConfiguredSource? {
    guard settings.sync.place != nil, settings.sync.followsSources else { return nil }
    return try? source(of: lines).flatMap { $0.lines() == lines ? $0.travelling : nil }
  }

  /// Returns the source that the lines of a `[[source]]` table describe, or `nil` if they describe none.
  func source(of lines: [String]) throws -> SourceEntry? {
    try reader().read(SettingsEdit.appending("source", [lines], to: "")).sources.first
  }

  /// Returns the names of the sources in this file whose tables contain only values that are synced to other machines,
  /// as `reddot add` writes them.
  package func travelling() throws -> [String] {
    let own = try own()
    guard own.sync.followsSources else { return [] }
    return own.sources.compactMap { $0.travelling?.name }
  }

  /// Moves the sources whose tables contain only synced values from this file into `sources.toml`.
  ///
  /// - Throws: `Failure` or `SettingsMistakes`.
  package func moveTravelling() throws {
    let sources = try own().sources.compactMap(\.travelling)
    // A source in both files is read from this one, so a process that is killed in between loses nothing.
    try addFollowed(sources, as: nil)
    for source in sources { _ = try remove(.source, named: source.name, as: nil) }
  }

  private static let firstLine =
    "# Sources that other machines follow. reddot writes this file; your own go into config.toml."
}

extension SourceEntry {
  /// The source, or `nil` if its table in the settings contains anything that is not synced to other
  /// machines.
  fileprivate var travelling: ConfiguredSource? {
    var bare = ConfiguredSource(name: source.name, kind: source.kind, address: source.address)
    (bare.title, bare.folder) = (source.title, source.folder)
    return bare.isFollowedByItself && SourceEntry(source: bare).lines() == lines() ? bare : nil
  }
}

extension Settings {
  /// Returns the settings with the sources of `sources.toml`. If both files contain a source, these settings take
  /// precedence.
  ///
  /// - Throws: `SettingsMistakes` if `isStrict` and two sources have the same name.
  fileprivate func joined(
    _ followed: Settings, of file: String, isStrict: Bool
  ) throws(SettingsMistakes) -> Settings {
    var joined = self
    joined.leftOut += followed.leftOut
    joined.hiddenText += followed.hiddenText
    joined.hidesSources = followed.hidesSources
    if followed.sources.isEmpty { return joined }
    let known = Set(sources.map(\.source.identity))
    let names = Set(sources.map(\.name))
    let others = followed.sources.filter { !known.contains($0.source.identity) }
    let mistakes = others.filter { names.contains($0.name) }.map {
      SettingsMistake(
        file: file, line: $0.line, key: "name",
        problem: "\"\($0.name)\" is already the name of a source in the settings next to this file")
    }
    if isStrict, !mistakes.isEmpty { throw SettingsMistakes(mistakes: mistakes) }
    joined.leftOut += mistakes
    joined.sources += others.filter { !names.contains($0.name) }
    return joined
  }
}
