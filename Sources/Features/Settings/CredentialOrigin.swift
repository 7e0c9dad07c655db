/// The origin of the token of a source, or of a hub that messages are published to. The token itself is read when a
/// request needs it.
package enum CredentialOrigin: Hashable, Sendable {
  case command([String])
  case file(String)
  case environment(String)
  /// A token in the settings, accepted only in a file that others cannot read.
  case plain(String)
}

extension CredentialOrigin {
  /// Returns the settings (rows) for the keys of a table that specify a token. At most one of the keys may be
  /// set.
  ///
  /// - Parameter reference: the text that replaces the descriptions, if another table already describes the
  ///   keys.
  static func rows<Root>(
    _ field: @autoclosure @escaping @Sendable () -> SettingRow<Root>.Path<CredentialOrigin?>,
    describedBy reference: String? = nil
  ) -> [SettingRow<Root>] {
    [
      row(
        field, "token_command", .command, example: "[\"pass\", \"show\", \"team\"]",
        reference ?? "program that prints the token; set only one of these four"
      ) {
        .command($0)
      } value: {
        if case .command(let command) = $0 { command } else { nil }
      },
      row(
        field, "token_file", .path, example: "\"~/.config/reddot/team.token\"",
        reference ?? "file that contains the token"
      ) {
        .file($0)
      } value: {
        if case .file(let path) = $0 { path } else { nil }
      },
      row(
        field, "token_env", .text, example: "\"TEAM_TOKEN\"",
        reference ?? "environment variable that contains the token"
      ) {
        .environment($0)
      } value: {
        if case .environment(let name) = $0 { name } else { nil }
      },
      row(
        field, "token", .text, example: "\"secret\"",
        reference ?? "the token itself, only in a file that others cannot read (`chmod 600`)"
      ) {
        .plain($0)
      } value: {
        if case .plain(let token) = $0 { token } else { nil }
      },
    ]
  }

  /// Returns the setting (row) for one of the keys that specify a token.
  private static func row<Root, Value: SettingValue>(
    _ field: @escaping @Sendable () -> SettingRow<Root>.Path<CredentialOrigin?>, _ key: String,
    _ form: Setting.Form, example: String, _ help: String,
    origin: @escaping @Sendable (Value) -> CredentialOrigin,
    value: @escaping @Sendable (CredentialOrigin) -> Value?
  ) -> SettingRow<Root> {
    let setting = Setting(
      key: key, places: Root.places, form: form, standard: "none", example: example, help: help)
    return SettingRow(setting, field()) {
      $0.value($1).map(origin)
    } toml: {
      $0.flatMap(value)?.toml(form)
    }
  }
}

extension SettingsReader {
  /// Reports a token that others can read, and a token with several origins.
  func checkCredential(_ table: SettingsTable) {
    let keys = ["token_command", "token_file", "token_env", "token"]
    if isReadableByOthers, table.gave("token") {
      table.report(
        "token", "others can read this file; run chmod 600 on it, or use token_command or token_file")
    }
    if keys.count(where: table.gave) > 1 {
      let names = keys.dropLast().joined(separator: ", ") + " and " + (keys.last ?? "")
      table.report("", "set only one of \(names)")
    }
  }
}
