package import Places
import TOML

extension SettingsFile {
  /// Writes `place` into `[sync]`; makes the table where there is none. All else stays.
  ///
  /// - Parameter text: the place as it is written.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is then as it was.
  package func setPlace(_ place: PlaceAddress, as written: String) throws {
    try edit { text in
      var wanted = try reader().read(text).withoutLines
      if wanted.sync.place == place { return nil }
      wanted.sync.place = place
      let value = TOMLText.quoted(written)
      let hasTable = TOMLLines(text).blocks.contains { $0.path == ["sync"] }
      let changed =
        hasTable
        ? SettingsEdit.applying([Change("place", value)], to: "sync", of: text)
        : SettingsEdit.appending(tableNamed: "sync", ["place = \(value)"], to: text)
      guard let changed, try readAgain(changed).withoutLines == wanted else {
        throw byHand("write place = \(value) under [sync]")
      }
      return changed
    }
  }

  /// Takes `[sync]` out.
  ///
  /// - Throws: `Failure` or `SettingsMistakes`; the file is then as it was.
  package func removeSync() throws {
    try edit { text in
      var wanted = try reader().read(text).withoutLines
      if wanted.sync == SyncOptions() { return nil }
      wanted.sync = SyncOptions()
      let changed = SettingsEdit.removing("sync", from: text)
      guard try readAgain(changed).withoutLines == wanted else {
        throw byHand("take [sync] out there")
      }
      return changed
    }
  }
}
