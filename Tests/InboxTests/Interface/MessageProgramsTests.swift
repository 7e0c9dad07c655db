import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Messages for commands, files and the pager.
struct MessageProgramsTests {
  private func stage(_ columns: Int = 100) -> Stage {
    var store = ModelStore()
    store.addSource("team", title: "Team")
    store.add("Release 4.2: what's new?", age: 1, body: "Much.")
    return Stage(amid: store, columns: columns, rows: 24)
  }

  /// The message in the middle of the list.
  private static func given(_ stage: Stage) -> GivenMessages {
    GivenMessages([stage.store.row(stage.store.messages[0]).key])
  }

  // MARK: Commands

  @Test(arguments: [
    ([], MessageForm.markdown, "Give to:"), (["2"], .html, "Give HTML to:"), (["3"], .json, "Give JSON to:"),
  ])
  func theNumberBeforeTheKeyIsTheForm(count: [String], form: MessageForm, label: String) throws {
    var stage = stage()
    for key in count { try stage.press(key) }
    try stage.press("|")
    #expect(stage.bottom.contains(label))
    stage.type("wc -l | cat")
    try stage.press("enter")
    #expect(stage.effects.last == .programs(.pipe(Self.given(stage), form, command: "wc -l | cat")))
    #expect(stage.bottom.contains("Running wc -l | cat"))
    #expect(stage.state.dialog.prompt == nil)
  }

  @Test func itsResultIsShownAtTheBottom() throws {
    var stage = stage()
    stage.send(.programs(.piped(command: "wc", .ended(status: 0, said: "12\u{1B}[31m"))))
    #expect(stage.bottom.contains("wc ended with status 0: 12\u{FFFD}[31m"))
    stage.send(.programs(.piped(command: "false", .ended(status: 1, said: nil))))
    #expect(stage.bottom.contains("false ended with status 1."))
    stage.send(.programs(.piped(command: "x", .failed(reason: "did not end within 300 s"))))
    #expect(stage.bottom.contains("x has failed: did not end within 300 s"))
  }

  @Test func theLastCommandComesBackWithTheUpKey() throws {
    var stage = stage()
    try stage.press("|")
    stage.type("lp")
    try stage.press("enter", "|", "up", "enter")
    #expect(stage.effects.last == .programs(.pipe(Self.given(stage), .markdown, command: "lp")))
  }

  @Test func withoutACommandNothingRuns() throws {
    var stage = stage()
    try stage.press("|", "enter", "|", "x", "esc")
    #expect(!stage.effects.contains { if case .programs(.pipe) = $0 { true } else { false } })
    #expect(stage.state.dialog.prompt == nil)
  }

  // MARK: Files

