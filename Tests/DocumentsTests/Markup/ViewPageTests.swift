import Markup
import Screen
import Testing

/// The text and the controls of a view.
@Suite struct ViewPageTests {
  private static let base = "https://example.org/banners/view.html"

  private func page(_ html: String) -> ViewPage { ViewPage(html: html, base: Self.base) }

  private func shown(_ html: String, _ width: Int = 40) -> [String] {
    page(html).layout(width: width).lines.map(\.plain)
  }

  private func actions(_ html: String) -> [ViewControl.Action] {
    page(html).layout(width: 60).controls.map(\.action)
  }

  /// The words of each control, as its runs show them.
  private func pressed(_ layout: ViewLayout) -> [String] {
    layout.controls.map { control in
      layout.lines.flatMap(\.runs).filter { $0.link == control.number }.map(\.text.text).joined()
    }
  }

  @Test(arguments: [
    ("<h1>Head</h1><p>one</p><p>two</p>", ["Head", "", "one", "", "two"]),
    ("<ul><li>a<li>b</ul>", ["• a", "• b"]),
    ("<table><tr><th>N<th>S<tr><td>a<td>1</table>", ["N │ S", "──┼──", "a │ 1"]),
    (
      "<button>Go</button> <input type=submit value=Send> <input type=button>", ["[ Go ] [ Send ] [ Submit ]"]
    ),
    ("<form>a<form>b</form>c</form>", ["a", "b", "c"]),
    ("<p>a<b>b<ul><li>c<table><tr><td>d", ["ab", "", "• c", "  d"]),
    ("<button><div>Go</div> <b>on</b></button>", ["[ Go on ]"]),
    ("<a href='/x'>link</a> text", ["link text"]), ("<a href='/x'><div>a</div></a>", ["a"]),
    ("a<script>b()</script><style>p{}</style>c", ["ac"]), ("<noscript>no engine</noscript>x", ["x"]),
    ("<p hidden>a</p><p style='display: none'>b</p><p style='visibility:hidden'>c</p>d", ["d"]),
    ("<img src=a.png alt='A cat'> <img src=b.png alt=''> <img src=c.png>", ["[image: A cat] [image: c.png]"]),
    ("<video src=/v.mp4></video><iframe></iframe>", ["[video]"]),
  ])
  func textIsLaidOutLikeAMessagesWithoutNumbers(_ html: String, _ lines: [String]) {
    #expect(shown(html) == lines)
  }

  @Test(
    arguments: [
      ("<a href='/x'>t</a>", .open("https://example.org/x")),
      ("<a href=mailto:a@b.org>t</a>", .open("mailto:a@b.org")),
      ("<a href='reddot:message/4'>t</a>", .open("reddot:message/4")),
      ("<base href='http://b.org/c/'><base href='http://d.org/'><a href=x>t</a>", .open("http://b.org/c/x")),
      ("<a href='javascript:go(%22a%22)'>t</a>", .run(code: "go(\"a\")", element: nil)),
      ("<a id=k href=' Java\tScript:go(&quot;a&quot;)'>t</a>", .run(code: "go(\"a\")", element: "k")),
      ("<a href='javascript:x%zz%C3%A9%'>t</a>", .run(code: "x%zzé%", element: nil)),
      ("<a href='/x' onclick='f(1 &lt; 2)'>t</a>", .run(code: "f(1 < 2)", element: nil)),
      ("<a href='/x' onclick=' '>t</a>", .open("https://example.org/x")),
      ("<button id=b onclick='f()'>t</button>", .run(code: "f()", element: "b")),
      ("<button onclick='f()'><b>t</b></button>", .run(code: "f()", element: nil)),
      ("<input type=button value=t onclick='f()'>", .run(code: "f()", element: nil)),
      ("<input type=SUBMIT value=t onclick='f()'>", .run(code: "f()", element: nil)),
      ("<div id='' onclick='f()'>t</div>", .run(code: "f()", element: nil)),
      ("<a href='/x'><button>t</button></a>", .open("https://example.org/x")),
      ("<iframe src='/t'></iframe>", .open("https://example.org/t")),
    ] as [(String, ViewControl.Action)])
  func whatCanBePressedDoesWhatItSays(_ html: String, _ action: ViewControl.Action) {
    let layout = page(html).layout(width: 60)
    #expect(layout.controls.map(\.action) == [action])
    #expect(layout.controls.map(\.number) == [1])
    #expect(layout.lines.flatMap(\.runs).contains { $0.link == 1 })
  }

