import Formats
import Messages
import Platform
import Screen
package import Sync

/// `[sync]`: one inbox on several machines.
package struct SyncOptions: Hashable, Sendable {
  /// The sync location, or `nil` if this machine isn't synced.
  package var place: PlaceAddress?
  /// The name of this machine for the other machines, or `nil` for the host's name up to its first dot.
  package var name: String?
  /// Whether this machine follows the sources of other machines.
  package var followsSources = true
  /// The program that prints the encryption key, instead of a file; empty for none.
  package var keyCommand: [String] = []
  /// The program that prints the token of a location at a hub; empty for none.
  package var tokenCommand: [String] = []

  /// Whether the location is a folder, which is accessed without another program.
  package var isFolder: Bool { place?.isFolder == true }

  package init() {}
}

extension SyncOptions: SettingsRoot {
  static let standard = SyncOptions()
  static let places = [Setting.Place.sync]

  static let rows: [SettingRow<SyncOptions>] = [
    SettingRow(
      "place", .place, \.place, else: "none: this machine does not sync", example: "\"~/Sync/reddot\"",
      "sync location; `reddot sync init` and `reddot sync join` write it"),
    SettingRow(
      "name", .text, \.name, else: "the host's name up to its first dot", example: "\"laptop\"",
      "name of this machine on your other machines, at most \(longestName) characters"),
    SettingRow(
      "sources", .boolean, \.followsSources,
      "follow the sources of your other machines that need no password"
    ),
    SettingRow(
      "key_command", .command, \.keyCommand, else: "the file `sync.key` next to the database",
      example: "[\"pass\", \"show\", \"reddot\"]", "program that prints the encryption key"),
    SettingRow(
      "token_command", .command, \.tokenCommand, else: "none", example: "[\"pass\", \"show\", \"hub\"]",
      "program that prints the token of a hub"),
  ]

  /// The maximum number of characters of a machine's name.
  package static let longestName = 64
}

/// A string, or a program with its arguments.
extension PlaceAddress: SettingValue {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> PlaceAddress? {
    if let text = raw.string { return try? PlaceAddress(Directories.expandingHome(text, home: home)) }
    return [String].texts(raw).flatMap { try? PlaceAddress(program: $0) }
  }

  func toml(_ form: Setting.Form) -> String {
    switch self {
    case .program(let words): words.toml(.program)
    case .postgreSQL(let address): TOMLText.quoted(address)
    case .folder, .ssh, .hub: TOMLText.quoted(description)
    }
  }
}

extension SettingsReader {
  func readSync(_ root: SettingsTable, into options: inout SyncOptions) {
    guard let table = root.table(.sync) else { return }
    table.read(SyncOptions.rows, in: .sync, into: &options)
    if let name = options.name,
      name.isEmpty || name.count > SyncOptions.longestName || name.unicodeScalars.contains(where: \.isControl)
    {
      table.report("name", "must be a name of at most \(SyncOptions.longestName) characters")
    }
    table.finish()
    root.absorb(table)
  }
}
