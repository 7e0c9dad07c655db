import Foundation
import Messages
import Screen
import Testing

@testable import Interface

/// The number of a search's matches, their positions on the screen, and the way from one to the next.
struct SearchHitsTests {
  private func searching(
    _ text: String, in store: ModelStore, columns: Int = 120, rows: Int = 24
  ) throws -> Stage {
    var stage = Stage(store, columns: columns, rows: rows)
    try stage.press("/")
    stage.type(text)
    try stage.press("enter")
    return stage
  }

  /// Three messages with the word in their titles; the second has it on three lines of its text.
  private static let needles: ModelStore = {
    var store = ModelStore()
    store.addSource("a", title: "Needle works")
    store.add("First needle", age: 60, body: "nothing here")
    store.add("Second needle", age: 120) {
      let filler = "<p>hay</p>"
      let needle = "<p>a Needle in the hay</p>"
      $0.content.html = [needle, needle, String(repeating: filler, count: 40), needle].joined()
    }
    store.add("Third needle", age: 180, body: "the needle, many")
    store.add("Hay", age: 240)
    return store
  }()

  /// `needles` with another title of the source, since the title is shown above the text.
  private static let needlesOfOthers: ModelStore = {
    var store = needles
    store.sources[0].title = "Works"
    return store
  }()

  /// Returns the marked text on the screen, row by row.
  private func marked(_ stage: Stage) -> [String] {
    let frame = stage.frame
    return (0..<frame.size.rows).flatMap { row -> [String] in
      let cells = frame.row(row)
      return cells.split { $0.style.background != .ansi(3) }.map { $0.map(\.text).joined() }
    }
  }

  @Test(arguments: [
    ("strasse", "Straße und STRASSE", ["Straße", "STRASSE"]), ("елка", "Наша ёлка", ["ёлка"]),
    ("ประชุม", "การประชุมพรุ่งนี้", ["ประชุม"]), ("हिन्दी", "हिन्दी समाचार", ["हिन्दी"]),
  ])
  func whatTheIndexFindsIsMarked(words: String, title: String, marks: [String]) throws {
    let matcher = try #require(SearchMatcher(InboxQuery(search: words)))
    let found = matcher.matches(in: title.unicodeScalars.enumerated().map { (scalar: $1, place: $0) })
    let scalars = Array(title.unicodeScalars)
    #expect(found.map { String(String.UnicodeScalarView(scalars[$0.first...$0.last])) } == marks)
  }

  // MARK: How many

  @Test func theBottomSaysWhichHitOfHowMany() throws {
    var stage = try searching("needle", in: Self.needles)
    #expect(stage.bottom.hasSuffix("1 of 3"))
    try stage.press("j", "j")
    #expect(stage.bottom.hasSuffix("3 of 3"))
    try stage.press("esc")
    #expect(!stage.bottom.contains(" of "))
  }

  @Test func itIsSaidWhileTheSearchIsTyped() throws {
    var stage = Stage(Self.needles, columns: 80, rows: 24)
    try stage.press("/")
    stage.type("need")
    #expect(stage.bottom.contains("1 of 3"))
    stage.type("lework")
    #expect(!stage.bottom.contains(" of "))
  }

  @Test func moreThanTheWindowHoldsIsCountedOnceTheSearchStands() throws {
    var stage = Stage(.long(600), columns: 80, rows: 24)
    try stage.press("/")
    stage.type("message")
    #expect(stage.bottom.contains("more than 200"))
    #expect(!stage.effects.contains { if case .search(.findHits) = $0 { true } else { false } })
    try stage.press("enter")
    #expect(stage.bottom.hasSuffix("1 of 600"))
    try stage.press("G")
    #expect(stage.bottom.hasSuffix("600 of 600"))
    stage.outside { $0.add("Message new", age: -60) }
    #expect(stage.bottom.hasSuffix("601 of 601"))
  }

  @Test func notMoreThanAThousandAreCounted() throws {
    var stage = try searching("message", in: .long(1500), columns: 80)
    #expect(stage.bottom.hasSuffix("1 of more than 1,000"))
    try stage.press("G")
    #expect(stage.bottom.hasSuffix("more than 1,000"))
  }

  // MARK: Where

  @Test func hitsAreMarkedInTitlesAndNotInNamesOfSources() throws {
    var stage = try searching("needle", in: Self.needles, columns: 80)
    try stage.press("G")
    // The selected row has the selection's colours; an underline is left of the mark.
    #expect(marked(stage) == ["needle", "needle"])
    let row = try #require(stage.state.layout.messages).origin.row + 2
    let underlined = stage.frame.row(row).filter { $0.style.attributes.contains(.underline) }
    #expect(underlined.map(\.text).joined() == "needle")
  }

  @Test func hitsAreMarkedInTheText() throws {
    var stage = try searching("\"needle in\"", in: Self.needles)
    stage.outside { $0.messages[1].content.title = "Second \"needle in\"" }
    try stage.press("enter")
    // One match is in the list, one above the text, and two in its visible part.
    #expect(marked(stage) == ["needle in", "needle in", "Needle in", "Needle in"])
  }

  /// The word is in each of its strings.
  private static let everywhere: ModelStore = {
    var store = ModelStore()
    store.addSource("a", title: "Works")
    store.add("One needle", age: 60, body: "a needle in the hay\n\nneedle again") {
      $0.content.author = "Ms Needle"
      $0.content.tags = ["needle"]
    }
    return store
  }()

