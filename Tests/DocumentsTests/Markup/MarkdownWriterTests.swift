import Markup
import Screen
import Testing

/// Documents as Markdown.
struct MarkdownWriterTests {
  private func markdown(_ html: String) -> String {
    Document.html(html, base: "https://a.example/").markdown
  }

  @Test(arguments: [
    ("<p>one</p><p>two</p>", "one\n\ntwo"), ("<h2>Head</h2>x", "## Head\n\nx"),
    ("a<br>b", "a  \nb"), ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n\n  - c"),
    ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"), ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b"),
    ("<pre>a\n  `b`</pre>", "```\na\n  `b`\n```"), ("<pre>```</pre>", "````\n```\n````"),
    ("a<hr>b", "a\n\n---\n\nb"),
    ("<b>bold</b> and <i>soft</i>", "**bold** and *soft*"), ("<s>old</s>", "~~old~~"),
    ("<code>a*b</code>", "`a*b`"), ("<a href=/x>here</a>, there", "[here](https://a.example/x), there"),
    ("<a href=/x_(y)>here</a>", "[here](<https://a.example/x_(y)>)"),
    ("<table><tr><th>a<th>b<tr><td>1|2<td>3</table>", "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |"),
    ("2 * 3 [x] <y>", "2 \\* 3 \\[x\\]"), ("snake_case _x_", "snake_case \\_x\\_"),
    ("<p># no heading", "\\# no heading"), ("<p>1986. A year", "1986\\. A year"),
    ("<p>-5 degrees", "-5 degrees"),
    ("<p>- no item", "\\- no item"), ("a &amp;amp; b", "a \\&amp; b"),
  ])
  func eachPartHasItsMarks(html: String, markdown: String) {
    #expect(self.markdown(html) == markdown)
  }

  @Test func aPlainAddressIsNotRepeated() {
    let text = Document.plain("See https://a.example/x now").markdown
    #expect(text == "See <https://a.example/x> now")
  }

  @Test func linksThatTheTextDoesNotNameFollowIt() {
    var document = Document.plain("Hello")
    document.links.append(Link(number: 1, label: "Reply", url: "https://a.example/r"))
    #expect(document.markdown == "Hello\n\n- [Reply](https://a.example/r)")
  }

  /// The written text is read as the same document: no character of the text became a mark.
  @Test(arguments: [
    "<h1>A *b* _c_ `d`</h1><p>#1 is &lt;b&gt; [x](y) ![z](w) \\n ~~a~~ &amp;lt; a|b",
    "<p>+ a<br>* b<br>1) c<br>&gt; d<br>===<br>---", "<ol><li><p>a<pre>x\n\n y</pre><p>b<li>c</ol>",
    "<p>**a** <b>*b*</b> <code>``</code> __c__", "<blockquote>a<ul><li>b</ul></blockquote>c",
    "<p>a <b> b </b> c<i>d</i>e", "<p><a href=/1>a]b</a> <a href=/2>[c</a>",
  ])
  func whatIsWrittenIsReadAsTheSame(html: String) {
    let document = Document.html(html, base: "https://a.example/")
    let again = Document.markdown(document.markdown)
    #expect(
      again.layout(width: 60).map(\.plain) == document.layout(width: 60).map(\.plain), "\(document.markdown)")
  }
}
