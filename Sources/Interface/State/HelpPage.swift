import Screen

/// The keys, from the table of commands: first those of the place that one is in.
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

  /// The lines of the left side and, on a wide screen, those of the right one.
  func sides(_ columns: Int) -> (left: [StyledText], right: [StyledText]) {
    let isWide = columns >= Self.twoColumns && !options.signs.areWords
    let width = isWide ? columns / 2 - 2 : columns
    let here = keysHere(columns: width)
    let rest = keysElsewhere(columns: width) + programs(columns: width) + notes(columns: width)
    return isWide ? (here, rest) : (here + rest, [])
  }

  private func keysHere(columns: Int) -> [StyledText] {
    var lines = [StyledText(words(.helpHere, name(of: place)), style: Palette.heading), .empty]
    for group in CommandRow.Group.allCases {
      let commands = Command.allCases.filter { $0.row.group == group && $0.row.places.contains(place) }
      lines += list(commands, below: words(heading(group)), columns: columns)
    }
    return lines
  }

  /// The other keys, below the places that have them.
  private func keysElsewhere(columns: Int) -> [StyledText] {
    var groups: [(places: Places, commands: [Command])] = []
    for command in Command.allCases where !command.row.places.contains(place) {
      let places = command.row.places.intersection(Self.named)
      if let known = groups.firstIndex(where: { $0.places == places }) {
        groups[known].commands.append(command)
      } else {
        groups.append((places, [command]))
      }
    }
    return groups.flatMap { group in
      list(group.commands, below: words(.helpElsewhere, name(of: group.places)), columns: columns)
    }
  }

  private func list(_ commands: [Command], below heading: SafeText, columns: Int) -> [StyledText] {
    if commands.isEmpty { return [] }
    let lines = commands.flatMap { command in
      let keys = options.keymap.keys(of: command).map { SafeText(untrusted: $0.name) }
      let names = keys.dropFirst().reduce(keys.first ?? "-") { $0 + ", " + $1 }
      return entry(names, words.help(command), columns: columns)
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
    let start = StyledText("  " + keys.padded(to: columns >= 48 ? 16 : 14) + " ", style: Palette.key)
    let rest = columns - start.columns
    let parts = rest >= 12 ? text.wrapped(to: rest) : [text]
    return parts.enumerated().map { index, part in
      index == 0 ? start + StyledText(part) : StyledText(.spaces(start.columns) + part)
    }
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
  private static let named = Places(names.map(\.place))

  private func name(of places: Places) -> SafeText {
    let names = Self.names.filter { places.contains($0.place) }.map { words($0.name) }
    return names.dropFirst().reduce(names.first ?? .empty) { $0 + ", " + $1 }
  }
}
