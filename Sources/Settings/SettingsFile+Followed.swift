import Platform
package import Storage

/// `sources.toml` beside the settings: what is followed because other machines of the person do.
extension SettingsFile {
  /// That file.
  var followed: SettingsFile {
    var file = SettingsFile(path: "\(ReplacedFile.folder(of: path))/sources.toml", home: home)
    file.settingsPath = path
    return file
  }

  /// Those in which sources stand, in their order.
  var files: [SettingsFile] { settingsPath == nil ? [self, followed] : [self] }

  /// The paths of both files, whether they are there or not.
  package var paths: [String] { files.map(\.path) }

  /// The file in which a source stands.
  package func path(of source: SourceEntry) -> String { source.isFollowed ? followed.path : path }

  /// The settings of both files, where this one holds these.
  ///
  /// - Parameter isStrict: whether a source of `sources.toml` whose name is taken is a mistake; otherwise it is left out.
  /// - Throws: `SettingsMistakes`, or `Failure` if the other file cannot be read.
  func whole(_ own: Settings, isStrict: Bool = false) throws -> Settings {
    if let settingsPath {
      return try SettingsFile(path: settingsPath, home: home).own().joined(own, of: path, isStrict: isStrict)
    }
    return try own.joined(followed.own(), of: followed.path, isStrict: isStrict)
  }

  /// What is to be changed in `sources.toml`.
  package struct FollowedChanges {
    /// The names of sources that are followed no more.
    package var removed: Set<String> = []
    /// New titles and folders, by the names of their sources.
    package var changed: [(name: String, changes: [Change])] = []
    package var added: [ConfiguredSource] = []

    package var isEmpty: Bool { removed.isEmpty && changed.isEmpty && added.isEmpty }

    package init() {}
  }

  /// The reason why a source of another machine cannot be in `sources.toml` here; `nil` if it can.
  ///
  /// - Parameter settings: those of both files.
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

  /// Changes `sources.toml`; what a person wrote there besides stays.
  ///
  /// - Parameter wish: gets the settings of both files.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is then as it was.
  package func changeFollowed(_ wish: (Settings) throws -> FollowedChanges) throws {
    let file = followed
    try file.edit { text in
      let before = try file.read(text)
      let wished = try wish(file.whole(before))
      if wished.isEmpty { return nil }
      let byHand = file.byHand("make these changes there")
      var changed = text.isEmpty ? Self.firstLine + "\n" : text
      for (index, entry) in before.sources.enumerated().reversed() {
        if wished.removed.contains(entry.name) {
          changed = SettingsEdit.removing("source[\(index)]", from: changed)
        } else if let (_, changes) = wished.changed.first(where: { $0.name == entry.name }) {
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
      guard after.sources.map(\.name) == names + wished.added.map(\.name) else { throw byHand }
      return changed
    }
  }

  private static let firstLine =
    "# Sources that other machines follow. reddot writes this file; your own go into config.toml."
}

extension Settings {
  /// With the sources of `sources.toml`; of one that stands in both files, these settings count.
  ///
  /// - Throws: `SettingsMistakes` if `isStrict` and two have one name.
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
        problem: "\"\($0.name)\" is already the name of a source in the settings beside this file")
    }
    if isStrict, !mistakes.isEmpty { throw SettingsMistakes(mistakes: mistakes) }
    joined.leftOut += mistakes
    joined.sources += others.filter { !names.contains($0.name) }
    return joined
  }
}
