import Foundation
import Markup
import Messages
import Screen
import Testing

@testable import Interface

/// A banner's view next to the panes: its position, its keys, and what pressing does.
struct BannerViewTests {
  private static let html = """
    <h1>Version 4.2</h1><p>It is <b>faster</b>. <a href="https://a.example/notes">Notes</a></p>
    <button onclick="later()">Later</button> <button onclick="openUrl('https://a.example/get')">Update</button>
    """

  private func stage(
    columns: Int = 80, rows: Int = 24, height: Int? = 5, origin: BannerPlacement.Origin = .bottom,
    html: String = html, animations: Bool = false
  ) -> Stage {
    var stage = Stage(
      columns: columns, rows: rows, options: InterfaceOptions(zone: Stage.utc, animations: animations))
    stage.send(.banner(.raised(BannerPlacement(source: "campaigns", rows: height, origin: origin))))
    stage.send(.banner(.loaded(ViewPage(html: html, base: "https://a.example/view.html"))))
    return stage
  }

  /// A script of the view has done that.
  private func change(_ stage: inout Stage, _ changes: ViewChange...) {
    guard var page = stage.state.shown.banner?.page else { return }
    for change in changes { page.apply(change) }
    stage.send(.banner(.changed(page)))
  }

  private func asked(_ stage: Stage) -> [Effect] {
    stage.effects.filter {
      switch $0 {
      case .banner(.layOut): false
      case .banner, .links(.open): true
      case _: false
      }
    }
  }

  private func lines(_ stage: Stage) -> [String] {
    stage.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  // MARK: Position

  @Test func atTheBottomItHasItsHeightAndThePanesHaveTheRest() throws {
    let stage = stage()
    let screen = lines(stage)
    let top = try #require(screen.firstIndex { $0.contains("campaigns") })
    #expect(screen[top + 1].contains("Version 4.2"))
    #expect(screen.count - 2 - top == 5, "five rows of text above the keys")
    #expect(screen[2].contains("All"), "the panes are there")
    #expect(asked(stage) == [.banner(.resized(Size(columns: 78, rows: 5)))])
  }

  @Test func atTheTopThePanesAreBelowIt() throws {
    let screen = lines(stage(height: 4, origin: .top))
    let rule = try #require(screen.firstIndex { $0.contains("campaigns") })
    let title = try #require(screen.firstIndex { $0.contains("Version 4.2") })
    let list = try #require(screen.firstIndex { $0.contains("Starred") })
    #expect(title < rule && rule < list)
  }

  @Test func withoutAHeightItCoversThePanes() {
    let stage = stage(height: nil)
    #expect(stage.screen.contains("Version 4.2") && !stage.screen.contains("Starred"))
    #expect(
      stage.bottom.contains("tab next  esc close"), "the keys of a list that nobody sees are not offered")
    #expect(asked(stage) == [.banner(.resized(Size(columns: 78, rows: 20)))])
  }

