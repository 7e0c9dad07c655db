import Basics
import Messages
import Screen
import Words

/// The lines of the help: first the keys most needed in the current pane or page, then the others by subject; or the
/// matches of the typed text.
struct HelpPage {
  let options: InterfaceOptions
  let list: HelpList
  let items: [HelpList.Item]
  private let text: String

  init(options: InterfaceOptions, list: HelpList, text: String) {
    (self.options, self.list) = (options, list)
    self.text = text.trimmingSpaces
    let search = HelpSearch(options: options, text: self.text)
    items = search.isEmpty ? Self.all(list, options) : search.items
  }

  /// The number of columns that a row with both name and keys needs.
  private static let wide = 90
  private static let keyColumns = 16
  private static let nameColumns = 17

  private var words: Words { options.words }
  private var place: Places { list.meant.place }

  var selected: HelpList.Item? { items.indices.contains(list.selected) ? items[list.selected] : nil }

  // MARK: What it lists

  /// Returns the most frequently used commands in a pane or page, in this order.
  static func mostUsed(in place: Places) -> [Command] {
    switch place {
    case .sources:
      [
        .down, .open, .nextSource, .readAll, .refresh, .addSource, .editSource, .removeSource, .search,
        .searchAll,
      ]
    case .reader:
      [
        .readOn, .down, .nextUnread, .find, .openLink, .links, .toggleUnread, .toggleStar, .dismiss, .back,
      ]
    case .timeline:
      [.down, .up, .last, .refresh, .refreshAll, .nextFailed, .nextPane, .searchAll, .timeline, .back]
    case .banner: [.down, .up, .pageDown, .pageUp, .nextPane, .previousPane, .open, .readOn, .back, .quit]
    case .rules:
      [.down, .open, .editSource, .pauseSource, .removeSource, .editSettings, .undo, .redo, .rules, .back]
    case .problem:
      [.down, .up, .editSource, .refresh, .editSettings, .removeSource, .nextFailed, .pageDown, .quit, .back]
    case .links:
      [.down, .up, .open, .openLink, .copyLink, .pageDown, .first, .last, .quit, .back]
    case .overlay:
      [.down, .up, .open, .pageDown, .pageUp, .first, .last, .messages, .quit, .back]
    case _:
      [
        .down, .open, .readOn, .nextUnread, .openLink, .toggleUnread, .toggleStar, .dismiss, .search,
        .searchAll,
      ]
    }
  }

  /// Returns the items that are listed while no text is typed.
  private static func all(_ list: HelpList, _ options: InterfaceOptions) -> [HelpList.Item] {
    let above = above(list)
    var items = above.map(HelpList.Item.command)
    for group in CommandRow.Group.allCases {
      items.append(.group(group))
      guard list.opened.contains(.group(group)) else { continue }
      items += commands(in: group).filter { !above.contains($0) }.map(HelpList.Item.command)
    }
    let own =
      options.keymap.sequences.indices.map(HelpList.Item.sequence)
      + options.keymap.programs.indices.map(HelpList.Item.program)
    if !own.isEmpty {
      items.append(.programs)
      if list.opened.contains(.programs) { items += own }
    }
    return items
  }

  /// Returns the commands that are listed above the subjects. The subjects do not repeat them.
  private static func above(_ list: HelpList) -> [Command] {
    list.beginsWithKeys ? mostUsed(in: list.meant.place) : []
  }

  private static func commands(in group: CommandRow.Group) -> [Command] {
    Command.allCases.filter { $0.row.group == group }
  }

  // MARK: Lines

  struct Line {
    var text: StyledText
    /// The index of the line's item.
    var item: Int?
  }

