import Screen
import Words

/// The keys, from the table of commands: first those that one needs most in the place that one is in.
struct HelpPage {
  let options: InterfaceOptions
  /// A single one.
  let place: Places

  private static let twoColumns = 100

  private var words: Words { options.words }

  func rows(columns: Int) -> Int {
    let (left, right) = sides(columns)
    return max(left.count, right.count)
  }

  /// The lines of the left side and, on a wide screen, those of the right one: what one does most here, and below it all
  /// other keys by subject.
  func sides(_ columns: Int) -> (left: [StyledText], right: [StyledText]) {
    let isWide = columns >= Self.twoColumns && !options.signs.areWords
    let width = isWide ? columns / 2 - 2 : columns
    let head = mostUsed(columns: columns)
    let parts = subjects(columns: width) + [programs(columns: width), notes(columns: width)]
    guard isWide else { return (head + parts.flatMap(\.self), []) }
    // Both sides are about equally long; no part is on both.
    let total = parts.map(\.count).reduce(0, +)
    var left: [StyledText] = []
    var rest = parts[...]
    while let part = rest.first, left.isEmpty || 2 * left.count + part.count <= total {
      left += part
      rest.removeFirst()
    }
    let above = [StyledText](repeating: .empty, count: head.count)
    return (head + left, above + rest.flatMap(\.self))
  }

  private func mostUsed(columns: Int) -> [StyledText] {
    list(Self.mostUsed(in: place), below: words(.helpHere, name(of: place)), columns: columns)
  }

  /// What one does most in a place, the first thing first.
  static func mostUsed(in place: Places) -> [Command] {
    switch place {
    case .sources:
      [
        .down, .open, .nextSource, .readAll, .refresh, .addSource, .editSource, .removeSource, .search,
        .searchAll,
      ]
    case .reader:
      [
        .readOn, .down, .nextUnread, .openLink, .copyLink, .article, .toggleUnread, .toggleStar, .dismiss,
        .back,
      ]
    case .timeline:
      [.down, .up, .last, .refresh, .refreshAll, .nextFailed, .nextPane, .searchAll, .timeline, .back]
    case .banner: [.down, .up, .pageDown, .pageUp, .nextPane, .previousPane, .open, .readOn, .back, .quit]
    case _:
      [
        .down, .open, .readOn, .nextUnread, .openLink, .toggleUnread, .toggleStar, .dismiss, .search,
        .searchAll,
      ]
    }
  }

  /// All other keys. One that does nothing here is followed by the places that it is for.
  private func subjects(columns: Int) -> [[StyledText]] {
    let above = Set(Self.mostUsed(in: place))
    return CommandRow.Group.allCases.map { group in
      let commands = Command.allCases.filter { $0.row.group == group && !above.contains($0) }
      return list(commands, below: words(heading(group)), columns: columns)
    }
  }

  private func list(_ commands: [Command], below heading: SafeText, columns: Int) -> [StyledText] {
    if commands.isEmpty { return [] }
    let lines = commands.flatMap { command in
      let keys = options.keymap.keys(of: command).map { SafeText(untrusted: $0.name) }
      let names = keys.dropFirst().reduce(keys.first ?? "-") { $0 + ", " + $1 }
      let places = command.row.places
      let text = words.help(command)
      return entry(
        names, places.contains(place) ? text : text + " (" + name(of: places) + ")", columns: columns)
    }
    return [StyledText(heading, style: Palette.heading)] + lines + [.empty]
  }

  /// The programs of the settings.
  private func programs(columns: Int) -> [StyledText] {
    let programs = options.keymap.programs
    if programs.isEmpty { return [] }
    var lines = [StyledText(words(.helpPrograms), style: Palette.heading)]
    for program in programs {
      lines += entry(SafeText(untrusted: program.key.name), program.text, columns: columns)
    }
    return lines + [.empty]
  }

  private func entry(_ keys: SafeText, _ text: SafeText, columns: Int) -> [StyledText] {
    let width = columns >= 48 ? 16 : 14
    let indent = 2 + width + 1
    let start = StyledText("  " + keys.padded(to: width) + " ", style: Palette.key)
    let rest = columns - indent
    let parts = rest >= 12 ? text.wrapped(to: rest) : [text]
    let lines = parts.map { StyledText(.spaces(indent) + $0) }
    guard keys.columns <= width, let first = parts.first else {
      // More keys than their column holds have a line of their own.
      return [StyledText("  " + keys, style: Palette.key)] + lines
    }
    return [start + StyledText(first)] + lines.dropFirst()
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

  private static let names: [(place: Places, name: Phrase)] = [
    (.sources, .placeSources), (.messages, .placeMessages), (.reader, .placeReader),
    (.timeline, .placeTimeline), (.banner, .placeBanner),
  ]

  private func name(of places: Places) -> SafeText {
    let names = Self.names.filter { places.contains($0.place) }.map { words($0.name) }
    return names.dropFirst().reduce(names.first ?? .empty) { $0 + ", " + $1 }
  }
}
