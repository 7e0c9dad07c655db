import Basics
import Testing

@testable import Formats

@Suite struct FragmentLinksTests {
  private func resolved(_ fragment: String) -> String {
    FragmentLinks.resolved(
      fragment, against: "http://h.example/d/f", allowance: Allowance(documentBytes: fragment.utf8.count))
  }

  @Test(arguments: [
    ("<a href=\"x\">l</a>", "<a href=\"http://h.example/d/x\">l</a>"),
    (
      "<A HREF = 'x?a=1&amp;b=2' title='href=y'>",
      "<A HREF = 'http://h.example/d/x?a=1&amp;b=2' title='href=y'>"
    ),
    ("<img alt=a src=/i.png>", "<img alt=a src=\"http://h.example/i.png\">"),
    ("<img src=i.png/>", "<img src=\"http://h.example/d/i.png/\">"),
    ("<a href='//c.example/'>", "<a href='http://c.example/'>"),
    ("<a href='?q'>&<b>", "<a href='http://h.example/d/f?q'>&<b>"),
    ("<a href=\"it's\">", "<a href=\"http://h.example/d/it&#39;s\">"),
    ("é<a href='À'>é", "é<a href='http://h.example/d/À'>é"),
  ])
  func relativeLinksAreResolved(fragment: String, expected: String) {
    #expect(resolved(fragment) == expected)
  }

  @Test(arguments: [
    "", "plain href='x'", "<a href='http://x.example/?a&b'>", "<a href='#note'>", "<a href=''>",
    "<a href='mailto:a@b.example'>",
    "<a href='javascript:x()'>", "<a data-href='x' hreflang='y'>", "1 < 2 href='x'", "<a href='unclosed",
    "<a href=", "<a", "<", "<a =x>",
    "</a href='x'>",
  ])
  func everythingElseStays(fragment: String) {
    #expect(resolved(fragment) == fragment)
  }

  @Test func cutAnywhereAFragmentIsRead() {
    let bytes = Array("<p class=\"a\"><a HREF='x y' b c=d>l</a><img src=i/><é href = \"q\"".utf8)
    for length in 0...bytes.count {
      let resolved = resolved(String(decoding: bytes[..<length], as: UTF8.self))
      #expect(resolved.hasPrefix(String(decoding: bytes[..<min(length, 17)], as: UTF8.self)))
      #expect(resolved.utf8.count <= length + 3 * "http://h.example/".utf8.count + 3)
    }
  }
}
