import Markup
import Screen
import Testing

/// HTML as lines.
@Suite struct HTMLDocumentTests {
  private func shown(_ html: String, _ width: Int = 60, base: String? = nil) -> [String] {
    Document.html(html, base: base).layout(width: width, listsLinks: false).map(\.plain)
  }

  @Test(arguments: [
    ("plain words", ["plain words"]), ("<p>one</p><p>two</p>", ["one", "", "two"]),
    ("<div>one</div><div>two</div>", ["one", "two"]),
    ("one<br>two<br>", ["one", "two"]), ("one<br><br><br>two", ["one", "", "two"]),
    ("<div>one</div><div><br></div><div>two</div>", ["one", "", "two"]),
    ("  a \n\t b  <b> c </b> d ", ["a b c d"]),
    ("<p>&nbsp;</p><p>x</p>", ["x"]), ("a<hr>b", ["a", "", String(repeating: "─", count: 60), "", "b"]),
    ("<h1>Head</h1>text", ["Head", "", "text"]),
    ("x<sup>2</sup> H<sub>2</sub>O 4<sup>th</sup>", ["x² H₂O 4ᵗʰ"]),
    ("<q>said</q> <s>old</s> <code>x = 1</code>", ["“said” ~old~ `x = 1`"]),
    ("<p><b>bold</b><i>italic</i></p>", ["bolditalic"]), ("<button>Go</button>", ["[ Go ]"]),
    ("<input type=checkbox checked>done", ["[x] done"]),
    ("<details><summary>More</summary>text</details>", ["▾ More", "  text"]),
    ("<dl><dt>T<dd>D<dd>E<dt>U</dl>", ["T", "    D", "    E", "U"]),
  ])
  func textIsLaidOut(_ html: String, _ lines: [String]) {
    #expect(shown(html) == lines)
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "<style>p{}</style>", "<head><title>t</title></head>", "<!-- c -->",
    "<template>x</template>",
    "<div style='Display : NONE'>preview</div>", "<p hidden>x</p>", "<noframes>x</noframes>",
    "<svg><text>x</text></svg>", "<select><option>x</select>",
    "<img src=t.gif width=1 height=1>", "<img src=deco.png alt=''>",
    "<script>if (a<b) document.write('<p>x</p>')</script>", "<object data='x'>x</object>",
  ])
  func whatIsNotForReadingIsNotShown(_ html: String) {
    #expect(shown("seen" + html) == ["seen"])
  }

  @Test(arguments: [
    ("&lt;b&gt; &amp;amp; &#65;&#x42;", "<b> &amp; AB"), ("&#150;&#x80;&#153;", "–€™"),
    ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("&check;&lpar;&num;60;&AMP;lt;&apos;", "✓(#60;&lt;'"),
    ("&copy=1 &eacutes; &unknown; &; & &#; &#x;", "©=1 &eacutes; &unknown; &; & &#; &#x;"),
    ("caf&eacute &copy 2", "café © 2"),
    ("a\u{0}b", "a\u{FFFD}b"), ("&#x1b;[31m\u{9B}31m", "\u{FFFD}[31m\u{FFFD}31m"), ("&#x202e;gpj", "gpj"),
  ])
  func referencesAreResolvedOnceAndThenSanitised(_ html: String, _ text: String) {
    #expect(shown(html) == [text])
  }

  @Test func listsNest() {
    let html = "<ul><li>one<li>two<ul><li>in<ol start=9><li>nine<li>ten</ol></ul><li><p>three</ul>"
    #expect(shown(html) == ["• one", "• two", "  ◦ in", "     9. nine", "    10. ten", "• three"])
  }

  @Test func longItemsAreIndentedAfterTheirMark() {
    #expect(shown("<ol><li>words that wrap here</ol>", 16) == ["1. words that", "   wrap here"])
  }

  @Test func quotesHaveABarAtEachLevel() {
    let html = "<blockquote>outer words that wrap<blockquote>inner</blockquote></blockquote>end"
    #expect(shown(html, 20) == ["│ outer words that", "│ wrap", "│", "│ │ inner", "", "end"])
  }

  @Test func codeKeepsItsSpacesAndLines() {
    #expect(shown("<pre>\nfn {\n\tx  y\n\n}\n</pre>") == ["    fn {", "            x  y", "", "    }"])
    #expect(shown("<pre>0123456789abcdef</pre>", 14) == ["0123456789abcd", "↪ ef"])
    #expect(shown("<pre>0123456789abcdefgh</pre>", 20) == ["    0123456789abcdef", "    ↪ gh"])
  }

  @Test func tablesAreAligned() {
    let html =
      "<table><tr><th>Name<th align=right>Sum</tr><tr><td>苹果<td align=right>1.50</tr><tr><td>b<td align=right>12</table>"
    #expect(shown(html) == ["Name │  Sum", "─────┼─────", "苹果 │ 1.50", "b    │   12"])
  }

  @Test func tablesThatDoNotFitWrapTheirCellsThenStack() {
    let html =
      "<table><tr><th>Name<th>Remark<th>City</tr><tr><td>Anna<td>likes long words here<td>Hamburg</table>"
    #expect(
      shown(html, 32) == [
        "Name │ Remark          │ City", "─────┼─────────────────┼────────",
        "Anna │ likes long      │ Hamburg",
        "     │ words here      │",
      ])
    #expect(shown(html, 18) == ["Name: Anna", "Remark: likes long", "words here", "City: Hamburg"])
  }

  @Test func cellsThatSpanKeepTheirColumns() {
    let html = "<table><tr><td rowspan=2>a<td>b</tr><tr><td>c</tr><tr><td colspan=2>wide</table>"
    #expect(shown(html) == ["a    │ b", "     │ c", "wide │"])
  }

  @Test func tablesForLayoutAreReadInOrder() {
    #expect(shown("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>") == ["a", "b", "c", "d"])
    #expect(
      shown("<table><tr><td><table><tr><td>x<td>y<tr><td>1<td>2</table><td><ul><li>i</ul></table>") == [
        "x │ y", "1 │ 2", "", "• i",
      ])
    #expect(shown("<table><tr><td>only<td>row</table>") == ["only", "row"])
  }

  @Test func emphasisIsSeenWithoutColour() {
    func attributes(_ html: String) -> [Style.Attributes] {
      Document.html(html, base: nil).layout(width: 40, listsLinks: false).flatMap(\.runs).map(
        \.style.attributes)
    }
    #expect(attributes("<b>x</b>") == [.bold])
    #expect(attributes("<i>x</i>") == [.italic])
    #expect(attributes("<u>x</u>") == [.underline])
    #expect(attributes("<h1>x</h1>") == [[.bold, .underline]])
    #expect(attributes("<b><i>x</i></b>") == [[.bold, .italic]])
    #expect(attributes("a <u>b</u>") == [[], .underline])
    #expect(attributes("<th>x") == [[]])
  }

  @Test func aTextTooLongSaysHowMuchIsShown() {
    let document = Document.html(String(repeating: "<p>some words</p>", count: 320_000), base: nil)
    #expect(document.layout(width: 60).last?.plain == "[Cut here: 5313 KiB in all, 512 KiB shown]")
  }

  @Test func elementsWithoutEndSaySo() {
    let document = Document.html("start " + String(repeating: "<span>", count: 80_000) + "deep", base: nil)
    #expect(
      document.layout(width: 60).map(\.plain) == [
        "start", "", "[Cut here: too many elements inside each other]",
      ])
  }
}
