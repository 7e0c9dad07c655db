import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The page of a message's links, and what is copied of a message.
struct LinksPageTests {
  private static func stage(
    columns: Int = 80, rows: Int = 24, options: InterfaceOptions = InterfaceOptions(zone: Stage.utc)
  )
    throws -> Stage
  {
    var store = ModelStore()
    store.addSource("team", title: "The team")
    store.addSource("blog", title: "Blog")
    store.add("First", age: 10) { $0.content.url = "https://a.example/other" }
    store.add("Second", source: 2, age: 20, body: "One, two and three") {
      $0.content.url = "https://a.example/own"
      $0.content.html =
        "<p><a href='https://b.example/1'>One</a>, <a href='https://b.example/2'>two</a> and "
        + "<a href='https://b.example/3'>three</a>"
    }
    store.add("Third", age: 30)
    var stage = Stage(store, columns: columns, rows: rows, options: options)
    try stage.press("j")
    stage.effects = []
    return stage
  }

  private func opened(_ stage: Stage) -> [String] {
    stage.effects.compactMap { if case .links(.open(let address)) = $0 { address } else { nil } }
  }

  private func copied(_ stage: Stage) -> [String] {
    stage.effects.compactMap { if case .links(.copy(let text, _)) = $0 { text } else { nil } }
  }

  @Test(arguments: [(160, 45), (80, 24), (40, 10)])
  func linksAreListedWithTheirNumbers(columns: Int, rows: Int) throws {
    for keys in [["L"], ["enter", "L"]] {
      var stage = try Self.stage(columns: columns, rows: rows)
      for key in keys { try stage.press(key) }
      let lines = stage.lines.map { $0.replacing(#/\x20+/#, with: " ") }
      #expect(lines.contains { $0.contains("Links of this message") }, "\(stage.screen)")
      #expect(lines.contains { $0.contains("▌ own link https://a.example") }, "\(stage.screen)")
      for (number, label) in [(1, "One"), (2, "two"), (3, "three")] {
        #expect(
          lines.contains { $0.contains(" \(number) \(label) https://b.example/\(number)") }, "\(stage.screen)"
        )
      }
      #expect(stage.bottom.contains("enter"))
    }
  }

  @Test func enterOpensTheSelectedOne() throws {
    var stage = try Self.stage()
    try stage.press("L", "j", "j", "enter")
    #expect(opened(stage) == ["https://b.example/2"] && stage.state.dialog.overlay == nil)
    #expect(stage.acts == [.read([MessageID(2)])])
    // A number selects, as before the key that opens a link.
    try stage.press("L", "3", "enter")
    #expect(opened(stage).last == "https://b.example/3")
    try stage.press("L", "o")
    #expect(opened(stage).last == "https://a.example/own")
    #expect(opened(stage).count == 3)
  }

  @Test func yCopiesTheSelectedOneAndStays() throws {
    var stage = try Self.stage()
    try stage.press("L", "G", "y")
    #expect(copied(stage) == ["https://b.example/3"] && stage.bottom.contains("Copied https://b.example/3"))
    try stage.press("k", "y", "L")
    #expect(copied(stage).last == "https://b.example/2" && stage.state.dialog.overlay == nil)
  }

  @Test func withoutALinkThereIsNoPage() throws {
    var stage = try Self.stage()
    try stage.press("j", "L")
    #expect(stage.state.dialog.overlay == nil && stage.bottom.contains("This message has no link."))
  }

  @Test func aDoubleClickOpens() throws {
    var stage = try Self.stage()
    try stage.press("L")
    let row = try #require(stage.lines.firstIndex { $0.contains("b.example/2") })
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 9, row: row)))))
    #expect(opened(stage).isEmpty)
    stage.send(.input(.mouse(Mouse(kind: .doubleClick, at: Point(column: 9, row: row)))))
    #expect(opened(stage) == ["https://b.example/2"])
  }

  @Test func keysThatAreTypedAheadMeanTheMessageThatWasSelected() throws {
    var stage = try Self.stage()
    let keys = ["L", "2", "enter"]
    stage.laysOut = true
    for key in keys { stage.send(.input(.key(try #require(KeyPress(parsing: key))))) }
    #expect(opened(stage) == ["https://b.example/2"])
  }

  @Test func manyLinksScroll() throws {
    var store = ModelStore()
    store.addSource("team", title: "The team")
    store.add("Many", age: 10) {
      $0.content.html = (1...40).map { "<a href='https://b.example/\($0)'>link \($0)</a> " }.joined()
    }
    var stage = Stage(store, columns: 40, rows: 10)
    try stage.press("L")
    for number in 1...40 {
      let place = try #require(stage.frame.parkedCursor)
      #expect(stage.lines[place.row].contains("link \(number) "), "\(stage.screen)")
      try stage.press("j")
    }
  }

  // MARK: The text

  @Test func capitalYCopiesTheText() throws {
    var stage = try Self.stage()
    try stage.press("y", "Y")
    #expect(copied(stage) == ["https://a.example/own", "Second\n\nOne, two and three"])
    #expect(stage.bottom.contains("Copied the text of this message."))
    // Copying is not reading.
    #expect(stage.acts.isEmpty)
  }

  @Test func whereNothingCopiesTheTextIsShown() throws {
    var stage = try Self.stage()
    stage.hasClipboard = false
    try stage.press("Y")
    #expect(stage.lines.contains("Second") && stage.lines.contains("One, two and three"), "\(stage.screen)")
    #expect(stage.frame.links.isEmpty)
  }
}
