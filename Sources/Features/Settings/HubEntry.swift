/// A table `[[hub]]` of the settings: a hub that `reddot push --feed` publishes to. The meaning of a field is in
/// `rows`.
package struct HubEntry: Hashable, Sendable {
  package var name = ""
  /// The hub's URL, http or https.
  package var address = ""
  package var credential: CredentialOrigin?
  /// A file of certificates (PEM) that are trusted in addition to the system's.
  package var caFile: String?
}

extension HubEntry: SettingsRoot {
  static let standard = HubEntry()
  static let places = [Setting.Place.hub]

  static let rows =
    ownRows + CredentialOrigin.rows(\.credential, describedBy: "as in `[[source]]`") + trustRows

  private static let ownRows: [SettingRow<HubEntry>] = [
    SettingRow(
      "name", .text, \.name, else: Setting.required, example: "\"team\"",
      "unique name, for `--hub` if there are several"),
    SettingRow(
      "url", .text, \.address, else: Setting.required, example: "\"https://hub.example\"",
      "URL, http or https"),
  ]

  private static let trustRows: [SettingRow<HubEntry>] = [
    SettingRow(
      "ca_file", .path, \.caFile, else: "none", example: "\"~/team-ca.pem\"",
      "as in `[[source]]`")
  ]
}

extension SettingsReader {
  func readHubs(_ tables: [SettingsTable], reportTo root: SettingsTable) -> [HubEntry] {
    var hubs: [HubEntry] = []
    var lines: [String: Int] = [:]
    for table in tables {
      var hub = HubEntry()
      table.read(HubEntry.rows, in: .hub, into: &hub)
      for key in ["name", "url"] where !table.has(key) { table.report("", "a hub needs a \(key)") }
      checkCredential(table)
      if table.gave("name") {
        if !SourceName.isValid(hub.name) {
          table.report(
            "name", "must be 1 to 64 visible characters, without line ends or spaces at its ends")
        } else if let earlier = lines.updateValue(table.line, forKey: hub.name) {
          table.report("name", "\"\(hub.name)\" is already the name of the hub on line \(earlier)")
        }
      }
      if table.gave("url") {
        if let address = SourceAddress.normalized(hub.address, home: home), SourceAddress.isWeb(address) {
          hub.address = address
        } else {
          table.report("url", "must be an http or https address, such as \"https://hub.example\"")
        }
      }
      table.finish()
      root.absorb(table)
      hubs.append(hub)
    }
    return hubs
  }
}
