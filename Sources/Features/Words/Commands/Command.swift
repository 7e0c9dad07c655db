/// Every command of the inbox; the raw value is its name in the settings' `[keys]`.
///
/// Keymap, help screen, key hints, and the table on the page about keys are made from `row`. The sentences are in
/// `Localizable.strings`, under the name followed by `.title` and `.help`; the behaviour is in its feature's folder of
/// `Interface`. A new command needs these three and no more.
package enum Command: String, CaseIterable, Hashable, Sendable {
  // Moving
  case down, up
  case pageDown = "page_down"
  case pageUp = "page_up"
  case halfPageDown = "half_page_down"
  case halfPageUp = "half_page_up"
  case first, last
  case open, back
  case nextPane = "next_pane"
  case previousPane = "previous_pane"
  case zoomPane = "zoom_pane"
  case growPane = "grow_pane"
  case shrinkPane = "shrink_pane"
  case resetPanes = "reset_panes"
  // Reading
  case readOn = "read_on"
  case nextUnread = "next_unread"
  case previousUnread = "previous_unread"
  case openLink = "open_link"
  case copyLink = "copy_link"
  case copyText = "copy_text"
  case links
  case find
  case goToPane = "go_to_pane"
  case article
  case details
  case pipe, save, pager
  // Messages
  case toggleUnread = "toggle_unread"
  case toggleStar = "toggle_star"
  case dismiss, snooze, mute
  case readAll = "read_all"
  case mark
  case markRange = "mark_range"
  case markAll = "mark_all"
  case makeRule = "make_rule"
  case undo
  case redo
  // Lists and sources
  case unreadOnly = "unread_only"
  case sort
  case rows
  case search
  case searchAll = "search_all"
  case saveSearch = "save_search"
  case refresh
  case refreshAll = "refresh_all"
  case addSource = "add_source"
  case importFeeds = "import_feeds"
  case timeline
  case toggleFolder = "toggle_folder"
  case nextSource = "next_source"
  case previousSource = "previous_source"
  case nextFailed = "next_failed"
  case sortSources = "sort_sources"
  case hideRead = "hide_read"
  case editSource = "edit_source"
  case editSettings = "edit_settings"
  case pauseSource = "pause_source"
  case removeSource = "remove_source"
  case moveSourceUp = "move_source_up"
  case moveSourceDown = "move_source_down"
  // Program
  case rules, quiet, messages
  case demo
  case help
  case commandLine = "command"
  case redraw, suspend, quit
}

