import Basics
import Formats
import Foundation
import HTTP
import Messages
import Platform
import Screen
import Services
import Storage
import Words

/// Reads settings from TOML text. It collects every error and does not stop at the first.
package struct SettingsReader {
  /// The name of the file that the text is from, for errors.
  package var file: String
  /// The home folder, for `~` and relative `file:` URLs.
  package var home: String
  /// Whether users other than the owner can read the file; a plain `token` is refused then.
  package var isReadableByOthers: Bool

  package init(file: String, home: String, isReadableByOthers: Bool) {
    self.file = file
    self.home = home
    self.isReadableByOthers = isReadableByOthers
  }

  /// Reads the settings file.
  ///
  /// - Throws: `SettingsMistakes` with every error found.
  package func read(_ text: String) throws(SettingsMistakes) -> Settings {
    try parse(text) { root in read(root) }
  }

  /// Reads `sources.toml`.
  ///
  /// - Parameter defaults: the defaults of the settings.
  /// - Returns: settings that contain only sources.
  /// - Throws: `SettingsMistakes` with every error found.
  package func readFollowed(_ text: String, defaults: SourceEntry) throws(SettingsMistakes) -> Settings {
    try parse(text) { root in
      var settings = Settings()
      settings.sources = readSources(root, defaults: defaults)
      for index in settings.sources.indices { settings.sources[index].isFollowed = true }
      return settings
    }
  }

  private func parse(
    _ text: String, _ body: (SettingsTable) -> Settings
  ) throws(SettingsMistakes) -> Settings {
    let document: TOMLDocument
    do {
      document = try TOMLDocument(text)
    } catch {
      throw SettingsMistakes(
        mistakes: [SettingsMistake(file: file, line: error.line, key: "", problem: error.problem)])
    }
    let root = SettingsTable(document.root, path: "", file: file, home: home)
    let settings = body(root)
    root.finish()
    guard root.mistakes.isEmpty else {
      throw SettingsMistakes(mistakes: root.mistakes.sorted { $0.line < $1.line })
    }
    return settings
  }

  private func read(_ root: SettingsTable) -> Settings {
    var settings = Settings()
    root.read(Settings.rows, in: .top, into: &settings)
    root.read(SourceEntry.rows, in: .top, into: &settings.sourceDefaults)
    if let poll = root.table(.poll) {
      poll.read(SourceEntry.rows, in: .poll, into: &settings.sourceDefaults)
      poll.finish()
      root.absorb(poll)
    }
    checkProxy(settings.proxy, reportTo: root)
    if let theme = root.theme() { settings.theme = theme }
    if let layout = root.table(.layout) {
      layout.read(Settings.rows, in: .layout, into: &settings)
      layout.finish()
      root.absorb(layout)
    }
    if let keys = root.table(.keys) {
      readKeys(keys, into: &settings.keys)
      root.absorb(keys)
    }
    readCommands(root.tables(.command), into: &settings, reportTo: root)
    if let problem = settings.openCommand.problem { root.report("open_command", problem.sentence) }
    if let problem = settings.enclosureCommand?.problem { root.report("enclosure_command", problem.sentence) }
    readTelling(root, into: &settings)
    readSync(root, into: &settings.sync)
    readHooks(root, into: &settings.hooks)
    readPhone(root, into: &settings)
    if let categories = root.table(.categories) {
      for name in categories.keys {
        settings.categories[name] = categories.tables(named: name).compactMap {
          readAction($0, reportTo: categories)
        }
      }
      root.absorb(categories)
    }
    settings.sources = readSources(root, defaults: settings.sourceDefaults)
    settings.hubs = readHubs(root.tables(.hub), reportTo: root)
    (settings.rules, settings.problems) = readRules(root.tables(.rule), reportTo: root)
    let lists = readLists(root.tables(.savedList), reportTo: root)
    settings.lists = lists.lists
    settings.problems = (settings.problems + lists.problems + root.notes).sorted { $0.line < $1.line }
    return settings
  }

  private func readSources(_ root: SettingsTable, defaults: SourceEntry) -> [SourceEntry] {
    var names: [String: Int] = [:]
    let tables = root.tables(.source)
    var sources: [SourceEntry] = []
    sources.reserveCapacity(tables.count)
    for table in tables {
      if let source = readSource(table, defaults: defaults) {
        if let earlier = names[source.name] {
          table.report("name", "\"\(source.name)\" is already the name of the source on line \(earlier)")
        }
        names[source.name] = table.line
        sources.append(source)
      }
      table.finish()
      root.absorb(table)
    }
    return sources
  }

  private func readAction(_ table: SettingsTable, reportTo root: SettingsTable) -> MessageAction? {
    var action = MessageAction.standard
    table.read(MessageAction.rows, in: .category, into: &action)
    let keys = MessageAction.rows.map(\.key)
    for key in keys where !table.has(key) { table.report("", "needs a \(key)") }
    table.finish()
    root.absorb(table)
    return keys.allSatisfy(table.gave) ? action : nil
  }

  private func readKeys(_ table: SettingsTable, into keys: inout [String: [String]]) {
    for name in table.keys { keys[name] = table.keyNames(of: name) }
    for problem in Keymap.with(overrides: keys).problems {
      switch problem {
      case .unknownCommand(let name):
        table.report(name, "is not a command; run reddot help keys to list the commands")
      case .unknownKey(let name, let command):
        table.report(
          command.rawValue, "\"\(name)\" does not name a key; \"n\", \"ctrl-n\" and \"pgdn\" do")
      case .digit(let key, let command):
        table.report(
          command.rawValue, "\"\(key.name)\" is a digit for counts, so it cannot be the key of a command")
      // The rest of the keymap works: the inbox starts and reports it.
      case .clash: continue
      }
    }
  }

  /// Reads a source.
  ///
  /// - Returns: `nil` if the source has no valid name and address.
  private func readSource(_ table: SettingsTable, defaults: SourceEntry) -> SourceEntry? {
    var entry = defaults
    entry.line = table.line
    table.read(SourceEntry.rows, in: .source, into: &entry)
    checkCredential(table)
    entry.source.settings.options.hasCredential = entry.credential == nil ? nil : true
    guard SourceName.isValid(entry.name) else {
      if !table.has("name") {
        table.report("", "a source needs a name, such as name = \"news\"")
      } else if table.gave("name") {
        table.report("name", "must be 1 to 64 visible characters, without line ends or spaces at its ends")
      }
      return nil
    }
    checkKeys(table, of: entry.source.kind)
    guard entry.source.kind.row.isPolled else {
      checkCommand(table, entry)
      entry.source.address = ""
      return entry
    }
    guard checkCommand(table, entry) else { return nil }
    if entry.source.kind == .command { return entry.addressedByCommand() }
    let facts = SourceAdapters.facts(of: entry.source.kind)
    entry.source.settings.writableMarks = entry.writesBack ? facts?.writableMarks ?? [] : []
    if !table.has("url"), let address = facts?.address { entry.source.address = address }
    guard table.gave("url") || !entry.source.address.isEmpty else {
      if !table.has("url") {
        table.report(
          "", "source \"\(entry.name)\" needs a url, such as url = \"https://example.org/feed.xml\"")
      }
      return nil
    }
    guard let address = SourceAddress.normalized(entry.source.address, home: home) else {
      table.report("url", "must be an http, https, http+unix or file address, or the path of a file")
      return nil
    }
    entry.source.address = SourceAdapters.address(of: address, kind: entry.source.kind)
    return entry
  }

  /// The keys that only sources of these kinds may have.
  private static let keysOfKinds: [(keys: [String], kinds: Set<SourceKind>)] = [
    (["shared"], [.local]),
    (["stream"], [.native, .ntfy, .gotify, .mastodon]),
    (
      [
        "user", "token_command", "token_file", "token_env", "token", "ca_file", "client_certificate",
        "client_key", "verify",
      ], Set(SourceKind.allCases).subtracting([.local, .desktop, .command, .schedule])
    ),
  ]

  /// Reports keys that a source of this kind must not have.
  private func checkKeys(_ table: SettingsTable, of kind: SourceKind) {
    if kind != .desktop {
      for key in ["only", "except", "own"] where table.gave(key) {
        table.report(key, "is only for a source of kind \"desktop\", and this one is of kind \"\(kind)\"")
      }
    }
    if let facts = SourceAdapters.facts(of: kind), !facts.takesUser, table.gave("user") {
      table.note("user", "has no effect on a source of kind \"\(kind)\": \(facts.name) takes a token alone")
    }
    for (keys, kinds) in Self.keysOfKinds where !kinds.contains(kind) {
      let names = kinds.map { "\"\($0)\"" }.sorted().joined(separator: ", ")
      for key in keys where table.gave(key) {
        // Earlier versions accepted it, so the other settings still work.
        table.note(
          key,
          kinds.count > 5
            ? "has no effect on a source of kind \"\(kind)\""
            : "is only for a source of kind \(names), and this one is of kind \"\(kind)\"")
      }
    }
  }

  /// Checks the keys that sources of kind `command` must have, and those that only these sources may have.
  ///
  /// - Returns: `false` if the source should have a command, but has none.
  @discardableResult
  private func checkCommand(_ table: SettingsTable, _ entry: SourceEntry) -> Bool {
    guard entry.source.kind == .command else {
      for key in ["command", "format"] where table.gave(key) {
        table.report(
          key, "is only for a source of kind \"command\", and this one is of kind \"\(entry.source.kind)\"")
      }
      return true
    }
    if table.gave("url") {
      table.report("url", "is not for a source of kind \"command\": command specifies the program")
    }
    if !table.has("command") {
      table.report("", "source \"\(entry.name)\" needs a command, such as command = [\"./checks\"]")
    }
    return table.gave("command")
  }

  private func checkProxy(_ proxy: String?, reportTo root: SettingsTable) {
    guard let proxy else { return }
    if let problem = ProxySettings.problem(of: proxy) {
      root.report("proxy", "\(problem); such an address is \"socks5://proxy.example:1080\"")
    } else if isReadableByOthers, ProxySettings.hasPassword(proxy) {
      root.report(
        "proxy",
        "others can read this file, and the address has a password; run chmod 600 on it, or set the variable all_proxy"
      )
    }
  }
}

