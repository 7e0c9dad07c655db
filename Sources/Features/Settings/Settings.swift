package import Messages
import Queries
package import Words

/// All settings, decoded once. The meaning and the range of a field are in `rows`.
package struct Settings: Hashable, Sendable {
  /// BCP 47; nil is the locale's.
  package var language: String?
  package var usesMouse = true
  package var animations = true
  package var hasScreenReader = false
  package var hyperlinks = HyperlinkUse.auto
  package var showsPictures = true
  package var pictureUse = PictureUse.auto
  /// nil is ncurses's `ESCDELAY`, else 25 ms.
  package var escapeDelay: Duration?
  package var openCommand = ProgramTemplate(["xdg-open"])
  /// Opens enclosures; nil is `openCommand`.
  package var enclosureCommand: ProgramTemplate?
  /// Empty: the terminal's bell.
  package var soundCommand: [String] = []
  /// nil is the system's.
  package var osVersion: String?
  /// The address of a proxy; empty or `none`: no proxy; nil: by the environment.
  package var proxy: String?
  /// What is asked without a proxy; nil: by the environment.
  package var proxyExceptions: [String]?
  package var theme = Theme()
  /// Whether letters of other scripts are keys by their places.
  package var usesKeyboardLayouts = true
  /// Command names to key names, as written.
  package var keys: [String: [String]] = [:]
  package var layout = LayoutOptions()
  package var signs = SignUse.auto
  /// How and of what the person is told.
  package var telling = TellingOptions()
  package var sync = SyncOptions()
  package var hooks = HookOptions()
  /// Programs that keys start.
  package var programs: [BoundProgram] = []
  /// Categories of APNs payloads to the actions they offer.
  package var categories: [String: [MessageAction]] = [:]
  /// The defaults of a source: `[poll]`, `keep`, `keep_messages` and `daily_limit`.
  package var sourceDefaults = SourceEntry()
  package var sources: [SourceEntry] = []
  /// Those that messages are published to, with names that differ.
  package var hubs: [HubEntry] = []
  /// In their order.
  package var rules: [ConfiguredRule] = []
  /// In their order, with names that differ.
  package var lists: [ConfiguredList] = []
  /// Mistakes that keep only a part of the settings from working.
  package var problems: [SettingsMistake] = []
  /// Why sources of `sources.toml` are left out.
  package var leftOut: [SettingsMistake] = []
  /// The lines of these sources, as far as they are text.
  package var hiddenText = ""
  /// Whether `sources.toml` cannot be read at all.
  package var hidesSources = false

  /// The mistakes that are reported and end no command.
  package var warnings: [SettingsMistake] { leftOut + problems }

  package init() {}

  /// Whether pictures are drawn, in a terminal that can.
  package var drawsPictures: Bool { showsPictures && !hasScreenReader }

  /// Commands and programs by their keys.
  package var keymap: (keymap: Keymap, problems: [Keymap.Problem]) {
    keys.isEmpty && programs.isEmpty && usesKeyboardLayouts
      ? (.standard, [])
      : Keymap.with(overrides: keys, programs: programs, usesLayouts: usesKeyboardLayouts)
  }

  package var sourcesByName: [String: SourceEntry] {
    Dictionary(sources.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The settings without line numbers, for comparing whether the settings themselves have changed.
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
      "the language of the interface (en, zh-Hans, zh-Hant, hi) and of messages that bring translations (any)"
    ),
    SettingRow("mouse", .boolean, \.usesMouse, "whether clicks and the wheel are reddot's or the terminal's"),
    SettingRow(
      "keyboard_layouts", .boolean, \.usesKeyboardLayouts,
      """
      whether a letter of another script that no command has is the key in its place on a US keyboard: `й` is `q`, `Щ` is \
      `O`; for Cyrillic, Greek, Hebrew, Arabic, Thai and Hangul
      """),
    SettingRow("animations", .boolean, \.animations, "whether spinners turn and banners slide in"),
    SettingRow(
      "screen_reader", .boolean, \.hasScreenReader,
      "whether states are words, panes are never side by side and nothing is drawn, for screen readers and braille"
    ),
    SettingRow(
      "hyperlinks", .choice(HyperlinkUse.allCases.map(\.rawValue)), \.hyperlinks, isLive: false,
      """
      whether links are links of the terminal too (OSC 8): `always`, `never`, or with `auto` where the terminal is known \
      to have them
      """),
    SettingRow(
      "pictures", .boolean, \.showsPictures,
      """
      whether pictures are drawn; they are fetched when their message is opened or their banner shows, never for a \
      preview
      """),
    SettingRow(
      "picture_format", .choice(PictureUse.allCases.map(\.rawValue)), \.pictureUse, isLive: false,
      """
      how pictures are drawn: `kitty` (kitty 0.28 or later, ghostty) or `sixel` in pixels, `blocks` with half blocks, or with `auto` \
      in pixels where the terminal is known to show them, in tmux with half blocks
      """),
    SettingRow(
      "escape_delay", .duration(.zero...Duration.seconds(10)), \.escapeDelay,
      else: "`ESCDELAY`, else `\"25ms\"`", example: "\"25ms\"", isLive: false,
      "how long a lone Escape waits for the rest of a key's sequence"),
    SettingRow(
      "open_command", .opener, \.openCommand,
      """
      opens links; http, https and mailto only, as one argument, never through a shell; with \
      `{ run = ["w3m", "{url}"], terminal = true }` it has the terminal meanwhile
      """),
    SettingRow(
      "enclosure_command", .opener, \.enclosureCommand, else: "as `open_command`",
      example: "[\"mpv\", \"{url}\"]",
      "opens or plays what comes with a message, such as the episode of a podcast; as `open_command`"),
    SettingRow(
      "sound_command", .command, \.soundCommand, else: "none", example: "[\"paplay\"]",
      "plays a message's sound, whose name is its last argument; without it the terminal's bell rings"),
    SettingRow(
      "notify_via", .several(NoticeChannel.allCases.map(\.rawValue)), \.telling.via,
      """
      how you are told of messages: `terminal` by the one that shows the inbox, with its bell where it shows no notices, \
      `desktop`, `bell`, `command`; `[]` tells of nothing
      """),
    SettingRow(
      Setting(
        key: "notify", places: [.top], form: .query,
        standard: "sources with `notify = true`, and priority 4 and 5",
        example: "\"priority>=4 OR tag:oncall\"",
        help: "which new messages you are told of: a query, instead of what holds without it"),
      \.telling.choice, read: { $0.query($1).map(Optional.some) },
      toml: { $0.map { TOMLText.quoted($0.text) } }),
    SettingRow(
      "notify_command", .program, \.telling.command, else: "none", example: "[\"tell-phone\"]",
      """
      the program that `command` of `notify_via` starts; it gets a JSON object for each notice, a line each, on its \
      standard input
      """),
    SettingRow(
      "os_version", .text, \.osVersion, else: "the system's", example: "\"13\"", "what banners compare with"),
    SettingRow(
      "proxy", .text, \.proxy, else: "`http_proxy`, `https_proxy` and `all_proxy` of the environment",
      example: "\"socks5://proxy.example:1080\"", isLive: false,
      """
      the proxy of all requests but those to this machine: `http://`, `https://` or `socks5://`, with `user:password@` only in \
      a file that others cannot read; with `"none"` no proxy is used, whatever the environment says
      """),
    SettingRow(
      "no_proxy", .texts, \.proxyExceptions, else: "`no_proxy` of the environment",
      example: "[\"intranet.example\", \"10.0.0.0/8\"]", isLive: false,
      "what is asked without a proxy: names with all below them, addresses, ranges of addresses; `[\"*\"]` is everything"
    ),
    SettingRow(
      "sources", in: [.layout], share, \.layout.shares.sources, else: "18 to 28 columns", example: "20",
      "the sources' part of the screen's width, in percent, where the list is beside them"),
    SettingRow(
      "list", in: [.layout], share, \.layout.shares.list, else: "what the reader leaves", example: "40",
      "the list's part of the screen's width, in percent, where the reader is beside it"),
    SettingRow(
      "text_width", in: [.layout], .count(LayoutOptions.textWidths), \.layout.textWidth,
      "the widest line of a message's text, in columns"),
    SettingRow(
      "rows", in: [.layout], .count(LayoutOptions.rowLinesRange), \.layout.rowLines,
      "the lines of a message's row: with 2 the second one says where it comes from and when"),
    SettingRow(
      "sort", in: [.layout], .choice(ListOrder.allCases.map(\.rawValue)), \.layout.order,
      "what lists begin with, until `O` chooses another order, which stays: the newest message, the oldest, source by source, or by priority"
    ),
    SettingRow(
      "fold_repeats", in: [.layout], .boolean, \.layout.foldsRepeats,
      "whether messages of one source with one title, one below the other, are one row; `l` unfolds it"),
    SettingRow(
      "unread_moves_on", in: [.layout], .boolean, \.layout.unreadMovesOn,
      "whether `u` goes on to the next message, as `d` does; with `false` it stays where it is"),
    SettingRow(
      "signs", in: [.layout], .choice(SignUse.allCases.map(\.rawValue)), \.signs,
      """
      how signs and lines such as `●`, `│` and `…` are drawn: `ascii` is for a terminal that draws them two columns wide, `narrow` \
      for all others; with `auto` the terminal is asked at the start where the locale is Chinese, Japanese or Korean, and \
      without an answer they are as with `narrow`
      """),
  ]

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
      "the keys of a command: a name, or a list of names; two characters such as `g/` are two keys")
  static let themeKey = "theme"
  static let theme = Setting(
    key: themeKey, places: [.top], form: .table, standard: "the terminal's colours",
    example: "link = \"#5fd7d7 underline\"",
    help: """
      how texts look: `theme = "light"` is for a white background, `"dark"` for a black one, `"plain"` has no colours; or a \
      table with a look for each of \(Theme.Role.allCases.map(\.rawValue).joined(separator: ", ")), on top of the theme that \
      `base` names. A look is a colour (red, bright-red, 0 to 255, #rrggbb), `on` another one, and bold, dim, italic, \
      underline, reverse
      """)
  static let layout = Setting(
    key: "layout", places: [.top], form: .table, standard: "", example: "",
    help:
      "how the panes divide the screen; `+` and `-` change it for the pane with the keys, `=` brings this back"
  )
  static let poll = Setting(
    key: "poll", places: [.top], form: .table, standard: "", example: "",
    help: "for all sources; each of these keys may stand in a `[[source]]` too")
  static let source = Setting(
    key: "source", places: [.top], form: .table, standard: "none", example: "",
    help: "something to follow; may hold all keys of `[poll]`, `keep`, `keep_messages` and `daily_limit` too")
  static let categories = Setting(
    key: "categories", places: [.top], form: .table, standard: "none", example: "",
    help: "an action that messages of the category offer; one such table for each action")

  static let command = Setting(
    key: "command", places: [.top], form: .table, standard: "none", example: "",
    help: "a program that a key starts; the help (`?`) shows it")

  static let savedList = Setting(
    key: "list", places: [.top], form: .table, standard: "none", example: "",
    help: """
      a saved search, which stands among the sources with its unread count; `S` saves one from the inbox. A list with a \
      mistake shows nothing, and is named
      """)

  static let hub = Setting(
    key: "hub", places: [.top], form: .table, standard: "none", example: "",
    help: "a team's hub that `reddot push --feed NAME` publishes to; with more than one `--hub` says which")

  static let rule = Setting(
    key: "rule", places: [.top], form: .table, standard: "none", example: "",
    help: """
      what is done with messages as they arrive; rules run in the order of the file, each on what those before made of the \
      message. A rule with a mistake does nothing, and is named
      """)

  static let quiet = Setting(
    key: "quiet", places: [.top], form: .table, standard: "none", example: "",
    help: "hours in which you are told of nothing but what is urgent; at their end one notice sums up")

  static let sync = Setting(
    key: "sync", places: [.top], form: .table, standard: "", example: "",
    help: """
      one inbox on several machines: what you read, star, dismiss and snooze, the sources that you follow, and shared \
      pushes; see `reddot help sync`
      """)

  static let hooks = Setting(
    key: "hooks", places: [.top], form: .table, standard: "", example: "",
    help: "what happens beside the inbox, in shells and tmux; see `reddot hooks`")

  /// The tables of the file.
  static let tables = [
    theme, keys, layout, command, quiet, poll, source, savedList, rule, categories, hub, sync, hooks,
  ]
}

extension MessageAction: SettingsRoot {
  static let standard = MessageAction(label: "", url: "")
  static let places = [Setting.Place.category]

  static let rows: [SettingRow<MessageAction>] = [
    SettingRow(
      "label", .text, \.label, else: Setting.required, example: "\"Accept\"", "what the action is called"),
    SettingRow(
      "url", .text, \.url, else: Setting.required, example: "\"https://team.example/accept\"",
      "what it opens"),
  ]
}