extension Command {
  package var row: CommandRow {
    switch self {
    case .down: CommandRow(.moving, ["j", "down"], in: .everywhere)
    case .up: CommandRow(.moving, ["k", "up"], in: .everywhere)
    case .pageDown: CommandRow(.moving, ["pgdn", "ctrl-f"], in: .everywhere)
    case .pageUp: CommandRow(.moving, ["pgup", "ctrl-b"], in: .everywhere)
    case .halfPageDown: CommandRow(.moving, ["ctrl-d"], in: .everywhere)
    case .halfPageUp: CommandRow(.moving, ["ctrl-u"], in: .everywhere)
    case .first: CommandRow(.moving, ["gg", "g", "home"], in: .everywhere)
    case .last: CommandRow(.moving, ["G", "end"], in: .everywhere)
    case .open:
      CommandRow(
        .moving, ["enter", "l", "right"],
        in: [.sources, .messages, .reader, .overlay, .problem, .rules, .links, .banner])
    case .back: CommandRow(.moving, ["h", "left", "esc"], in: .everywhere)
    case .nextPane: CommandRow(.moving, ["tab"], in: [.panes, .banner])
    case .previousPane: CommandRow(.moving, ["backtab"], in: [.panes, .banner])
    case .zoomPane: CommandRow(.moving, ["Z"])
    case .growPane: CommandRow(.moving, ["+"])
    case .shrinkPane: CommandRow(.moving, ["-"])
    case .resetPanes: CommandRow(.moving, ["="])
    case .readOn: CommandRow(.reading, ["space"], in: [.sources, .messages, .reader, .banner])
    case .nextUnread: CommandRow(.reading, ["n"], in: [.sources, .messages, .reader])
    case .previousUnread: CommandRow(.reading, ["N"], in: [.sources, .messages, .reader])
    case .openLink: CommandRow(.reading, ["o"], in: [.messages, .reader, .links], needs: .message)
    case .copyLink: CommandRow(.reading, ["y"], in: [.messages, .reader, .links], needs: .message)
    case .copyText: CommandRow(.reading, ["Y"], in: [.messages, .reader], needs: .message)
    case .links: CommandRow(.reading, ["L"], in: [.messages, .reader, .links], needs: .message)
    case .find: CommandRow(.reading, ["/"], in: [.reader], needs: .message)
    case .goToPane: CommandRow(.reading, ["gp"], in: [.messages, .reader], needs: .storedMessage)
    case .article: CommandRow(.reading, ["F"], in: [.messages, .reader], needs: .storedMessage)
    case .details: CommandRow(.reading, ["i"], in: [.messages, .reader], needs: .message)
    case .pipe: CommandRow(.reading, ["|"], in: [.messages, .reader], needs: .storedMessage)
    case .save: CommandRow(.reading, [">"], in: [.messages, .reader], needs: .storedMessage)
    case .pager: CommandRow(.reading, ["v"], in: [.reader], needs: .storedMessage)
    case .toggleUnread: CommandRow(.messages, ["u"], in: [.messages, .reader], needs: .message)
    case .toggleStar: CommandRow(.messages, ["s"], in: [.messages, .reader], needs: .storedMessage)
    case .dismiss: CommandRow(.messages, ["d"], in: [.messages, .reader], needs: .storedMessage)
    case .snooze: CommandRow(.messages, ["z"], in: [.messages, .reader], needs: .storedMessage)
    case .mute: CommandRow(.messages, ["m"], in: [.messages, .reader], needs: .storedMessage)
    case .readAll: CommandRow(.messages, ["A"], in: [.sources, .messages, .reader], needs: .storedList)
    case .mark: CommandRow(.messages, ["v"], in: [.messages], needs: .storedMessage)
    case .markRange: CommandRow(.messages, ["V"], in: [.messages], needs: .storedMessage)
    case .markAll: CommandRow(.messages, ["*"], in: [.messages], needs: .storedMessage)
    case .makeRule: CommandRow(.messages, ["W"], in: [.messages, .reader], needs: .storedMessage)
    case .undo: CommandRow(.messages, ["U"], in: [.panes, .rules])
    case .redo: CommandRow(.messages, ["ctrl-r"], in: [.panes, .rules])
    case .unreadOnly: CommandRow(.lists, ["f"], in: [.sources, .messages, .reader])
    case .sort: CommandRow(.lists, ["O"], in: [.messages])
    case .rows: CommandRow(.lists, ["gr"], in: [.messages])
    case .search: CommandRow(.lists, ["/"], in: [.sources, .messages])
    case .searchAll: CommandRow(.lists, ["g/"])
    case .saveSearch: CommandRow(.lists, ["S"], in: [.sources, .messages, .reader])
    case .refresh: CommandRow(.lists, ["r"], in: [.panes, .problem])
    case .refreshAll: CommandRow(.lists, ["R"])
    case .addSource: CommandRow(.lists, ["a"])
    case .importFeeds: CommandRow(.lists, ["I"])
    case .timeline: CommandRow(.lists, ["p"])
    case .toggleFolder: CommandRow(.lists, ["x"], in: [.sources])
    case .nextSource: CommandRow(.lists, ["J"], in: [.sources, .messages, .reader])
    case .previousSource: CommandRow(.lists, ["K"], in: [.sources, .messages, .reader])
    case .nextFailed: CommandRow(.lists, ["!"], in: [.panes, .overlay, .problem])
    case .sortSources: CommandRow(.lists, ["O"], in: [.sources])
    case .hideRead: CommandRow(.lists, ["H"], in: [.sources])
    case .editSource: CommandRow(.lists, ["e"], in: [.sources, .messages, .problem, .rules])
    case .editSettings: CommandRow(.lists, ["E"], in: [.sources, .messages, .problem, .rules])
    case .pauseSource: CommandRow(.lists, ["P"], in: [.sources, .rules])
    case .removeSource: CommandRow(.lists, ["D"], in: [.sources, .problem, .rules])
    case .moveSourceUp: CommandRow(.lists, ["<"], in: [.sources])
    case .moveSourceDown: CommandRow(.lists, [">"], in: [.sources])
    case .rules: CommandRow(.program, ["w"], in: [.panes, .rules])
    case .quiet: CommandRow(.program, ["Q"])
    case .messages: CommandRow(.program, ["M"], in: .everywhere)
    case .demo: CommandRow(.program, ["T"], needs: .welcome)
    case .help: CommandRow(.program, ["?", "f1"], in: .everywhere)
    case .commandLine: CommandRow(.program, [":"], in: .everywhere)
    case .redraw: CommandRow(.program, ["ctrl-l"], in: .everywhere)
    case .suspend: CommandRow(.program, ["ctrl-z"], in: .everywhere)
    case .quit: CommandRow(.program, ["q"], in: .everywhere)
    }
  }
}

