package import Messages
import Queries
package import Words

/// All settings, decoded once. The meaning and the range of a field are in `rows`.
package struct Settings: Hashable, Sendable {
  /// The BCP 47 tag of the language, or `nil` for the locale's.
  package var language: String?
  package var usesMouse = true
  package var animations = true
  package var hasScreenReader = false
  package var hyperlinks = HyperlinkUse.auto
  package var showsPictures = true
  package var pictureUse = PictureUse.auto
  /// The time for which a lone Escape waits for the rest of a key's sequence, or `nil` for ncurses's `ESCDELAY` or,
  /// without that, 25 ms.
  package var escapeDelay: Duration?
  package var openCommand = ProgramTemplate(["xdg-open"])
  /// The program that opens attachments, or `nil` for `openCommand`.
  package var enclosureCommand: ProgramTemplate?
  /// The program that plays a message's sound; empty for the terminal's bell.
  package var soundCommand: [String] = []
  /// The version of the operating system for the conditions of banners, or `nil` for the system's own.
  package var osVersion: String?
  /// The URL of a proxy, an empty string or `none` for no proxy, or `nil` to use the environment.
  package var proxy: String?
  /// The hosts that are requested without a proxy, or `nil` to use the environment.
  package var proxyExceptions: [String]?
  package var theme = Theme()
  /// Whether a letter of another script counts as the key of a US keyboard in the same position.
  package var usesKeyboardLayouts = true
  /// Maps command names to key names, as written.
  package var keys: [String: [String]] = [:]
  package var layout = LayoutOptions()
  package var signs = SignUse.auto
  /// The selection of messages that the user is notified of, and the channels.
  package var telling = NotificationOptions()
  package var sync = SyncOptions()
  package var hooks = HookOptions()
  package var phone = PhoneOptions()
  /// The programs that keys start.
  package var programs: [BoundProgram] = []
  /// The keys that perform several commands.
  package var sequences: [BoundCommands] = []
  /// Maps categories of APNs payloads to the actions that they offer.
  package var categories: [String: [MessageAction]] = [:]
  /// The defaults of a source: `[poll]`, `keep`, `keep_messages` and `daily_limit`.
  package var sourceDefaults = SourceEntry()
  package var sources: [SourceEntry] = []
  /// The hubs that messages are published to, with unique names.
  package var hubs: [HubEntry] = []
  /// The rules in their order.
  package var rules: [ConfiguredRule] = []
  /// The saved lists in their order, with unique names.
  package var lists: [ConfiguredList] = []
  /// The errors that disable only a part of the settings.
  package var problems: [SettingsMistake] = []
  /// The reasons why sources of `sources.toml` are left out.
  package var leftOut: [SettingsMistake] = []
  /// The lines of the sources that are left out of `sources.toml`, as far as they are text.
  package var hiddenText = ""
  /// Whether `sources.toml` cannot be read at all.
  package var hidesSources = false

  /// The errors that are reported but do not end any command.
  package var warnings: [SettingsMistake] { leftOut + problems }

  package init() {}

  /// Whether pictures are drawn if the terminal can draw them.
  package var drawsPictures: Bool { showsPictures && !hasScreenReader }

  /// The keymap with the commands and programs of the settings, and the errors in their keys.
  package var keymap: (keymap: Keymap, problems: [Keymap.Problem]) {
    keys.isEmpty && programs.isEmpty && sequences.isEmpty && usesKeyboardLayouts
      ? (.standard, [])
      : Keymap.with(
        overrides: keys, programs: programs, sequences: sequences, usesLayouts: usesKeyboardLayouts)
  }

  package var sourcesByName: [String: SourceEntry] {
    Dictionary(sources.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The settings without line numbers, for checking whether the settings themselves have changed.
  package var withoutLines: Settings {
    var settings = self
    for index in settings.sources.indices { settings.sources[index].line = 0 }
    for index in settings.rules.indices { settings.rules[index].line = 0 }
    for index in settings.lists.indices { settings.lists[index].line = 0 }
    for index in settings.problems.indices { settings.problems[index].line = 0 }
    for index in settings.leftOut.indices { settings.leftOut[index].line = 0 }
    return settings
  }
}

// MARK: - The table of settings

extension Settings: SettingsRoot {
  static let standard = Settings()
  static let places = [Setting.Place.top]

  static let rows: [SettingRow<Settings>] = [
    SettingRow(
      "language", .text, \.language, else: "the locale's", example: "\"en\"",
      "language of the interface (en, zh-Hans, zh-Hant, hi) and of translated messages (any)"
    ),
    SettingRow(
      "mouse", .boolean, \.usesMouse, "handle clicks and the wheel, instead of the terminal"),
    SettingRow(
      "keyboard_layouts", .boolean, \.usesKeyboardLayouts,
      """
      read a letter without a command as the key in its position on a US keyboard (`й` is `q`), for Cyrillic, Greek, \
      Hebrew, Arabic, Thai and Hangul
      """),
    SettingRow("animations", .boolean, \.animations, "turn spinners and slide banners in"),
    SettingRow(
      "screen_reader", .boolean, \.hasScreenReader,
      "for screen readers and braille: one pane at a time, states as words, no drawing"
    ),
    SettingRow(
      "hyperlinks", .choice(HyperlinkUse.allCases.map(\.rawValue)), \.hyperlinks, isLive: false,
      """
      make links that the terminal can open (OSC 8): `always`, `never`, or `auto`, if the terminal is known to \
      support them
      """),
    SettingRow(
      "pictures", .boolean, \.showsPictures,
      "draw pictures; they are fetched when you open their message or their banner appears"),
    SettingRow(
      "picture_format", .choice(PictureUse.allCases.map(\.rawValue)), \.pictureUse, isLive: false,
      """
      `kitty` (kitty 0.28 or later, ghostty) and `sixel` draw pixels, `blocks` half blocks; `auto` draws pixels if \
      the terminal is known to show them, but not in tmux
      """),
    SettingRow(
      "escape_delay", .duration(.zero...Duration.seconds(10)), \.escapeDelay,
      else: "`ESCDELAY`, or `\"25ms\"`", example: "\"25ms\"", isLive: false,
      "time that a lone Escape waits for the rest of a key's sequence"),
    SettingRow(
      "open_command", .opener, \.openCommand,
      """
      opens links (http, https, mailto), without a shell; `{ run = ["w3m", "{url}"], terminal = true }` gives it the \
      terminal until it ends
      """),
    SettingRow(
      "enclosure_command", .opener, \.enclosureCommand, else: "as `open_command`",
      example: "[\"mpv\", \"{url}\"]",
      "opens attachments, such as episodes of podcasts"),
    SettingRow(
      "sound_command", .command, \.soundCommand, else: "none", example: "[\"paplay\"]",
      "plays a message's sound, whose name is the last argument, instead of the bell"),
    SettingRow(
      "notify_via", .several(NoticeChannel.allCases.map(\.rawValue)), \.telling.via,
      "channels of notifications: `terminal`, `desktop`, `bell`, `command`, `phone`; `[]` sends none"),
    SettingRow(
      Setting(
        key: "notify", places: [.top], form: .query,
        standard: "sources with `notify = true`, and priority 4 and 5",
        example: "\"priority>=4 OR tag:oncall\"",
        help: "query that selects the messages to notify about"),
      \.telling.choice, read: { $0.query($1).map(Optional.some) },
      toml: { $0.map { TOMLText.quoted($0.text) } }),
    SettingRow(
      "notify_command", .program, \.telling.command, else: "none", example: "[\"tell-phone\"]",
      "program of the channel `command`; it gets each notification as a JSON object on one line"),
    SettingRow(
      "os_version", .text, \.osVersion, else: "the system's", example: "\"13\"",
      "version of the operating system, for banners"),
    SettingRow(
      "proxy", .text, \.proxy, else: "`http_proxy`, `https_proxy` and `all_proxy` of the environment",
      example: "\"socks5://proxy.example:1080\"", isLive: false,
      """
      proxy (`http://`, `https://` or `socks5://`) of all requests except those to this machine; `"none"` ignores \
      the environment
      """),
    SettingRow(
      "no_proxy", .texts, \.proxyExceptions, else: "`no_proxy` of the environment",
      example: "[\"intranet.example\", \"10.0.0.0/8\"]", isLive: false,
      "hosts to request without the proxy: names with all below them, addresses, ranges of addresses; `[\"*\"]` is all"
    ),
    SettingRow(
      "sources", in: [.layout], share, \.layout.shares.sources, else: "18 to 28 columns", example: "20",
      "width of the sources next to the list, in percent of the screen"),
    SettingRow(
      "list", in: [.layout], share, \.layout.shares.list, else: "the rest of the reader's width",
      example: "40",
      "width of the list next to the reader, in percent of the screen"),
    SettingRow(
      "text_width", in: [.layout], .count(LayoutOptions.textWidths), \.layout.textWidth,
      "longest line of a message's text, in columns"),
    SettingRow(
      "rows", in: [.layout], .countOrAuto(RowLines.range), \.layout.rowLines,
      """
      lines per message in the list: with 2, the second shows origin and time; `auto` is 2 in a list of fewer than \
      60 columns; `gr` changes one list
      """
    ),
    SettingRow(
      "sort", in: [.layout], .choice(ListOrder.allCases.map(\.rawValue)), \.layout.order,
      "order of messages: `newest` or `oldest` first, by `source` or by `priority`; `O` changes one list"
    ),
    SettingRow(
      "fold_repeats", in: [.layout], .boolean, \.layout.foldsRepeats,
      "fold consecutive messages of one source with one title into one row; `l` unfolds it"),
    SettingRow(
      "unread_moves_on", in: [.layout], .boolean, \.layout.unreadMovesOn,
      "let `u` move to the next message, as `d` does"),
    SettingRow(
      "signs", in: [.layout], .choice(SignUse.allCases.map(\.rawValue)), \.signs,
      """
      symbols such as `●`, `│` and `…`: `ascii` for a terminal that draws them two columns wide, `narrow` for \
      others; `auto` queries the terminal if the locale is Chinese, Japanese or Korean
      """),
  ]

  /// The form of a pane's width.
  private static let share = Setting.Form.count(PaneShares.range)

  /// The changed keys that need a restart.
  package func keysThatWaitForRestart(since old: Settings) -> [String] {
    let own = Self.rows.filter { !$0.isLive && !$0.isSame(old, self) }.map(\.key)
    let before = old.sourcesByName
    let ofSources = SourceEntry.rows.filter { row in
      guard !row.isLive else { return false }
      return !row.isSame(old.sourceDefaults, sourceDefaults)
        || sources.contains { new in before[new.name].map { !row.isSame($0, new) } ?? false }
    }
    return own + ofSources.map(\.key)
  }
}

extension Setting {
  static let keys = Setting(
    key: "keys", places: [.top], form: .table, standard: "those of `reddot help keys`",
    example: "next_unread = [\"n\", \"ctrl-n\"]",
    help:
      "key of a command, or a list of keys; `g/` is two keys")
  static let themeKey = "theme"
  static let theme = Setting(
    key: themeKey, places: [.top], form: .table, standard: "the terminal's colours",
    example: "link = \"#5fd7d7 underline\"",
    help: """
      `theme = "light"` is for a white background, `"dark"` for a black one, `"plain"` has no colours; a table sets \
      styles on top of the theme `base`, for \(Theme.Role.allCases.map(\.rawValue).joined(separator: ", ")). A style \
      is a colour (red, bright-red, 0 to 255, #rrggbb), `on` another one, and bold, dim, italic, underline, reverse
      """)
  static let layout = Setting(
    key: "layout", places: [.top], form: .table, standard: "", example: "",
    help:
      "panes and lists; `=` restores these widths after `+` and `-`"
  )
  static let poll = Setting(
    key: "poll", places: [.top], form: .table, standard: "", example: "",
    help: "for all sources; a `[[source]]` can have these keys too")
  static let source = Setting(
    key: "source", places: [.top], form: .table, standard: "none", example: "",
    help:
      "a source; it can also have the keys of `[poll]`, `keep`, `keep_messages` and `daily_limit`")
  static let categories = Setting(
    key: "categories", places: [.top], form: .table, standard: "none", example: "",
    help: "a button for messages of a category; one table per button")

  static let command = Setting(
    key: "command", places: [.top], form: .table, standard: "none", example: "",
    help: "a key that starts a program, or performs several commands; `?` lists it")

  static let savedList = Setting(
    key: "list", places: [.top], form: .table, standard: "none", example: "",
    help: "a saved search among the sources; a list with an error shows nothing")

  static let hub = Setting(
    key: "hub", places: [.top], form: .table, standard: "none", example: "",
    help:
      "a team's hub for `reddot push --feed`")

  static let rule = Setting(
    key: "rule", places: [.top], form: .table, standard: "none", example: "",
    help: "actions on messages as they arrive; see `reddot help rules`. A rule with an error does nothing")

  static let quiet = Setting(
    key: "quiet", places: [.top], form: .table, standard: "none", example: "",
    help:
      "quiet hours: only urgent messages send notifications"
  )

  static let sync = Setting(
    key: "sync", places: [.top], form: .table, standard: "", example: "",
    help: "one inbox on several machines; see `reddot help sync`")

  static let hooks = Setting(
    key: "hooks", places: [.top], form: .table, standard: "", example: "",
    help: "messages from shells and tmux; see `reddot help commands`")

  static let phone = Setting(
    key: "phone", places: [.top], form: .table, standard: "", example: "",
    help: "notifications on a phone, by the app ntfy; see `reddot help phone`")

  /// The tables of the file.
  static let tables = [
    theme, keys, layout, command, quiet, poll, source, savedList, rule, categories, hub, sync, hooks,
    phone,
  ]
}

extension MessageAction: SettingsRoot {
  static let standard = MessageAction(label: "", url: "")
  static let places = [Setting.Place.category]

  static let rows: [SettingRow<MessageAction>] = [
    SettingRow(
      "label", .text, \.label, else: Setting.required, example: "\"Accept\"", "label of the button"),
    SettingRow(
      "url", .text, \.url, else: Setting.required, example: "\"https://team.example/accept\"",
      "URL that it opens"),
  ]
}
