import Markup
import Screen
import Testing

@Suite struct LinkTests {
  private static let base = "https://example.org/news/today.html?x=1"

  @Test(
    arguments: [
      ("http://e.org", "http://e.org"), ("HTTPS://E.org/a b", "https://E.org/a%20b"),
      ("//cdn.org/x", "https://cdn.org/x"),
      ("/root", "https://example.org/root"), ("other", "https://example.org/news/other"),
      ("../up", "https://example.org/up"),
      ("../../../x/./y/..", "https://example.org/x/"), ("?q=2", "https://example.org/news/today.html?q=2"),
      ("./", "https://example.org/news/"),
      ("mailto:a@b.org?subject=hi there", "mailto:a@b.org?subject=hi%20there"),
      ("reddot:message/4", "reddot:message/4"),
      (" ht\ntp://e.org/\t ", "http://e.org/"), ("http://e.org/\u{1B}]8;;x", "http://e.org/%1B]8;;x"),
      ("http:\\\\e.org\\a", "http://e.org/a"), ("//e.org\\a?b\\c", "https://e.org/a?b%5Cc"),
      ("http://u@e.org/x", "http://u@e.org/x"), ("http://u@/x", nil), ("http://u@:80/x", nil),
      ("http://例え.jp/ü", "http://%E4%BE%8B%E3%81%88.jp/%C3%BC"),
      ("a#frag", "https://example.org/news/a#frag"), ("a:b", nil),
      ("javascript:alert(1)", nil), ("JaVaScRiPt:x", nil), (" java\nscript:x", nil),
      ("data:text/html,x", nil), ("file:///etc/passwd", nil),
      ("#top", nil), ("", nil), ("http://", nil), ("http:///path", nil), ("http://:80/", nil),
      ("vbscript:x", nil), ("mailto:", nil), ("ftp://e.org", nil),
    ] as [(String, String?)])
  func onlySafeAbsoluteAddressesAreOffered(_ reference: String, _ url: String?) {
    let escaped = reference.map { $0 == "&" ? "&amp;" : String($0) }.joined()
    let document = Document.html("<a href=\"\(escaped)\">text</a>", base: Self.base)
    #expect(document.links.map(\.url) == [url].compactMap { $0 })
    #expect(document.layout(width: 40).first?.plain == (url == nil ? "text" : "text[1]"))
  }

  @Test func relativeAddressesNeedABase() {
    #expect(
      Document.html("<a href='/x'>x</a><a href='//e.org'>y</a>", base: nil).links.map(\.url) == [
        "https://e.org"
      ])
    #expect(Document.html("<a href='/x'>x</a>", base: "file:///etc/").links.isEmpty)
    #expect(
      Document.html("<base href='http://b.org/c/'><a href='x'>x</a>", base: nil).links.map(\.url) == [
        "http://b.org/c/x"
      ])
    #expect(
      Document.html("<a href='/?a=1&copy=2&lt=3'>x</a>", base: Self.base).links.map(\.url) == [
        "https://example.org/?a=1&copy=2&lt=3"
      ])
  }

  @Test func linksAreNumberedOnceAndListedAtTheEnd() {
    let html =
      "<p><a href='http://a.org'>First <b>one</b></a> and <a href='http://b.org/long/path'>second</a>, <a href='http://a.org'>again</a>"
    let document = Document.html(html, base: nil)
    #expect(document.links.map(\.label.text) == ["First one", "second"])
    #expect(
      document.layout(width: 50).map(\.plain) == [
        "First one[1] and second[2], again[1]", "", "────────", "[1] First one  http://a.org",
        "[2] second  http://b.org/long/path",
      ])
    #expect(
      document.layout(width: 16).suffix(5).map(\.plain) == [
        "[1] First one", "    http://a.org", "[2] second", "    http://b.org", "    /long/path",
      ])
  }

  @Test func aLinkHasItsNumberInEachOfItsLines() {
    let lines = Document.html("<a href='http://a.org'>two words</a>", base: nil).layout(
      width: 5, listsLinks: false)
    #expect(lines.map(\.plain).first == "two")
    #expect(lines.allSatisfy { $0.runs.allSatisfy { $0.link == 1 } })
  }

  @Test func picturesShowTheirTextWithALink() {
    let html =
      "<img src='/cat.png' alt='A cat'><p><a href='http://a.org'><img src='x.png'></a><p><img src='data:image/png;base64,AA' alt=dot>"
    let document = Document.html(html, base: Self.base)
    #expect(
      document.layout(width: 40, listsLinks: false).map(\.plain) == [
        "[image: A cat][1]", "", "[image: x.png][2]", "", "[image: dot]",
      ])
    #expect(document.links.map(\.url) == ["https://example.org/cat.png", "http://a.org"])
  }

  @Test func aLinkAroundBlocksIsNumberedAfterThem() {
    let document = Document.html(
      "<a href='http://a.org'><div>one</div><div>two</div></a><a href='http://b.org'> </a>", base: nil)
    #expect(document.layout(width: 40, listsLinks: false).map(\.plain) == ["one", "two[1]"])
    #expect(document.links.count == 1)
  }

  @Test func labelsAndAddressesCarryNoControls() {
    let document = Document.html("<a href='http://a.org/&#x1b;[2J'>la\u{1B}b\u{9B}el</a>", base: nil)
    #expect(document.links.map(\.label.text) == ["lab\u{FFFD}el"])
    #expect(document.links.allSatisfy { $0.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
  }
}
