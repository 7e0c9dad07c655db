import Foundation
import Messages
import Queries
import Screen
import Testing

@testable import Interface
@testable import Words

/// No sentence at the bottom is cut: its end may contain the remedy.
struct WholeSentencesTests {
  private static let host = "a-rather-long-name.of-a-host.example"
  private static let reason = "the certificate has expired 12 days ago, on 17 November; set verify or ca_file"

  /// Returns the case after another one, so that the compiler notices a missing case.
  private static func after(_ failure: FetchFailure) -> FetchFailure? {
    switch failure {
    case .invalidAddress: .nameNotFound(host: host)
    case .nameNotFound: .refused(host: host, port: 8443)
    case .refused: .unreachable(host: host, reason: reason)
    case .unreachable: .timedOut(.handshake, seconds: 15)
    case .timedOut: .tls(host: host, reason: reason)
    case .tls: .status(503, reason: reason)
    case .status: .gone
    case .gone: .heldBack(status: 429)
    case .heldBack: .tooLarge(limit: 1 << 20)
    case .tooLarge: .cutOff(received: 12_345)
    case .cutOff: .redirectLoop(limit: 10)
    case .redirectLoop: .badRedirect("file:///etc/passwd")
    case .badRedirect: .insecureRedirect("http://\(host)/feed")
    case .insecureRedirect: .notAFeed(found: "a page", alternates: ["https://\(host)/feed.xml"])
    case .notAFeed: .malformed(line: 12, reason: reason)
    case .malformed: .cursorStuck(page: 3)
    case .cursorStuck: .file(path: "/home/ada/feeds/\(host)", reason: reason)
    case .file: .credentials(reason: reason)
    case .credentials: .program(reason: reason)
    case .program: .storage(reason: reason)
    case .storage: .cancelled
    case .cancelled: nil
    }
  }

  private static let failures = Array(
    sequence(first: FetchFailure.invalidAddress("nowhere at all"), next: after))