  @Test(arguments: [
    "<button>t</button>", "<input type=submit value=t>", "<button disabled onclick='f()'>t</button>",
    "<a>t</a>", "<a href='#top'>t</a>", "<a href='data:text/html,x'>t</a>", "<a href='vbscript:x'>t</a>",
    "<a href='file:///etc/passwd'>t</a>", "<a href='javascript:'>t</a>", "<a href='javascript:%20%0A'>t</a>",
    "<a href='view-source:javascript:x'>t</a>", "<p onmouseover='f()'>t</p>",
    "<img src=t.png onerror='f()' alt=t>",
    "<a hidden href='/x'>u</a>t", "<div style='display:none'><a href='/x'>u</a></div>t",
    "<a href='/x'> </a>t",
    "<a href='/x'><img src=u.png alt=''></a>t", "<select onclick='f()'><option>u</select>t",
  ])
  func elementsWithoutAnActionAreNotControls(_ html: String) {
    let layout = page(html).layout(width: 60)
    #expect(layout.controls.isEmpty)
    #expect(layout.lines.flatMap(\.runs).allSatisfy { $0.link == nil })
    #expect(layout.lines.map(\.plain).joined().contains("t"))
  }

  @Test func eachControlHasItsOwnNumberInTheOrderOfTheText() {
    let layout = page("<a href=/a>one</a> <button onclick='f()'>two</button> <a href=/a>three</a>").layout(
      width: 60)
    #expect(layout.controls.map(\.number) == [1, 2, 3])
    #expect(layout.controls.map(\.label.text) == ["one", "two", "three"])
    #expect(pressed(layout) == ["one", "[ two ]", "three"])
    let table = "<table><tr><td><a href=/1>words that wrap</a><td><a href=/2>b</a><tr><td>c<td>d</table>"
    #expect(page(table).layout(width: 16).controls.map(\.label.text) == ["words that wrap", "b"])
  }