  @Test func aSafeNameIsProposed() throws {
    var stage = stage()
    try stage.press(">")
    #expect(stage.bottom.contains("Save as: Release-4.2-what-s-new.md"))
    try stage.press("enter")
    #expect(
      stage.effects.last
        == .programs(
          .save(Self.given(stage), path: "Release-4.2-what-s-new.md", replacing: false, stage.asked)))
    stage.send(
      .programs(.saved(stage.asked, Self.given(stage), .saved(path: "/home/me/Release-4.2-what-s-new.md"))))
    #expect(stage.bottom.contains("Saved in /home/me/Release-4.2-what-s-new.md"))
    #expect(stage.state.dialog.prompt == nil)
  }

  @Test(arguments: [
    ("../../etc/passwd", "etc-passwd.md"), ("-rf /", "rf.md"), (".bashrc", "bashrc.md"),
    ("a\u{1B}[2Jb", "a-2Jb.md"),
    ("消息：中心", "消息-中心.md"), ("", "message-7.md"), ("???", "message-7.md"), ("v1.2...", "v1.2.md"),
    ("a\u{202E}fdp.exe", "afdp.exe.md"), ("a\nb", "a-b.md"),
    ("a\u{D4E}/b", "a-b.md"), ("a\u{301}", "a\u{301}.md"), ("दिन", "दिन.md"),
    (String(repeating: "界", count: 100), String(repeating: "界", count: 26) + ".md"),
  ])
  func namesAreOneVisibleComponentOfAPath(title: String, name: String) {
    #expect(MessageForm.fileName(title: title, id: 7) == name)
  }

  @Test(arguments: [
    ("a.md", MessageForm.markdown), ("a.MARKDOWN", .markdown), ("a.html", .html), ("dir.json/a", .text),
    ("b/a.json", .json), ("a.txt", .text), ("a", .text), ("", .text),
  ])
  func theEndOfTheNameIsTheForm(file: String, form: MessageForm) {
    #expect(MessageForm(file: file) == form)
  }

  @Test func aFileThatIsThereIsReplacedAfterOneMoreEnterOnly() throws {
    var stage = stage()
    try stage.press(">", "enter")
    stage.send(.programs(.saved(stage.asked, Self.given(stage), .isThere)))
    #expect(stage.bottom.contains("This file already exists: enter replaces it"))
    // If the name is changed, Enter asks again.
    try stage.press("backspace", "enter")
    #expect(
      stage.effects.last
        == .programs(
          .save(Self.given(stage), path: "Release-4.2-what-s-new.m", replacing: false, stage.asked)))
    stage.send(.programs(.saved(stage.asked, Self.given(stage), .isThere)))
    try stage.press("enter")
    #expect(
      stage.effects.last
        == .programs(.save(Self.given(stage), path: "Release-4.2-what-s-new.m", replacing: true, stage.asked))
    )
  }

  @Test func whatWentWrongKeepsThePrompt() throws {
    var stage = stage()
    try stage.press(">", "enter")
    stage.send(
      .programs(
        .saved(stage.asked, Self.given(stage), .failed(reason: "cannot be written: No space left on device")))
    )
    #expect(stage.bottom.contains("cannot be written: No space left on device"))
    #expect(stage.state.dialog.prompt != nil)
    try stage.press("esc")
    #expect(stage.state.dialog.prompt == nil)
  }

  // MARK: Several messages

  private static func numbers(_ given: GivenMessages, _ stage: Stage) -> [String] {
    given.keys.compactMap { key in stage.state.shown.list.rows.first { $0.key == key }?.title }
  }

  @Test(arguments: [(ListOrder.newest, ["1", "3", "5"]), (.oldest, ["5", "3", "1"])])
  func whatIsMarkedIsGivenInTheOrderOfTheList(order: ListOrder, numbers: [String]) throws {
    let layout = LayoutOptions(order: order)
    var stage = Stage(
      .long(7), columns: 100, rows: 24,
      options: InterfaceOptions(words: .english, zone: Stage.utc, layout: layout))
    // Mark messages from the bottom to the top.
    try stage.press("G", "k", "v", "k", "k", "k", "v", "k", "k", "k", "v", "|")
    stage.type("wc")
    try stage.press("enter")
    guard case .programs(.pipe(let given, .markdown, "wc"))? = stage.effects.last else {
      Issue.record("nothing is given")
      return
    }
    #expect(Self.numbers(given, stage) == numbers.map { "Message \($0)" })
    #expect(given.parts.isEmpty)
    #expect(stage.state.shown.list.marks.isEmpty)
  }

  @Test func aWholeListIsNamedByItsEnds() throws {
    var stage = Stage(.long(3000), columns: 100, rows: 24)
    try stage.press("*", "v", ">")
    #expect(stage.bottom.contains("Save as: messages.md"))
    try stage.press("enter")
    guard case .programs(.save(let given, "messages.md", false, _))? = stage.effects.last else {
      Issue.record("nothing is saved")
      return
    }
    #expect(given.parts.count == 1 && given.except.count == 1 && given.keys.count < 1000)
    stage.send(.programs(.saved(stage.asked, given, .saved(path: "/home/me/messages.md", onlyFirst: 1000))))
    #expect(stage.bottom.contains("Only the first 1000: Saved in /home/me/messages.md"))
    #expect(stage.state.shown.list.marks.isEmpty)
    stage.send(.programs(.piped(command: "wc", .ended(status: 0, said: nil), onlyFirst: 1000)))
    #expect(stage.bottom.contains("Only the first 1000: wc ended with status 0."))
  }

  @Test func whatIsMarkedInTheListIsNotMeantInTheReader() throws {
    var stage = Stage(.long(7), columns: 100, rows: 24)
    try stage.press("v", "v", "enter", "|")
    stage.type("wc")
    try stage.press("enter")
    guard case .programs(.pipe(let given, _, _))? = stage.effects.last else {
      Issue.record("nothing is given")
      return
    }
    #expect(Self.numbers(given, stage) == ["Message 2"])
  }

  @Test func severalAreOnePageWithALineBetween() {
    var other = message { $0.html = "<p>Two<b>" }
    other.content.url = "https://b.example/"
    let page = PaperPage.html([message { _ in }, other], of: [], options: options)
    #expect(page.components(separatedBy: "<!DOCTYPE html>").count == 2)
    #expect(page.contains("</article>\n<hr>\n<article>"))
    #expect(!page.contains("<base"))
  }

  // MARK: The pager

  @Test func theReaderHandsItsMessageToThePager() throws {
    var stage = stage()
    try stage.press("enter", "v")
    #expect(stage.effects.last == .programs(.showInPager(MessageID(1))))
    stage.send(.programs(.failed(program: "less", reason: "ended with status 127")))
    #expect(stage.bottom.contains("less: ended with status 127"))
  }

  @Test func theWelcomeGoesNowhere() throws {
    var stage = Stage(ModelStore(), columns: 80, rows: 24)
    try stage.press("|", ">", "enter", "v")
    #expect(stage.state.dialog.prompt == nil)
    #expect(!stage.effects.contains { if case .programs(.showInPager) = $0 { true } else { false } })
  }

  // MARK: Forms

  private func message(_ change: (inout IncomingMessage) -> Void) -> Message {
    var store = ModelStore()
    store.addSource("team", title: "Team")
    store.add("A <title>", age: 0, body: "Text & more.") { change(&$0.content) }
    return store.messages[0]
  }

  private let options = InterfaceOptions(zone: Stage.utc)

  @Test func markdownNamesTitleOriginAndAddress() {
    let message = message {
      $0.url = "https://a.example/1"
      $0.author = "Jane"
      $0.html = "<p>One <b>two</b>\u{1B}[31m</p>"
      $0.extras = MessageExtras()
      $0.extras?.actions = [MessageAction(label: "Yes", url: "https://a.example/y")]
    }
    let lines = PaperPage.markdown(message, of: [], options: options).components(separatedBy: "\n")
    #expect(lines[0] == "# A \\<title>")
    #expect(lines[2].contains("Jane · "))
    #expect(lines[4] == "<https://a.example/1>")
    #expect(lines[6].hasPrefix("One **two**"))
    #expect(lines.contains("- [Yes](https://a.example/y)"))
    #expect(!lines.joined().contains("\u{1B}"))
  }

  @Test func whatWasWrittenAsMarkdownStaysAsItWas() {
    let message = message {
      $0.body = "* a\n* [b](https://a.example/)"
      $0.extras = MessageExtras()
      $0.extras?.format = .markdown
      $0.extras?.actions = [MessageAction(label: "Yes", url: "https://a.example/y")]
    }
    let text = PaperPage.markdown(message, of: [], options: options)
    #expect(text.hasSuffix("\n\n* a\n* [b](https://a.example/)\n\n- [Yes](https://a.example/y)\n"))
  }

  @Test func anHTMLPageIsCompleteAndHasNoTerminalControls() {
    let message = message {
      $0.url = "https://a.example/1?a=\"b"
      $0.html = "<p>One\u{1B}[31m\u{202E}</p>"
    }
    let page = PaperPage.html([message], of: [], options: options)
    #expect(page.hasPrefix("<!DOCTYPE html>\n"))
    #expect(page.contains("<h1><a href=\"https://a.example/1?a=&quot;b\">A &lt;title&gt;</a></h1>"))
    #expect(page.contains("<p>One&#x1b;[31m&#x202e;</p>"))
    #expect(page.contains("script-src 'none'"))
    let plain = PaperPage.html([self.message { _ in }], of: [], options: options)
    #expect(plain.contains("<pre>Text &amp; more.</pre>"))
  }
}
