import Messages
import Screen
import Testing

@testable import Interface

/// Escape while the input is still being checked or written.
struct GivingUpTests {
  /// The prompts, with the keys that open them and the typed text.
  enum Asking: CaseIterable {
    case address, listName, quiet, file, sourceForm, ruleForm
  }

  private func stage(_ asking: Asking) throws -> (stage: Stage, request: RequestID) {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j")
    switch asking {
    case .address:
      try stage.press("a")
      stage.type("slow.example")
    case .listName:
      try stage.press("/")
      stage.type("swift")
      try stage.press("enter", "S")
      stage.type("Swift")
    case .quiet:
      try stage.press("Q")
      stage.type("2h")
    case .file:
      try stage.press(">")
      stage.type("a.txt")
    case .sourceForm:
      let id = try #require(stage.state.shown.list.selectedRow?.source)
      stage.open(SourceFields(.source(id), entries: [.init(field: .title, stored: "", usual: "a")]))
      stage.type("b")
    case .ruleForm: try stage.press("W")
    }
    try stage.press("enter")
    let requests = stage.effects.compactMap { effect -> RequestID? in
      switch effect {
      case .sources(.add(_, let request)), .savedLists(.save(_, _, let request)),
        .quiet(.set(_, let request)),
        .programs(.save(_, _, _, let request)), .forms(.save(_, let request)), .rules(.save(_, let request)):
        request
      default: nil
      }
    }
    let request = requests.last
    return (stage, try #require(request, "\(asking): \(String(describing: stage.effects.last))"))
  }

  @Test(arguments: Asking.allCases) func escapeGivesUp(_ asking: Asking) throws {
    var (stage, request) = try stage(asking)
    #expect(stage.state.dialog.isAsking)
    try stage.press("esc")
    #expect(stage.effects.last == .giveUp(request))
    #expect(stage.state.dialog.prompt == nil && stage.state.dialog.form == nil)
    #expect(stage.state.dialog.ruleForm == nil)
    stage.send(.gaveUp(request))
    #expect(stage.bottom.contains("Given up: nothing was written."))
  }

  /// Escape before Enter only closes the prompt.
  @Test func escapeBeforeEnterGivesNothingUp() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("a")
    stage.type("slow.example")
    try stage.press("esc")
    #expect(!stage.effects.contains { if case .giveUp = $0 { true } else { false } })
  }

  @Test func whatIsWrittenAlreadyIsSaid() throws {
    var (stage, request) = try stage(.address)
    try stage.press("esc")
    stage.send(.sources(.addAnswered(request, .added(name: "slow", title: "slow"))))
    #expect(stage.bottom.contains("Added slow."))
  }
}