  @Test(arguments: failures, [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)])
  func aFailureIsWhole(_ failure: FetchFailure, size: Size) throws {
    let sentence = Words.english.sentence(failure).text
    var stage = Stage(columns: size.columns, rows: size.rows)
    stage.send(.failed(.store(failure)))
    #expect(has(stage, sentence), "\(stage.screen)")
    // This also applies next to the typed text.
    try stage.press("a")
    stage.type("example")
    try stage.press("enter")
    stage.send(.sources(.addAnswered(stage.asked, .failed(failure))))
    #expect(has(stage, sentence), "\(stage.screen)")
    #expect(stage.bottom.contains("example"))
  }

  /// Whether the screen contains a sentence, with any line breaks. In a form, the sentence may be to the left of the trial of a
  /// rule.
  private func has(_ stage: Stage, _ sentence: String) -> Bool {
    let wanted = sentence.filter { $0 != " " }
    let left = stage.lines.map { $0.prefix { $0 != "│" } }.joined()
    return [stage.lines.joined(), left].contains { $0.filter { $0 != " " }.contains(wanted) }
  }

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)])
  func aMistakeInTheSettingsIsWhole(size: Size) {
    var stage = Stage(columns: size.columns, rows: size.rows)
    stage.send(
      .settings(
        .mistaken(
          "config.toml:12: tokn: is not a setting here; did you mean token? known are name, title, short, kind"
        ))
    )
    #expect(stage.lastLines.contains("tokn: is not a setting here; did you mean token?"), "\(stage.screen)")
  }

  // MARK: Queries and rules as they are typed

  private static let mistaken = [
    "titel:x", "nonsense:x", "title:", "is:staarred", "is:nonsense", "before:nonsense", "older:3x", "id:/x/",
    "\"open", "/open", "(open", ")", "()", "a OR", "NOT", "\"!!\"", "/(/", "/[/", "/a{2/", "/*/", "/[z-a]/",
    "/[[:nonsense:]]/", "/(?C1)x/", "/\\/", "priority:9",
  ]

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10), Size(columns: 40, rows: 12)])
  func aMistakeInAQueryIsWhole(size: Size) throws {
    for text in Self.mistaken {
      let form = RuleForm(RuleRow(name: "noise", condition: text, actions: ["star"]), besides: [])
      let mistake = try #require(form.mistake, "\(text)")
      let sentence = Words.english.sentence(mistake, settings: "E").text
      var stage = Stage(columns: size.columns, rows: size.rows)
      stage.state.dialog.ruleForm = form
      #expect(has(stage, sentence), "\(sentence)\n\(stage.screen)")
      // While a search is typed, an unfinished condition is no error.
      stage = Stage(columns: size.columns, rows: size.rows)
      try stage.press("/")
      stage.send(.input(.paste(text)))
      if let mistake = stage.state.searchMistake {
        #expect(has(stage, Words.english.sentence(mistake.reason).text), "\(stage.screen)")
      }
    }
  }

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)])
  func aMistakeInARuleIsWhole(size: Size) throws {
    for (name, actions) in [
      ("noise", ["sttar"]), ("noise", ["nonsense"]), ("noise", ["tag:"]), ("noise", ["read:x"]),
      ("noise", ["priority:9"]), ("noise", ["run"]), ("noise", []), ("taken", ["star"]),
    ] {
      var row = RuleRow(name: name, condition: "title:x", actions: actions)
      let others = [RuleRow(name: "taken", condition: "title:y", actions: ["star"])]
      if name == "taken" { row.name = "other" }
      var form = RuleForm(row, besides: others)
      if name == "taken" { form.name = LineEditor("taken") }
      let mistake = try #require(form.mistake, "\(actions)")
      var stage = Stage(columns: size.columns, rows: size.rows)
      stage.state.dialog.ruleForm = form
      #expect(has(stage, Words.english.sentence(mistake, settings: "E").text), "\(stage.screen)")
    }
  }

  // MARK: Keys and articles

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)])
  func aMistakeInTheKeysIsWhole(size: Size) throws {
    let key = try #require(KeyPress(parsing: "ctrl-x"))
    let problems: [Keymap.Problem] = [
      .unknownCommand("next_unred"), .unknownKey("contrl-x", command: .previousUnread),
      .digit(KeyPress("7"), command: .previousUnread),
      .clash(KeySequence(key), .previousUnread, .removeSource),
    ]
    for problem in problems {
      var stage = Stage(columns: size.columns, rows: size.rows)
      stage.send(.settings(.keymapProblems([problem])))
      #expect(has(stage, Words.english.sentence(problem).text), "\(stage.screen)")
    }
  }

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)])
  func anArticleThatIsNotThereIsWhole(size: Size) throws {
    let failures: [ArticleFailure] = [
      .noAddress, .notAPage(type: "application/octet-stream", host: Self.host), .noText(host: Self.host),
      .heldBack(host: Self.host, until: ModelStore.start + 3600),
      .fetch(.tls(host: Self.host, reason: Self.reason), host: Self.host),
    ]
    for failure in failures {
      var stage = Stage(columns: size.columns, rows: size.rows)
      try stage.press("j", "F")
      guard case .articles(.find(let request))? = stage.effects.last(where: { $0.isArticle }) else {
        Issue.record("no request")
        return
      }
      stage.send(.articles(.answered(request, .failed(failure, kept: nil))))
      let sentence = Words.english.sentence(failure, open: "o", zone: Stage.utc).text
      #expect(has(stage, sentence), "\(sentence)\n\(stage.screen)")
    }
  }

  /// A sentence that needs one line takes nothing from the list.
  @Test func aShortSentenceHasOneLine() {
    var stage = Stage(columns: 80, rows: 24)
    let before = stage.lines.dropLast()
    stage.send(.failed(.store(.gone)))
    #expect(stage.lines.dropLast() == before)
  }
}

extension Effect {
  fileprivate var isArticle: Bool { if case .articles(.find) = self { true } else { false } }
}
