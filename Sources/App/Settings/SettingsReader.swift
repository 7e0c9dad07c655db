import Formats
import Foundation
import Interface
import Messages
import Screen
import Storage
internal import TOMLKit

/// Reads settings from TOML text, collecting every mistake instead of stopping at the first.
package struct SettingsReader {
  /// For messages.
  package var file: String
  /// For `~` and relative `file:` addresses.
  package var home: String
  /// Whether others than its owner can read the file, which forbids a plain `token`.
  package var isReadableByOthers: Bool

  package init(file: String, home: String, isReadableByOthers: Bool) {
    self.file = file
    self.home = home
    self.isReadableByOthers = isReadableByOthers
  }

  /// - Throws: `SettingsMistakes` with every mistake found.
  package func read(_ text: String) throws(SettingsMistakes) -> Settings {
    // The parser stops at one, as if the text ended there; TOML allows no control characters.
    if let zero = text.utf8.firstIndex(of: 0) {
      let line = text.utf8[..<zero].count { $0 == UInt8(ascii: "\n") } + 1
      throw SettingsMistakes(
        mistakes: [SettingsMistake(file: file, line: line, key: "", problem: "is not TOML: a NUL byte")])
    }
    let lines = SettingsLines(text)
    // Where an earlier mistake keeps the parser from coming there, that one is told of.
    if let trap = lines.trap, (try? TOMLTable(string: trap.before)) != nil {
      let problem = "is not TOML: the name of a table, or a value, does not begin so"
      throw SettingsMistakes(
        mistakes: [SettingsMistake(file: file, line: trap.line, key: "", problem: problem)])
    }
    let parsed: TOMLTable
    do {
      parsed = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let mistake = SettingsMistake(
        file: file, line: error.source.begin.line, key: "", problem: "is not TOML: \(error.description)")
      throw SettingsMistakes(mistakes: [mistake])
    } catch {
      throw SettingsMistakes(
        mistakes: [SettingsMistake(file: file, line: 0, key: "", problem: "is not TOML: \(error)")])
    }
    // The parser hands texts and keys out as far as such a character.
    if let line = lines.nulLine {
      throw SettingsMistakes(
        mistakes: [
          SettingsMistake(
            file: file, line: line, key: "", problem: "\\u0000 stands in a text, which no setting may hold")
        ])
    }
    let root = SettingsTable(parsed, path: "", lines: lines, file: file)
    var settings = Settings()
    settings.language = root.string(.language)
    settings.usesMouse = root.bool(.mouse) ?? settings.usesMouse
    settings.animations = root.bool(.animations) ?? settings.animations
    settings.escapeDelay = root.duration(.escapeDelay)
    settings.openCommand = root.command(.openCommand) ?? settings.openCommand
    settings.soundCommand = root.command(.soundCommand) ?? settings.soundCommand
    settings.osVersion = root.string(.osVersion)
    settings.retention = readRetention(root, default: .everything)
    if let poll = root.table(.poll) {
      readPolling(poll, into: &settings.polling)
      settings.connectTimeout = poll.duration(.connectTimeout) ?? settings.connectTimeout
      settings.tokenTimeout = poll.duration(.tokenTimeout) ?? settings.tokenTimeout
      poll.finish()
      root.absorb(poll)
    }
    if let keys = root.table(.keys) {
      readKeys(keys, into: &settings.keys)
      root.absorb(keys)
    }
    if let categories = root.table(.categories) {
      for name in categories.keys {
        settings.categories[name] = categories.tables(named: name).compactMap {
          readAction($0, reportTo: categories)
        }
      }
      root.absorb(categories)
    }
    var names: [String: Int] = [:]
    for table in root.tables(.source) {
      if var source = readSource(table, defaults: settings) {
        source.tokenTimeout = table.duration(.tokenTimeout) ?? settings.tokenTimeout
        if let earlier = names[source.name] {
          table.report("name", "\"\(source.name)\" is already the name of the source on line \(earlier)")
        }
        names[source.name] = table.line
        settings.sources.append(source)
      }
      table.finish()
      root.absorb(table)
    }
    root.finish()
    guard root.mistakes.isEmpty else {
      throw SettingsMistakes(mistakes: root.mistakes.sorted { $0.line < $1.line })
    }
    return settings
  }

  private func readAction(_ table: SettingsTable, reportTo root: SettingsTable) -> MessageAction? {
    let label = table.string(.categoryLabel)
    let url = table.string(.categoryURL)
    if !table.has(.categoryLabel) { table.report("", "needs a label") }
    if !table.has(.categoryURL) { table.report("", "needs a url") }
    table.finish()
    root.absorb(table)
    guard let label, let url else { return nil }
    return MessageAction(label: label, url: url)
  }

  private func readKeys(_ table: SettingsTable, into keys: inout [String: [String]]) {
    for name in table.keys { keys[name] = table.keyNames(of: name) }
    for problem in Keymap.with(overrides: keys).problems {
      switch problem {
      case .unknownCommand(let name):
        table.report(name, "is not a command; reddot manual lists the commands")
      case .unknownKey(let name, let command):
        table.report(
          command.rawValue, "\"\(name)\" does not name a key; \"n\", \"ctrl-n\" and \"pgdn\" do")
      case .digit(let key, let command):
        table.report(command.rawValue, "\"\(key.name)\" counts, so it cannot be the key of a command")
      // The rest of the keymap works: the inbox starts, and says it.
      case .clash: continue
      }
    }
  }

  private func readPolling(_ table: SettingsTable, into polling: inout PollSettings) {
    polling.initialDelay = table.duration(.initialDelay) ?? polling.initialDelay
    polling.interval = table.duration(.interval) ?? polling.interval
    polling.grace = table.duration(.grace) ?? polling.grace
    polling.requestTimeout = table.duration(.requestTimeout) ?? polling.requestTimeout
    polling.pollDeadline = table.duration(.pollDeadline) ?? polling.pollDeadline
    polling.responseLimit = table.byteCount(.responseLimit) ?? polling.responseLimit
  }

  private func readRetention(_ table: SettingsTable, default: Retention) -> Retention {
    Retention(
      age: table.duration(.keep) ?? `default`.age, count: table.count(.keepMessages) ?? `default`.count)
  }

  private func readSource(_ table: SettingsTable, defaults: Settings) -> SourceEntry? {
    let name = table.string(.name)
    let kind = table.choice(.kind, of: SourceKind.self) ?? .feed
    let url = table.string(.url)
    var polling = defaults.polling
    readPolling(table, into: &polling)
    var source = ConfiguredSource(
      name: name ?? "", settings: SourceSettings(kind: kind, polling: polling))
    source.isUnreadOnChange = table.bool(.unreadOnChange) ?? false
    source.channels = table.strings(.channels) ?? source.channels
    source.appVersion = table.string(.appVersion)
    source.retention = readRetention(table, default: defaults.retention)
    let strings = table.string(.strings).map { SourceAddress.expandingHome($0, home: home) }
    let featureCommand = table.command(.featureCommand) ?? []
    let appVersionCommand = table.command(.appVersionCommand) ?? []
    if let types = table.table(.types) {
      for key in types.keys {
        guard let number = Int(key) else {
          types.report(key, "must be a type number, such as 1")
          continue
        }
        guard let word = types.string(named: key) else { continue }
        guard InAppNotification.Kind(word: word) != nil else {
          let kinds = InAppNotification.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
          types.report(key, "must be one of \(kinds)")
          continue
        }
        source.typeNames[number] = word
      }
      table.absorb(types)
    }
    let connectTimeout = table.duration(.connectTimeout) ?? defaults.connectTimeout
    let credential = readCredential(table)
    guard let name, SourceName.isValid(name) else {
      if !table.has(.name) {
        table.report("", "a source needs a name, such as name = \"news\"")
      } else if name != nil {
        table.report("name", "must be 1 to 64 visible characters, without line ends or spaces at its ends")
      }
      return nil
    }
    if kind != .local {
      guard let url else {
        if !table.has(.url) {
          table.report(
            "", "source \"\(name)\" needs a url, such as url = \"https://example.org/feed.xml\"")
        }
        return nil
      }
      guard let address = SourceAddress.normalized(url, home: home) else {
        table.report("url", "must be an http, https or file address, or the path of a file")
        return nil
      }
      source.address = address
    }
    var settings = SourceEntry(source: source, credential: credential, line: table.line)
    settings.connectTimeout = connectTimeout
    settings.appVersionCommand = appVersionCommand
    settings.strings = strings
    settings.featureCommand = featureCommand
    return settings
  }

  private func readCredential(_ table: SettingsTable) -> CredentialOrigin? {
    var origins: [CredentialOrigin] = []
    if let command = table.command(.tokenCommand) { origins.append(.command(command)) }
    if let path = table.string(.tokenFile) {
      origins.append(.file(SourceAddress.expandingHome(path, home: home)))
    }
    if let variable = table.string(.tokenEnvironment) { origins.append(.environment(variable)) }
    if let token = table.string(.token) {
      if isReadableByOthers {
        table.report(
          "token", "others can read this file; run chmod 600 on it, or use token_command or token_file")
      }
      origins.append(.plain(token))
    }
    if origins.count > 1 {
      table.report("", "write only one of token_command, token_file, token_env and token")
    }
    return origins.first
  }
}

