extension Command {
  /// The table: default keys, where they work, and what people read about them.
  package var row: CommandRow {
    switch self {
    case .down:
      CommandRow(
        .moving, ["j", "down"], in: .everywhere, "down", "Next message, source or line", takesCount: true)
    case .up:
      CommandRow(
        .moving, ["k", "up"], in: .everywhere, "up", "Previous message, source or line", takesCount: true)
    case .pageDown:
      CommandRow(
        .moving, ["pgdn", "ctrl-f"], in: .everywhere, "page down", "One page down", takesCount: true)
    case .pageUp:
      CommandRow(.moving, ["pgup", "ctrl-b"], in: .everywhere, "page up", "One page up", takesCount: true)
    case .halfPageDown:
      CommandRow(
        .moving, ["ctrl-d"], in: .everywhere, "half down", "Half a page down", takesCount: true)
    case .halfPageUp:
      CommandRow(.moving, ["ctrl-u"], in: .everywhere, "half up", "Half a page up", takesCount: true)
    case .first: CommandRow(.moving, ["g", "home"], in: .everywhere, "top", "To the newest, or to the top")
    case .last: CommandRow(.moving, ["G", "end"], in: .everywhere, "end", "To the oldest, or to the end")
    case .open:
      CommandRow(
        .moving, ["enter", "l", "right"], in: [.sources, .messages, .overlay, .banner], "open",
        "Open the list of a source; read a message")
    case .back:
      CommandRow(
        .moving, ["h", "left", "esc"], in: .everywhere, "back",
        "Back to the list, to the sources; leave a search")
    case .nextPane: CommandRow(.moving, ["tab"], in: [.panes, .banner], "next pane", "Next pane")
    case .previousPane:
      CommandRow(.moving, ["backtab"], in: [.panes, .banner], "previous pane", "Previous pane")
    case .readOn:
      CommandRow(
        .reading, ["space"], in: [.sources, .messages, .reader, .banner], "read on",
        "Read, page by page, then go to the next unread message")
    case .nextUnread:
      CommandRow(.reading, ["n"], in: [.sources, .messages, .reader], "next unread", "Next unread message")
    case .previousUnread:
      CommandRow(
        .reading, ["N"], in: [.sources, .messages, .reader], "previous unread", "Previous unread message")
    case .openLink:
      CommandRow(
        .reading, ["o"], in: [.messages, .reader], "open link",
        "Open the message's link, or one by its number",
        takesCount: true)
    case .copyLink:
      CommandRow(
        .reading, ["y"], in: [.messages, .reader], "copy link", "Copy the link to the clipboard",
        takesCount: true)
    case .details:
      CommandRow(
        .reading, ["i"], in: [.messages, .reader], "details", "Show or hide all that the source sent")
    case .toggleUnread:
      CommandRow(
        .messages, ["u"], in: [.messages, .reader], "unread", "Mark the message unread, or read")
    case .toggleStar:
      CommandRow(
        .messages, ["s"], in: [.messages, .reader], "star", "Star the message, or take the star away")
    case .dismiss:
      CommandRow(.messages, ["d"], in: [.messages, .reader], "dismiss", "Dismiss the message")
    case .snooze:
      CommandRow(
        .messages, ["z"], in: [.messages, .reader], "snooze", "Put the message off; it comes back unread")
    case .readAll:
      CommandRow(
        .messages, ["A"], in: [.sources, .messages, .reader], "all read", "Mark all of this list read")
    case .undo: CommandRow(.messages, ["U"], "undo", "Take back what you did last, again and again")
    case .unreadOnly:
      CommandRow(
        .lists, ["f"], in: [.sources, .messages, .reader], "unread only", "Show unread messages only, or all")
    case .search:
      CommandRow(
        .lists, ["/"], in: [.sources, .messages, .reader], "search", "Search this list while you type")
    case .refresh:
      CommandRow(.lists, ["r"], "refresh", "Poll this source now")
    case .refreshAll: CommandRow(.lists, ["R"], "refresh all", "Poll all sources now")
    case .addSource: CommandRow(.lists, ["a"], "add", "Add a source by its address")
    case .timeline:
      CommandRow(.lists, ["p"], "polls", "Show or hide what was polled, and what comes next")
    case .help: CommandRow(.program, ["?", "f1"], in: .everywhere, "help", "Show or hide this help")
    case .redraw: CommandRow(.program, ["ctrl-l"], in: .everywhere, "redraw", "Draw the screen anew")
    case .suspend:
      CommandRow(.program, ["ctrl-z"], in: .everywhere, "suspend", "Back to the shell; fg returns")
    case .quit: CommandRow(.program, ["q"], in: .everywhere, "quit", "Quit, or close what lies on top")
    }
  }
}
