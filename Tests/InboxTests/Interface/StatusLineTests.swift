import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The sentences at the bottom: their duration, and the page where they can be read again.
struct StatusLineTests {
  private static let failure = Action.failed(.hook(reason: "no such file"))
  private static let sentence = "A feature's program was not run: no such file"

  private func stage(columns: Int = 80, rows: Int = 24) -> Stage { Stage(columns: columns, rows: rows) }

  private func wait(_ seconds: Double, _ stage: inout Stage) {
    stage.send(.timeChanged(stage.state.now + seconds))
  }

  @Test func aFailureThatCameWithAKeyStaysUntilItCouldBeRead() throws {
    var stage = stage()
    stage.send(Self.failure)
    wait(0.5, &stage)
    try stage.press("j", "k")
    #expect(stage.bottom.contains(Self.sentence))
    wait(1.6, &stage)
    #expect(stage.bottom.contains(Self.sentence), "no key, no change")
    try stage.press("j")
    #expect(!stage.bottom.contains(Self.sentence))
  }

  @Test func newsGoWithTheNextKey() throws {
    var stage = stage()
    try stage.press("j", "d")
    #expect(stage.bottom.contains("Dismissed."))
    try stage.press("j")
    #expect(!stage.bottom.contains("Dismissed."))
  }

  @Test func newsDoNotReplaceAFailureThatNobodyCouldRead() throws {
    var stage = stage()
    try stage.press("j")
    stage.send(Self.failure)
    try stage.press("d")
    #expect(stage.bottom.contains(Self.sentence))
    wait(3, &stage)
    try stage.press("d")
    #expect(stage.bottom.contains("Dismissed."))
  }

  @Test(arguments: ["/", "a"]) func whatIsSaidBehindAPromptIsReadAfterIt(prompt: String) throws {
    var stage = stage()
    try stage.press(prompt)
    stage.send(Self.failure)
    wait(10, &stage)
    stage.type("abc")
    try stage.press("esc")
    #expect(stage.bottom.contains(Self.sentence))
    wait(1, &stage)
    try stage.press("j")
    #expect(stage.bottom.contains(Self.sentence), "it is in sight only now")
  }

  // MARK: The page of what was said

  @Test(arguments: [(80, 24), (40, 10)])
  func everythingSaidCanBeReadAgainInFull(columns: Int, rows: Int) throws {
    var stage = stage(columns: columns, rows: rows)
    let reason =
      "a long reason of which a line holds " + String(repeating: "a part ", count: 30) + "to the end"
    stage.send(.failed(.hook(reason: reason)))
    wait(5, &stage)
    try stage.press("j", "d", "M")
    var text = ""
    for _ in 0..<12 {
      text += stage.screen
      try stage.press("pgdn")
    }
    let seen = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(seen.contains("to the end") && seen.contains("Dismissed."))
    let news = try #require(seen.range(of: "Dismissed.")), old = try #require(seen.range(of: "A feature's"))
    #expect(news.lowerBound < old.lowerBound, "the newest is first")
    #expect(seen.contains("14:00:05"), "\(seen.prefix(200))")
    try stage.press("M")
    #expect(stage.state.dialog.overlay == nil)
  }

  @Test func itSaysSoWhereNothingWasSaid() throws {
    var stage = stage()
    try stage.press("M")
    #expect(stage.screen.contains("No messages yet."))
  }

  @Test func itKeepsTheNewest() {
    var line = StatusLine()
    for number in 0..<1000 { line.toast = Toast("\(number)") }
    #expect(line.said.count == 200 && line.said.first?.toast.text == "999")
  }

  @Test func whatAPromptRefusedIsKeptToo() throws {
    var stage = stage()
    try stage.press("a")
    stage.type("x")
    try stage.press("enter")
    stage.send(.sources(.addAnswered(stage.asked, .failed(.nameNotFound(host: "x")))))
    try stage.press("esc", "M")
    #expect(stage.screen.contains("No server named x was found."))
  }

  // MARK: Mistakes in the settings

  @Test(arguments: [80, 40])
  func whatIsWrongInTheSettingsIsInSight(columns: Int) throws {
    var stage = stage(columns: columns)
    stage.send(
      .settings(
        .mistaken(
          "config.toml:112: intervall: is not a setting here; known are address, ca_file, command, interval"))
    )
    #expect(stage.lastLines.contains("112: intervall: is not a setting here; known are address, ca_file,"))
    #expect(stage.lastLines.contains("command, interval"), "\(stage.screen)")
    stage.send(.settings(.mistaken(nil)))
    stage.send(.settings(.taken(problem: "config.toml:7: when: titel is not a field; did you mean title?")))
    #expect(stage.lastLines.contains("7: when: titel is not a field; did you mean title?"), "\(stage.screen)")
    try stage.press("M")
    #expect(stage.screen.contains("config.toml:112:") && stage.screen.contains("config.toml:7:"))
  }

