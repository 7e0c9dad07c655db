import Messages
import Screen
import TestBasics

@testable import Interface
@testable import Words

/// Chooses bursts of keys, and the responses between them.
struct Typist {
  private var random: SeededRandom
  private let size: Size
  private let commands: [[KeyPress]]
  private let moving: [KeyPress]
  /// The rest of the text that is being typed.
  private var text: [KeyPress] = []
  private var keysOfGroup = 0
  private var keysOfBurst = 0
  private var steps: [TypedStep] = []
  private var polls = 0
  /// Keys that edit the settings, of which many are typed; a line's end is Enter.
  private let edits: [String]

  init(seed: Int, size: Size, keymap: Keymap = .standard, edits: [String] = []) {
    random = SeededRandom(seed: seed)
    self.edits = edits
    self.size = size
    // Quitting is rare, and escape is chosen on its own.
    let known = Command.allCases.filter { $0 != .quit }.flatMap { keymap.keys(of: $0) }
    commands = known.map(\.all).filter { $0 != [KeyPress(.escape)] }
    moving = ["j", "j", "k", "G", "g", "n", "N", "enter", "space", "h", "l", "tab", "pgdn", "pgup", "J"]
      .compactMap(KeyPress.init(parsing:))
  }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func next(_ state: AppState) -> TypedStep {
    if !steps.isEmpty { return steps.removeFirst() }
    if keysOfGroup <= 0 {
      keysOfGroup = number(2..<16)
      steps = restEvents(state)
      return .rest
    }
    if keysOfBurst <= 0 {
      keysOfBurst = number(1..<7)
      let queues = StoreStage.Queue.allCases
      steps = (0..<number(0..<8)).map { _ in .advance(queues[number(0..<queues.count)]) }
    }
    keysOfBurst -= 1
    keysOfGroup -= 1
    return .input(event(state))
  }

  private mutating func restEvents(_ state: AppState) -> [TypedStep] {
    var steps: [TypedStep] = state.isOver ? [.restart] : []
    let isInDialog = state.dialog.prompt != nil || state.dialog.form != nil || state.dialog.ruleForm != nil
    if isInDialog, number(0..<2) == 0 {
      text = []
      steps.append(.input(.key(KeyPress(.escape))))
    }
    switch number(0..<10) {
    case 0, 1:
      polls += 1
      steps.append(.poll(source: number(0..<3), count: number(1..<4), number: polls))
    case 2: steps.append(.later(Double(number(1..<400))))
    case 3 where number(0..<3) == 0: steps.append(.banner(rows: number(0..<3) == 0 ? nil : number(1..<9)))
    case 4:
      let size = Size(columns: size.columns + number(-8..<20), rows: size.rows + number(-4..<10))
      steps.append(.input(.resize(size)))
    case 5: steps.append(.input(.mouse(mouse)))
    case _: break
    }
    return steps
  }

  private var mouse: Mouse {
    mutating get {
      let kinds: [Mouse.Kind] = [.click, .doubleClick, .wheelUp, .wheelDown]
      return Mouse(
        kind: kinds[number(0..<kinds.count)],
        at: Point(column: number(0..<size.columns), row: number(0..<size.rows)))
    }
  }

  private mutating func event(_ state: AppState) -> InputEvent {
    if !text.isEmpty { return .key(text.removeFirst()) }
    let isInDialog = state.dialog.prompt != nil || state.dialog.form != nil || state.dialog.ruleForm != nil
    if isInDialog {
      switch number(0..<10) {
      case 0..<3: return .key(KeyPress(.enter))
      case 3: return .key(KeyPress(.escape))
      case 4: return .key(KeyPress([Key.up, .down, .tab, .backTab, .left, .backspace][number(0..<6)]))
      case _: return .key(KeyPress(Array("01237hexis: /a")[number(0..<14)]))
      }
    }
    if !edits.isEmpty, number(0..<2) == 0 {
      type(edits[number(0..<edits.count)], then: nil)
      return .key(text.removeFirst())
    }
    switch number(0..<100) {
    case 0..<40: return .key(moving[number(0..<moving.count)])
    case 40..<80: text = commands[number(0..<commands.count)]
    case 80..<86: return .key(KeyPress(Array("12345")[number(0..<5)]))
    case 86..<92:
      let found = ["/07", "/0061", "/is:unread", "/Repeated", "/x", "/title:05", "/in:all", "/is:snoozed"]
      type(found[number(0..<found.count)], then: .enter)
    case 92..<95: type(["z2h", "zx", "Q3h", "Qoff"][number(0..<4)], then: .enter)
    case 95: type(["Sname", "|cat", ">file", "aexample", "Wx", "wjex"][number(0..<6)], then: .enter)
    case 96:
      type(
        ["Vjjj", "vvj", "dG", "dgg", "3d", "*s", "jgp", "2gx", "ggx", "wjDU", "wjPjP", "wDDU"][
          number(0..<12)], then: nil)
    case 97: return .paste(["https://a.example/x", "06", "two\nlines"][number(0..<3)])
    case 98: return .key(KeyPress(number(0..<4) == 0 ? "q" : "d"))
    case _: return .key(KeyPress(.escape))
    }
    return .key(text.removeFirst())
  }

  private mutating func type(_ characters: String, then last: Key?) {
    text =
      characters.map { $0 == "\n" ? KeyPress(.enter) : $0 == "\t" ? KeyPress(.tab) : KeyPress($0) }
      + (last.map { [KeyPress($0)] } ?? [])
  }
}
