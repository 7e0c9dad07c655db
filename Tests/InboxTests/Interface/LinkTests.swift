import Foundation
import Messages
import Screen
import Testing

@testable import Interface

struct LinkTests {
  private static func store(_ html: String, url: String? = nil) -> ModelStore {
    var store = ModelStore()
    store.addSource("a")
    store.add("Links", age: 1) {
      $0.content.html = html
      $0.content.url = url
    }
    return store
  }

  private static let many = store(
    (1...12).map { "<p><a href=\"/p\($0)\">page \($0)</a></p>" }.joined(), url: "https://a.example/")

  private func opened(_ stage: Stage) -> [String] {
    stage.effects.compactMap { if case .links(.open(let url)) = $0 { url } else { nil } }
  }

  @Test func theOnlyLinkOpensAtOnceAndIsShown() throws {
    var stage = Stage(amid: Self.store("Hello", url: "https://a.example/x"), columns: 80, rows: 24)
    try stage.press("o")
    #expect(opened(stage) == ["https://a.example/x"])
    #expect(stage.bottom.contains("Opening https://a.example/x"))
    // A message is read if its link is opened.
    #expect(stage.acts.contains(.read([MessageID(1)])))
  }

  @Test func ofSeveralTheMessagesOwnOpensAtOnce() throws {
    var stage = Stage(amid: Self.many, columns: 80, rows: 24)
    try stage.press("o")
    #expect(opened(stage) == ["https://a.example/"])
    #expect(stage.state.dialog.prompt == nil)
    try stage.press("enter", "o", "5", "o", "1", "2", "o")
    #expect(
      opened(stage).dropFirst() == ["https://a.example/", "https://a.example/p5", "https://a.example/p12"])
  }

  @Test func wrongNumbersOpenNothing() throws {
    var stage = Stage(amid: Self.many, columns: 80, rows: 24)
    try stage.press("enter", "9", "9", "o")
    #expect(stage.bottom.contains("Link 99 does not exist."))
    #expect(opened(stage).isEmpty && stage.state.focus.pane == .reader)
  }

  /// The address is already above the text.
  @Test(arguments: [
    "<p>A <a href=\"https://a.example/x\">link to itself</a> and <a href=\"/y\">another</a></p>",
    "A link to itself https://a.example/x and [another](https://a.example/y)",
    "A link to itself https://a.example/x and https://a.example/y",
  ])
  func noFootnoteRepeatsTheMessagesOwnLink(text: String) throws {
    var store = Self.store(text, url: "https://a.example/x")
    if !text.hasPrefix("<") {
      store.messages[0].content.html = nil
      store.messages[0].content.body = text
      store.messages[0].content.extras = MessageExtras()
      store.messages[0].content.extras?.format = text.contains("[") ? .markdown : nil
    }
    store.messages[0].content.extras = store.messages[0].content.extras ?? MessageExtras()
    store.messages[0].content.extras?.actions = [MessageAction(label: "Open", url: "https://a.example/x")]
    var stage = Stage(amid: store, columns: 80, rows: 24)
    try stage.press("enter")
    let footnotes = stage.lines.filter { $0.trimmingCharacters(in: .whitespaces).hasPrefix("[") }
    #expect(footnotes.count == 1 && footnotes[0].contains("https://a.example/y"), "\(stage.screen)")
    #expect(stage.screen.contains("link to itself"))
    try stage.press("1", "o", "o")
    #expect(opened(stage) == ["https://a.example/y", "https://a.example/x"])
    // The text itself is already a link.
    let row = try #require(stage.lines.firstIndex { $0.contains("link to itself") })
    let column = text.hasPrefix("<") ? 6 : 22
    for kind in [Mouse.Kind.click, .doubleClick] {
      stage.send(.input(.mouse(Mouse(kind: kind, at: Point(column: column, row: row)))))
    }
    #expect(opened(stage).last == "https://a.example/x" && opened(stage).count == 3)
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "ssh://x/", "-x"])
  func otherSchemesAreNeverOpened(url: String) throws {
    var stage = Stage(amid: Self.store("<a href=\"\(url)\">x</a>", url: url), columns: 80, rows: 24)
    try stage.press("enter", "o", "enter", "1", "o")
    #expect(opened(stage).isEmpty)
    try stage.press("o")
    #expect(stage.bottom.contains("Only web and mail links are opened"))
  }

  @Test func aMessageWithoutLinksSaysSo() throws {
    var stage = Stage(amid: Self.store("Hello"), columns: 80, rows: 24)
    try stage.press("o")
    #expect(stage.bottom.contains("This message has no link."))
    try stage.press("y")
    #expect(stage.bottom.contains("This message has no link."))
  }

  @Test func copyingTakesTheSameLink() throws {
    var stage = Stage(amid: Self.many, columns: 80, rows: 24)
    try stage.press("y", "3", "y")
    let copied = stage.effects.compactMap { if case .links(.copy(let url, _)) = $0 { url } else { nil } }
    #expect(copied == ["https://a.example/", "https://a.example/p3"])
    #expect(stage.bottom.contains("Copied https://a.example/p3"))
    #expect(stage.store.messages[0].isUnread)
  }

  @Test func whereTheTerminalCannotCopyTheAddressIsShownToBeSelected() throws {
    var stage = Stage(amid: Self.many, columns: 40, rows: 10)
    stage.hasClipboard = false
    let long = "https://a.example/" + String(repeating: "path/", count: 12)
    stage.store.messages[0].content.url = long
    try stage.press("enter", "y")
    #expect(!stage.screen.contains("Copied"))
    #expect(stage.screen.contains("reddot cannot copy in this terminal."))
    #expect(stage.lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined().contains(long))
    #expect(stage.lines.contains { $0.hasPrefix("https://a.example/") })
    try stage.press("esc")
    #expect(stage.state.dialog.overlay == nil)
  }

  @Test func actionsAndPicturesAreNumberedAfterTheText() throws {
    var store = Self.store("<a href=\"https://a.example/1\">one</a>")
    store.messages[0].content.extras = MessageExtras()
    store.messages[0].content.extras?.actions = [
      MessageAction(label: "Approve", url: "https://a.example/yes"),
      MessageAction(label: "Bad", url: "javascript:1"),
    ]
    store.messages[0].content.extras?.poster = "https://a.example/p.png"
    var stage = Stage(amid: store, columns: 80, rows: 24)
    try stage.press("enter")
    #expect(stage.screen.contains("[2] Approve  https://a.example/yes"))
    #expect(stage.screen.contains("[3] Image  https://a.example/p.png"))
    #expect(!stage.screen.contains("Bad"))
    try stage.press("2", "o")
    #expect(opened(stage) == ["https://a.example/yes"])
  }

  @Test func linksInsideGoInside() throws {
    var store = ModelStore.sample
    store.messages[0].content.html = "<a href='reddot:source/team'>x</a><a href='reddot:message/3'>y</a>"
    var stage = Stage(store, columns: 80, rows: 24)
    try stage.press("j", "enter", "2", "o")
    #expect(stage.state.shown.reader.message?.content.title == "Tests done")
    #expect(stage.state.focus.pane == .reader)
    try stage.press("h", "enter", "1", "o")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(2)))
    #expect(opened(stage).isEmpty)
  }

  @Test func aDoubleClickOnALinkOpensIt() throws {
    var stage = Stage(amid: Self.many, columns: 80, rows: 24)
    try stage.press("enter")
    let row = try #require(stage.lines.firstIndex { $0.contains("page 3") })
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 3, row: row)))))
    #expect(opened(stage).isEmpty)
    stage.send(.input(.mouse(Mouse(kind: .doubleClick, at: Point(column: 3, row: row)))))
    #expect(opened(stage) == ["https://a.example/p3"])
  }

  @Test func aDoubleClickOpensTheMessagesOwnAddress() throws {
    var stage = Stage(amid: Self.many, columns: 80, rows: 24)
    try stage.press("enter")
    let row = try #require(stage.lines.firstIndex { $0.contains("https://a.example/") })
    for kind in [Mouse.Kind.click, .doubleClick] {
      stage.send(.input(.mouse(Mouse(kind: kind, at: Point(column: 3, row: row)))))
    }
    #expect(opened(stage) == ["https://a.example/"])
  }

  @Test func aFailingOpenerIsReported() {
    var stage = Stage(columns: 80, rows: 24)
    stage.send(.links(.failed(address: "https://a.example", reason: "no such program\u{1B}")))
    #expect(stage.bottom.contains("✗ https://a.example was not opened: no such program\u{FFFD}"))
  }
}