  func lines(columns: Int) -> [Line] {
    var lines: [Line] = []
    if text.isEmpty, list.beginsWithKeys {
      lines.append(Line(text: StyledText(words(.helpHere, name(of: place)), style: Palette.heading)))
    }
    for (index, item) in items.enumerated() {
      lines += entry(item, isSelected: index == list.selected, columns: columns).map {
        Line(text: $0, item: index)
      }
    }
    if items.isEmpty, case .failure(let problem) = CommandCall.parse(text) {
      lines += StyledText(words.sentence(problem), style: Palette.quiet).wrapped(to: max(1, columns - 2)).map
      {
        Line(text: StyledText("  ") + $0)
      }
    }
    if text.isEmpty { lines += ([.empty] + notes(columns: columns)).map { Line(text: $0) } }
    return lines
  }

  /// Returns the indices of the selected item's lines in all lines.
  func selected(in lines: [Line]) -> Range<Int> {
    guard let first = lines.firstIndex(where: { $0.item == list.selected }) else { return 0..<0 }
    return first..<(lines[first...].firstIndex { $0.item != list.selected } ?? lines.count)
  }

  private func entry(_ item: HelpList.Item, isSelected: Bool, columns: Int) -> [StyledText] {
    let state: SafeText = isSelected && options.signs.areWords ? words(.stateSelected) + ", " : .empty
    switch item {
    case .command(let command):
      let places = command.row.places
      let text = words.help(command)
      return entry(
        keys(of: command), name: SafeText(untrusted: command.rawValue),
        state + (places.contains(place) ? text : text + " (" + name(of: places) + ")"), columns: columns)
    case .program(let index):
      let program = options.keymap.programs[index]
      return entry(SafeText(untrusted: program.key.name), name: "", state + program.text, columns: columns)
    case .sequence(let index):
      let bound = options.keymap.sequences[index]
      return entry(SafeText(untrusted: bound.key.name), name: "", state + bound.text, columns: columns)
    case .group(let group): return [head(words(heading(group)), item, state)]
    case .programs: return [head(words(.helpPrograms), item, state)]
    }
  }

  private func keys(of command: Command) -> SafeText {
    let keys = options.keymap.keys(of: command).map { SafeText(untrusted: $0.name) }
    return keys.dropFirst().reduce(keys.first ?? "-") { $0 + ", " + $1 }
  }

  /// Returns the line of a subject: its title, and the number of its commands.
  private func head(_ title: SafeText, _ item: HelpList.Item, _ state: SafeText) -> StyledText {
    let signs = options.signs
    let above = Self.above(list)
    let count =
      switch item {
      case .group(let group): Self.commands(in: group).count { !above.contains($0) }
      case _: options.keymap.programs.count + options.keymap.sequences.count
      }
    var line = StyledText("  " + state, style: Palette.heading)
    line.append(
      signs.before(title, list.opened.contains(item) ? signs.open : signs.closed), style: Palette.heading)
    line.append("  \(count)", style: Palette.quiet)
    return line
  }

  /// Returns the lines of a command: its keys, or its name if it is found by name, and its description. A wide screen
  /// also shows the other one.
  private func entry(_ keys: SafeText, name: SafeText, _ text: SafeText, columns: Int) -> [StyledText] {
    let byName = !list.beginsWithKeys && !name.isEmpty
    let first = byName ? name : keys
    let width = byName ? Self.nameColumns : columns >= 48 ? Self.keyColumns : 14
    let indent = 2 + width + 1
    let last = columns >= Self.wide && !options.signs.areWords ? (byName ? keys : name) : .empty
    let start = StyledText("  " + first.padded(to: width) + " ", style: Palette.key)
    let rest = columns - indent - (last.isEmpty ? 0 : last.columns + 2)
    let parts = rest >= 12 ? text.wrapped(to: rest) : [text]
    var lines = parts.map { StyledText(.spaces(indent) + $0) }
    if first.columns <= width, let part = parts.first {
      lines[0] = start + StyledText(part)
    } else {
      // Keys that don't fit in their column have a separate line.
      lines.insert(StyledText("  " + first, style: Palette.key), at: 0)
    }
    if !last.isEmpty {
      let gap = max(2, columns - 1 - lines[0].columns - last.columns)
      lines[0] += StyledText(.spaces(gap) + last, style: Palette.quiet)
    }
    return lines
  }

