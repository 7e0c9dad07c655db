import Basics
import Formats
import Foundation
import HTTP
import Messages
import Testing

@testable import Services

struct InspectorTests {
  private func inspect(_ text: String, _ kind: SourceKind? = nil) -> Inspection {
    Inspector.inspect(Data(text.utf8), kind: kind, address: "http://h/x", context: PollContext(now: now))
  }

  @Test func messagesAreInDocumentOrder() {
    let feed = inspect(
      """
      <rss version="2.0"><channel><title>T</title><link>http://s/</link><item><guid>2</guid></item>
      <item><guid>1</guid></item></channel></rss>
      """)
    #expect(feed.format == "rss20" && feed.kind == .feed)
    #expect(feed.title == "T" && feed.link == "http://s/")
    #expect(feed.messages.map(\.remoteID.text) == ["2", "1"])
    let native = inspect(#"{"title": "N", "list": [{"id": 1}, {"id": 2}, {}], "odd": 1}"#)
    #expect(native.format == "native" && native.kind == .native && native.title == "N")
    #expect(native.messages.map(\.remoteID.text) == ["1", "2"])
    #expect(native.problems.map(\.at).sorted() == ["$.list[2].id", "$.odd"])
  }

  @Test func aPageOffersItsFeeds() {
    let page = inspect(
      #"<html><head><title>P</title><link rel="alternate" type="application/rss+xml" href="f.xml"></head></html>"#
    )
    #expect(page.kind == nil && page.messages.isEmpty)
    #expect(page.alternates.map(\.url) == ["http://h/f.xml"])
    #expect(!page.problems.isEmpty)
  }

  @Test(arguments: ["", "hello", "{}", "[]", "\u{0}\u{1}", "{\"list\": 5}"])
  func anythingElseIsAProblemThatNamesIt(text: String) {
    let found = inspect(text)
    #expect(found.kind == nil && found.messages.isEmpty)
    #expect(found.problems.count >= 1)
  }

  @Test func aKindThatIsGivenIsTriedFirst() {
    let native =
      #"{"version": "https://jsonfeed.org/version/1", "title": "J", "items": [], "list": [{"id": 1}]}"#
    #expect(inspect(native).kind == .feed)
    #expect(inspect(native, .native).kind == .native)
  }

  @Test func aHeaderOffersFeedsToo() async throws {
    let header = """
      </comments/feed>; rel="alternate"; type="application/rss+xml"; title="Comments, all of them", \
      <https://h.example/good>; rel=alternate; type=application/atom+xml; title="Good; really", \
      <https://h.example/wp-json/>; rel="https://api.w.org/", <style.css>; rel=stylesheet
      """
    let offered = HeaderLink.read(header)
    #expect(
      offered.map(\.target) == [
        "/comments/feed", "https://h.example/good", "https://h.example/wp-json/", "style.css",
      ])
    #expect(offered[1].parameters["title"] == "Good; really")
    let page = "<html><head><title>P</title></head><body>Hello</body></html>"
    let outcome = try await poll(
      source("http://h.example/"),
      [.ok("http://h.example/", page, ["Link": header, "Content-Type": "text/html"])])
    #expect(
      outcome.failure
        == .notAFeed(
          found: "a web page, “P”", alternates: ["https://h.example/good", "http://h.example/comments/feed"]))
  }
}
