package import Screen

/// The commands of keys, by place.
package struct Keymap: Hashable, Sendable {
  /// Something wrong in the settings' `[keys]`; the rest of the keymap works.
  package enum Problem: Error, Hashable, Sendable {
    case unknownCommand(String)
    /// A text that isn't the name of a key.
    case unknownKey(String, command: Command)
    /// Digits are counts; they cannot be bound to a command.
    case digit(KeyPress, command: Command)
    /// One key for two commands in one place. The first of them has it.
    case clash(KeySequence, Command, Command)
  }

  private struct Slot: Hashable {
    var key: KeyPress
    /// A single one.
    var place: Places
    /// The key right before it, of a command with two.
    var lead: KeyPress?
  }

  private var commands: [Slot: Command] = [:]
  private var keysByCommand: [Command: [KeySequence]] = [:]
  /// The first keys of commands with two.
  private var leads: Set<Slot> = []
  /// The programs in the settings, in their order.
  package private(set) var programs: [BoundProgram] = []
  private var programSlots: [Slot: Int] = [:]
  /// Whether a letter of another script is the key in its place where it isn't a key itself.
  private var usesLayouts = true

  /// The default keys.
  package static let standard = with(overrides: [:]).keymap

  private init() {}

  /// The default keys, except that a command named in the settings has the keys given there:
  /// none if the list is empty. A key from the settings has precedence over a default one, and a program's over both.
  package static func with(
    overrides: [String: [String]], programs: [BoundProgram] = [], usesLayouts: Bool = true
  ) -> (keymap: Keymap, problems: [Problem]) {
    var keymap = Keymap()
    keymap.usesLayouts = usesLayouts
    keymap.programs = programs
    keymap.commands.reserveCapacity(2 * Command.allCases.count)
    for (index, program) in programs.enumerated() {
      for place in Places.each where program.places.contains(place) {
        keymap.programSlots[Slot(key: program.key, place: place)] = index
      }
    }
    var problems: [Problem] = []
    for name in overrides.keys.sorted() where Command(rawValue: name) == nil {
      problems.append(.unknownCommand(name))
    }
    let chosen = Command.allCases.filter { overrides[$0.rawValue] != nil }
    for command in chosen + Command.allCases.filter({ !chosen.contains($0) }) {
      for name in overrides[command.rawValue] ?? command.row.keys {
        guard let keys = KeySequence(parsing: name) else {
          problems.append(.unknownKey(name, command: command))
          continue
        }
        if let digit = keys.all.first(where: \.isDigit) {
          problems.append(.digit(digit, command: command))
          continue
        }
        keymap.bind(keys, to: command, problems: &problems)
      }
    }
    return (keymap, problems)
  }

  private mutating func bind(_ keys: KeySequence, to command: Command, problems: inout [Problem]) {
    var isBound = false
    for place in Places.each where command.row.places.contains(place) {
      let slot = Slot(key: keys.key, place: place, lead: keys.lead)
      if programSlots[slot] != nil { continue }
      guard let holder = commands[slot] else {
        commands[slot] = command
        if let lead = keys.lead { leads.insert(Slot(key: lead, place: place)) }
        isBound = true
        continue
      }
      let clash = Problem.clash(keys, holder, command)
      if holder != command, !problems.contains(clash) { problems.append(clash) }
    }
    if isBound { keysByCommand[command, default: []].append(keys) }
  }

  /// The key that a key means in one place: itself where it is a program's or a command's; else, for a letter of another
  /// script, the key of a US keyboard in its place.
  ///
  /// - Parameter lead: the key right before it, if both may be one command.
  package func key(_ press: KeyPress, after lead: KeyPress? = nil, in place: Places) -> KeyPress {
    func isKnown(_ key: KeyPress) -> Bool {
      if let lead { return command(for: key, after: lead, in: place) != nil }
      return program(for: key, in: place) != nil || command(for: key, in: place) != nil
        || isLead(key, in: place)
    }
    guard usesLayouts, case .character(let character) = press.key, !isKnown(press),
      let other = press.base ?? KeyboardLayout.key(inPlaceOf: character)
    else { return press }
    let meant = KeyPress(other, press.modifiers)
    return isKnown(meant) ? meant : press
  }

  /// What a key does in one place (a single member of `Places`).
  ///
  /// - Parameter lead: the key right before it: what both do together; nil for what the key does by itself.
  package func command(for key: KeyPress, after lead: KeyPress? = nil, in place: Places) -> Command? {
    commands[Slot(key: key, place: place, lead: lead)]
      ?? commands[Slot(key: key.normalized, place: place, lead: lead)]
  }

  /// Whether a key asks for text in any place.
  package func asksForText(_ key: KeyPress) -> Bool {
    Places.each.contains { command(for: key, in: $0)?.asksForText == true }
  }

  /// Whether a key may be the first of two.
  package func isLead(_ key: KeyPress, in place: Places) -> Bool {
    leads.contains(Slot(key: key, place: place))
  }

  /// The program that a key starts in one place; it has precedence over a command.
  package func program(for key: KeyPress, in place: Places) -> BoundProgram? {
    let index =
      programSlots[Slot(key: key, place: place)] ?? programSlots[Slot(key: key.normalized, place: place)]
    return index.map { programs[$0] }
  }

  /// The keys of a command, the one to be shown first; empty if it has none.
  package func keys(of command: Command) -> [KeySequence] { keysByCommand[command] ?? [] }

  /// The name of one of a command's keys, if it is among them; else of its first.
  package func name(of command: Command, rather key: Key) -> SafeText {
    keys(of: command).first { $0 == KeySequence(KeyPress(key)) }.map { SafeText(untrusted: $0.name) }
      ?? name(of: command)
  }

  /// The name of a command's first key; a dash where it has none.
  package func name(of command: Command) -> SafeText {
    keys(of: command).first.map { SafeText(untrusted: $0.name) } ?? "-"
  }
}