  @Test(arguments: [(120, 40), (80, 24), (40, 10), (20, 5), (20, 4), (10, 3), (3, 2), (1, 1), (0, 0)])
  func itFitsEveryScreen(_ columns: Int, _ rows: Int) throws {
    for height in [nil, 1, 5, 100] {
      for origin in [BannerPlacement.Origin.top, .bottom] {
        var stage = stage(columns: columns, rows: rows, height: height, origin: origin)
        let screen = lines(stage)
        #expect(screen.count <= max(1, rows))
        if columns >= 20, rows >= 4 { #expect(stage.bottom.contains("? help")) }
        try stage.press("tab", "down", "pgdn", "right", "enter", "up")
        stage.resize(columns / 2, rows / 2)
        stage.resize(columns, rows)
        try stage.press("esc")
        #expect(!stage.screen.contains("campaigns"))
      }
    }
  }

  @Test func aHighOneLeavesThreeRowsToThePanes() {
    var stage = stage(height: 100)
    #expect(asked(stage) == [.banner(.resized(Size(columns: 78, rows: 17)))])
    #expect(stage.screen.contains("All"))
    stage.resize(80, 40)
    #expect(asked(stage).last == .banner(.resized(Size(columns: 78, rows: 33))), "told again after a resize")
  }

  // MARK: Sliding in

  @Test func itSlidesInInAFifthOfASecond() throws {
    var stage = stage(height: 4, animations: true)
    func rows() -> Int { lines(stage).filter { $0.contains("Version 4.2") || $0.contains("faster") }.count }
    #expect(rows() == 0)
    #expect(asked(stage).filter { $0 == .banner(.scheduleSlide) }.count == 1)
    for _ in 0..<BannerView.slideSteps { stage.send(.banner(.slid(steps: 1))) }
    #expect(rows() == 2)
    // Each step takes 40 ms, and there are no further steps.
    #expect(asked(stage).filter { $0 == .banner(.scheduleSlide) }.count == BannerView.slideSteps)
    #expect(BannerView.slideSteps * 40 <= 200)
  }

  @Test func withoutAnimationsItIsThereAtOnce() {
    let stage = stage()
    #expect(stage.screen.contains("Version 4.2") && !asked(stage).contains(.banner(.scheduleSlide)))
  }

  // MARK: Keys

  @Test func untilItIsFocusedEveryKeyIsTheLists() throws {
    var stage = stage()
    let before = stage.state.shown.list.selectedRow?.id
    try stage.press("j")
    #expect(stage.state.shown.list.selectedRow?.id != before)
    try stage.press("enter")
    #expect(stage.state.focus.pane == .reader)
    #expect(!asked(stage).contains { if case .banner(.press) = $0 { true } else { false } })
  }

  @Test func oneThatCoversTheScreenHasTheKeys() throws {
    var stage = stage(height: nil)
    let before = stage.store
    let row = stage.state.shown.list.selectedRow
    // No key acts on a hidden list, and a key that was meant for the list presses nothing.
    for key in ["u", "s", "d", "A", "U", "z", "f", "/", "r", "R", "n", "enter"] { try stage.press(key) }
    #expect(stage.store.messages == before.messages && stage.state.shown.list.selectedRow == row)
    #expect(stage.state.dialog.prompt == nil && stage.state.shown.banner?.isFocused == true)
    #expect(!asked(stage).contains { if case .banner(.press) = $0 { true } else { false } })
    // Tab goes from the last control to the first.
    let count = try #require(stage.state.shown.banner?.layout.controls.count)
    for number in 1...count {
      try stage.press("tab")
      #expect(stage.state.shown.banner?.control == number)
    }
    try stage.press("tab")
    #expect(stage.state.shown.banner?.control == 1)
    try stage.press("backtab")
    #expect(stage.state.shown.banner?.control == count)
    try stage.press("esc")
    #expect(stage.state.shown.banner == nil)
    #expect(stage.effects.contains(.banner(.close)))
  }

  @Test func tabMovesThroughItsControlsAndThenToThePanes() throws {
    var stage = stage()
    try stage.press("tab")
    #expect(stage.bottom.contains("https://a.example/notes"), "where Enter leads is shown")
    try stage.press("tab")
    try stage.press("enter")
    #expect(asked(stage).last == .banner(.press(.run(code: "later()", element: nil))))
    try stage.press("tab", "enter")
    #expect(
      asked(stage).last == .banner(.press(.run(code: "openUrl('https://a.example/get')", element: nil))))
    try stage.press("tab")
    #expect(stage.state.shown.banner?.isFocused == false)
    let row = stage.state.shown.list.selectedRow?.id
    try stage.press("backtab", "j")
    #expect(stage.state.shown.list.selectedRow?.id != row || stage.state.focus.pane != .messages)
  }

  @Test(arguments: [["right"], ["down"], ["tab"], ["down", "down", "up"], ["right", "right", "left"]])
  func arrowsWalkToo(_ keys: [String]) throws {
    var stage = stage()
    try stage.press("tab")
    for key in keys { try stage.press(key) }
    #expect(stage.state.shown.banner?.pressed?.label == "Later")
  }

  @Test func enterOnALinkOpensIt() throws {
    var stage = stage()
    try stage.press("tab", "enter")
    #expect(asked(stage).last == .links(.open("https://a.example/notes")))
  }

  @Test func escClosesItAndSaysSo() throws {
    var stage = stage()
    try stage.press("tab", "esc")
    #expect(asked(stage).last == .banner(.close))
    #expect(!stage.screen.contains("Version 4.2"))
    try stage.press("j")
  }

  @Test func aLongOneIsScrolled() throws {
    let paragraphs = (1...40).map { "<p>Line number \($0)</p>" }.joined()
    var stage = stage(html: paragraphs)
    try stage.press("tab", "down", "down", "down", "down")
    #expect(stage.screen.contains("Line number 3") && !stage.screen.contains("Line number 1\n"))
    try stage.press("G")
    #expect(stage.screen.contains("Line number 40"))
    try stage.press("g")
    #expect(stage.screen.contains("Line number 1"))
  }

