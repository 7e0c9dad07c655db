import Messages
import Screen
import Words

/// The commands to choose from in the help. The text typed to find one is in its prompt.
package struct HelpList: Hashable, Sendable {
  enum Item: Hashable, Sendable {
    case command(Command)
    /// A subject; its commands are listed once it is opened.
    case group(CommandRow.Group)
    /// A subject with the keys to which the settings assign a program or several commands.
    case programs
    /// A key that runs a program, by its index in the keymap.
    case program(Int)
    /// A key that runs several commands, by its index in the keymap.
    case sequence(Int)
  }

  /// The pane or page, and the message, that keys applied to when the help was opened. The chosen command applies to
  /// them.
  let meant: Meant
  /// Whether the most frequently used keys come first.
  let beginsWithKeys: Bool
  /// The subjects whose commands are listed.
  var opened: Set<Item> = []
  var selected = 0
}

/// The pane or page that keys apply to, and the selection there.
struct Meant: Hashable, Sendable {
  /// The pane or page, always a single one.
  var place: Places
  /// The message that keys apply to.
  var row: ListKey?
  /// The selected line of the sources' pane.
  var scope: InboxQuery.Scope
}

extension AppState {
  var meant: Meant { Meant(place: place, row: target?.key, scope: shown.sources.scope) }

  /// Whether the help is shown.
  var isHelpOpen: Bool { if case .command? = dialog.prompt?.subject { true } else { false } }

  /// The help, or `nil` unless it is shown. It finds the typed text among all commands: take its lines once.
  var helpPage: HelpPage? {
    guard case .command(let list)? = dialog.prompt?.subject else { return nil }
    return HelpPage(options: options, list: list, text: dialog.prompt?.editor.text ?? "")
  }

  /// The number of visible lines of the help: one less if the prompt covers the last line.
  var helpRows: Int { max(1, layout.body.size.rows - (layout.bottom.isEmpty ? 1 : 0)) }
}
