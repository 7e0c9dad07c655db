package import Screen

/// The meanings of keys: commands, keyed by key and place, and the programs and series of commands in the settings.
package struct Keymap: Hashable, Sendable {
  /// Something wrong in the settings' `[keys]`; the rest of the keymap works.
  package enum Problem: Error, Hashable, Sendable {
    case unknownCommand(String)
    /// A string that isn't the name of a key.
    case unknownKey(String, command: Command)
    /// A digit, which cannot be bound to a command, since digits are counts.
    case digit(KeyPress, command: Command)
    /// A key that two commands have in the same pane or page. The first command keeps it.
    case clash(KeySequence, Command, Command)
  }

  /// A key in one pane or page of the screen.
  private struct Slot: Hashable {
    var key: KeyPress
    /// A single pane or page.
    var place: Places
    /// The key right before this one, for a command with two keys.
    var lead: KeyPress?
  }

  private var commands: [Slot: Command] = [:]
  private var keysByCommand: [Command: [KeySequence]] = [:]
  /// The first keys of commands with two keys.
  private var leads: Set<Slot> = []
  /// The programs in the settings, in their order.
  package private(set) var programs: [BoundProgram] = []
  private var programSlots: [Slot: Int] = [:]
  /// The keys in the settings that perform several commands, in their order.
  package private(set) var sequences: [BoundCommands] = []
  private var sequenceSlots: [Slot: Int] = [:]
  /// Whether a letter of another script counts as the key in its position, unless it is bound itself.
  private var usesLayouts = true

  /// The default keys.
  package static let standard = with(overrides: [:]).keymap

  private init() {}

  /// Returns the default keys, except that a command named in the settings has the keys given there: none if the list
  /// is empty. A key from the settings takes precedence over a default key. A key of a program or of several commands
  /// takes precedence over both.
  package static func with(
    overrides: [String: [String]], programs: [BoundProgram] = [], sequences: [BoundCommands] = [],
    usesLayouts: Bool = true
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
    keymap.sequences = sequences
    for (index, sequence) in sequences.enumerated() {
      for place in Places.each where sequence.places.contains(place) {
        keymap.sequenceSlots[Slot(key: sequence.key, place: place)] = index
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

  /// Binds keys to a command in each pane and page of the command, unless another command already has them
  /// there.
  private mutating func bind(_ keys: KeySequence, to command: Command, problems: inout [Problem]) {
    var isBound = false
    for place in Places.each where command.row.places.contains(place) {
      let slot = Slot(key: keys.key, place: place, lead: keys.lead)
      if programSlots[slot] != nil || sequenceSlots[slot] != nil { continue }
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

  /// Returns the bound key that a pressed key means in one place. This is the pressed key if it is bound; otherwise,
  /// for a letter of another script, the key of a US keyboard in the same position.
  ///
  /// - Parameter lead: the key pressed right before it, if both may be one command.
  package func key(_ press: KeyPress, after lead: KeyPress? = nil, in place: Places) -> KeyPress {
    func isKnown(_ key: KeyPress) -> Bool {
      if let lead { return command(for: key, after: lead, in: place) != nil }
      return program(for: key, in: place) != nil || sequence(for: key, in: place) != nil
        || command(for: key, in: place) != nil
        || isLead(key, in: place)
    }
    guard usesLayouts, case .character(let character) = press.key, !isKnown(press),
      let other = press.base ?? KeyboardLayout.key(inPlaceOf: character)
    else { return press }
    let meant = KeyPress(other, press.modifiers)
    return isKnown(meant) ? meant : press
  }

  /// Returns the command of a key in one place (a single member of `Places`).
  ///
  /// - Parameter lead: the key pressed right before it, for the command of both; `nil` for the command of this key
  ///   alone.
  package func command(for key: KeyPress, after lead: KeyPress? = nil, in place: Places) -> Command? {
    commands[Slot(key: key, place: place, lead: lead)]
      ?? commands[Slot(key: key.normalized, place: place, lead: lead)]
  }

  /// Whether the command of a key asks for text, in any place.
  package func asksForText(_ key: KeyPress) -> Bool {
    Places.each.contains { command(for: key, in: $0)?.asksForText == true }
  }

  /// Whether a key may be the first of two.
  package func isLead(_ key: KeyPress, in place: Places) -> Bool {
    leads.contains(Slot(key: key, place: place))
  }

  /// Returns the program that a key starts in a single pane or page, or `nil` if it starts none. The program
  /// takes precedence over the key's command.
  package func program(for key: KeyPress, in place: Places) -> BoundProgram? {
    let index =
      programSlots[Slot(key: key, place: place)] ?? programSlots[Slot(key: key.normalized, place: place)]
    return index.map { programs[$0] }
  }

  /// Returns the series of commands that a key performs in a single pane or page, or `nil` if there is none.
  /// The series takes precedence over the key's own command.
  package func sequence(for key: KeyPress, in place: Places) -> BoundCommands? {
    let index =
      sequenceSlots[Slot(key: key, place: place)] ?? sequenceSlots[Slot(key: key.normalized, place: place)]
    return index.map { sequences[$0] }
  }

  /// Returns the keys of a command, the one to be shown first; empty if it has none.
  package func keys(of command: Command) -> [KeySequence] { keysByCommand[command] ?? [] }

  /// Returns the name of the given key if it is one of the command's keys; otherwise the name of the command's first
  /// key.
  package func name(of command: Command, rather key: Key) -> SafeText {
    keys(of: command).first { $0 == KeySequence(KeyPress(key)) }.map { SafeText(untrusted: $0.name) }
      ?? name(of: command)
  }

  /// Returns the name of a command's first key, or a dash if it has none.
  package func name(of command: Command) -> SafeText {
    keys(of: command).first.map { SafeText(untrusted: $0.name) } ?? "-"
  }
}
