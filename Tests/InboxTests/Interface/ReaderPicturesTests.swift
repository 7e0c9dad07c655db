import Basics
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The pictures in a message's text: fetched while it is open, a few at a time, and drawn between its lines.
struct ReaderPicturesTests {
  private static func filler(_ name: String, _ count: Int) -> String {
    (0..<count).map { "<p>\(name) \($0)</p>" }.joined()
  }

  private func stage(
    _ html: String, columns: Int = 80, rows: Int = 24, shows: Bool = true, enclosures: [Enclosure]? = nil
  ) -> Stage {
    var store = ModelStore()
    store.addSource("blog")
    store.add("Other", age: 120, body: "Nothing to see")
    store.add("Post", age: 60, body: "text") {
      $0.content.html = html
      $0.content.url = "https://blog.example/post"
      if enclosures != nil {
        $0.content.extras = MessageExtras()
        $0.content.extras?.enclosures = enclosures
      }
    }
    return Stage(
      amid: store, columns: columns, rows: rows,
      options: InterfaceOptions(zone: Stage.utc, showsPictures: shows))
  }

  private func asked(_ stage: Stage) -> [PictureRequest] {
    stage.effects.compactMap { if case .pictures(.draw(let request)) = $0 { request } else { nil } }
  }

  private func cancelled(_ stage: Stage) -> [PictureRequest] {
    stage.effects.flatMap { effect -> [PictureRequest] in
      if case .pictures(.cancel(let requests)) = effect { requests } else { [] }
    }
  }

  private func drawing(_ rows: Int, _ sign: SafeText = "▄▄▄▄") -> PictureAnswer {
    .drawn(Array(repeating: StyledText(sign, style: Style(foreground: .rgb(255, 0, 0))), count: rows))
  }

  private func text(_ stage: Stage) -> [String] { stage.state.shown.reader.lines.map(\.plain) }

  private func topLine(_ stage: Stage) -> String {
    let reader = stage.state.shown.reader
    return reader.lines[reader.top(visible: stage.state.layout.rows(of: .reader))].plain
  }

  // MARK: When

  @Test func aPreviewFetchesNothingAndOpeningDoes() throws {
    var stage = stage("<p>Hello<p><img src='https://p.example/cat.png' alt='A cat'>", columns: 150, rows: 40)
    #expect(stage.screen.contains("[image: A cat]") && asked(stage) == [])
    try stage.press("enter")
    let request = try #require(asked(stage).first)
    #expect(asked(stage).count == 1 && request.address == "https://p.example/cat.png" && request.isInText)
    #expect(request.columns <= LayoutOptions.standardTextWidth)
    #expect(request.rows <= stage.state.layout.rows(of: .reader) / 2)
    stage.send(.pictures(.answered(request, drawing(3))))
    let line = try #require(text(stage).firstIndex { $0.contains("[image: A cat]") })
    #expect(text(stage)[(line + 1)...(line + 3)].allSatisfy { $0 == "▄▄▄▄" })
    #expect(text(stage)[line + 4] != "▄▄▄▄")
    #expect(stage.screen.contains("▄▄▄▄") && asked(stage).count == 1)
    // The picture is a part of its link.
    #expect(stage.state.shown.reader.link(line: line + 1, column: 1) == 1)
  }

  @Test func halfBlocksAreShownUntilThePictureInPixelsComes() throws {
    var stage = stage(
      "<p><img src='https://p.example/1.png' alt='1'><p>\(Self.filler("on", 2))"
        + "<p><img src='https://p.example/2.png' alt='2'>", columns: 150, rows: 40)
    try stage.press("enter")
    let request = try #require(asked(stage).first)
    guard case .drawn(let lines) = drawing(3) else { return }
    stage.send(.pictures(.answered(request, .draft(lines))))
    #expect(text(stage).filter { $0 == "▄▄▄▄" }.count == 3 && !stage.frame.hasGraphics)
    // The request is not finished, so the server gets no other request meanwhile.
    #expect(asked(stage).count == 1)
    let graphic = Graphic(
      number: 1, size: Size(columns: 4, rows: 3), width: 1, height: 1, pixels: .rgba(base64: []))
    stage.send(.pictures(.answered(request, .drawn(graphic.over(lines)))))
    #expect(text(stage).filter { $0 == "▄▄▄▄" }.count == 3)
    #expect(stage.frame.graphics.map(\.part.row) == [0, 1, 2])
    #expect(stage.frame.graphics.allSatisfy { $0.columns.count == 4 })
    #expect(asked(stage).count == 2)
    // A help page hides it.
    try stage.press("?")
    #expect(!stage.frame.hasGraphics)
  }