  private func notes(columns: Int) -> [StyledText] {
    let keymap = options.keymap
    let texts = [
      words(.helpCount, keymap.name(of: .down), keymap.name(of: .openLink)),
      words(.helpActs, keymap.name(of: .dismiss), keymap.name(of: .last), keymap.name(of: .first)),
      words(.helpPrompt),
      words(.helpMouse),
    ]
    return texts.flatMap { StyledText($0, style: Palette.quiet).wrapped(to: max(1, columns)) }
  }

  private func heading(_ group: CommandRow.Group) -> Phrase {
    switch group {
    case .moving: .helpMoving
    case .reading: .helpReading
    case .messages: .helpMessages
    case .lists: .helpLists
    case .program: .helpProgram
    }
  }

  private func name(of places: Places) -> SafeText { words.names(of: places) }
}

extension Words {
  private static let places: [(place: Places, name: Phrase)] = [
    (.sources, .placeSources), (.messages, .placeMessages), (.reader, .placeReader),
    (.timeline, .placeTimeline), (.banner, .placeBanner), (.rules, .placeRules), (.problem, .placeProblem),
    (.links, .placeLinks), (.overlay, .placePage),
  ]

  /// Returns the names of panes and pages, separated by commas.
  func names(of places: Places) -> SafeText {
    let names = Self.places.filter { places.contains($0.place) }.map { self($0.name) }
    return names.dropFirst().reduce(names.first ?? .empty) { $0 + ", " + $1 }
  }
}

/// The commands and programs that match the typed text, the best first.
private struct HelpSearch {
  let options: InterfaceOptions
  let text: String

  var isEmpty: Bool { text.isEmpty }

  var items: [HelpList.Item] {
    // Text after the name of a command belongs to that command.
    if text.contains(where: \.isWhitespace), let call = CommandCall.beginning(of: text) {
      return [.command(call.command)]
    }
    let wanted = SearchText.folded(text).split(whereSeparator: { $0.isWhitespace || $0 == "_" }).map(
      String.init)
    let commands = Command.allCases.compactMap { command in
      rank(
        wanted, name: command.rawValue, title: options.words.title(command).text,
        help: options.words.help(command).text, keys: options.keymap.keys(of: command).map(\.name)
      ).map { (item: HelpList.Item.command(command), rank: $0) }
    }
    let programs = options.keymap.programs.enumerated().compactMap { index, program in
      rank(wanted, name: "", title: "", help: program.text.text, keys: [program.key.name]).map {
        (item: HelpList.Item.program(index), rank: $0)
      }
    }
    let sequences = options.keymap.sequences.enumerated().compactMap { index, bound in
      rank(wanted, name: "", title: "", help: bound.text.text, keys: [bound.key.name]).map {
        (item: HelpList.Item.sequence(index), rank: $0)
      }
    }
    let found = commands + sequences + programs
    return (0...4).flatMap { rank in found.filter { $0.rank == rank }.map(\.item) }
  }

  /// Returns the quality of a match: 0 is best, `nil` is none.
  private func rank(_ wanted: [String], name: String, title: String, help: String, keys: [String]) -> Int? {
    if keys.contains(text) { return 0 }
    let names = [name.replacingBytes("_", with: " "), title].map(SearchText.folded)
    let typed = wanted.joined(separator: " ")
    if names.contains(typed) { return 1 }
    if names.contains(where: { $0.hasPrefix(typed) }) { return 2 }
    if wanted.allSatisfy({ word in names.contains { $0.contains(word) } }) { return 3 }
    let help = SearchText.folded(help)
    let words = help.split { !$0.isLetter && !$0.isNumber }
    let isFound = wanted.allSatisfy { word in
      names.contains { $0.contains(word) } || words.contains { $0.hasPrefix(word) }
        || !word.utf8.allSatisfy { $0 < 0x80 } && help.contains(word)
    }
    return isFound ? 4 : nil
  }
}
