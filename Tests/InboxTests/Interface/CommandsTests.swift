import Testing

@testable import Interface
@testable import Words

struct CommandsTests {
  /// The middle of a long list, one of its messages, each line of the sources' pane, and the welcome.
  private static func stages() throws -> [Stage] {
    var list = Stage(.long(200))
    try list.press("+", "5", "0", "j")
    var reader = list
    try reader.press("enter")
    let sources = try (0..<6).map { line in
      var stage = Stage()
      try stage.press("h")
      for _ in 0..<line { try stage.press("j") }
      return stage
    }
    return sources + [list, reader, Stage(ModelStore())]
  }

  /// Each feature performs its own commands, so the compiler doesn't ask for a new one.
  @Test func everyCommandDoesSomething() throws {
    let stages = try Self.stages()
    for command in Command.allCases {
      let isDone = stages.contains { stage in
        var state = stage.state
        let effects = state.perform(command, count: nil)
        state.input = stage.state.input
        return !effects.isEmpty || state != stage.state
      }
      #expect(isDone, "\(command.rawValue) does nothing")
    }
  }
}