/// What may name a source.
package enum SourceName {
  /// In characters.
  static let longest = 64

  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.count <= longest && name.first?.isWhitespace == false
      && name.last?.isWhitespace == false
      && !name.unicodeScalars.contains(where: \.isControl)
  }
}

/// What may be polled: http, https and file addresses; a plain path becomes a file address.
package enum SourceAddress {
  package static func normalized(_ text: String, home: String) -> String? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty, !trimmed.unicodeScalars.contains(where: \.isControl) else { return nil }
    if trimmed.hasPrefix("/") || trimmed.hasPrefix("~") {
      return URL(fileURLWithPath: expandingHome(trimmed, home: home)).absoluteString
    }
    guard let colon = trimmed.firstIndex(of: ":") else { return nil }
    switch trimmed[..<colon].lowercased() {
    case "http", "https":
      guard let url = URL(string: trimmed), let host = url.host(), !host.isEmpty else { return nil }
      return trimmed
    case "feed":
      // feed:https://… and feed://host are old ways to write "subscribe to this".
      let rest = String(trimmed[trimmed.index(after: colon)...])
      return normalized(rest.hasPrefix("//") ? "http:" + rest : rest, home: home)
    case "file": return URL(string: trimmed)?.isFileURL == true ? trimmed : nil
    default: return nil
    }
  }

  package static func expandingHome(_ path: String, home: String) -> String {
    path == "~" || path.hasPrefix("~/") ? home + path.dropFirst() : path
  }
}