extension SourceEntry {
  /// Returns the entry with an address that identifies its command in the database.
  func addressedByCommand() -> SourceEntry {
    var entry = self
    entry.source.address = SourceAddress.ofCommand(source.settings.options.command ?? [])
    return entry
  }
}

extension SettingsTable {
  /// Returns the names of kinds in a setting's table, keyed by the type numbers of in-app notifications.
  func typeNames(_ setting: Setting) -> [Int: String]? {
    guard let types = table(setting) else { return nil }
    var names: [Int: String] = [:]
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
      names[number] = word
    }
    absorb(types)
    return names
  }
}

/// The rules for the names of sources.
package enum SourceName {
  /// The maximum length, in characters.
  package static let longest = 64

  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.count <= longest && name.first?.isWhitespace == false
      && name.last?.isWhitespace == false
      && !name.unicodeScalars.contains(where: \.isControl)
  }
}

/// Addresses that can be polled: http, https, http+unix and file; a path becomes a file URL.
package enum SourceAddress {
  /// Whether an address is an http or https URL.
  package static func isWeb(_ address: String) -> Bool { Origin(address) != nil && !isSocket(address) }

  /// Whether requests to an address use a Unix socket.
  package static func isSocket(_ address: String) -> Bool { address.lowercased().hasPrefix("http+unix:") }

  /// Returns the URL for an address as the user typed it, or `nil` if it cannot be polled.
  package static func normalized(_ text: String, home: String) -> String? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty, !trimmed.unicodeScalars.contains(where: \.isControl) else { return nil }
    if trimmed.hasPrefix("/") || trimmed.hasPrefix("~") {
      return URL(fileURLWithPath: Directories.expandingHome(trimmed, home: home)).absoluteString
    }
    guard let colon = trimmed.firstIndex(of: ":") else { return nil }
    switch trimmed[..<colon].lowercased() {
    case "http", "https":
      guard let url = URL(string: trimmed), let host = url.host(), !host.isEmpty else { return nil }
      return trimmed
    case "http+unix": return Origin(trimmed) == nil ? nil : trimmed
    case "feed":
      // feed:https://… and feed://host are old forms of a feed's address.
      let rest = String(trimmed[trimmed.index(after: colon)...])
      return normalized(rest.hasPrefix("//") ? "http:" + rest : rest, home: home)
    case "webcal", "webcals":
      return normalized("https:" + trimmed[trimmed.index(after: colon)...], home: home)
    case "file": return URL(string: trimmed)?.isFileURL == true ? trimmed : nil
    default: return nil
    }
  }

  /// Returns the address of a source of kind `command`: `command:` and the program. If the program has arguments, which
  /// may contain secrets, a digest of the program and all arguments follows.
  package static func ofCommand(_ words: [String]) -> String {
    let program = words.first?.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    return "command:" + program
      + (words.count > 1 ? "#" + SHA256.digest(words.joined(separator: "\0")).prefix(8).hex : "")
  }
}
