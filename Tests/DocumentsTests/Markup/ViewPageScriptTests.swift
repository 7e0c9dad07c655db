import Markup
import Screen
import Testing

/// A view as its scripts see it, and their changes.
@Suite struct ViewPageScriptTests {
  private func page(_ html: String) -> ViewPage { ViewPage(html: html, base: "https://example.org/v/") }

  private func shown(_ page: ViewPage) -> [String] { page.layout(width: 40).lines.map(\.plain) }

  private func element(_ html: String, _ id: String = "e") -> ViewElement? {
    page(html).elements.first { $0.id == id }
  }

  private func changed(_ html: String, _ changes: ViewChange...) -> ViewPage {
    var page = page(html)
    for change in changes { page.apply(change) }
    return page
  }

  @Test(arguments: [
    ("<script>a</script>x<script type='text/javascript'>b</script>", ["a", "b"]),
    ("<script type=module>a</script><script type=' Application/JavaScript; x=1'>b</script>", ["a", "b"]),
    ("<script type='text/template'>a</script><script type='application/json'>{}</script>", []),
    ("<script src='x.js'>a</script><script src>b</script><script> \n</script>", []),
    (
      "<script>if (a<b && c</d>/.test('</p>&amp;&lt;&#65;&copy;&check;')) {}</script>",
      ["if (a<b && c</d>/.test('</p>&amp;&lt;&#65;&copy;&check;')) {}"]
    ),
    ("<SCRIPT>x = '<!--&#150;' + \"<\\/script>\"</Script >y&check;", ["x = '<!--&#150;' + \"<\\/script>\""]),
    ("<script>a\u{0}b", ["a\u{FFFD}b"]), ("<script>unclosed &amp;", ["unclosed &amp;"]),
    ("<!-- <script>a</script> --><script>b</script>", ["b"]),
    ("<!-- <script> --> &check; <script>b&amp;</script>", ["b&amp;"]),
    ("<script/>&amp;<script>b&amp;</script>", ["b&amp;"]), ("<script a=b/>b&amp;</script>", ["b&amp;"]),
    ("<textarea><script>a</script></textarea><template><script>b</script></template>", []),
    ("<noscript><script>a</script></noscript><div hidden><script>b</script></div>", ["b"]),
    ("<svg><script>a</script></svg><p onclick='b()'>", ["a"]),
  ])
  func scriptsAreTheTextOfInlineBlocks(_ html: String, _ scripts: [String]) {
    #expect(page(html).scripts == scripts)
  }

  @Test(arguments: [
    ("<script>a</script>", true), ("<p onclick='f()'>", true), ("<a href='javascript:f()'>x</a>", true),
    ("<div hidden><b onclick='f()'>x</b></div>", true), ("<p>text <a href=/x>link</a>", false),
    ("<script src=x></script><style>p{}</style>", false), ("<p onclick=''>", false),
    ("<button>x</button>", false),
  ])
  func anEngineIsNeededWhereThereIsSomethingToRun(_ html: String, _ isNeeded: Bool) {
    #expect(page(html).needsEngine == isNeeded)
  }

  @Test func aViewThatAScriptMadeClickableNeedsTheEngine() {
    #expect(changed("<p id=e>x", .clickable(element: "e", true)).needsEngine)
    #expect(!changed("<p id=e onclick='f()'>x", .clickable(element: "e", false)).needsEngine)
  }

  @Test func elementsAreThoseWithAnIdInDocumentOrder() {
    let html = "<body id=a><p id=b>one<b id=c hidden>two</b><i id=''>x</i></p><p id=b>again</p><input id=d>"
    let elements = page(html).elements
    #expect(elements.map(\.id) == ["a", "b", "c", "d"])
    #expect(elements.map(\.textContent) == ["onetwoxagain", "onetwox", "two", ""])
    #expect(elements.map(\.isHidden) == [false, false, true, false])
    #expect(elements[1].innerHTML == "one<b id=\"c\" hidden=\"\">two</b><i id=\"\">x</i>")
  }

  @Test(arguments: [
    ("a &lt;b&gt; &amp;amp; &nbsp;\"'", "a &lt;b&gt; &amp;amp; &nbsp;\"'"),
    ("a<br>b<img src=x><hr>", "a<br>b<img src=\"x\"><hr>"),
    ("<b title='&quot;&amp;&lt;&#39;'>x</b>", "<b title=\"&quot;&amp;&lt;'\">x</b>"),
    ("<script>a<b&&c</script>", "<script>a<b&&c</script>"), ("<B CLASS=x>t</B>", "<b class=\"x\">t</b>"),
    ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"), ("中文 é 👍 ", "中文 é 👍 "), ("<!-- c -->x", "x"),
    ("\n a  b\n", "\n a  b\n"), ("", ""),
  ])
  func innerHTMLIsSerialisedAndReadAgain(_ html: String, _ serialised: String) {
    let page = page("<div id=e>\(html)</div>")
    #expect(page.elements.first?.innerHTML == serialised)
    var again = page
    again.apply(.html(element: "e", serialised))
    #expect(again == page)
  }

  @Test func textReplacesEverythingInside() {
    let page = changed("<p id=e>a <b id=f>b</b></p><p>c", .text(element: "e", "1 < 2 & <b>3</b>"))
    #expect(shown(page) == ["1 < 2 & <b>3</b>", "", "c"])
    #expect(page.elements.map(\.id) == ["e"])
    #expect(page.elements.first?.textContent == "1 < 2 & <b>3</b>")
    #expect(page.elements.first?.innerHTML == "1 &lt; 2 &amp; &lt;b&gt;3&lt;/b&gt;")
    #expect(shown(changed("<p id=e>a</p>b", .text(element: "e", ""))) == ["b"])
    #expect(shown(changed("<button id=e>a</button>", .text(element: "e", "b"))) == ["[ b ]"])
  }

