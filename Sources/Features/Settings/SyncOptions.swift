import Formats
import Messages
import Platform
import Screen
package import Sync

/// `[sync]`: one inbox on several machines.
package struct SyncOptions: Hashable, Sendable {
  /// Where the machines meet; nil: this machine doesn't synchronise.
  package var place: PlaceAddress?
  /// What the other machines call this one; nil: the host's name up to its first dot.
  package var name: String?
  /// Whether this machine follows what other machines follow.
  package var followsSources = true
  /// A program that prints the key, instead of the file; empty: none.
  package var keyCommand: [String] = []
  /// A program that prints the token of a place at a hub; empty: none.
  package var tokenCommand: [String] = []

  /// Whether the place is reached without a program.
  package var isFolder: Bool { place?.isFolder == true }

  package init() {}
}

extension SyncOptions: SettingsRoot {
  static let standard = SyncOptions()
  static let places = [Setting.Place.sync]

  static let rows: [SettingRow<SyncOptions>] = [
    SettingRow(
      "place", .place, \.place, else: "none: this machine does not synchronise", example: "\"~/Sync/reddot\"",
      """
      where your machines meet: a folder that they all have, `ssh:HOST:PATH`, `postgresql://HOST/DATABASE`, `https://HUB`, or \
      a program that speaks the pipe, with its arguments; `reddot sync init` and `reddot sync join` write it
      """),
    SettingRow(
      "name", .text, \.name, else: "the host's name up to its first dot", example: "\"laptop\"",
      "what your other machines call this one, at most \(longestName) characters"),
    SettingRow(
      "sources", .boolean, \.followsSources,
      """
      whether this machine follows what your other machines follow, where that needs no password: such sources stand in \
      `sources.toml` beside this file
      """
    ),
    SettingRow(
      "key_command", .command, \.keyCommand, else: "the file `sync.key` beside the database",
      example: "[\"pass\", \"show\", \"reddot\"]", "a program that prints the key of the place"),
    SettingRow(
      "token_command", .command, \.tokenCommand, else: "none", example: "[\"pass\", \"show\", \"hub\"]",
      "a program that prints the token, for a place at a hub"),
  ]

  package static let longestName = 64
}

/// A text, or a program with its arguments.
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
