import Foundation
import HTML
import Testing

@testable import Formats

@Suite struct HTMLTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("  a \n\t b  ", "a b"), ("a &amp; b", "a & b"),
    ("a &amp;amp; b", "a &amp; b"),
    ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"), ("AT&T &c &unknown;", "AT&T &c &unknown;"), ("&lt;b&gt;", "<b>"),
    ("<p>&lt;b&gt; &amp;lt; x</p>", "<b> &lt; x"), ("it&#146;s &#x2014; &apos;&hellip;", "it’s — '…"),
    ("<b>it&#146;s</b>", "it’s"), ("a&nbsp;b&copy", "a\u{A0}b©"), ("<p>one</p><p>two</p>", "one\ntwo"),
    ("<p>one\n  two <b>three</b>four</p>", "one two threefour"), ("a<br>b<br/>c", "a\nb\nc"),
    ("a<br><br><br>b", "a\n\nb"),
    ("<div>a<div>b</div>c</div>", "a\nb\nc"),
    ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>d", "- a\n- b\n  - c\nd"),
    ("<ol><li>a<li>b</ol>", "1. a\n2. b"), ("<ol start=3><li>a</ol>", "3. a"),
    ("<script>x()</script>a<style>p{}</style><!-- c -->b", "ab"),
    ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
    ("<pre>a\n  b\n\nc</pre>d", "a\n  b\n\nc\nd"), ("<a href='http://x.example/'>link</a>", "link"),
    ("a <img src=x alt='a &amp; picture'> b", "a a & picture b"), ("<img src=x>", ""),
    ("<p>&nbsp;</p><p>x</p>", "x"),
    ("<h1>T</h1>text", "T\ntext"), ("<blockquote>q</blockquote>r", "q\nr"),
    ("<p>unclosed <b>bold", "unclosed bold"),
    ("</p></div>x", "x"), ("<body><p>x</p></body>", "x"), ("日本<b>語</b>", "日本語"), ("<q>é</q>&eacute;", "éé"),
    ("<svg><title>x</title></svg>y", "y"), ("<td>a<td>b", "a b"), ("a<hr>b", "a\nb"), ("<x-y>z</x-y>", "z"),
    ("<p>a</p>\n\n<p>b</p>\n", "a\nb"), ("<![CDATA[x]]>y", "xy"),
    ("&#x1b;[2J&#0;<b>&#x9b;</b>", "\u{FFFD}[2J\u{FFFD}›"),
    ("&notit; &lang;", "¬it; ⟨"), ("<i>&lang;&nGt;&NotEqualTilde;</i>", "⟨≫⃒≂̸"),
  ])
  func fragmentsBecomeLines(html: String, text: String) {
    #expect(HTMLText.plain(html) == text)
  }

  @Test func deepAndLongFragmentsAreRead() {
    #expect(HTMLText.plain(String(repeating: "<div>", count: 100_000) + "x").utf8.count <= 1)
    #expect(HTMLText.plain(String(repeating: "a b ", count: 100_000)).utf8.count == 399_999)
    #expect(HTMLText.plain("<p>" + String(repeating: "x", count: 5_000_000)).utf8.count <= 1 << 20)
  }

  @Test func cutAnywhereAFragmentIsRead() {
    let bytes = Array(
      "<ul><li>ä <a href=\"x&amp;y\">l</a><!-- c --></li></ul><pre>\n x</pre>&#x1F600;&NotEqualTilde;<img alt='q'>"
        .utf8)
    for length in 0...bytes.count {
      let text = HTMLText.plain(String(decoding: bytes[..<length], as: UTF8.self))
      #expect(text.utf8.count <= length)
      #expect(!text.contains("href"))
    }
  }

  /// html5lib's cases: every name of HTML, with and without semicolon, and numbers at their limits.
  @Test(arguments: ["namedEntities.test", "numericEntities.test"])
  func publishedReferencesAreResolved(file: String) throws {
    guard let url = Corpora.find("entities/\(file)") else { return }
    let document = try JSONReader.parse(Data(contentsOf: url))
    let cases = try #require(document.object?["tests"]?.elements).compactMap(\.object)
    var failures: [String] = []
    for test in cases {
      let input = try #require(test["input"]?.text)
      let expected = (test["output"]?.elements ?? []).compactMap { $0.elements?.last?.text }.joined()
      // Our own rules: controls are dropped, and white space is collapsed.
      if expected.unicodeScalars.contains(where: { $0.value < 0x21 || (0x7F...0x9F).contains($0.value) }) {
        continue
      }
      var output: [UInt8] = []
      var copy = input
      copy.withUTF8 { CharacterReferences.decode($0, for: .text, into: &output) }
      if !output.elementsEqual(expected.utf8) { failures.append(input) }
    }
    #expect(failures == [])
    #expect(cases.count > 300)
  }
}
