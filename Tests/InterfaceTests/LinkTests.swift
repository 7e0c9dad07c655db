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
    stage.effects.compactMap { if case .openLink(let url) = $0 { url } else { nil } }
  }

  @Test func theOnlyLinkOpensAtOnceAndIsShown() throws {
    var stage = Stage(Self.store("Hello", url: "https://a.example/x"), columns: 80, rows: 24)
    try stage.press("o")
    #expect(opened(stage) == ["https://a.example/x"])
    #expect(stage.bottom.contains("Opening https://a.example/x"))
    // A message is read if its link is opened.
    #expect(stage.acts.contains(.read([MessageID(1)])))
  }

  @Test func ofSeveralOneIsChosen() throws {
    var stage = Stage(Self.many, columns: 80, rows: 24)
    try stage.press("enter", "o")
    #expect(stage.bottom.contains("1 to 12; enter for https://a.example/"))
    stage.type("5")
    #expect(opened(stage) == ["https://a.example/p5"])
    #expect(stage.state.dialog.prompt == nil)
  }

  @Test func aNumberThatCouldBeLongerWaits() throws {
    var stage = Stage(Self.many, columns: 80, rows: 24)
    try stage.press("enter", "o", "1")
    #expect(opened(stage).isEmpty)
    // The address is visible before it is opened.
    #expect(stage.bottom.contains("https://a.example/p1"))
    try stage.press("2")
    #expect(opened(stage) == ["https://a.example/p12"])
    try stage.press("o", "1", "enter", "o", "enter", "1", "1", "o")
    #expect(
      opened(stage).dropFirst() == ["https://a.example/p1", "https://a.example/", "https://a.example/p11"])
  }

  @Test func wrongNumbersOpenNothing() throws {
    var stage = Stage(Self.many, columns: 80, rows: 24)
    try stage.press("enter", "9", "9", "o")
    #expect(stage.bottom.contains("Link 99 does not exist."))
    try stage.press("o", "x", "0", "1", "3")
    #expect(opened(stage).isEmpty)
    try stage.press("esc")
    #expect(stage.state.dialog.prompt == nil)
    #expect(stage.state.focus.pane == .reader)
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "ssh://x/", "-x"])
  func otherSchemesAreNeverOpened(url: String) throws {
    var stage = Stage(Self.store("<a href=\"\(url)\">x</a>", url: url), columns: 80, rows: 24)
    try stage.press("enter", "o", "enter", "1", "o")
    #expect(opened(stage).isEmpty)
    try stage.press("o")
    #expect(stage.bottom.contains("Only web and mail links are opened"))
  }

  @Test func aMessageWithoutLinksSaysSo() throws {
    var stage = Stage(Self.store("Hello"), columns: 80, rows: 24)
    try stage.press("o")
    #expect(stage.bottom.contains("This message has no link."))
    try stage.press("y")
    #expect(stage.bottom.contains("This message has no link."))
  }

  @Test func copyingTakesTheSameLink() throws {
    var stage = Stage(Self.many, columns: 80, rows: 24)
    try stage.press("y", "3", "y")
    let copied = stage.effects.compactMap { if case .copy(let url, _) = $0 { url } else { nil } }
    #expect(copied == ["https://a.example/", "https://a.example/p3"])
    #expect(stage.bottom.contains("Copied https://a.example/p3"))
    #expect(stage.store.messages[0].isUnread)
  }

  @Test func whereTheTerminalCannotCopyTheAddressIsShownToBeSelected() throws {
    var stage = Stage(Self.many, columns: 40, rows: 10)
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
    var stage = Stage(store, columns: 80, rows: 24)
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
    var stage = Stage(Self.many, columns: 80, rows: 24)
    try stage.press("enter")
    let row = try #require(stage.lines.firstIndex { $0.contains("page 3") })
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 3, row: row)))))
    #expect(opened(stage).isEmpty)
    stage.send(.input(.mouse(Mouse(kind: .doubleClick, at: Point(column: 3, row: row)))))
    #expect(opened(stage) == ["https://a.example/p3"])
  }

  @Test func aDoubleClickOpensTheMessagesOwnAddress() throws {
    var stage = Stage(Self.many, columns: 80, rows: 24)
    try stage.press("enter")
    let row = try #require(stage.lines.firstIndex { $0.contains("https://a.example/") })
    for kind in [Mouse.Kind.click, .doubleClick] {
      stage.send(.input(.mouse(Mouse(kind: kind, at: Point(column: 3, row: row)))))
    }
    #expect(opened(stage) == ["https://a.example/"])
  }

  @Test func aFailingOpenerIsReported() {
    var stage = Stage(columns: 80, rows: 24)
    stage.send(.linkFailed(address: "https://a.example", reason: "no such program\u{1B}"))
    #expect(stage.bottom.contains("✗ https://a.example was not opened: no such program\u{FFFD}"))
  }
}
