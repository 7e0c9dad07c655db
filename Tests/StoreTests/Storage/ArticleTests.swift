import Foundation
import Messages
import Testing

@testable import Storage

/// Articles are kept as long as their messages, and are out of date once those change.
@Suite struct ArticleTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    source = try store.follow(configured("a"))[0]
    try store.pollNothing(source)
  }

  private func linked(_ id: String, _ title: String? = nil, to url: String? = nil) -> IncomingMessage {
    var one = message(id, title)
    one.url = url ?? "https://pages.example/\(id)"
    return one
  }

  private func stored(_ id: String, html: String = "<p>Text</p>") -> StoredArticle {
    StoredArticle(
      Article(title: "Head", html: html, address: "https://www.pages.example/\(id)", fetched: noon),
      requested: "https://pages.example/\(id)", validators: Validators(etag: "\"1\"", lastModified: "then"))
  }

  @Test func whatWasKeptIsFoundWithAllOfIt() throws {
    try store.poll(source, [linked("1"), linked("2")])
    let id = try store.id("1", of: source)
    #expect(try store.messages.article(of: id) == nil)
    #expect(try store.messages.keep(stored("1"), of: id))
    #expect(try store.messages.article(of: id) == stored("1"))
    #expect(try store.messages.article(of: store.id("2", of: source)) == nil)
    // A later article replaces it.
    #expect(try store.messages.keep(stored("1", html: "<p>Other</p>"), of: id))
    #expect(try store.messages.article(of: id)?.article.html == "<p>Other</p>")
  }

  @Test func aMessageThatChangedMakesItOldAndOneThatCameAgainDoesNot() throws {
    try store.poll(source, [linked("1"), linked("2")])
    let (first, second) = (try store.id("1", of: source), try store.id("2", of: source))
    try store.messages.keep(stored("1"), of: first)
    try store.messages.keep(stored("2"), of: second)
    try store.poll(source, [linked("1", "Other words"), linked("2")])
    #expect(try store.messages.article(of: first)?.isCurrent == false)
    #expect(try store.messages.article(of: first)?.article == stored("1").article)
    #expect(try store.messages.article(of: second)?.isCurrent == true)
    #expect(try store.messages.keep(stored("1"), of: first))
    #expect(try store.messages.article(of: first)?.isCurrent == true)
  }

  @Test func anArticleOfAnEarlierAddressOrOfNoMessageIsNotKept() throws {
    try store.poll(source, [linked("1", to: "https://pages.example/moved")])
    let id = try store.id("1", of: source)
    #expect(try !store.messages.keep(stored("1"), of: id))
    #expect(try !store.messages.keep(stored("1"), of: MessageID(99)))
    #expect(try store.messages.article(of: id) == nil)
    #expect(try store.messages.article(of: MessageID(99)) == nil)
  }

  @Test func itGoesWithItsMessage() throws {
    try store.poll(source, [linked("1"), linked("2")])
    let (first, second) = (try store.id("1", of: source), try store.id("2", of: source))
    try store.messages.keep(stored("1"), of: first)
    try store.messages.keep(stored("2"), of: second)
    try store.acts.perform(.readAll(InboxQuery()), at: noon)
    let sources = try store.sources.statuses().map { status in
      var source = status.source
      source.retention = Retention(count: 1)
      return source
    }
    _ = try store.retention.prune(try store.retention.limits(of: sources, at: noon))
    #expect(try store.messages.article(of: first) == nil)
    #expect(try store.messages.article(of: second) != nil)
    try store.sources.forget(source)
    #expect(try store.messages.article(of: second) == nil)
    #expect(try store.check.compareAll() == [])
  }

  /// Reading an article does not count as reading the message, and moves nothing.
  @Test func keepingOneChangesNoList() throws {
    try store.poll(source, [linked("1")])
    let before = try store.snapshot()
    try store.messages.keep(stored("1"), of: store.id("1", of: source))
    #expect(try store.snapshot() == before)
  }
}
