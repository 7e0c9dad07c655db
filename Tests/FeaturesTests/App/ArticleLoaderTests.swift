import Basics
import Foundation
import Interface
import Messages
import Synchronization
import TestBasics
import Testing

@testable import HTTP
@testable import Platform
@testable import Polling
@testable import Profile
@testable import Settings
@testable import Storage

/// Pages behind messages: fetched as polls are, one at a time, and stored.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ArticleLoaderTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let page = "https://pages.example/1"

  /// Answers by address. One without an answer waits until it is cancelled.
  private final class Web: HTTPTransport {
    private struct State {
      var answers: [String: Result<TransportResponse, RequestFailure>] = [:]
      var asked: [TransportRequest] = []
      var open = 0
      var mostOpen = 0
      var arrivals: [AsyncStream<Void>.Continuation] = []
    }
    private let state = Mutex(State())

    var asked: [TransportRequest] { state.withLock { $0.asked } }
    var mostOpen: Int { state.withLock { $0.mostOpen } }

    func answer(
      _ url: String, _ body: String = "", status: Int = 200,
      headers: HeaderFields = ["Content-Type": "text/html"],
      from final: String? = nil
    ) {
      answer(
        url,
        .success(
          TransportResponse(status: status, headers: headers, body: Data(body.utf8), finalURL: final ?? url)))
    }

    func answer(_ url: String, _ answer: Result<TransportResponse, RequestFailure>) {
      state.withLock { $0.answers[url] = answer }
    }

    /// Waits until there were so many requests.
    func received(_ count: Int) async {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      let isThere = state.withLock { state in
        state.arrivals.append(continuation)
        return state.asked.count >= count
      }
      if isThere { return }
      for await _ in stream where asked.count >= count { return }
    }

    func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
      let answer = state.withLock { state in
        state.asked.append(request)
        state.open += 1
        state.mostOpen = max(state.mostOpen, state.open)
        for arrival in state.arrivals { arrival.yield() }
        return state.answers[request.url]
      }
      defer { state.withLock { $0.open -= 1 } }
      if let answer { return try answer.get() }
      // The stream ends with its task.
      let (never, continuation) = AsyncStream.makeStream(of: Void.self)
      for await _ in never {}
      continuation.finish()
      throw .cancelled
    }
  }

  private let web = Web()
  private let store: Store
  private let source: SourceID
  private let loader: ArticleLoader

  init() throws {
    store = try Store.inMemory(now: Self.now)
    source = try store.sources.register(
      [ConfiguredSource(name: "a", kind: .feed, address: "https://feeds.example/a")], at: Self.now)[0].id
    loader = ArticleLoader(transport: web, store: store, threads: WorkThreads(), now: { Self.now }) { _, _ in
      .success(ArticleLoader.Access())
    }
    for number in 1...3 { _ = try poll(number) }
  }

  @discardableResult
  private func poll(_ number: Int, title: String = "Title", url: String? = nil) throws -> Message {
    var message = IncomingMessage(
      remoteID: RemoteID("\(number)"), kind: .feed, title: title, body: "Excerpt")
    message.url = url ?? "https://pages.example/\(number)"
    try store.polls.record(
      .content(PollContent(messages: [message]), PollHints()), for: source, attempt: .soft, start: Self.now,
      end: Self.now, state: PollState())
    return try self.message(number)
  }

  private func message(_ number: Int) throws -> Message {
    try #require(try store.messages.find(RemoteID("\(number)"), of: source))
  }

  private static func html(_ words: String) -> String {
    let text = String(repeating: "\(words) is what the whole article says, and it says it again. ", count: 5)
    return "<html><head><title>Head</title></head><body><h1>Head</h1><p>\(text)</p></body></html>"
  }

  private func fetch(_ number: Int) async throws -> ArticleAnswer {
    try await loader.fetch(message(number), from: "https://pages.example/\(number)")
  }

  private func failure(_ number: Int) async throws -> ArticleFailure? {
    if case .failed(let failure, _) = try await fetch(number) { failure } else { nil }
  }

  // MARK: - Storing

  @Test func anArticleIsStoredAndFoundWithoutARequest() async throws {
    web.answer(Self.page, Self.html("First"), from: "https://www.pages.example/one")
    let first = try message(1)
    #expect(try await loader.stored(first.id) == nil)
    guard case .found(let article) = try await fetch(1) else { return #expect(Bool(false), "no article") }
    #expect(article.title == "Head")
    #expect(article.html.contains("First is what"))
    #expect(article.address == "https://www.pages.example/one")
    #expect(article.fetched == Self.now)
    #expect(try await loader.stored(first.id) == article)
    #expect(web.asked.count == 1)
    #expect(web.asked[0].responseLimit == Limits.articlePageBytes)
    #expect(web.asked[0].credential == nil)
  }

  @Test func anArticleOfAMessageThatChangedIsAskedForAgainWithItsValidators() async throws {
    web.answer(Self.page, Self.html("First"), headers: ["Content-Type": "text/html", "ETag": "\"1\""])
    _ = try await fetch(1)
    let changed = try poll(1, title: "Other words")
    #expect(try await loader.stored(changed.id) == nil)
    web.answer(Self.page, status: 304)
    guard case .found(let article) = try await fetch(1) else { return #expect(Bool(false), "no article") }
    #expect(article.html.contains("First is what"))
    #expect(web.asked.last?.etag == "\"1\"")
    #expect(try await loader.stored(changed.id) == article)
    // If the message has another URL, the validators are not sent, since they are for another page.
    try poll(1, title: "Other words", url: "https://pages.example/other")
    web.answer("https://pages.example/other", Self.html("Other"))
    _ = try await loader.fetch(message(1), from: "https://pages.example/other")
    #expect(web.asked.last?.etag == nil)
  }

  @Test func whatFailsLeavesTheOlderArticle() async throws {
    web.answer(Self.page, Self.html("First"))
    _ = try await fetch(1)
    try poll(1, title: "Other words")
    web.answer(Self.page, .failure(.refused(host: "pages.example", port: 443)))
    guard case .failed(let failure, let kept) = try await fetch(1) else {
      return #expect(Bool(false), "no failure")
    }
    #expect(failure == .fetch(.refused(host: "pages.example", port: 443), host: "pages.example"))
    #expect(kept?.html.contains("First is what") == true)
  }

  // MARK: - What isn't an article

  @Test(arguments: ["application/pdf", "image/png", "application/json"])
  func anotherKindOfFileIsNamed(_ type: String) async throws {
    web.answer(Self.page, "%PDF-1.7", headers: ["Content-Type": type])
    #expect(try await failure(1) == .notAPage(type: type, host: "pages.example"))
    #expect(try store.messages.article(of: message(1).id) == nil)
  }

  @Test func aPageWithoutTextSaysSo() async throws {
    web.answer(Self.page, "<html><body><a href=/>Home</a></body></html>")
    #expect(try await failure(1) == .noText(host: "pages.example"))
    web.answer("https://pages.example/2", status: 404)
    #expect(try await failure(2) == .fetch(.status(404, reason: "Not Found"), host: "pages.example"))
  }

  @Test func aMessageThatIsGoneMeanwhileStoresNothing() async throws {
    web.answer(Self.page, Self.html("First"))
    let old = try message(1)
    try poll(1, url: "https://pages.example/moved")
    _ = await loader.fetch(old, from: Self.page)
    #expect(try store.messages.article(of: old.id) == nil)
  }

  // MARK: - Manners

  @Test func aHeldHostIsNotAskedAndARetryAfterHoldsIt() async throws {
    web.answer(Self.page, status: 429, headers: ["Retry-After": "60"])
    let until = Self.now + 60
    #expect(try await failure(1) == .heldBack(host: "pages.example", until: until))
    #expect(try store.polls.holds() == ["pages.example": until])
    #expect(try await failure(2) == .heldBack(host: "pages.example", until: until))
    #expect(web.asked.count == 1)
    // A redirect there isn't followed either.
    let other = ArticleLoader(transport: web, store: store, threads: WorkThreads(), now: { Self.now }) {
      _, _ in
      .success(ArticleLoader.Access())
    }
    web.answer("https://other.example/", Self.html("Other"))
    _ = await other.fetch(try message(3), from: "https://other.example/")
    let hold = try #require(web.asked.last?.hold)
    #expect(await hold("https://pages.example/2")?.until == until)
    #expect(await hold("https://else.example/") == nil)
  }

  @Test func oneIsFetchedAtATimeAndALaterOneEndsTheEarlier() async throws {
    web.answer("https://pages.example/3", Self.html("Third"))
    let (first, second, third) = (try message(1), try message(2), try message(3))
    async let one = loader.fetch(first, from: Self.page)
    await web.received(1)
    async let two = loader.fetch(second, from: "https://pages.example/2")
    let answer = await one
    #expect(answer == .failed(.fetch(.cancelled, host: "pages.example"), kept: nil))
    await web.received(2)
    guard case .found = await loader.fetch(third, from: "https://pages.example/3") else {
      return #expect(Bool(false), "no article")
    }
    _ = await two
    #expect(web.mostOpen == 1)
    #expect(web.asked.map(\.url) == ["1", "2", "3"].map { "https://pages.example/\($0)" })
  }

  @Test func theSameOneIsFetchedOnce() async throws {
    let first = try message(1)
    async let one = loader.fetch(first, from: Self.page)
    await web.received(1)
    let again = await loader.waiting(for: first, from: Self.page)
    // The end of the program ends both.
    await loader.stop()
    let ended = ArticleAnswer.failed(.fetch(.cancelled, host: "pages.example"), kept: nil)
    #expect(await one == ended)
    #expect(await again.value == ended)
    #expect(web.asked.count == 1)
  }

  /// A token is for the server of its source, with the same scheme and port.
  @Test(arguments: [
    ("https://feeds.example/article", true), ("https://feeds.example:443/article", true),
    ("http://feeds.example/article", false), ("https://feeds.example:8443/article", false),
    ("https://www.feeds.example/article", false), ("https://stranger.example/", false),
    ("https://feeds.example@stranger.example/", false),
  ])
  func theTokenOfASourceIsForItsOwnServer(_ address: String, _ isSent: Bool) async throws {
    var entry = SourceEntry(
      source: ConfiguredSource(name: "a", kind: .feed, address: "https://feeds.example/a"))
    entry.credential = .environment("TOKEN")
    var settings = Settings()
    settings.sources = [entry]
    let environment = Environment(
      variables: ["TOKEN": "secret"], home: "/home/ada", version: "0.1.0", now: { Self.now }, clock: { .gmt },
      random: { 0 })
    let profile = try Profile(
      settings: settings, file: SettingsFile(path: "/none", home: "/home/ada"), store: store,
      environment: environment)
    let adapters = AdapterFetcher(profile, language: "en")
    let access = try await adapters.access(of: profile.sources[0], to: address).get()
    await adapters.shutDown()
    #expect((access.credential != nil) == isSent)
    let receiver = try #require(Origin(address))
    #expect((access.credential?.field(for: receiver) != nil) == isSent)
  }
}

extension ArticleLoader {
  /// A second call that already waits for the first one when this returns: on the actor, it begins at once.
  fileprivate func waiting(for message: Message, from address: String) -> Task<ArticleAnswer, Never> {
    Task.immediate { await self.fetch(message, from: address) }
  }
}
