import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Programs of the settings: their words, and the keys that start them.
struct BoundProgramTests {
  // MARK: Words

  @Test(arguments: [
    (["buku", "--add", "{url}"], ["buku", "--add", "https://a.example/?q=$(id)"]),
    (["a", "--title={title}: {url}", "{id}"], ["a", "--title=-rf {url}: https://a.example/?q=$(id)", "7"]),
    // The value must not be read as an option of the program.
    (["a", "{title}"], ["a", " -rf {url}"]),
    (["awk", "{print}", "{", "}", "{url"], ["awk", "{print}", "{", "}", "{url"]),
    (["a", "{source}{source}"], ["a", "x yx y"]),
  ])
  func aValueIsAPartOfOneArgument(template: [String], words: [String]) {
    let values: [ProgramTemplate.Placeholder: String] = [
      .url: "https://a.example/?q=$(id)", .title: "-rf {url}", .source: "x y", .id: "7",
    ]
    #expect(ProgramTemplate(template).filled(values) == words)
  }

  @Test(arguments: [
    (["{url}"], ProgramTemplate.Problem.program(.url)), (["/usr/bin/{title}"], .program(.title)),
    (["sh", "-c", "echo {title}"], .shell(.title)), (["/bin/bash", "-lc", "x {url}", "y"], .shell(.url)),
    (["env", "A=b", "zsh", "-e", "-c", "{id}"], .shell(.id)), (["a", "{link}"], .unknown("{link}")),
  ])
  func whatCannotBeMeantIsTold(words: [String], problem: ProgramTemplate.Problem) {
    #expect(ProgramTemplate(words).problem == problem)
  }

  @Test(arguments: [
    ["sh", "-c", "echo \"$1\"", "sh", "{title}"], ["a", "{url}"], ["bash", "script", "{url}"],
    ["awk", "{print $1}"], [],
  ])
  func whatPassesValuesAsArgumentsIsRight(words: [String]) {
    #expect(ProgramTemplate(words).problem == nil)
  }

  // MARK: Keys

  private func stage(
    _ run: [String], key: String = "B", terminal: Bool = false, url: String? = "https://a.example/1",
    html: String? = nil
  ) throws -> Stage {
    var store = ModelStore()
    store.addSource("team", title: "The team")
    store.add("A\u{1B}[2J title", age: 1) {
      $0.content.url = url
      $0.content.html = html
    }
    let program = BoundProgram(
      key: try #require(KeyPress(parsing: key)), template: ProgramTemplate(run, usesTerminal: terminal))
    let (keymap, problems) = Keymap.with(overrides: [:], programs: [program])
    #expect(problems.isEmpty)
    return Stage(
      amid: store, columns: 100, rows: 24, options: InterfaceOptions(keymap: keymap, zone: Stage.utc))
  }

  private func runs(_ stage: Stage) -> [Effect] {
    stage.effects.filter { if case .programs(.run) = $0 { true } else { false } }
  }

  @Test func aKeyStartsItsProgramWithTheMessage() throws {
    var stage = try stage(["buku", "{url}", "{title}", "{source}", "{id}"])
    try stage.press("B")
    #expect(
      runs(stage) == [
        .programs(
          .run(["buku", "https://a.example/1", "A\u{FFFD}[2J title", "team", "1"], inTerminal: false))
      ])
    #expect(stage.bottom.contains("Running buku https://a.example/1"))
    // Keeping an address is not reading.
    #expect(stage.store.messages[0].isUnread)
    stage.send(.programs(.failed(program: "buku", reason: "ended with status 1: locked")))
    #expect(stage.bottom.contains("buku: ended with status 1: locked"))
  }

  @Test func aNumberChoosesTheLink() throws {
    var stage = try stage(["w3m", "{url}"], terminal: true, html: "<a href=/2>two</a>")
    try stage.press("1", "B")
    #expect(runs(stage) == [.programs(.run(["w3m", "https://a.example/2"], inTerminal: true))])
    try stage.press("9", "B")
    #expect(stage.bottom.contains("Link 9 does not exist."))
    #expect(runs(stage).count == 1)
  }

  @Test(arguments: [
    (nil, "This message has no link."), ("javascript:1", "Only web and mail links are opened"),
    ("reddot:source/team", "Only web and mail links are opened"), ("file:///etc/passwd", "Only web"),
  ])
  func withoutAnAddressThatMayBeOpenedNothingRuns(url: String?, said: String) throws {
    var stage = try stage(["buku", "{url}"], url: url)
    try stage.press("B")
    #expect(runs(stage).isEmpty)
    #expect(stage.bottom.contains(said), "\(stage.bottom)")
  }

  @Test func whatNeedsNoMessageRunsEverywhere() throws {
    var stage = try stage(["sync"])
    try stage.press("backtab", "B")
    #expect(stage.state.focus.pane == .sources)
    #expect(runs(stage) == [.programs(.run(["sync"], inTerminal: false))])
    var other = try self.stage(["a", "{id}"])
    try other.press("backtab", "B")
    #expect(runs(other).isEmpty)
  }

  @Test func itsKeyGoesBeforeACommand() throws {
    var stage = try stage(["a", "{id}"], key: "d")
    try stage.press("d")
    #expect(runs(stage) == [.programs(.run(["a", "1"], inTerminal: false))])
    #expect(stage.acts.isEmpty)
    #expect(!stage.bottom.contains("d dismiss"))
  }

  @Test func theHelpShowsIt() throws {
    var stage = try stage(["buku", "--add", "{url}"])
    try stage.press("?")
    try stage.press("end", "right")
    #expect(stage.lines.contains { $0.contains("Your keys") })
    #expect(stage.lines.contains { $0.contains("B  ") && $0.contains("buku --add {url}") })
    try stage.press("down", "enter")
    #expect(runs(stage) == [.programs(.run(["buku", "--add", "https://a.example/1"], inTerminal: false))])
  }
}
