import Storage
import TOML

/// Taking a source or a saved list out of the file, and putting it back.
extension SettingsFile {
  /// An array of tables that have a name.
  package enum NamedTable: String, Codable, Hashable, Sendable {
    case source, list
  }

  /// What was taken out of the file, and what puts it back.
  package struct Removal: Codable, Hashable, Sendable {
    package var table: NamedTable
    package var name: String
    var lines: TakenTables
    /// Whether it stood in `sources.toml`; nil: it didn't.
    var isFollowed: Bool?
  }

  /// What putting back found.
  package enum PuttingBack: Hashable, Sendable {
    case isBack
    /// The same lines are there: they were never removed, or have come back already.
    case wasThere
    /// Another one has the name.
    case nameTaken
    /// A source of another name has its address now.
    case isFollowedAgain(as: String)
  }

  /// Removes the table of a name, with its sub-tables; comments before the next table stay.
  ///
  /// - Parameter recording: called before the file changes, while no other reddot changes it; again if another program
  ///   has written it meanwhile.
  /// - Returns: false where none has the name.
  /// - Throws: `Failure` or `SettingsMistakes`, and what `recording` throws; the file is then as it was.
  package func remove(
    _ table: NamedTable, named name: String, recording: (Removal) throws -> Void
  ) throws -> Bool {
    for file in files where try file.removeOwn(table, named: name, recording: recording) { return true }
    return false
  }

  private func removeOwn(
    _ table: NamedTable, named name: String, recording: (Removal) throws -> Void
  ) throws -> Bool {
    var isThere = false
    try edit { text in
      isThere = false
      guard let (removal, rest) = try removing(table, named: name, from: text) else { return nil }
      try recording(removal)
      isThere = true
      return rest
    }
    return isThere
  }

  /// Puts back what was removed: where it was, or at the end where the table before it is gone.
  ///
  /// - Throws: `Failure` or `SettingsMistakes`; the file is then as it was.
  package func putBack(_ removal: Removal) throws -> PuttingBack {
    if removal.isFollowed == true, settingsPath == nil { return try followed.putBack(removal) }
    var result = PuttingBack.isBack
    try edit { text in
      result = .isBack
      let before = try read(text)
      if before.line(of: removal.name, in: removal.table) != nil {
        let same = try? removing(removal.table, named: removal.name, from: text)
        result = same?.removal.lines.text == removal.lines.text ? .wasThere : .nameTaken
        return nil
      }
      if try whole(before).line(of: removal.name, in: removal.table) != nil {
        result = .nameTaken
        return nil
      }
      let places = [removal.lines.putBack(into: text), removal.lines.appended(to: text)]
      for longer in places.compactMap({ $0 }) {
        guard let after = try? read(longer).withoutLines else { continue }
        if after.line(of: removal.name, in: removal.table) != nil,
          after.without(removal.name, in: removal.table) == before.withoutLines.withoutProblems
        {
          let identity = after.sources.first { $0.name == removal.name }?.source.identity
          if removal.table == .source,
            let same = try whole(before).sources.first(where: { $0.source.identity == identity })
          {
            result = .isFollowedAgain(as: same.name)
            return nil
          }
          return longer
        }
      }
      _ = try readAgain(removal.lines.appended(to: text))
      throw byHand("add it there")
    }
    return result
  }

  private func removing(
    _ table: NamedTable, named name: String, from text: String
  ) throws -> (removal: Removal, rest: String)? {
    let before = try read(text)
    guard let line = before.line(of: name, in: table) else { return nil }
    let byHand = byHand("remove the \(table.rawValue) \"\(name)\" there")
    // Tables that are left out because of a mistake count too.
    let headers = TOMLLines(text).blocks.filter {
      $0.path.count == 1 && $0.path[0].hasPrefix("\(table.rawValue)[")
    }
    guard let header = headers.first(where: { $0.header == line })?.path[0] else { throw byHand }
    let rest = SettingsEdit.removing(header, from: text)
    guard let after = try? read(rest).withoutLines.withoutProblems,
      after == before.withoutLines.without(name, in: table)
    else { throw byHand }
    var removal = Removal(table: table, name: name, lines: TakenTables(header, of: text, rest: rest))
    if settingsPath != nil { removal.isFollowed = true }
    return (removal, rest)
  }
}

extension Settings {
  /// The line of the table of a name; nil where none has it.
  fileprivate func line(of name: String, in table: SettingsFile.NamedTable) -> Int? {
    switch table {
    case .source: sources.first { $0.name == name }?.line
    case .list: lists.first { $0.name == name }?.line
    }
  }

  /// Without the entry of a name, and without the mistakes of entries.
  fileprivate func without(_ name: String, in table: SettingsFile.NamedTable) -> Settings {
    var settings = withoutProblems
    switch table {
    case .source: settings.sources.removeAll { $0.name == name }
    case .list: settings.lists.removeAll { $0.name == name }
    }
    return settings
  }

  /// They name lines, and one entry may be the reason for another's.
  fileprivate var withoutProblems: Settings {
    var settings = self
    settings.problems = []
    return settings
  }
}