  @Test func aClashOfKeysIsInSightUntilItIsCorrected() throws {
    var stage = stage()
    let clash = "[keys] s is given to both dismiss and toggle_star; dismiss has it."
    let problem = Keymap.Problem.clash(KeySequence(KeyPress("s")), .dismiss, .toggleStar)
    stage.send(.settings(.keymapProblems([problem])))
    #expect(stage.bottom.contains(clash))
    try stage.press("j", "j")
    #expect(stage.bottom.contains(clash))
    // The next mistake does not wait for a key.
    stage.send(.settings(.mistaken("config.toml:4: mouse: must be true or false")))
    #expect(stage.bottom.contains("4: mouse: must be true or false"))
    stage.send(.settings(.mistaken(nil)))
    #expect(stage.bottom.contains(clash))
    stage.send(.settings(.keymapProblems([])))
    #expect(!stage.bottom.contains("[keys]"))
    stage.send(.settings(.restartNeeded(["database"])))
    stage.send(.settings(.mistaken("config.toml:5: mouse: must be true or false")))
    #expect(stage.bottom.contains("5: mouse: must be true or false"))
    try stage.press("M")
    #expect(stage.screen.contains(clash))
  }

  @Test func aShortMistakeIsShownWithItsFile() {
    var stage = stage(columns: 120)
    stage.send(.settings(.mistaken("config.toml:4: mouse: must be true or false")))
    #expect(
      stage.bottom.contains("The settings stay as they were: config.toml:4: mouse: must be true or false"))
  }

  // MARK: Keys of forms and prompts

  @Test(arguments: [(80, 24), (40, 10)])
  func underAFormAreItsKeys(columns: Int, rows: Int) throws {
    var stage = stage(columns: columns, rows: rows)
    let entries = SourceFields.Field.ofSources.map { SourceFields.Entry(field: $0, stored: "", usual: "x") }
    stage.open(SourceFields(.source(SourceID(1)), entries: entries))
    #expect(stage.bottom.contains("enter save  esc cancel  tab next field"))
    #expect(!stage.bottom.contains("dismiss"))
  }

  @Test(arguments: ["a", "z", "Q", "|", "S"])
  func besideWhatIsTypedAreThePromptsKeys(key: String) throws {
    var stage = stage(columns: 100)
    try stage.press("j")
    if key == "S" {
      try stage.press("/")
      stage.type("swift")
      try stage.press("enter")
    }
    try stage.press(key)
    stage.type("2h")
    #expect(stage.bottom.contains("enter accept  esc cancel"), "\(stage.bottom)")
  }

  // MARK: Programs

  @Test func openingEndsWithTheProgram() throws {
    var stage = stage()
    try stage.press("j", "o")
    let address = "https://www.swift.org/blog/swift-6.3"
    if stage.state.dialog.prompt != nil { try stage.press("enter") }
    #expect(stage.bottom.contains("Opening \(address)"))
    stage.send(.links(.opened(address: "https://other.example")))
    #expect(stage.bottom.contains("Opening"))
    stage.send(.links(.opened(address: address)))
    #expect(!stage.bottom.contains("Opening"))
  }

  @Test func openingSeveralEndsWithTheLast() throws {
    var stage = stage()
    stage.store.messages[1].content.url = "https://team.example/1"
    stage.outside { $0.messages[1].content.url = "https://team.example/1" }
    let request = stage.state.pending.ask()
    stage.state.pending.addresses = request
    stage.send(
      .links(
        .addressesFound(request, [MessageID(1): "https://a.example/", MessageID(2): "https://b.example/"])))
    #expect(stage.bottom.contains("Opening 2 links"))
    stage.send(.links(.opened(address: "https://b.example/")))
    #expect(stage.bottom.contains("Opening 2 links"))
    stage.send(.links(.opened(address: "https://a.example/")))
    #expect(!stage.bottom.contains("Opening"))
  }

  @Test func aProgramsSentenceEndsWithIt() throws {
    let program = BoundProgram(key: KeyPress("b"), template: ProgramTemplate(["sync", "-a"]))
    let keymap = Keymap.with(overrides: [:], programs: [program]).keymap
    var stage = Stage(columns: 80, rows: 24, options: InterfaceOptions(keymap: keymap, zone: Stage.utc))
    try stage.press("b")
    #expect(stage.bottom.contains("Running sync -a"))
    stage.send(.programs(.ended(["sync", "-a"])))
    #expect(!stage.bottom.contains("Running"))
  }
}
