import Basics
import Words

/// The table of settings as text, for the settings page and the sample file.
package enum SettingsReference {
  /// A section of the text, for one table of the file. A key that all sources share is listed only in the section for
  /// all sources.
  private struct Section {
    /// The header; empty at the top level.
    var header = ""
    /// The setting that describes the table, or `nil` at the top level.
    var table: Setting?
    var settings: [Setting] = []

    /// Whether the table is commented out in the sample, so that the sample adds no source, no button and no phone.
    var isExample: Bool { header.hasPrefix("[[") || table == .phone }
  }

  private static let sections = [
    Section(settings: told(.top)), Section(header: "[theme]", table: .theme),
    Section(header: "[keys]", table: .keys),
    Section(header: "[layout]", table: .layout, settings: told(.layout)),
    Section(header: "[[command]]", table: .command, settings: told(.command)),
    Section(header: "[[quiet]]", table: .quiet, settings: told(.quiet)),
    Section(header: "[poll]", table: .poll, settings: told(.poll)),
    Section(header: "[[source]]", table: .source, settings: told(.source)),
    Section(header: "[[list]]", table: .savedList, settings: told(.list)),
    Section(header: "[[rule]]", table: .rule, settings: told(.rule)),
    Section(header: "[[categories.NAME]]", table: .categories, settings: told(.category)),
    Section(header: "[[hub]]", table: .hub, settings: told(.hub)),
    Section(header: "[sync]", table: .sync, settings: told(.sync)),
    Section(header: "[hooks]", table: .hooks, settings: told(.hooks)),
    Section(header: "[phone]", table: .phone, settings: told(.phone)),
  ]

  /// Returns the settings that the section of a table lists.
  private static func told(_ place: Setting.Place) -> [Setting] {
    Setting.all.filter { $0.places.first == place && !Setting.tables.contains($0) }
  }

  /// The explanation of how values are written in the settings.
  static let values = """
    A time is a string such as `"90s"` or `"1h30m"`, or a number of seconds; a size is a string such as `"64 MiB"`, or a \
    number of bytes. A command is a list of a program and its arguments, or a string for the shell.
    """

  // MARK: The page

  /// Lists in Markdown, one for each table of the file: key, default, description, range.
  package static var markdown: String {
    var lines = [values]
    for section in sections {
      if let table = section.table {
        // The default without the table, if that is prose: "the terminal's colours".
        let standard =
          table.standard == "none" || table.standard.isEmpty ? "" : " Without it: \(table.standard)."
        lines += ["", "### `\(section.header)`", "", sentence(table.help) + standard]
      }
      if !section.settings.isEmpty { lines.append("") }
      for setting in section.settings {
        let standard = setting.isExampleStandard ? "= \(setting.standard)" : "(\(setting.standard))"
        let range = setting.range.map { " \(sentence($0))" } ?? ""
        lines += [
          "- `\(setting.key)` \(standard)\\", "  \(sentence(setting.help + restart(setting)))\(range)",
        ]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func restart(_ setting: Setting) -> String {
    setting.isLive ? "" : "; takes effect at the next start"
  }

  // MARK: Sample

  /// A settings file with every key; lines that aren't commented out are the defaults.
  package static var sample: String {
    var lines = comment(
      """
      reddot's settings: copy to ~/.config/reddot/config.toml and keep what you want. Every key has a default. A key \
      without a # in front of it has that default here, one with a # has an example.
      """)
    for section in sections {
      if let table = section.table {
        lines += [""] + comment(sentence(table.help)) + [(section.isExample ? "#" : "") + section.header]
        if !table.example.isEmpty { lines.append("#" + table.example) }
      }
      for setting in section.settings {
        let isDefault = setting.isExampleStandard
        let standard =
          switch setting.standard {
          case "none": ""
          case Setting.required: " Must be given."
          case _: isDefault ? "" : " Default: \(setting.standard)."
          }
        if section.table == nil || setting != section.settings.first { lines.append("") }
        lines += comment(sentence(setting.help + restart(setting)) + standard)
        lines.append((section.isExample || !isDefault ? "#" : "") + "\(setting.key) = \(setting.example)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a string as comment lines of at most 100 columns.
  private static func comment(_ text: String) -> [String] {
    var lines: [String] = []
    var line = "#"
    for word in text.replacingBytes("`", with: "").split(onBytes: " ") {
      if line.count + 1 + word.count > 100 {
        lines.append(line)
        line = "#"
      }
      line += " " + word
    }
    return lines + [line]
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
