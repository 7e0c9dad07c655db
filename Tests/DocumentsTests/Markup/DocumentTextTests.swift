import Foundation
import Markup
import Screen
import TestBasics
import Testing

/// The text of a message's HTML without look: what is listed, searched and printed.
@Suite struct DocumentTextTests {
  private func text(_ html: String) -> String { Document.text(ofHTML: html, base: nil) }

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
    ("a <img src=x alt='a &amp; picture'> b", "a [image: a & picture] b"), ("<img src=x>", "[image]"),
    ("<p>&nbsp;</p><p>x</p>", "x"),
    ("<h1>T</h1>text", "T\ntext"), ("<blockquote>q</blockquote>r", "q\nr"),
    ("<p>unclosed <b>bold", "unclosed bold"),
    ("</p></div>x", "x"), ("<body><p>x</p></body>", "x"), ("日本<b>語</b>", "日本語"), ("<q>é</q>&eacute;", "“é”é"),
    ("<svg><title>x</title></svg>y", "y"), ("<td>a<td>b", "a\nb"), ("a<hr>b", "a\nb"), ("<x-y>z</x-y>", "z"),
    ("<p>a</p>\n\n<p>b</p>\n", "a\nb"), ("<![CDATA[x]]>y", "xy"),
    ("&#x1b;[2J&#0;<b>&#x9b;</b>", "\u{FFFD}[2J\u{FFFD}›"),
    ("&notit; &lang;", "&notit; ⟨"), ("<i>&lang;&nGt;&NotEqualTilde;</i>", "⟨≫⃒≂̸"),
  ])
  func fragmentsBecomeLines(html: String, text: String) {
    #expect(self.text(html) == text)
  }

  @Test func deepAndLongFragmentsAreRead() {
    #expect(text(String(repeating: "<div>", count: 100_000) + "x").hasPrefix("[Cut here"))
    #expect(text(String(repeating: "a b ", count: 100_000)).utf8.count == 399_999)
    #expect(text("<p>" + String(repeating: "x", count: 5_000_000)).utf8.count <= 1 << 20)
  }

  @Test func cutAnywhereAFragmentIsRead() {
    let bytes = Array(
      "<ul><li>ä <a href=\"x&amp;y\">l</a><!-- c --></li></ul><pre>\n x</pre>&#x1F600;&NotEqualTilde;<img alt='q'>"
        .utf8)
    for length in 0...bytes.count {
      let text = self.text(String(decoding: bytes[..<length], as: UTF8.self))
      // The label of the picture has more bytes than its tag.
      #expect(text.utf8.count <= length + 10)
      #expect(!text.contains("href"))
    }
  }

  // MARK: What is shown

  @Test(arguments: [
    ("<div style='display:none'>Preview words</div><p>Real start.</p>", "Real start."),
    ("<![if !mso]><p>Seen</p><![endif]>", "Seen"),
    ("<video>Your browser does not support video.</video>x<audio>Nor audio</audio>", "x"),
    ("<ol start=5><li value=9>nine<li>ten</ol>", "9. nine\n10. ten"),
    ("2<sup>10</sup> bytes, H<sub>2</sub>O", "2¹⁰ bytes, H₂O"),
    ("<ruby>漢字<rt>かんじ</rt></ruby>です", "漢字(かんじ)です"),
    ("<p><a href='https://e.org/'>link</a> and https://e.org/2</p>", "link and https://e.org/2"),
    ("Price <s>$100</s> $80", "Price ~$100~ $80"), ("<code>a</code>", "a"),
    ("<iframe src='https://v.example/1' title='The launch'></iframe>", "[page: The launch]"),
    ("<dl><dt>Term<dd>Meaning</dl>", "Term\nMeaning"),
    ("<details><summary>More</summary><p>Text</details>", "More\nText"),
    ("a\u{202E}b", "ab"), ("<p><a href='https://e.org/'>x<br></a> y</p>", "x\ny"),
    ("<math><mfrac><mi><a href='https://e.org/'>a</a></mi><mi>b</mi></mfrac></math>", "a/b"),
    ("<sup><a href='https://e.org/'>1</a></sup>", "¹"),
  ])
  func theTextIsThatOfTheReader(html: String, text: String) {
    #expect(self.text(html) == text)
  }

  /// The links are no part of the text, which is made without them.
  @Test(arguments: [
    "<math><mfrac><mi><a href='https://e.org/'>a</a></mi><mi>b</mi></mfrac></math>",
    "<sup>\(SampleFragments.links(60))</sup>",
    "e<a href='https://e.org/'>\u{301} f </a><a href='other:'>\u{301} g</a>\u{301} h",
    "<p>a https://e.org/1) b <a href='https://e.org/2'> c</a>, https://e.org/3\u{3000}d <a href='/e'>e</a>.",
  ])
  func theNumbersOfLinksChangeNothingElse(html: String) {
    let lines = Document.html(html, base: nil).layout(width: 5000, theme: .bare, listsLinks: false)
    let shown = lines.map(\.plain).joined(separator: "\n")
    #expect(shown.contains("[1]"))
    #expect(shown.replacing(/\[\d+\]/, with: "") == text(html))
  }

  /// Text and lines are made from one document and have the same words in the same order. The lines also have marks:
  /// bars, rules, bullets, numbers of links.
  @Test(arguments: SampleFragments.all) func textAndLinesHaveTheSameWords(html: String) {
    let base = "https://site.example/p/1"
    let lines = Document.html(html, base: base).layout(width: 5000, theme: .bare, listsLinks: false)
    let marks = /[│─┼▾•◦▪~`]|\[\d+\]/
    func words(_ text: String) -> [String] {
      text.replacing(marks, with: " ").split { $0.isWhitespace || $0 == "-" }.map(String.init)
    }
    let shown = words(lines.map(\.plain).joined(separator: "\n"))
    let text = words(Document.text(ofHTML: html, base: base))
    // A table is laid out row by row; the lines of neighbouring cells are side by side.
    #expect(html.contains("<td") || html.contains("<th") ? shown.sorted() == text.sorted() : shown == text)
  }
}

extension MarkupTheme {
  /// A theme in which code has no marks, because marks are not words.
  fileprivate static let bare: MarkupTheme = {
    var theme = MarkupTheme.standard
    theme.marks.code = .empty
    return theme
  }()
}

/// Fragments of HTML: those written for these tests, and those of the feeds from public reports if they are available.
enum SampleFragments {
  static let all: [String] = written + reported

  private static let written = [
    "<h1>A <em>b</em></h1><p>c<br>d</p><ul><li>e<ol><li>f</ol></ul><blockquote>g<p>h</blockquote>",
    "<table><tr><th>A<th>B<tr><td>1<td>2<tr><td colspan=2>both</table>", "<pre>a\n  b</pre><hr>c",
    "<p hidden>x</p><noscript>n</noscript><p>y <img src=a.png alt=z> <input type=checkbox checked> w",
    "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "<p>one &amp; two &lt;three&gt;</p>",
    "\(links(1200))<iframe src='https://v.example/1' title='After many links'></iframe>",
    "<p>a <a href='https://e.org/3'>e <br></a> f",
    "<details><summary><a href='https://e.org/4'><ul><li>g</ul></a></summary><p>h</details>",
  ]

  static func links(_ count: Int) -> String {
    (1...count).map { "<a href='https://e.org/\($0)'>\($0)</a> " }.joined()
  }

  /// The bodies of the feeds, in which markup is escaped.
  private static let reported: [String] = {
    guard let folder = Corpora.find("reports/feeds"),
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    var found: [String] = []
    for case let file as URL in files where file.pathExtension == "xml" {
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      for name in ["description", "content", "content:encoded", "summary"] {
        for part in text.components(separatedBy: "<\(name)").dropFirst() {
          guard let end = part.range(of: "</\(name)>"), let start = part.firstIndex(of: ">") else { continue }
          guard start < end.lowerBound else { continue }
          let body = String(part[part.index(after: start)..<end.lowerBound]).replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
          found.append(body)
        }
      }
    }
    return found
  }()
}