  @Test func withoutPicturesNothingIsFetchedAndNoRowIsEmpty() throws {
    let html = "<p>Hello<p><img src='https://p.example/cat.png' alt='A cat' width=640 height=480><p>End"
    var stage = stage(html, shows: false)
    try stage.press("enter")
    #expect(asked(stage) == [])
    #expect(text(stage).contains("[image: A cat][1]"))
    let line = try #require(text(stage).firstIndex(of: "[image: A cat][1]"))
    #expect(Array(text(stage)[(line + 1)...(line + 2)]) == ["", "End"])
    // Switched on while it is read, and off again.
    stage.send(.optionsChanged(InterfaceOptions(zone: Stage.utc, showsPictures: true)))
    let request = try #require(asked(stage).first)
    stage.send(.pictures(.answered(request, drawing(3))))
    #expect(text(stage).contains("▄▄▄▄"))
    stage.send(.optionsChanged(InterfaceOptions(zone: Stage.utc, showsPictures: false)))
    #expect(!text(stage).contains("▄▄▄▄") && Array(text(stage)[(line + 1)...(line + 2)]) == ["", "End"])
  }

  @Test(arguments: [(20, 5), (9, 24), (1, 1), (0, 0)])
  func aScreenThatIsTooSmallRequestsNothing(_ columns: Int, _ rows: Int) throws {
    var stage = stage(
      "<p>Hello<p><img src='https://p.example/a.png' alt=A width=640 height=480>", columns: columns,
      rows: rows)
    try stage.press("enter")
    #expect(asked(stage) == [])
    for _ in 0..<5 { try stage.press("j") }
    #expect(asked(stage) == [])
    #expect(stage.state.shown.reader.lines.allSatisfy { $0.columns <= max(1, columns) })
  }

  @Test func leavingTheMessageCancelsAndComingBackAsksAgain() throws {
    var stage = stage(
      "<p><img src='https://p.example/a.png' alt=A><p><img src='https://q.example/b.png' alt=B>")
    try stage.press("enter")
    let requests = asked(stage)
    #expect(requests.count == 2 && cancelled(stage) == [])
    stage.send(.pictures(.answered(requests[0], drawing(2))))
    try stage.press("h")
    #expect(cancelled(stage) == [requests[1]])
    // Cancelled requests get no response; a late response changes nothing.
    stage.send(.pictures(.answered(requests[1], drawing(5, "late"))))
    #expect(!text(stage).contains("late"))
    try stage.press("j", "enter", "h", "k", "enter")
    #expect(asked(stage).count == 4, "both of them: another message was open")
    #expect(asked(stage).suffix(2) == requests[...])
  }

  @Test func theNextMessageCancelsToo() throws {
    var stage = stage("<p><img src='https://p.example/a.png' alt=A>")
    try stage.press("enter")
    let request = try #require(asked(stage).first)
    stage.outside { store in store.messages.removeAll { $0.content.title == "Post" } }
    try stage.press("h", "enter")
    #expect(cancelled(stage) == [request])
    stage.send(.pictures(.answered(request, drawing(2))))
    #expect(!stage.screen.contains("▄▄▄▄"))
  }

  // MARK: Which

  @Test func oneAtATimeFromEachServerAndAFewInAll() throws {
    let addresses = [
      "https://p.example/1.png", "https://p.example/2.png", "https://P.example/3.png",
      "https://q.example/4.png", "https://r.example/5.png",
    ]
    let html = addresses.map { "<img src='\($0)' alt=x><br>" }.joined()
    var stage = stage(html, rows: 40)
    try stage.press("enter")
    #expect(asked(stage).map(\.address) == [addresses[0], addresses[3]])
    stage.send(.pictures(.answered(asked(stage)[0], drawing(1))))
    #expect(asked(stage).map(\.address).last == addresses[1])
    stage.send(.pictures(.answered(asked(stage)[1], .failed(.undecodable))))
    #expect(asked(stage).map(\.address).last == addresses[4])
    stage.send(.pictures(.answered(asked(stage)[2], drawing(1))))
    #expect(asked(stage).map(\.address).last?.hasSuffix("/3.png") == true)
    for request in asked(stage).suffix(2) { stage.send(.pictures(.answered(request, drawing(1)))) }
    #expect(asked(stage).count == 5, "a failed one isn't asked for again")
    try stage.press("j", "k")
    #expect(asked(stage).count == 5)
  }

