import Markup
import Screen
import Testing

/// Tables and lists of HTML, at the width of a terminal.
@Suite struct HTMLTableTests {
  private func shown(_ html: String, _ width: Int = 60) -> [String] {
    Document.html(html, base: nil).layout(width: width, listsLinks: false).map(\.plain)
  }

  @Test func aListCodeOrParagraphsInACellLeaveTheTableATable() {
    #expect(
      shown("<table><tr><th>Day<th>Tasks<tr><td>Mon<td><ul><li>one<li>two</ul><tr><td>Tue<td>none</table>")
        == [
          "Day │ Tasks", "────┼──────", "Mon │ • one", "    │ • two", "Tue │ none",
        ])
    #expect(
      shown("<table><tr><td>Call<td><pre>f(x)\n  y</pre><tr><td>Text<td><p>one</p><p>two</p></table>") == [
        "Call │ f(x)", "     │   y", "Text │ one", "     │ two",
      ])
  }

  @Test func theTextOfACellWrapsInItsColumn() {
    let html =
      "<table><tr><td>Name<td><ol><li>words that wrap here<li>b</ol><tr><td>Code<td><pre>let abcdefgh = ijkl</pre></table>"
    #expect(
      shown(html, 22) == [
        "Name │ 1. words that", "     │    wrap here", "     │ 2. b", "Code │ let abcdefgh =",
        "     │ ↪ ijkl",
      ])
  }

  @Test func aNarrowTableShowsItsCellsBelowEachOther() {
    let html =
      "<table><tr><th>A<th>B<th>C<tr><td>one<td><ul><li>x<li>y</ul><td>incomprehensible<tr><td>1<td>2<td>3</table>"
    #expect(
      shown(html, 14) == [
        "A: one", "B:", "• x", "• y", "C:", "incomprehensib", "↪ le", "────────", "A: 1", "B: 2", "C: 3",
      ])
  }

  @Test func aTableInAListInACellSaysThatTheOuterOneIsLayout() {
    let inner = "<ul><li><table><tr><td>x<td>y<tr><td>1<td>2</table></ul>"
    #expect(shown("<table><tr><td>\(inner)<td>b<tr><td>c<td>d</table>").contains { $0.contains("x │ y") })
  }

  @Test(arguments: [
    (
      "<table><tr><th>A<th>Sum<tr><td>a<td align=right>1<tr><td>b<td align=right>1000</table>",
      ["A │  Sum", "──┼─────", "a │    1", "b │ 1000"]
    ),
    (
      "<table><tr><td>a<td style='text-align: right;'>1<tr><td>b<td style='text-align:right'>100</table>",
      ["a │   1", "b │ 100"]
    ),
    ("<table><tr><td>a<td style='text-align:center'>1<tr><td>b<td>12345</table>", ["a │   1", "b │ 12345"]),
    ("<table><tr align=right><td>a<td>1<tr><td>bcd<td>234</table>", ["  a │   1", "bcd │ 234"]),
    ("<table><col><col align=right><tr><td>a<td>1<tr><td>b<td>234</table>", ["a │   1", "b │ 234"]),
    ("<table style='text-align:right'><tr><td>a<td>1<tr><td>bcd<td>234</table>", ["  a │   1", "bcd │ 234"]),
  ])
  func columnsStandWhereTheirAuthorSays(_ html: String, _ lines: [String]) {
    #expect(shown(html) == lines)
  }

  // MARK: Lists

  @Test(arguments: [
    ("<ul><li>a<li><li>&nbsp;<li><p></p><li>b</ul>", ["• a", "• b"]), ("<ul><li></ul>x", ["x"]),
    ("<ol><li>a<li><li>b</ol>", ["1. a", "3. b"]), ("<ol type=a><li>x<li>y</ol>", ["a. x", "b. y"]),
    ("<ol type=A start=26><li>x<li>y</ol>", [" Z. x", "AA. y"]),
    ("<ol type=i><li>x<li>y<li>z</ol>", ["  i. x", " ii. y", "iii. z"]),
    ("<ol type=I start=4><li>x<li>y</ol>", ["IV. x", " V. y"]),
    ("<ol style='list-style-type: lower-roman'><li>x</ol>", ["i. x"]),
    ("<ol reversed><li>x<li>y<li>z</ol>", ["3. x", "2. y", "1. z"]),
    ("<ol reversed start=10><li>x<li>y</ol>", ["10. x", " 9. y"]),
    ("<ol><li value=7>x<li>y<li value=3>z</ol>", ["7. x", "8. y", "3. z"]),
    ("<ol type=a start=0><li>x<li>y</ol>", ["0. x", "a. y"]),
    ("<ol type=I start=4000><li>x</ol>", ["4000. x"]),
    ("<ol start='9999999999999999999999'><li>x</ol>", ["1. x"]),
    ("<ol start=-5><li>x<li>y</ol>", ["-5. x", "-4. y"]),
  ])
  func listsCountAsTheirAuthorSays(_ html: String, _ lines: [String]) {
    #expect(shown(html) == lines)
  }

  /// Each level of a nested table could be laid out twice by the level above it, and a superscript could be read again
  /// by each around it.
  @Test func nestedElementsAreReadFast() {
    func time(_ html: String) -> Double {
      processorTime { _ = Document.html(html, base: nil).layout(width: 80) }
    }
    func repeated(_ piece: String) -> String { String(repeating: piece, count: 20_000 / piece.utf8.count) }
    let words = time(repeated("a word "))
    let pieces = [
      "<table><tr><td>a<td><ul><li>", "<table><tr><td>a<td>b<tr><td><ol><li>x<pre>y</pre>", "<sup>a",
      "<ruby>a<rt>b<rp>", "<code>a</code>b",
    ]
    let raised = String(repeating: "<sup>", count: 400) + repeated("<b>a</b>c")
    for html in pieces.map(repeated) + [raised] {
      let times = time(html) / words
      #expect(times < 50, "\(times) times what words take: \(html.prefix(60))")
    }
  }
}
