import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Finding text in the message that is read.
struct FindTests {
  /// The middle one of three messages is read: 60 lines, three of which have the word.
  private static func stage(
    columns: Int = 80, rows: Int = 24, options: InterfaceOptions = InterfaceOptions(zone: Stage.utc)
  )
    throws -> Stage
  {
    var store = ModelStore()
    store.addSource("team", title: "The team")
    store.addSource("blog", title: "Blog")
    store.add("First", age: 10, body: "needle in the first")
    store.add(
      "Second", source: 2, age: 20,
      body: (1...60).map { [20, 40, 50].contains($0) ? "Line \($0) has a Néedle here" : "Line \($0)" }
        .joined(separator: "\n"))
    store.add("Third", age: 30, body: "needle in the third")
    var stage = Stage(store, columns: columns, rows: rows, options: options)
    try stage.press("j", "enter")
    #expect(stage.state.shown.reader.message?.content.title == "Second")
    stage.effects = []
    return stage
  }

  private func line(_ stage: Stage) -> String? {
    stage.state.shown.reader.hit.map {
      stage.state.shown.reader.lines[$0].plain.trimmingCharacters(in: .whitespaces)
    }
  }

  @Test(arguments: [(160, 45), (80, 24), (40, 10)])
  func itGoesThroughThePlacesAndAroundTheEnds(columns: Int, rows: Int) throws {
    var stage = try Self.stage(columns: columns, rows: rows)
    try stage.press("/")
    stage.type("needle")
    #expect(line(stage)?.hasPrefix("Line 20") == true && stage.screen.contains("Line 20 has"))
    #expect(stage.bottom.contains("Find: needle"))
    try stage.press("enter", "n")
    #expect(line(stage)?.hasPrefix("Line 40") == true && stage.screen.contains("Line 40 has"))
    try stage.press("n")
    #expect(line(stage)?.hasPrefix("Line 50") == true)
    try stage.press("n")
    #expect(line(stage)?.hasPrefix("Line 20") == true)
    #expect(stage.bottom.contains("Continued from the beginning."), "\(stage.bottom)")
    try stage.press("N")
    #expect(line(stage)?.hasPrefix("Line 50") == true && stage.bottom.contains("Continued from the end."))
    // The opened message and the list stay the same.
    #expect(stage.state.shown.list.query.search == nil)
    #expect(stage.state.shown.reader.message?.content.title == "Second")
  }

  /// Matches are marked in every set of colours, and the current match differs.
  @Test func whatIsFoundIsMarked() throws {
    for hasColors in [true, false] {
      var options = InterfaceOptions(zone: Stage.utc)
      options.colors = hasColors ? .direct : .none
      var stage = try Self.stage(rows: 60, options: options)
      let before = stage.frame
      try stage.press("/")
      stage.type("needle")
      try stage.press("enter")
      let after = stage.frame
      let rows = after.bounds.rows.filter { row in
        after.bounds.columns.contains { before[$0, row].style != after[$0, row].style }
      }
      let lines = after.lines()
      #expect(rows.filter { lines[$0].contains("Néedle") }.count == 3, "\(stage.screen)")
      let styles = rows.compactMap { row in
        lines[row].firstRange(of: "Néedle").map {
          after[lines[row].distance(from: lines[row].startIndex, to: $0.lowerBound), row].style
        }
      }
      #expect(styles.count == 3 && styles[0] != styles[1] && styles[1] == styles[2])
    }
  }

  @Test func escapeShowsWhatWasThereBefore() throws {
    var stage = try Self.stage()
    try stage.press("pgdn")
    let before = stage.lines.dropLast()
    try stage.press("/")
    stage.type("line 50")
    #expect(stage.lines.dropLast() != before)
    try stage.press("esc")
    #expect(stage.lines.dropLast() == before && stage.state.shown.reader.find == nil)
    // The keys move between messages again.
    try stage.press("n")
    #expect(stage.state.shown.reader.message?.content.title == "Third")
  }

  @Test func escapeAfterwardsEndsIt() throws {
    var stage = try Self.stage()
    try stage.press("/")
    stage.type("needle")
    try stage.press("enter", "esc")
    #expect(stage.state.focus.pane == .reader && stage.state.shown.reader.find == nil)
    try stage.press("esc")
    #expect(stage.state.focus.pane == .messages)
    // In the list the key searches the list.
    try stage.press("/")
    stage.type("third")
    try stage.press("enter")
    #expect(stage.state.shown.list.query.search == "third ")
  }

  @Test(arguments: [(160, 45), (80, 24), (40, 10)])
  func whatIsNotThereSaysSo(columns: Int, rows: Int) throws {
    var stage = try Self.stage(columns: columns, rows: rows)
    try stage.press("/")
    stage.type("needless")
    #expect(stage.lastLines.contains("Not found in this message."), "\(stage.screen)")
    // Enter accepts nothing that is not there.
    try stage.press("enter")
    #expect(stage.state.dialog.prompt?.editor.text == "needless")
    try stage.press("backspace", "backspace", "enter")
    #expect(line(stage)?.hasPrefix("Line 20") == true && stage.state.dialog.prompt == nil)
  }

  @Test func theOnlyPlaceSaysSo() throws {
    var stage = try Self.stage()
    try stage.press("/")
    stage.type("line 33")
    try stage.press("enter", "n")
    #expect(stage.bottom.contains("This is the only match.") && line(stage) == "Line 33")
  }

  @Test func keysThatAreTypedAheadFindThePlace() throws {
    var stage = try Self.stage()
    try stage.press("/", "n", "e", "e", "d", "l", "e", "enter", "n", "u")
    #expect(line(stage)?.hasPrefix("Line 40") != true)
    #expect(stage.acts.first == .unread([MessageID(2)]))
  }

  /// Long text is laid out in parts: parts that are not laid out yet are searched too.
  @Test func theEndOfALongTextIsFound() throws {
    var store = ModelStore()
    store.addSource("team", title: "The team")
    store.add("Before", age: 10)
    store.add(
      "Long", age: 20,
      body: (0..<4000).map { $0 == 3900 ? "the needle" : "Line \($0) of many" }.joined(separator: "\n"))
    store.add("After", age: 30)
    var stage = Stage(store, columns: 80, rows: 24)
    try stage.press("j", "enter", "/")
    stage.type("needle")
    try stage.press("enter")
    #expect(stage.screen.contains("the needle"), "\(stage.screen)")
  }

  @Test func anotherMessageEndsIt() throws {
    var stage = try Self.stage()
    try stage.press("/")
    stage.type("needle")
    try stage.press("enter", "d")
    #expect(stage.state.shown.reader.find == nil)
    #expect(stage.state.shown.reader.message?.content.title == "Third")
  }

  @Test(arguments: [
    ("NEEDLE", true), ("a need", true), ("résumé", true), ("resume", true), ("two  lines", true),
    ("eed", true),
    ("missing", false), ("", false), ("  ", false),
  ])
  func textsAreFoundAsTheyAreTyped(text: String, isThere: Bool) {
    let lines = "A Needle.\nThe Resume\u{301} of two\nlines."
    let matches = TextFinder(text)?.matches(
      in: lines.unicodeScalars.enumerated().map { (scalar: $0.element, place: $0.offset) },
      fields: { _ in [] })
    #expect((matches?.count ?? 0) == (isThere ? 1 : 0))
  }
}
