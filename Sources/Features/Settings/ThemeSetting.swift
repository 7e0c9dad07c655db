import Screen
import Words

extension SettingsTable {
  /// Reads `theme`: a theme's name, or a table of styles.
  ///
  /// - Returns: `nil` if it isn't set. Invalid parts are reported and left out.
  func theme() -> Theme? {
    switch textOrTable(Setting.themeKey, "\(Theme.names), or a table, written [theme]") {
    case nil: return nil
    case .text(let text):
      guard let name = Theme.Name(rawValue: text) else {
        report(Setting.themeKey, "must be \(Theme.names), or a table, written [theme]")
        return nil
      }
      return Theme(name)
    case .table(let table):
      defer { absorb(table) }
      return table.looks()
    }
  }

  /// Reads a table of styles.
  private func looks() -> Theme {
    var name = Theme.Name.terminal
    if let base = string(named: "base") {
      if let known = Theme.Name(rawValue: base) {
        name = known
      } else {
        report("base", "must be \(Theme.names)")
      }
    }
    var own: [Theme.Role: Style] = [:]
    let expected = """
      colours and attributes, such as "cyan underline", "#5f87ff", 33 or "black on yellow bold"; colours are \
      \(Color.names.prefix(8).joined(separator: ", ")), bright-red and so on, default, 0 to 255 and #rrggbb; attributes are \
      \(Style.Attributes.named.map(\.name).joined(separator: ", "))
      """
    for role in Theme.Role.allCases { own[role] = style(named: role.rawValue, expected) }
    finish()
    return Theme(name, own: own)
  }
}

extension Theme {
  /// The names of the themes, for an error: "must be …".
  fileprivate static let names =
    "one of " + Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
}
