import Foundation
import Messages
import Screen
import Testing

@testable import Interface

/// The article of the page behind a message: `F` fetches it and switches between it and the excerpt.
struct ArticleTests {
  private func stage(
    columns: Int = 80, rows: Int = 24, showsArticles: Bool = false, url: String? = "https://news.example/1"
  ) -> Stage {
    var store = ModelStore()
    store.addSource("news", title: "News")
    store.sources[0].source.showsArticles = showsArticles
    store.add("Other", age: 120, body: "Other excerpt") { $0.content.url = "https://news.example/2" }
    store.add("Harbour", age: 60, body: "Excerpt only") { $0.content.url = url }
    return Stage(amid: store, columns: columns, rows: rows)
  }

  /// Returns the requests for the message that is selected first.
  private func asked(_ stage: Stage) -> [ArticleRequest] {
    stage.effects.compactMap { if case .articles(.find(let request)) = $0 { request } else { nil } }
      .filter { $0.message == MessageID(2) }
  }

  private func article(_ html: String = "<p>The whole text.</p>", title: String? = "Harbour") -> ArticleAnswer
  {
    .found(
      Article(
        title: title, html: html, address: "https://www.news.example/one", fetched: ModelStore.start))
  }

  @Test func aKeyFetchesTheArticleAndShowsItInPlaceOfTheExcerpt() throws {
    var stage = stage()
    try stage.press("enter", "F")
    let request = try #require(asked(stage).last)
    #expect(request.address == "https://news.example/1" && request.mayFetch)
    #expect(!stage.bottom.contains("Fetching"), "the store may have it")
    stage.send(.articles(.requested(request.number)))
    #expect(stage.bottom.contains("Fetching the article…") && stage.screen.contains("Excerpt only"))
    stage.send(.articles(.answered(request, article())))
    #expect(stage.screen.contains("The whole text.") && !stage.screen.contains("Excerpt only"))
    #expect(stage.screen.contains("Harbour") && stage.screen.contains("https://news.example/1"))
    #expect(
      stage.screen.contains("Article from www.news.example") && stage.screen.contains("F shows the excerpt"))
    #expect(!stage.bottom.contains("Fetching"))
    try stage.press("F")
    #expect(stage.screen.contains("Excerpt only") && stage.screen.contains("F shows the article"))
    try stage.press("F")
    #expect(stage.screen.contains("The whole text."))
    #expect(asked(stage).count == 1, "what is here is not asked for again")
  }

  @Test(arguments: [(80, 24), (150, 40)])
  func inTheListItOpensTheMessageFirst(_ columns: Int, _ rows: Int) throws {
    var stage = stage(columns: columns, rows: rows)
    try stage.press("F")
    #expect(stage.state.focus.pane == .reader)
    let request = try #require(asked(stage).last)
    stage.send(.articles(.answered(request, article())))
    #expect(stage.screen.contains("The whole text."))
    #expect(stage.acts.count == 1, "opening marks it read")
  }

  @Test func keysWorkWhileItIsFetchedAndAnotherMessageIsNotDisturbed() throws {
    var stage = stage()
    try stage.press("F")
    let request = try #require(asked(stage).last)
    stage.send(.articles(.requested(request.number)))
    try stage.press("F")
    #expect(asked(stage).count == 1, "it is under way")
    try stage.press("h", "j", "enter")
    #expect(stage.screen.contains("Other excerpt") && !stage.bottom.contains("Fetching"))
    stage.send(.articles(.answered(request, article())))
    #expect(stage.screen.contains("Other excerpt") && !stage.screen.contains("The whole text."))
    // The end of a request for another message is not reported here.
    stage.send(.articles(.answered(request, .failed(.fetch(.cancelled, host: "news.example"), kept: nil))))
    #expect(!stage.bottom.contains("No article"))
  }

  @Test(arguments: [
    (
      ArticleFailure.fetch(.nameNotFound(host: "news.example"), host: "news.example"),
      "No article from news.example"
    ),
    (.notAPage(type: "application/pdf", host: "news.example"), "application/pdf, not a web page; o opens it"),
    (.noText(host: "news.example"), "No article was found on the page of news.example; o opens the page"),
    (.heldBack(host: "news.example", until: ModelStore.start), "news.example asked to wait until"),
  ])
  func whatFailsSaysWhyAndLeavesTheExcerpt(_ failure: ArticleFailure, _ sentence: String) throws {
    var stage = stage(columns: 139)
    try stage.press("F")
    let request = try #require(asked(stage).last)
    stage.send(.articles(.requested(request.number)))
    stage.send(.articles(.answered(request, .failed(failure, kept: nil))))
    #expect(stage.bottom.contains(sentence), "\(stage.bottom)")
    #expect(stage.screen.contains("Excerpt only"))
    // The key tries again.
    try stage.press("F")
    #expect(asked(stage).count == 2)
  }

  @Test func anOlderArticleIsShownWithTheFailure() throws {
    var stage = stage(columns: 139)
    try stage.press("F")
    let request = try #require(asked(stage).last)
    let old = Article(
      title: nil, html: "<p>As it was.</p>", address: "https://news.example/1", fetched: ModelStore.start)
    stage.send(.articles(.answered(request, .failed(.noText(host: "news.example"), kept: old))))
    #expect(stage.screen.contains("As it was.") && stage.bottom.contains("No article was found"))
  }

  @Test(arguments: [
    nil, "", "mailto:a@b.example", "file:///etc/passwd", "javascript:a()", "reddot:source/a", "/1",
  ])
  func aMessageWithoutAWebAddressHasNone(_ url: String?) throws {
    var stage = stage(url: url)
    try stage.press("F")
    #expect(asked(stage) == [])
    #expect(stage.bottom.contains("has no web address"))
  }

  @Test func theHeadlineIsShownWhereItDiffersFromTheTitle() throws {
    var stage = stage()
    try stage.press("F")
    stage.send(
      .articles(.answered(try #require(asked(stage).last), article(title: "Low water in the harbour"))))
    #expect(stage.screen.contains("Low water in the harbour"))
    #expect(stage.screen.contains("The whole text."))
  }

  @Test func linksAreThoseOfTheTextThatIsShown() throws {
    var stage = stage()
    try stage.press("F")
    stage.send(
      .articles(.answered(try #require(asked(stage).last), article("<p>See <a href='two'>this</a>.</p>"))))
    #expect(stage.state.shown.reader.address(1) == "https://www.news.example/two")
    try stage.press("F")
    #expect(stage.state.shown.reader.address(1) == nil)
  }

  @Test func textOfAnArticleIsAsSafeAsAnyOther() throws {
    var stage = stage()
    try stage.press("F")
    let html = "<p>a\u{1B}]0;evil\u{7}b \u{202E}c &#27;[31m</p>"
    stage.send(.articles(.answered(try #require(asked(stage).last), article(html, title: "\u{1B}[2J"))))
    for scalar in stage.screen.unicodeScalars {
      #expect(scalar == "\n" || scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
      #expect(scalar != "\u{202E}")
    }
  }

  // MARK: - Sources that show articles

  @Test func openingAMessageFetchesByItselfAndThePreviewDoesNot() throws {
    var stage = stage(columns: 150, rows: 40, showsArticles: true)
    let preview = try #require(asked(stage).first ?? lastAsked(&stage))
    #expect(!preview.mayFetch)
    stage.send(.articles(.answered(preview, .notStored)))
    #expect(stage.screen.contains("Excerpt only"))
    try stage.press("enter")
    let request = try #require(asked(stage).last)
    #expect(request.mayFetch && request.number != preview.number)
    stage.send(.articles(.answered(request, article())))
    #expect(stage.screen.contains("The whole text."))
    // The excerpt that was chosen stays.
    try stage.press("F")
    stage.outside { _ in }
    #expect(stage.screen.contains("Excerpt only"))
    #expect(asked(stage).last == request)
  }

  /// Returns the last request of the preview during the set-up of the stage.
  private func lastAsked(_ stage: inout Stage) -> ArticleRequest? {
    guard let id = stage.state.shown.reader.subject else { return nil }
    return ArticleRequest(number: 1, message: id, address: "https://news.example/1", mayFetch: false)
  }

  @Test func aStoredOneIsShownBesideTheListToo() throws {
    var stage = stage(columns: 150, rows: 40, showsArticles: true)
    try stage.press("j", "k")
    let request = try #require(asked(stage).last)
    #expect(!request.mayFetch)
    stage.send(.articles(.answered(request, article())))
    #expect(stage.screen.contains("The whole text."))
    try stage.press("enter")
    #expect(asked(stage).last == request)
  }

  @Test func aMessageThatChangedIsAskedForAgain() throws {
    var stage = stage(showsArticles: true)
    try stage.press("enter")
    stage.send(.articles(.answered(try #require(asked(stage).last), article())))
    stage.outside { $0.messages[1].content.body = "Another excerpt" }
    #expect(asked(stage).count == 2)
    #expect(stage.screen.contains("Another excerpt"))
  }

  @Test func aSourceThatDoesNotShowArticlesAsksForNone() throws {
    var stage = stage(columns: 150, rows: 40)
    try stage.press("enter", "h", "j", "enter")
    #expect(asked(stage) == [])
  }

  @Test(arguments: [(40, 10), (20, 5), (8, 20), (1, 1), (0, 0)])
  func aSmallScreenShowsItToo(_ columns: Int, _ rows: Int) throws {
    var stage = stage(columns: columns, rows: rows)
    try stage.press("F")
    let request = try #require(asked(stage).last)
    stage.send(.articles(.requested(request.number)))
    #expect(stage.frame.lines().count == rows)
    stage.send(.articles(.answered(request, article())))
    #expect(stage.frame.lines().count == rows)
  }
}