  @Test(arguments: [
    ("title:needle", ["needle", "needle"]), ("body:needle", ["needle", "needle"]),
    ("author:needle", ["Needle"]), ("from:/need/", ["Need"]), ("title:/n.e/", ["nee", "nee"]),
    ("needle", ["needle", "needle", "Needle", "needle", "needle", "needle"]),
    ("title:one body:hay", ["One", "One", "hay"]),
  ])
  func aConditionOnOneTextIsMarkedOnlyThere(search: String, found: [String]) throws {
    var stage = Stage(amid: Self.everywhere, columns: 150, rows: 24)
    try stage.press("enter")
    // The model of the store knows no fields.
    stage.state.shown.list.show(InboxQuery(search: search))
    #expect(marked(stage).sorted() == found.sorted())
  }

  @Test func theNextHitIsInTheTextThatIsNamed() throws {
    var stage = Stage(amid: Self.everywhere, columns: 80, rows: 24)
    try stage.press("enter")
    stage.state.shown.list.show(InboxQuery(search: "body:needle"))
    stage.state.shown.list.giveUpLanding()
    try stage.press("n")
    let place = try #require(stage.frame.parkedCursor)
    #expect(stage.lines[place.row].contains("a needle in the hay"))
  }

  @Test func aTitleThatTheTextBeginsWithIsMarkedThere() throws {
    var store = ModelStore()
    store.addSource("a", title: "Works")
    store.add("A needle", age: 60, body: "A needle\nin the hay")
    var stage = Stage(amid: store, columns: 80, rows: 24)
    try stage.press("enter")
    stage.state.shown.list.show(InboxQuery(search: "title:needle"))
    #expect(marked(stage) == ["needle"])
  }

  // MARK: From one to the next

  @Test func nGoesThroughTheTextAndOnToTheNextMessage() throws {
    var stage = try searching("needle", in: Self.needlesOfOthers, columns: 80)
    try stage.press("j", "enter")
    #expect(stage.selectedTitle == "Second needle")
    func line() -> String {
      guard let place = stage.frame.parkedCursor else { return "" }
      return stage.lines[place.row].trimmingCharacters(in: .whitespaces)
    }
    var lines: [String] = []
    for _ in 0..<4 {
      try stage.press("n")
      lines.append(line())
    }
    #expect(lines == ["Second needle"] + Array(repeating: "a Needle in the hay", count: 3))
    #expect(stage.state.shown.reader.scroll > 0)
    try stage.press("n")
    #expect(stage.selectedTitle == "Third needle" && stage.state.focus.pane == .reader)
    #expect(line() == "Third needle")
    #expect(stage.state.shown.list.selectedRow?.isUnread == false)
    try stage.press("n")
    #expect(line() == "the needle, many")
  }

  @Test func theOtherWayTheLastHitComesFirst() throws {
    var stage = try searching("needle", in: Self.needlesOfOthers, columns: 80)
    try stage.press("G", "enter", "N", "N", "N")
    #expect(stage.selectedTitle == "Second needle")
    #expect(stage.state.shown.reader.scroll > 0)
    try stage.press("N", "N", "N", "N")
    #expect(stage.selectedTitle == "First needle")
  }

  @Test func inTheListTheNextHitIsTheNextMessage() throws {
    var store = Self.needles
    store.messages[1].isUnread = false
    var stage = try searching("needle", in: store)
    try stage.press("n")
    #expect(stage.selectedTitle == "Second needle" && stage.state.focus.pane == .messages)
    try stage.press("n", "n")
    #expect(stage.selectedTitle == "Third needle" && stage.bottom.contains("Nothing found below."))
    try stage.press("N", "N", "N")
    #expect(stage.bottom.contains("Nothing found above."))
    try stage.press("esc", "n")
    #expect(stage.selectedTitle == "Third needle", "without a search it is the next unread one")
  }

  // MARK: What matches

  @Test(arguments: [
    ("needle", "A Needle, needles.", ["Needle", "needles"]),
    ("need le", "need le lemon", ["need", "le", "lemon"]),
    ("\"in the\" hay", "in the hay in them", ["in the", "hay"]),
    ("cafe", "Café CAFÉ cafe\u{301}s", ["Café", "CAFÉ", "cafe\u{301}s"]),
    ("a -b", "a b", ["a"]), ("消息", "中文消息中心", ["消息"]), ("x", "xylophone x", ["xylophone", "x"]),
    ("/n[eo]/", "one no", ["ne", "no"]), ("", "a", []),
    ("ＡＢ", "ab ＡＢＣ", ["ab", "ＡＢＣ"]), ("-", "a - b", []),
  ])
  func wordsMatchAsTheIndexMatchesThem(search: String, text: String, found: [String]) {
    let scalars = Array(text.unicodeScalars)
    let matches =
      SearchMatcher(InboxQuery(search: search))?.matches(in: scalars.enumerated().map { ($1, $0) }) ?? []
    let texts = matches.map { String(String.UnicodeScalarView(scalars[$0.first...$0.last])) }
    #expect(texts == found)
  }

  @Test func aPhraseThatGoesOnInTheNextRowIsMarked() throws {
    let (start, end) = (String(repeating: "a", count: 40), String(repeating: "b", count: 40))
    var store = ModelStore()
    store.addSource("s")
    store.add("\"\(start) \(end)\"", age: 60, body: "so \(start) \(end) it is")
    var stage = try searching("\"\(start) \(end)\"", in: store, columns: 80)
    try stage.press("enter")
    #expect(marked(stage) == [start, end, start, end])
  }
}
