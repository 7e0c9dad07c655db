import Formats
package import Sync

extension SettingsFile {
  /// Writes `place` into `[sync]`, or removes it. Creates the table if there is none, and removes it if nothing else is
  /// in it. Everything else stays.
  ///
  /// - Parameter folder: the location as the user typed it, if it is a folder.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is unchanged then.
  package func setPlace(_ place: PlaceAddress?, as folder: String = "") throws {
    try edit(as: nil) { text in
      var wanted = try reader().read(text).withoutLines
      if wanted.sync.place == place { return nil }
      wanted.sync.place = place
      let value = place.map { $0.isFolder && !folder.isEmpty ? TOMLText.quoted(folder) : $0.toml(.place) }
      let table = TOMLDocument.blocks(of: text).first { $0.path == ["sync"] }
      let changed: String? =
        if table == nil, let value {
          SettingsEdit.appending(tableNamed: "sync", ["place = \(value)"], to: text)
        } else if value == nil, table?.keys.map(\.name) == ["place"] {
          SettingsEdit.removing("sync", from: text)
        } else {
          SettingsEdit.applying([Change("place", value)], to: "sync", of: text)
        }
      guard let changed, let after = try? readAgain(changed), after.withoutLines == wanted else {
        throw byHand(value == nil ? "take place out of [sync] there" : "write place under [sync] there")
      }
      return changed
    }
  }
}