  @Test func theInnermostControlIsPressed() {
    let html = "<div onclick='outer()'>a <a href=/x>link <b onclick='inner()'>bold</b></a> z</div><p>end</p>"
    let layout = page(html).layout(width: 60)
    #expect(
      layout.controls.map(\.action) == [
        .run(code: "outer()", element: nil), .open("https://example.org/x"),
        .run(code: "inner()", element: nil),
      ])
    #expect(pressed(layout) == ["a  z", "link ", "bold"])
    #expect(layout.controls.map(\.label.text) == ["a z", "link", "bold"])
  }

  @Test func wordsInsideABlockThatCanBePressedBelongToIt() {
    let html =
      "<div onclick='f()'><h2>Head</h2><ul><li>item</ul><table><tr><td>a<td>b<tr><td>c<td>d</table></div>x"
    let layout = page(html).layout(width: 20)
    #expect(pressed(layout) == ["Headitemabcd"])
    #expect(layout.controls.map(\.label.text) == ["Head item a b c d"])
    #expect(layout.lines.last?.runs.map(\.link) == [nil])
  }

  @Test func aControlHasItsNumberInEachOfItsLines() {
    let layout = page("<a href=/x>several words that wrap</a>").layout(width: 8)
    #expect(layout.lines.count == 4)
    #expect(layout.lines.allSatisfy { $0.runs.allSatisfy { $0.link == 1 } })
    #expect(layout.controls.map(\.label.text) == ["several words that wrap"])
  }

  @Test func picturesAreThoseThatAreShownAndCanBeFetched() {
    let html = """
      <img src=a.png><img src='/a.png'><img src='a.png' alt=''><img src='data:image/png;base64,AA'>
      <img src=dot.gif width=1 height=1><img hidden src=h.png><div style='display:none'><img src=i.png></div>
      <img src='ftp://e.org/f.png'><img src='//cdn.org/p.png'><a href=/x><img src='HTTP://e.org/q.png'></a><img>
      """
    #expect(
      page(html).pictures == [
        "https://example.org/banners/a.png", "https://example.org/a.png", "https://cdn.org/p.png",
        "http://e.org/q.png",
      ])
  }

  private static let cat = "https://example.org/banners/cat.png"
  private static let drawing = ["▀▄▀▄", "▄▀▄▀"].map {
    StyledText(
      SafeText(untrusted: $0), style: Style(foreground: .rgb(9, 9, 9), background: .rgb(9, 9, 9)), link: 77)
  }

  private func drawn(_ html: String, _ width: Int = 20) -> ViewLayout {
    page(html).layout(width: width, pictures: [Self.cat: Self.drawing])
  }

  @Test(arguments: [
    ("<img src=cat.png alt=x>", ["▀▄▀▄", "▄▀▄▀"]), ("<img src=cat.png alt=''>", ["▀▄▀▄", "▄▀▄▀"]),
    ("a <img src=cat.png> b", ["a", "", "▀▄▀▄", "▄▀▄▀", "", "b"]),
    ("<div>a <img src=cat.png> b</div>", ["a", "▀▄▀▄", "▄▀▄▀", "b"]),
    ("<center><img src=cat.png></center>", ["        ▀▄▀▄", "        ▄▀▄▀"]),
    (
      "<div style='text-align:right'><img src=cat.png></div>",
      ["                ▀▄▀▄", "                ▄▀▄▀"]
    ),
    ("<ul><li><img src=cat.png></ul>", ["• ▀▄▀▄", "  ▄▀▄▀"]), ("<img src=dog.png alt=Dog>", ["[image: Dog]"]),
    ("<table><tr><td><img src=cat.png><td>text<tr><td>a<td>b</table>", ["▀▄▀▄", "▄▀▄▀", "text", "a", "b"]),
    ("<button onclick='f()'><img src=cat.png></button>", ["▀▄▀▄", "▄▀▄▀"]),
  ])
  func aPictureThatIsThereIsDrawn(_ html: String, _ lines: [String]) {
    #expect(drawn(html).lines.map(\.plain) == lines)
  }

  @Test func aPictureKeepsItsColoursAndIsCutAtTheWidth() {
    let layout = drawn("<img src=cat.png>", 3)
    #expect(layout.lines.map(\.plain) == ["▀▄▀", "▄▀▄"])
    #expect(layout.lines.flatMap(\.runs).map(\.style) == Self.drawing.prefix(2).flatMap(\.runs).map(\.style))
  }

  @Test func aPictureInsideAControlCanBePressed() {
    let layout = drawn("<a href=/x><img src=cat.png alt=Cat></a>")
    #expect(layout.controls.map(\.label.text) == ["[image: Cat]"])
    #expect(layout.lines.flatMap(\.runs).map(\.link) == [1, 1])
    #expect(drawn("<a href=/x><img src=cat.png alt=''></a>").controls.count == 1)
    #expect(drawn("<img src=cat.png>").lines.flatMap(\.runs).map(\.link) == [nil, nil])
  }

  @Test func noLineIsWiderThanTheView() {
    let html = """
      <center style='background:navy'><h1>A headline that wraps</h1><button onclick='f()'>Press me</button></center>
      <table><tr><th>Name<th>Remark<tr><td>苹果<td>long words</table><pre>code  here</pre><ul><li>item<ol><li>inner</ol></ul>
      <blockquote>quoted<hr></blockquote><img src=cat.png>
      """
    for width in [0, 1, 5, 20, 80, 200] {
      let layout = drawn(html, width)
      #expect(layout.lines.allSatisfy { $0.columns <= width })
      #expect(layout.lines.isEmpty == (width == 0))
      #expect(layout.controls.count == (width == 0 ? 0 : 1))
    }
  }

  @Test func aTerminalWithoutUTF8GetsASCII() {
    let html =
      "<ul><li>a</ul><hr><table><tr><th>a<th>b<tr><td>c<td>d</table><details>e</details><button>f</button>"
    let lines = page(html).layout(width: 20, theme: .ascii).lines
    #expect(lines.allSatisfy { $0.plain.utf8.allSatisfy { $0 < 0x80 } })
  }
}
