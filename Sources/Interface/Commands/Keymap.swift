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
    case clash(KeyPress, Command, Command)
  }

  private struct Slot: Hashable {
    var key: KeyPress
    /// A single one.
    var place: Places
  }

  private var commands: [Slot: Command] = [:]
  private var keysByCommand: [Command: [KeyPress]] = [:]
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
        guard let key = KeyPress(parsing: name) else {
          problems.append(.unknownKey(name, command: command))
          continue
        }
        if case .character(let character) = key.key, key.modifiers.isEmpty, "0"..."9" ~= character {
          problems.append(.digit(key, command: command))
          continue
        }
        keymap.bind(key, to: command, problems: &problems)
      }
    }
    return (keymap, problems)
  }

  private mutating func bind(_ key: KeyPress, to command: Command, problems: inout [Problem]) {
    var isBound = false
    for place in Places.each where command.row.places.contains(place) {
      let slot = Slot(key: key, place: place)
      if programSlots[slot] != nil { continue }
      guard let holder = commands[slot] else {
        commands[slot] = command
        isBound = true
        continue
      }
      let clash = Problem.clash(key, holder, command)
      if holder != command, !problems.contains(clash) { problems.append(clash) }
    }
    if isBound { keysByCommand[command, default: []].append(key) }
  }

  /// The key that a key means in one place: itself where it is a program's or a command's; else, for a letter of another
  /// script, the key of a US keyboard in its place.
  func key(_ press: KeyPress, in place: Places) -> KeyPress {
    func isKnown(_ key: KeyPress) -> Bool {
      program(for: key, in: place) != nil || command(for: key, in: place) != nil
    }
    guard usesLayouts, case .character(let character) = press.key, !isKnown(press),
      let other = press.base ?? KeyboardLayout.key(inPlaceOf: character)
    else { return press }
    let meant = KeyPress(other, press.modifiers)
    return isKnown(meant) ? meant : press
  }

  /// What a key does in one place (a single member of `Places`).
  package func command(for key: KeyPress, in place: Places) -> Command? {
    commands[Slot(key: key, place: place)] ?? commands[Slot(key: key.normalized, place: place)]
  }

  /// The program that a key starts in one place; it has precedence over a command.
  func program(for key: KeyPress, in place: Places) -> BoundProgram? {
    let index =
      programSlots[Slot(key: key, place: place)] ?? programSlots[Slot(key: key.normalized, place: place)]
    return index.map { programs[$0] }
  }

  /// The keys of a command, the one to be shown first; empty if it has none.
  package func keys(of command: Command) -> [KeyPress] { keysByCommand[command] ?? [] }

  /// The name of one of a command's keys, if it is among them; else of its first.
  func name(of command: Command, rather key: Key) -> SafeText {
    keys(of: command).first { $0.key == key && $0.modifiers.isEmpty }.map { SafeText(untrusted: $0.name) }
      ?? name(of: command)
  }

  /// The name of a command's first key; a dash where it has none.
  package func name(of command: Command) -> SafeText {
    keys(of: command).first.map { SafeText(untrusted: $0.name) } ?? "-"
  }
}
