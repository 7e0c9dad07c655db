import Formats
import Foundation
import Messages
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
    let root = SettingsTable(parsed, path: "", lines: SettingsLines(text), file: file)
    var settings = Settings()
    settings.language = root.string("language")
    settings.usesMouse = root.bool("mouse") ?? settings.usesMouse
    settings.animations = root.bool("animations") ?? settings.animations
    settings.openCommand = root.command("open_command") ?? settings.openCommand
    settings.soundCommand = root.command("sound_command") ?? settings.soundCommand
    settings.osVersion = root.string("os_version")
    if let poll = root.table("poll") {
      readPolling(poll, into: &settings.polling)
      settings.connectTimeout = poll.duration("connect_timeout") ?? settings.connectTimeout
      settings.tokenTimeout = poll.duration("token_timeout") ?? settings.tokenTimeout
      poll.finish()
      root.absorb(poll)
    }
    if let keys = root.table("keys") {
      for name in keys.keys { settings.keys[name] = keys.strings(name) ?? keys.string(name).map { [$0] } }
      root.absorb(keys)
    }
    if let categories = root.table("categories") {
      for name in categories.keys {
        settings.categories[name] = categories.tables(name).compactMap { readAction($0, reportTo: root) }
      }
      root.absorb(categories)
    }
    var names: [String: Int] = [:]
    for table in root.tables("source") {
      if var source = readSource(table, defaults: settings) {
        source.tokenTimeout = table.duration("token_timeout") ?? settings.tokenTimeout
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
    let label = table.string("label")
    let url = table.string("url")
    if label == nil { table.report("", "needs a label") }
    if url == nil { table.report("", "needs a url") }
    table.finish()
    root.absorb(table)
    guard let label, let url else { return nil }
    return MessageAction(label: label, url: url)
  }

  private func readPolling(_ table: SettingsTable, into polling: inout PollSettings) {
    polling.initialDelay = table.duration("initial_delay") ?? polling.initialDelay
    polling.interval = table.duration("interval") ?? polling.interval
    polling.grace = table.duration("grace") ?? polling.grace
    polling.requestTimeout = table.duration("request_timeout") ?? polling.requestTimeout
    polling.pollDeadline = table.duration("poll_deadline") ?? polling.pollDeadline
    polling.responseLimit = table.byteCount("response_limit") ?? polling.responseLimit
  }

  private func readSource(_ table: SettingsTable, defaults: Settings) -> SourceSettings? {
    let name = table.string("name")
    let kind = table.choice("kind", of: SourceKind.self) ?? .feed
    let url = table.string("url")
    var polling = defaults.polling
    readPolling(table, into: &polling)
    var source = ConfiguredSource(name: name ?? "", kind: kind, address: "", polling: polling)
    source.isUnreadOnChange = table.bool("unread_on_change") ?? false
    source.channels = table.strings("channels") ?? source.channels
    source.appVersion = table.string("app_version")
    let strings = table.string("strings").map { SourceAddress.expandingHome($0, home: home) }
    let featureCommand = table.command("feature_command") ?? []
    let appVersionCommand = table.command("app_version_command") ?? []
    if let types = table.table("types") {
      for key in types.keys {
        guard let number = Int(key) else {
          types.report(key, "must be a type number, such as 1")
          continue
        }
        guard let word = types.string(key) else { continue }
        guard InAppNotification.Kind(word: word) != nil else {
          let kinds = InAppNotification.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
          types.report(key, "must be one of \(kinds)")
          continue
        }
        source.typeNames[number] = word
      }
      table.absorb(types)
    }
    let connectTimeout = table.duration("connect_timeout") ?? defaults.connectTimeout
    let credential = readCredential(table)
    guard let name, SourceName.isValid(name) else {
      if name == nil {
        table.report("", "a source needs a name, such as name = \"news\"")
      } else {
        table.report("name", "must be 1 to 64 visible characters, without line ends or spaces at its ends")
      }
      return nil
    }
    if kind != .local {
      guard let url else {
        table.report("", "source \"\(name)\" needs a url, such as url = \"https://example.org/feed.xml\"")
        return nil
      }
      guard let address = SourceAddress.normalized(url, home: home) else {
        table.report("url", "must be an http, https or file address, or the path of a file")
        return nil
      }
      source.address = address
    }
    var settings = SourceSettings(source: source, credential: credential, line: table.line)
    settings.connectTimeout = connectTimeout
    settings.appVersionCommand = appVersionCommand
    settings.strings = strings
    settings.featureCommand = featureCommand
    return settings
  }

  private func readCredential(_ table: SettingsTable) -> CredentialOrigin? {
    var origins: [CredentialOrigin] = []
    if let command = table.command("token_command") { origins.append(.command(command)) }
    if let path = table.string("token_file") {
      origins.append(.file(SourceAddress.expandingHome(path, home: home)))
    }
    if let variable = table.string("token_env") { origins.append(.environment(variable)) }
    if let token = table.string("token") {
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
  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.count <= 64 && name.first?.isWhitespace == false && name.last?.isWhitespace == false
      && name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && !(128...159 ~= $0.value) }
  }
}

/// What may be polled: http, https and file addresses; a plain path becomes a file address.
package enum SourceAddress {
  package static func normalized(_ text: String, home: String) -> String? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty, !trimmed.utf8.contains(where: { $0 < 32 || $0 == 127 }) else { return nil }
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
