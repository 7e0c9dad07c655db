import Foundation
import TerminalHarness
import Testing

/// Documents that could take much time or memory, polled with a normal source, which still works.
///
/// These are short; `reddot-benchmark hostile` measures the whole list in its whole length.
@Suite struct HostileDocumentTests {
  private struct Document: Sendable {
    /// The name of the document and of its source.
    var name: String
    var kind = "feed"
    var headers: [String] = []
    var text: String

    static func entry(_ name: String, _ html: String) -> Document {
      let text =
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><content type='html'>\(html)</content></entry></feed>"
      return Document(name: name, text: text)
    }

    static func native(_ name: String, _ item: String) -> Document {
      Document(name: name, kind: "native", text: "{\"list\":[\(item)]}")
    }
  }

  private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

  private static func numbered(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined()
  }

  private static let documents: [Document] = [
    .entry("nested CDATA marks", times(30_000, "&lt;![CDATA[")),
    .entry("CDATA marks inside CDATA marks", times(5000, "&lt;![CD") + times(5000, "ATA[") + "x"),
    .entry("attributes without values", "&lt;p " + numbered(50_000) { "a\($0) " } + "&gt;x"),
    .entry("attributes behind a quoted mark", "&lt;p x='&gt;' " + numbered(50_000) { "a\($0)=1 " } + "&gt;x"),
    .entry("cells over many rows", "&lt;table>" + times(5000, "&lt;tr>&lt;td colspan=64 rowspan=1000>x")),
    .entry("divisions inside each other", times(100_000, "&lt;div>")),
    Document(
      name: "attributes in XML",
      text: "<rss><channel><item " + numbered(50_000) { "a\($0)='>' " }
        + "><title>x</title></item></channel></rss>"),
    Document(
      name: "a long base before many links",
      text: "<rss xml:base='http://e.example/\(times(50_000, "a"))/'><channel>"
        + numbered(5000) { "<item><guid>\($0)</guid><link>x</link></item>" } + "</channel></rss>"),
    Document(
      name: "entities that grow tenfold",
      text: "<!DOCTYPE r [<!ENTITY e0 'aaaaaaaaaa'>"
        + numbered(9) { "<!ENTITY e\($0 + 1) '" + times(10, "&e\($0);") + "'>" }
        + "]><rss><channel><item><title>&e9;</title></item></channel></rss>"),
    Document(name: "brackets", text: times(2_000_000, "[")),
    Document(name: "angle brackets", text: "<rss>" + times(2_000_000, "<")),
    .native(
      "many features",
      numbered(3000) {
        ($0 == 0 ? "" : ",") + "{\"id\":\($0),\"type\":\"enable-feature\",\"data\":{\"feature\":\"f\($0)\"}}"
      }),
    .native(
      "many names of features",
      "{\"id\":1,\"type\":\"enable-feature\",\"data\":{\"features\":[\"f\"" + numbered(5000) { ",\"f\($0)\"" }
        + "]}}"),
    .native(
      "many marks for a long argument",
      "{\"id\":1,\"aps\":{\"alert\":{\"loc-key\":\"" + times(20_000, "%1$@") + "\",\"loc-args\":[\""
        + times(20_000, "x") + "\"]}}}"),
    .native("a long title", "{\"id\":1,\"title\":\"" + times(500_000, "words ") + "\"}"),
    Document(
      name: "many codings", headers: ["Content-Encoding: " + times(1000, "gzip,") + "gzip"],
      text: "<rss/>"),
    Document(
      name: "many banners", kind: "banners",
      text: "{\"\(times(10_000, "b"))\":{\"conditions\":{\"all\":{\"x\":1"
        + numbered(5000) { ",\"c\($0)\":1" } + "}}}}"),
  ]

  @Test func theNormalSourceIsStillPolled() throws {
    let server = try LyingServer()
    for (index, document) in Self.documents.enumerated() {
      server.answer("/\(index)", headers: document.headers, text: document.text)
    }
    server.answer("/honest", text: rss("Honest", [item(1, "still here")]))
    let household = try Household()
    let sources = Self.documents.enumerated().map { index, document in
      (name: document.name, url: server.url("/\(index)"), more: "kind = \"\(document.kind)\"")
    }
    try household.settings(
      "[poll]\ninitial_delay = \"1ms\"", sources: sources + [("honest", server.url("/honest"), "")])
    let polled = try household.run("poll", "--all")
    #expect([.status(0), .status(1)].contains(polled.exit), "\(polled.errors)")
    for index in Self.documents.indices { #expect(!server.requests("/\(index)").isEmpty) }
    let titles = try household.messages("--source", "honest").compactMap { $0["title"] as? String }
    #expect(titles == ["still here"])
    for document in Self.documents {
      for message in try household.messages("--source", document.name, "--limit", "3") {
        let id = try #require(message["id"] as? Int)
        #expect(try household.run("show", "\(id)").exit == .status(0), "\(document.name)")
      }
    }
  }
}