extension Command {
  /// Whether the command opens a line or a form for text, so that the keys typed right after it are that text.
  package var asksForText: Bool {
    switch self {
    case .pipe, .save, .snooze, .makeRule, .search, .searchAll, .saveSearch, .addSource, .importFeeds,
      .editSource, .quiet, .find, .help, .commandLine:
      true
    default: false
    }
  }
}

/// The panes and pages of the screen in which a key can have a meaning.
package struct Places: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let sources = Places(rawValue: 1 << 0)
  package static let messages = Places(rawValue: 1 << 1)
  package static let reader = Places(rawValue: 1 << 2)
  package static let timeline = Places(rawValue: 1 << 3)
  /// The layers above the panes: help, and a list to choose from.
  package static let overlay = Places(rawValue: 1 << 4)

  /// A banner's view that has the focus.
  package static let banner = Places(rawValue: 1 << 5)

  /// The page about a source that failed.
  package static let problem = Places(rawValue: 1 << 6)

  /// The page of all rules.
  package static let rules = Places(rawValue: 1 << 7)

  /// The page of a message's links.
  package static let links = Places(rawValue: 1 << 8)

  package static let panes: Places = [.sources, .messages, .reader, .timeline]
  package static let everywhere: Places = [.panes, .overlay, .problem, .rules, .links, .banner]

  /// The panes and pages, each alone in a set.
  package static let each: [Places] = (0..<UInt16.bitWidth).map { Places(rawValue: 1 << $0) }.filter(
    everywhere.contains)
}

/// One row of the table of commands.
package struct CommandRow: Hashable, Sendable {
  /// The heading under which a command is listed.
  package enum Group: String, CaseIterable, Hashable, Sendable {
    case moving, reading, messages, lists, program
  }

  /// The condition without which the command does nothing.
  package enum Need: Hashable, Sendable {
    case nothing
    /// There is a message that keys apply to.
    case message
    /// There is a message that keys apply to, and it is not one of the welcome messages that an inbox without
    /// sources shows.
    case storedMessage
    /// The list does not consist of the welcome messages that an inbox without sources shows.
    case storedList
    /// The list consists of the welcome messages that an inbox without sources shows.
    case welcome
  }

  package var group: Group
  /// The default keys, in the settings' notation; two characters are two keys, one right after the other.
  package var keys: [String]
  /// The places in which the keys have this meaning. An overlay and a banner let through only the commands that list
  /// them here.
  package var places: Places
  package var need: Need

  package init(_ group: Group, _ keys: [String], in places: Places = .panes, needs need: Need = .nothing) {
    self.group = group
    self.keys = keys
    self.places = places
    self.need = need
  }
}