  @Test func whatIsVisibleComesFirstAndWhatIsFarAwayIsNotFetched() throws {
    let html =
      "<p><img src='https://p.example/top.png' alt=x>" + Self.filler("Line", 40)
      + "<p><img src='https://p.example/end.png' alt=x>"
    var stage = stage(html)
    try stage.press("enter")
    let first = try #require(asked(stage).first)
    #expect(first.address.hasSuffix("/top.png") && asked(stage).count == 1)
    stage.send(.pictures(.answered(first, drawing(4))))
    #expect(asked(stage).count == 1)
    try stage.press("G")
    #expect(asked(stage).map(\.address).last?.hasSuffix("/end.png") == true)
  }

  @Test func aMessageHasSoManyPicturesAndNotMore() throws {
    let html = (0..<100).map { "<img src='https://h\($0).example/p.png' alt=x><br>" }.joined()
    var stage = stage(html, rows: 60)
    try stage.press("enter")
    var answered = 0
    while answered < asked(stage).count {
      stage.send(.pictures(.answered(asked(stage)[answered], drawing(1))))
      answered += 1
      if answered == 10 { for _ in 0..<8 { try stage.press("space") } }
      #expect(answered <= Limits.messagePictures)
    }
    try stage.press("G")
    try stage.press("g")
    #expect(asked(stage).count <= Limits.messagePictures)
  }

  @Test func anEnclosedPictureIsDrawnBelowItsLine() throws {
    var stage = stage(
      "<p>Text<p><img src='https://p.example/a.png' alt=A>",
      enclosures: [
        Enclosure(url: "https://p.example/a.png", type: "image/png"),
        Enclosure(url: "https://q.example/b.jpg", type: "image/jpeg", length: 5000),
        Enclosure(url: "https://q.example/c.mp3", type: "audio/mpeg"),
        Enclosure(url: "file:///etc/passwd", type: "image/png"),
      ])
    try stage.press("enter")
    #expect(Set(asked(stage).map(\.address)) == ["https://p.example/a.png", "https://q.example/b.jpg"])
    let request = try #require(asked(stage).first { $0.address.hasSuffix("b.jpg") })
    stage.send(.pictures(.answered(request, drawing(2))))
    let line = try #require(text(stage).firstIndex { $0.contains("image/jpeg, 5.0 kB") })
    #expect(text(stage)[line + 1] == "▄▄▄▄" && text(stage)[line + 2] == "▄▄▄▄")
    #expect(text(stage)[line + 3].contains("audio/mpeg"))
  }

  // MARK: Where

  @Test func aKnownSizeReservesItsRows() throws {
    let html = "<p>Hello<p><img src='https://p.example/a.png' alt=A width=160 height=64><p>End"
    var stage = stage(html)
    try stage.press("enter")
    let request = try #require(asked(stage).first)
    #expect(request.columns == 20 && request.rows == 4)
    let before = text(stage)
    let line = try #require(before.firstIndex(of: "[image: A][1]"))
    #expect(before[(line + 1)...(line + 5)].allSatisfy(\.isEmpty) && before[line + 6] == "End")
    stage.send(.pictures(.answered(request, drawing(4))))
    #expect(text(stage).count == before.count && text(stage)[line + 6] == "End")
    #expect(text(stage)[line + 4] == "▄▄▄▄" && text(stage)[line + 5] == "")
  }

  @Test func reservedRowsOfAPictureThatFailsAreGivenBack() throws {
    let html = "<p>Hello<p><img src='https://p.example/a.png' alt=A width=160 height=64><p>End"
    var stage = stage(html)
    try stage.press("enter")
    let request = try #require(asked(stage).first)
    let line = try #require(text(stage).firstIndex(of: "[image: A][1]"))
    for failure in [PictureFailure.unknownFormat] {
      stage.send(.pictures(.answered(request, .failed(failure))))
      #expect(Array(text(stage)[line...(line + 2)]) == ["[image: A][1]", "", "End"])
    }
    #expect(!stage.screen.contains("No picture"))
  }