  @Test func htmlIsReadAsAFragment() {
    let page = changed(
      "<div id=e>old</div>end", .html(element: "e", "new <a id=f href=w onclick='g()'>link</a><ul><li>x</ul>")
    )
    #expect(shown(page) == ["new link", "", "• x", "", "end"])
    #expect(page.elements.map(\.id) == ["e", "f"])
    #expect(page.layout(width: 40).controls.map(\.action) == [.run(code: "g()", element: "f")])
    #expect(shown(changed("<ul id=e></ul>", .html(element: "e", "<li>a<li>b"))) == ["• a", "• b"])
    let rows = changed("<table id=e></table>", .html(element: "e", "<tr><td>a<td>b<tr><td>c<td>d"))
    #expect(shown(rows) == ["a │ b", "c │ d"])
  }

  @Test func scriptsInHTMLThatAScriptSetDoNotRun() {
    let page = changed(
      "<p id=e>", .html(element: "e", "<script>a()</script>x<img src=y onerror='b()' alt=z>"))
    #expect(page.scripts.isEmpty)
    #expect(!page.needsEngine)
    #expect(shown(page) == ["x[image: z]"])
  }

  @Test func markupThatLeavesItsElementStaysInside() {
    let page = changed("<div><p id=e>a</p>b</div>", .html(element: "e", "</p></div></body><b>c</b></html>d"))
    #expect(page.elements.first?.textContent == "cd")
    #expect(shown(page).last == "b")
  }

  @Test func theContentOfAScriptIsNotMarkup() {
    let page = changed("<script id=e>a</script><p id=f>x", .html(element: "e", "<p id=g>y</p>"))
    #expect(page.elements.map(\.id) == ["e", "f"])
    #expect(shown(page) == ["x"])
  }

  @Test func hiddenComesAndGoes() {
    let html = "<p id=e>a <a href=x>link</a></p><p id=f hidden>b</p>"
    let page = changed(html, .hidden(element: "e", true), .hidden(element: "f", false))
    #expect(shown(page) == ["b"])
    #expect(page.layout(width: 40).controls.isEmpty)
    #expect(page.elements.map(\.isHidden) == [true, false])
    var back = page
    back.apply(.hidden(element: "e", false))
    back.apply(.hidden(element: "f", true))
    back.apply(.hidden(element: "f", true))
    #expect(back.layout(width: 40) == self.page(html).layout(width: 40))
  }

  @Test(arguments: [
    ("<p id=e>x", [ViewControl.Action.click(element: "e")]),
    ("<button id=e>x</button>", [.click(element: "e")]),
    ("<b id=e onclick='f()'>x</b>", [.click(element: "e")]),
    ("<a id=e href='/y'>x</a>", [.click(element: "e")]),
    ("<button id=e disabled>x</button>", []), ("<p id=e hidden>x", []),
    (
      "<div id=e>a <a href='reddot:message/1'>x</a></div>", [.click(element: "e"), .open("reddot:message/1")]
    ),
  ])
  func aScriptMakesAnElementAControl(_ html: String, _ actions: [ViewControl.Action]) {
    let page = changed(html, .clickable(element: "e", true))
    #expect(page.layout(width: 40).controls.map(\.action) == actions)
  }

  @Test func aScriptTakesAClickAway() {
    let open = ViewControl.Action.open("https://example.org/y")
    let page = changed(
      "<b id=e>x</b><a id=f href='/y' onclick='f()'>y</a>", .clickable(element: "e", true),
      .clickable(element: "e", false), .clickable(element: "f", false))
    #expect(page.layout(width: 40).controls.map(\.action) == [open])
  }

  @Test(arguments: [
    ViewChange.text(element: "none", "x"), .html(element: "none", "<b>x</b>"), .hidden(element: "none", true),
    .clickable(element: "none", true), .text(element: "", "x"), .hidden(element: "", true),
    .text(element: "void", "x"), .html(element: "void", "<p>x</p>"),
  ])
  func aChangeThatFindsNothingDoesNothing(_ change: ViewChange) {
    let page = page("<p id=e>a<input id=void value=v><b id=''>c</b>")
    var after = page
    after.apply(change)
    #expect(after == page)
  }

  @Test func theFirstOfARepeatedIdIsMeant() {
    let html = "<p id=e>a</p><p id=e>b</p>"
    #expect(shown(changed(html, .text(element: "e", "x"))) == ["x", "", "b"])
    #expect(shown(changed(html, .hidden(element: "e", true))) == ["b"])
  }

  @Test func whatScriptsWriteIsLimited() {
    let large = String(repeating: "word ", count: 90_000)
    var page = page("<p id=e></p><p id=f></p><p id=g>kept")
    page.apply(.text(element: "e", large))
    page.apply(.html(element: "f", large))
    page.apply(.text(element: "g", "room for this"))
    let sizes = page.elements.map(\.textContent.utf8.count)
    #expect(sizes[0] == 450_000 && sizes.reduce(0, +) < 513 << 10)
    #expect(page.layout(width: 60).lines.last?.plain == "[Cut here: the view's scripts wrote too much]")
  }
}
