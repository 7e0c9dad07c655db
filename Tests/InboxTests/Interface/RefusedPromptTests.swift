import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Keys that would open a prompt where none can open. Characters that are typed right after such a key are text, not commands.
struct RefusedPromptTests {
  private static let asking = Command.allCases.filter(\.asksForText)
  /// Pages that open everywhere are never refused; in the help, their keys leave it.
  private static let refusable = asking.filter { ![.help, .commandLine].contains($0) }

  /// The places where keys may be refused, by name; the middle one of three messages is selected.
  private static let places: [(name: String, reach: @Sendable () throws -> Stage)] = [
    ("the list", { try stage("j") }),
    ("the sources", { try stage("h") }),
    ("the reader", { try stage("j", "enter") }),
    ("the timeline", { try stage("j", "p") }),
    ("the help", { try stage("j", "?") }),
    ("a list without messages", { try stage("/", "x", "x", "enter") }),
    ("the page of rules", { try stage("j", "w") }),
    (
      "a message that stays",
      {
        var store = ModelStore.long(3)
        store.messages[1].content.isDismissable = false
        return try stage("j", store: store)
      }
    ),
    ("the welcome", { try stage("j", store: ModelStore()) }),
  ]

  private static func stage(_ keys: String..., store: ModelStore = .long(3)) throws -> Stage {
    var stage = Stage(store, columns: 80, rows: 24)
    for key in keys { try stage.press(key) }
    if case .rules? = stage.state.dialog.overlay { stage.send(.rules(.loaded(stage.asked, []))) }
    if stage.state.focus.pane == .timeline { stage.send(.polling(.timelineLoaded(nil, []))) }
    stage.effects = []
    return stage
  }

  /// Presses the keys of a command.
  ///
  /// - Returns: whether something opens, or will, for text; `nil`, without pressing them, if they mean another command
  ///   there.
  private static func press(_ command: Command, _ stage: inout Stage) throws -> Bool? {
    let keymap = stage.state.options.keymap
    let sequence = try #require(keymap.keys(of: command).first)
    let meant = keymap.command(for: sequence.key, after: sequence.lead, in: stage.state.place)
    guard meant == command || meant == nil else { return nil }
    let keys = sequence.all
    for key in keys { stage.send(.input(.key(key))) }
    stage.endSequence()
    let dialog = stage.state.dialog
    return dialog.prompt != nil || dialog.form != nil || dialog.ruleForm != nil
      || stage.state.pending.form != nil
  }

  @Test func theCommandsThatAskAreKnown() throws {
    var found: Set<Command> = []
    for keys in [["j"], ["j", "enter"], ["/", "1", "enter"], ["h", "j", "j"]] {
      for command in Command.allCases {
        var stage = Stage(.long(30), columns: 80, rows: 24)
        for key in keys { try stage.press(key) }
        if try Self.press(command, &stage) == true { found.insert(command) }
      }
    }
    #expect(found == Set(Self.asking))
  }

  @Test func whatIsTypedRightAfterOneDoesNothing() throws {
    var refused: Set<Command> = []
    for (name, reach) in Self.places {
      for command in Self.refusable {
        var stage = try reach()
        guard try Self.press(command, &stage) == false else { continue }
        let key = stage.state.options.keymap.name(of: command)
        refused.insert(command)
        let (before, effects) = (stage.lines, stage.effects)
        stage.type("fri dDsuAPUq3jG")
        try stage.press("backspace", "tab", "x", "enter")
        #expect(stage.lines == before, "\(key) in \(name)")
        #expect(stage.effects == effects, "\(key) in \(name)")
        // The text has ended.
        try stage.press("M")
        #expect(stage.lines != before, "\(key) in \(name)")
      }
    }
    #expect(refused == Set(Self.refusable))
  }

  @Test func whoWaitsAndReadsTypesCommands() throws {
    var stage = try Self.stage("j")
    try stage.press("S")
    let said = stage.bottom
    stage.type("da")
    #expect(stage.acts.isEmpty && stage.bottom == said && said.contains("/"))
    stage.send(.timeChanged(ModelStore.start + 1))
    stage.type("d")
    #expect(stage.acts == [.dismiss([MessageID(2)])])
  }

  @Test(arguments: ["up", "pgdn", "left", "ctrl-d"])
  func keysThatAreNoTextWorkAtOnce(name: String) throws {
    var stage = try Self.stage("j")
    var other = stage
    try stage.press("S", "f", name)
    try other.press(name)
    #expect(stage.state.shown.list.selected == other.state.shown.list.selected)
    #expect(stage.state.focus == other.state.focus)
  }

  /// The settings may have no such source: the form is refused when they were read.
  @Test func theTextOfAFormThatIsRefusedDoesNothing() throws {
    var stage = try Self.stage("j")
    try stage.press("e")
    stage.type("dd")
    #expect(stage.acts.isEmpty)
    stage.send(.forms(.answered(stage.asked, reason: "scripts made it")))
    #expect(stage.acts.isEmpty && stage.bottom.contains("scripts made it"))
    stage.send(.timeChanged(ModelStore.start + 1))
    stage.type("d")
    #expect(stage.acts == [.dismiss([MessageID(2)])])
  }
}