  @Test func aPictureOfOnePixelLeavesNothing() throws {
    var stage = stage("<p>Hello<p><img src='https://p.example/a.png' alt=A><p>End")
    try stage.press("enter")
    let before = text(stage)
    stage.send(.pictures(.answered(try #require(asked(stage).first), .drawn([]))))
    #expect(text(stage) == before && asked(stage).count == 1)
  }

  @Test func withoutTheProgramThatDrawsOneHintIsEnough() throws {
    let html = (0..<5).map { "<p><img src='https://h\($0).example/p.png' alt=x>" }.joined()
    var stage = stage(html, rows: 40)
    try stage.press("enter")
    let count = asked(stage).count
    for request in asked(stage) { stage.send(.pictures(.answered(request, .failed(.noDecoder)))) }
    #expect(asked(stage).count == count)
    #expect(text(stage).filter { $0.contains("chafa, which draws pictures, is not installed") }.count == 1)
  }

  @Test func aPictureWithoutDescriptionHasBlankLinesAroundIt() throws {
    let html = "<p>One</p><p><img src='https://p.example/a.png' alt='' width=160 height=64></p><p>Two</p>"
    var stage = stage(html)
    try stage.press("enter")
    stage.send(.pictures(.answered(try #require(asked(stage).first), drawing(4))))
    let line = try #require(text(stage).firstIndex(of: "One"))
    #expect(
      Array(text(stage)[line...(line + 7)]) == ["One", "", "▄▄▄▄", "▄▄▄▄", "▄▄▄▄", "▄▄▄▄", "", "Two"])
  }

  @Test func aPictureAboveTheTopLineDoesNotMoveTheText() throws {
    let html =
      "<p>Start<p><img src='https://p.example/a.png' alt=A><p><img src='https://q.example/b.png' alt=B>"
      + Self.filler("Line", 60)
    var stage = stage(html)
    try stage.press("enter")
    let requests = asked(stage)
    #expect(requests.count == 2)
    for _ in 0..<17 { try stage.press("j") }
    let top = topLine(stage)
    #expect(top.hasPrefix("Line"))
    let before = stage.lines
    stage.send(.pictures(.answered(requests[1], drawing(7))))
    #expect(topLine(stage) == top && stage.lines.dropFirst() == before.dropFirst())
    stage.send(.pictures(.answered(requests[0], drawing(9))))
    #expect(topLine(stage) == top && stage.lines.dropFirst() == before.dropFirst())
    try stage.press("g")
    #expect(topLine(stage) != top && text(stage).filter { $0 == "▄▄▄▄" }.count == 16)
  }

  @Test func theRowOfAPictureAtTheTopStaysToo() throws {
    let html =
      "<p><img src='https://p.example/a.png' alt=A><p><img src='https://q.example/b.png' alt=B>"
      + Self.filler("Line", 60)
    var stage = stage(html)
    try stage.press("enter")
    let requests = asked(stage)
    stage.send(
      .pictures(
        .answered(
          requests[1], .drawn((0..<8).map { StyledText(SafeText(untrusted: "row \($0)")) }))))
    while topLine(stage) != "row 3" { try stage.press("j") }
    stage.send(.pictures(.answered(requests[0], drawing(9))))
    #expect(topLine(stage) == "row 3")
  }

  @Test func aResizeDrawsThemAgain() throws {
    var stage = stage("<p><img src='https://p.example/a.png' alt=A>", columns: 100, rows: 40)
    try stage.press("enter")
    let first = try #require(asked(stage).last)
    stage.send(.pictures(.answered(first, drawing(3))))
    stage.resize(30, 20)
    let second = try #require(asked(stage).last)
    #expect(second.columns < first.columns && second.rows < first.rows)
    #expect(text(stage).contains("▄▄▄▄"), "the old one fits")
    stage.send(.pictures(.answered(second, drawing(2, "▀▀"))))
    #expect(text(stage).contains("▀▀") && !text(stage).contains("▄▄▄▄"))
  }

  @Test func aPosterAndAPictureOfOneServerComeOneAfterTheOther() throws {
    var stage = stage("<p><img src='https://p.example/a.png' alt=A>")
    stage.outside { store in
      store.messages[1].content.extras = MessageExtras()
      store.messages[1].content.extras?.poster = "https://p.example/poster.png"
    }
    try stage.press("enter")
    #expect(asked(stage).map(\.address) == ["https://p.example/poster.png"])
    stage.send(.pictures(.answered(asked(stage)[0], drawing(2))))
    #expect(asked(stage).map(\.address).last == "https://p.example/a.png")
  }
}