  @Test func enterPressesNothingThatIsOutOfSight() throws {
    let text = (1...30).map { "<p>Line \($0)</p>" }.joined()
    var stage = stage(html: text + "<button onclick='buy()'>Buy</button>")
    try stage.press("tab", "enter")
    #expect(!asked(stage).contains(.banner(.press(.run(code: "buy()", element: nil)))))
    try stage.press("tab")
    #expect(stage.screen.contains("[ Buy ]"), "Tab goes on to it")
    try stage.press("enter")
    #expect(asked(stage).last == .banner(.press(.run(code: "buy()", element: nil))))
    try stage.press("g", "enter")
    #expect(asked(stage).filter { $0 == .banner(.press(.run(code: "buy()", element: nil))) }.count == 1)
  }

  @Test func helpCoversItAndItComesBack() throws {
    var stage = stage()
    try stage.press("tab", "?")
    #expect(!stage.screen.contains("Version 4.2"))
    try stage.press("esc")
    #expect(stage.screen.contains("Version 4.2") && !asked(stage).contains(.banner(.close)))
  }

  // MARK: The mouse

  @Test func aClickFocusesItAndPressesWhatIsUnderIt() throws {
    var stage = stage()
    let screen = lines(stage)
    let row = try #require(screen.firstIndex { $0.contains("[ Later ]") })
    let column = try #require(screen[row].range(of: "Later")).lowerBound
    let place = Point(column: screen[row].distance(from: screen[row].startIndex, to: column), row: row)
    stage.send(.input(.mouse(Mouse(kind: .click, at: place))))
    #expect(stage.state.shown.banner?.isFocused == true)
    #expect(asked(stage).last == .banner(.press(.run(code: "later()", element: nil))))
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 30, row: 4)))))
    #expect(stage.state.shown.banner?.isFocused == false, "a click beside it gives the keys back")
  }

  // MARK: Scripts

  @Test func changesOfAScriptShow() {
    var stage = stage(html: "<p id=a>One</p><p id=b>Two</p>")
    change(&stage, .text(element: "a", "Three"), .hidden(element: "b", true))
    #expect(stage.screen.contains("Three") && !stage.screen.contains("Two"))
  }

  @Test func anAddressOfAScriptIsShownBeforeItIsOpened() throws {
    var stage = stage()
    stage.send(.banner(.asked(address: "https://a.example/get", afterPress: true)))
    #expect(!asked(stage).contains(.links(.open("https://a.example/get"))))
    try stage.press("j", "enter")
    #expect(!asked(stage).contains(.links(.open("https://a.example/get"))), "the list's Enter is the list's")
    try stage.press("tab")
    #expect(stage.bottom.contains("Open https://a.example/get? enter yes, esc no"))
    try stage.press("enter")
    #expect(asked(stage).last == .links(.open("https://a.example/get")))
  }

  @Test(arguments: [true, false])
  func whatWentWrongDoesNotHideAnAddressThatWaits(_ failsFirst: Bool) throws {
    var stage = stage()
    try stage.press("tab")
    if failsFirst { stage.send(.banner(.failed(.script(error: "no")))) }
    stage.send(.banner(.asked(address: "https://a.example/get", afterPress: true)))
    if !failsFirst { stage.send(.banner(.failed(.script(error: "no")))) }
    #expect(stage.bottom.contains("https://a.example/get"))
  }

  @Test func anAddressCanBeDeclined() throws {
    var stage = stage()
    try stage.press("tab")
    stage.send(.banner(.asked(address: "https://a.example/get", afterPress: true)))
    try stage.press("esc")
    #expect(stage.state.shown.banner != nil && stage.state.shown.banner?.asked == nil)
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "ssh://a"])
  func otherAddressesAreRefused(_ address: String) {
    var stage = stage()
    stage.send(.banner(.asked(address: address, afterPress: true)))
    #expect(stage.state.shown.banner?.asked == nil && stage.screen.contains("Only web"))
  }

  @Test func aSourceInsideIsGoneTo() throws {
    var stage = stage()
    try stage.press("tab")
    stage.send(.banner(.asked(address: "reddot:source/swift", afterPress: true)))
    let source = try #require(stage.store.sources.first { $0.source.name == "swift" })
    #expect(stage.state.shown.list.query.scope == .source(source.source.id))
    #expect(stage.state.shown.banner?.isFocused == false)
  }

  @Test func anotherViewTakesTheFocusOver() throws {
    var stage = stage()
    try stage.press("tab", "tab")
    stage.send(.banner(.raised(BannerPlacement(source: "campaigns", rows: nil, origin: .bottom))))
    stage.send(
      .banner(
        .loaded(ViewPage(html: "<h1>All of it</h1><button onclick='close()'>Close</button>", base: nil))))
    #expect(stage.screen.contains("All of it"))
    try stage.press("enter")
    #expect(asked(stage).last == .banner(.press(.run(code: "close()", element: nil))))
    stage.send(.banner(.closed))
    #expect(stage.state.shown.banner == nil && stage.screen.contains("Starred"))
  }

  @Test(arguments: [
    (BannerFailure.scriptStopped, "was stopped"), (.script(error: "TypeError: \u{1B}[31mx"), "TypeError"),
    (.unknownView("details"), "details"), (.noEngine(reason: "no memory"), "no memory"),
  ])
  func failuresAreShownAndTheScreenStays(_ failure: BannerFailure, _ words: String) {
    var stage = stage(columns: 150)
    stage.send(.banner(.failed(failure)))
    #expect(stage.screen.contains("Version 4.2") && stage.screen.contains(words))
    #expect(!stage.screen.contains("\u{1B}"))
  }

  @Test func aViewThatCannotBeFetchedSaysWhy() {
    var stage = Stage(
      columns: 150, rows: 24, options: InterfaceOptions(zone: Stage.utc, animations: false))
    stage.send(.banner(.raised(BannerPlacement(source: "campaigns", rows: 3, origin: .bottom))))
    stage.send(.banner(.failed(.unavailable(view: "v", .nameNotFound(host: "a.example")))))
    #expect(stage.screen.contains("This view could not be loaded: No server named a.example"))
  }

  @Test(arguments: [BannerPlacement.Origin.top, .bottom], [6, nil])
  func aViewThatCannotBeFetchedTakesOneLine(origin: BannerPlacement.Origin, rows: Int?) {
    var stage = Stage(
      .long(100), columns: 84, rows: 24, options: InterfaceOptions(zone: Stage.utc, animations: false))
    func list() -> Int { stage.lines.count { $0.contains("Message ") } }
    let all = list()
    stage.send(.banner(.raised(BannerPlacement(source: "campaigns", rows: rows, origin: origin))))
    #expect(list() < all - 5)
    stage.send(.banner(.failed(.unavailable(view: "v", .nameNotFound(host: "a.example")))))
    #expect(list() == all - 1)
    #expect(stage.lines.count { $0.contains("This view could not be loaded") } == 1)
  }

  @Test func picturesAreRequestedAndDrawn() throws {
    var stage = Stage(
      columns: 80, rows: 24,
      options: InterfaceOptions(zone: Stage.utc, animations: false, showsPictures: true))
    stage.send(.banner(.raised(BannerPlacement(source: "campaigns", rows: 6, origin: .bottom))))
    stage.send(
      .banner(
        .loaded(ViewPage(html: "<img src='/p.png' alt='A lamp'><p>Text</p>", base: "https://a.example/"))))
    #expect(stage.screen.contains("A lamp"))
    let request = try #require(
      stage.effects.compactMap { if case .pictures(.draw(let request)) = $0 { request } else { nil } }.first)
    #expect(request.address == "https://a.example/p.png")
    stage.send(.pictures(.answered(request, .drawn([StyledText("▄▄▄▄")]))))
    #expect(stage.screen.contains("▄▄▄▄") && !stage.screen.contains("A lamp"))
  }

  // MARK: Large views

  private static let large =
    "<p><button onclick='close()'>Close</button></p>"
    + (0..<3000).map { "<p>Line \($0) of <a href='/\($0)'>a large view</a></p>" }.joined()

  private func requests(_ stage: Stage) -> [ViewRequest] {
    stage.effects.compactMap { if case .banner(.layOut(let request)) = $0 { request } else { nil } }
  }

  @Test func aLargeViewIsLaidOutOnAnotherThreadAndKeysStillWork() throws {
    var stage = Stage(
      columns: 80, rows: 24, options: InterfaceOptions(zone: Stage.utc, animations: false))
    stage.laysOut = false
    stage.send(.banner(.raised(BannerPlacement(source: "campaigns", rows: 5, origin: .bottom))))
    stage.send(.banner(.loaded(ViewPage(html: Self.large, base: "https://a.example/"))))
    #expect(!stage.screen.contains("Line 0 of"))
    #expect(stage.screen.contains("Loading"))
    let request = try #require(requests(stage).last)
    // Meanwhile the list has its keys, and acts on the view wait for it.
    let row = stage.state.shown.list.selectedRow?.id
    try stage.press("j")
    #expect(stage.state.shown.list.selectedRow?.id != row)
    try stage.press("tab", "enter")
    #expect(!stage.effects.contains { if case .banner(.press) = $0 { true } else { false } })
    stage.send(.banner(.laidOut(request.number, request.view())))
    #expect(stage.screen.contains("Line 0 of"))
    #expect(stage.effects.contains(.banner(.press(.run(code: "close()", element: nil)))))
  }

  @Test func aLayoutForAnotherWidthOrAnotherViewIsDropped() throws {
    var stage = Stage(
      columns: 80, rows: 24, options: InterfaceOptions(zone: Stage.utc, animations: false))
    stage.laysOut = false
    stage.send(.banner(.raised(BannerPlacement(source: "campaigns", rows: 5, origin: .bottom))))
    stage.send(.banner(.loaded(ViewPage(html: Self.large, base: nil))))
    let first = try #require(requests(stage).last)
    stage.resize(60, 24)
    let second = try #require(requests(stage).last)
    #expect(second.number != first.number && second.columns != first.columns)
    stage.send(.banner(.laidOut(first.number, first.view())))
    #expect(!stage.screen.contains("Line 0 of"))
    stage.send(.banner(.closed))
    stage.send(.banner(.raised(BannerPlacement(source: "campaigns", rows: 5, origin: .bottom))))
    stage.send(.banner(.loaded(ViewPage(html: Self.large.replacing("Line", with: "Row"), base: nil))))
    stage.send(.banner(.laidOut(second.number, second.view())))
    #expect(!stage.screen.contains("Line 0 of"))
    let third = try #require(requests(stage).last)
    stage.send(.banner(.laidOut(third.number, third.view())))
    #expect(stage.screen.contains("Row 0 of"))
  }

  @Test func whatAScriptChangesInALargeViewShowsWhenItIsLaidOut() throws {
    var stage = stage(html: "<p id=a>Before</p>" + Self.large)
    stage.laysOut = false
    change(&stage, .text(element: "a", "After"))
    #expect(stage.screen.contains("Before"), "it stays until the new one is there")
    let request = try #require(requests(stage).last)
    stage.send(.banner(.laidOut(request.number, request.view())))
    #expect(stage.screen.contains("After") && !stage.screen.contains("Before"))
  }

  // MARK: Before its scripts have run

  /// The first button is defined only by the script; the second one closes.
  private static let scripted = """
    <p>Here</p><p><button id="a">Next</button> <button onclick="close()">Close</button></p>
    <script>document.getElementById('a').onclick = next</script>
    """

  @Test(arguments: [["tab", "enter"], ["tab", "enter", "enter"]])
  func aPressBeforeTheScriptsWaitsForThem(keys: [String]) throws {
    var stage = stage(html: Self.scripted)
    for key in keys { try stage.press(key) }
    #expect(!stage.effects.contains { if case .banner(.press) = $0 { true } else { false } })
    #expect(stage.state.shown.banner != nil)
    change(&stage, .clickable(element: "a", true))
    stage.send(.banner(.ready))
    let presses = stage.effects.filter { if case .banner(.press) = $0 { true } else { false } }
    #expect(presses == Array(repeating: .banner(.press(.click(element: "a"))), count: keys.count - 1))
  }

  @Test func keysBetweenControlsWaitToo() throws {
    var stage = stage(html: Self.scripted)
    try stage.press("tab", "tab", "enter")
    change(&stage, .clickable(element: "a", true))
    stage.send(.banner(.ready))
    #expect(stage.effects.contains(.banner(.press(.run(code: "close()", element: nil)))))
  }

  /// A click means the text under the pointer, even if the scripts then insert lines above it.
  @Test(arguments: [true, false]) func aClickBeforeTheScriptsMeansWhatWasThere(isThere: Bool) throws {
    let buttons = ["first", "second", "third"].map {
      "<p id='\($0)'><button onclick='\($0)()'>The \($0)</button></p>"
    }
    var stage = stage(height: 14, html: "<p id='a'>One</p>" + buttons.joined() + "<script>more()</script>")
    let row = try #require(lines(stage).firstIndex { $0.contains("The second") })
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 5, row: row)))))
    func presses() -> [Effect] {
      stage.effects.filter { if case .banner(.press) = $0 { true } else { false } }
    }
    #expect(presses() == [])
    change(&stage, .html(element: "a", "<p>One</p><p>Two</p>"), .hidden(element: "second", !isThere))
    stage.send(.banner(.ready))
    #expect(!lines(stage)[row].contains("The second"), "\(stage.screen)")
    #expect(presses() == (isThere ? [.banner(.press(.run(code: "second()", element: nil)))] : []))
  }

  // MARK: The question of a closed view

  @Test func itsQuestionStaysUntilAKeyIsPressed() throws {
    var stage = stage()
    stage.send(.banner(.asked(address: "https://a.example/get", afterPress: true)))
    stage.send(.banner(.closed))
    #expect(try #require(lines(stage).last).contains("Open https://a.example/get?"))
    #expect(!stage.screen.contains("Version 4.2"))
    // Sentences that arrive in the meantime are shown after the question.
    stage.send(.failed(.store(.cancelled)))
    #expect(try #require(lines(stage).last).contains("Open https://a.example/get?"))
    stage.send(.input(.key(KeyPress(.enter))))
    #expect(asked(stage).last == .links(.open("https://a.example/get")))
    #expect(!stage.screen.contains("Open https://a.example/get?"))
  }

  /// Whether the banner is closed or not, a key with another meaning drops the question.
  @Test(arguments: [true, false], [true, false])
  func anyOtherKeyDropsTheQuestionAndDoesWhatItDoes(_ isAfterPress: Bool, _ isClosed: Bool) throws {
    var stage = stage()
    if !isClosed { try stage.press("tab") }
    stage.send(.banner(.asked(address: "https://a.example/get", afterPress: isAfterPress)))
    if isClosed { stage.send(.banner(.closed)) }
    let row = stage.state.shown.list.selectedRow?.id
    #expect(stage.bottom.contains("Open https://a.example/get?"))
    try stage.press("j")
    #expect(!stage.bottom.contains("Open https://a.example/get?"))
    if isClosed { #expect(stage.state.shown.list.selectedRow?.id != row) }
    try stage.press(isAfterPress ? "enter" : "o")
    #expect(!asked(stage).contains(.links(.open("https://a.example/get"))))
  }

  @Test(arguments: [true, false])
  func enterDoesNotAnswerWhatNobodyPressedFor(_ coversScreen: Bool) throws {
    var stage = stage(height: coversScreen ? nil : 5)
    stage.send(.banner(.asked(address: "https://a.example/get", afterPress: false)))
    if !coversScreen { stage.send(.banner(.closed)) }
    #expect(stage.bottom.contains("Open https://a.example/get? o yes, esc no"))
    var other = stage
    try stage.press("enter")
    #expect(!asked(stage).contains(.links(.open("https://a.example/get"))))
    #expect(!stage.bottom.contains("Open https://a.example/get?"))
    if !coversScreen { #expect(stage.state.focus.pane == .reader, "it opens the message") }
    try other.press("o")
    #expect(asked(other).last == .links(.open("https://a.example/get")))
  }

  @Test func aPlaceInsideIsNotGoneToWithoutAPress() throws {
    var stage = stage()
    try stage.press("tab")
    stage.send(.banner(.asked(address: "reddot:source/swift", afterPress: false)))
    #expect(stage.state.shown.list.query.scope == .all)
    #expect(stage.bottom.contains("Open reddot:source/swift? o yes"))
  }

  @Test func aClickElsewhereDropsTheQuestion() {
    var stage = stage()
    stage.send(.banner(.asked(address: "https://a.example/get", afterPress: true)))
    stage.send(.banner(.closed))
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 40, row: 4)))))
    #expect(!stage.screen.contains("Open https://a.example/get?"))
  }

  @Test(arguments: [80, 40])
  func theKeysOfTheQuestionStayInSight(columns: Int) throws {
    var stage = stage(columns: columns)
    let address = "https://a.example/" + String(repeating: "long/", count: 40)
    stage.send(.banner(.asked(address: address, afterPress: true)))
    stage.send(.banner(.closed))
    #expect(stage.bottom.contains("Open https:/") && stage.bottom.contains("enter yes, esc no"))
  }

  @Test func escapeAnswersNo() {
    var stage = stage()
    stage.send(.banner(.asked(address: "https://a.example/get", afterPress: true)))
    stage.send(.banner(.closed))
    stage.send(.input(.key(KeyPress(.escape))))
    #expect(!stage.screen.contains("Open https"))
    #expect(!asked(stage).contains(.links(.open("https://a.example/get"))))
  }
}
