import Markup
import Screen
import Testing

/// The styles of views: the part of CSS that applies to lines of text.
@Suite struct ViewPageStyleTests {
  private static let navy = Color.rgb(0, 0, 128)
  private static let white = Color.rgb(255, 255, 255)
  private static let black = Color.rgb(0, 0, 0)

  private func lines(_ html: String, _ width: Int = 20) -> [StyledText] {
    ViewPage(html: html, base: "http://e.org/").layout(width: width).lines
  }

  /// The style of the run that holds a word.
  private func style(of word: String, _ html: String) -> Style? {
    lines(html, 60).flatMap(\.runs).first { $0.text.text.contains(word) }?.style
  }

  @Test(
    arguments: [
      ("#f60", .rgb(255, 102, 0)), ("#FF6600", .rgb(255, 102, 0)), (" #f608 ", .rgb(255, 102, 0)),
      ("rgb(255,102,0)", .rgb(255, 102, 0)), ("RGB( 255 , 102 , 0 )", .rgb(255, 102, 0)),
      ("rgb(100%, 40%, 0%)", .rgb(255, 102, 0)), ("rgba(255 102 0 / 50%)", .rgb(255, 102, 0)),
      ("rgb(999,-5,1e2)", .rgb(255, 0, 100)), ("Tomato !important", .rgb(255, 99, 71)),
      ("aqua", .rgb(0, 255, 255)), ("lime", .rgb(0, 255, 0)), ("maroon", .rgb(128, 0, 0)),
      ("navy", .rgb(0, 0, 128)), ("olive", .rgb(128, 128, 0)), ("purple", .rgb(128, 0, 128)),
      ("silver", .rgb(192, 192, 192)), ("teal", .rgb(0, 128, 128)), ("orange", .rgb(255, 165, 0)),
      ("pink", .rgb(255, 192, 203)), ("brown", .rgb(165, 42, 42)), ("gold", .rgb(255, 215, 0)),
      ("crimson", .rgb(220, 20, 60)), ("rebeccapurple", .rgb(102, 51, 153)),
      ("transparent", .terminal), ("#f600", .terminal), ("rgba(9,9,9,0)", .terminal), ("inherit", .terminal),
      ("#12", .terminal), ("#ggg", .terminal), ("#é12", .terminal), ("rgb(1,2)", .terminal),
      ("rgb(1,2,x)", .terminal),
      ("rgb(nan,1,1)", .terminal), ("rgb(inf,1,1)", .terminal), ("rgb(", .terminal), ("rgb", .terminal),
      ("var(--x)", .terminal), ("nocolour", .terminal), ("", .terminal),
    ] as [(String, Color)])
  func coloursAreReadAsCSSWritesThem(_ value: String, _ color: Color) {
    #expect(style(of: "x", "<b style='color:\(value)'>x</b>")?.foreground == color)
    #expect(style(of: "x", "<b style='background-color:\(value)'>x</b>")?.background == color)
  }

  @Test(arguments: [
    ("<font color=red>x</font>", Style(foreground: .rgb(255, 0, 0))),
    ("<font color=FF0000>x</font>", Style(foreground: .rgb(255, 0, 0))),
    (
      "<div bgcolor='#000080' style='color:#eee'>x</div>",
      Style(foreground: .rgb(238, 238, 238), background: .rgb(0, 0, 128))
    ),
    (
      "<b style='background: navy url(a;b.png) no-repeat; color:gold'>x</b>",
      Style(foreground: .rgb(255, 215, 0), background: .rgb(0, 0, 128), attributes: .bold)
    ),
    (
      "<span style='COLOR : Red ;; ; junk; :x; font-weight:bolder'>x</span>",
      Style(foreground: .rgb(255, 0, 0), attributes: .bold)
    ),
    ("<span style='color:red;color:nonsense'>x</span>", Style(foreground: .rgb(255, 0, 0))),
    (
      "<div style='color:red'><p>y <i>x</i></p></div>",
      Style(foreground: .rgb(255, 0, 0), attributes: .italic)
    ),
    ("<div style='color:red'><p style='color:tomato'>y</p>x</div>", Style(foreground: .rgb(255, 0, 0))),
    ("<span style='font-weight:600'>x</span>", .bold), ("<span style='font-weight:500'>x</span>", .plain),
    ("<div style='font-weight:bold'><span style='font-weight:normal'>x</span></div>", .plain),
    ("<span style='font-style:italic'>x</span>", .italic),
    ("<span style='text-decoration:underline dotted'>x</span>", .underline),
    ("<style>p{color:red}</style><p>x", .plain), ("<p style='color'>x", .plain), ("<p style>x", .plain),
  ])
  func styleHoldsForWhatIsInside(_ html: String, _ expected: Style) {
    #expect(style(of: "x", html) == expected)
  }

  @Test func wordsThatAreStruckOutShowIt() {
    #expect(lines("<span style='text-decoration:line-through'>old</span>").map(\.plain) == ["~old~"])
  }

  @Test func aLinkLooksLikeOneUnlessItsAuthorSaysOtherwise() {
    let link = MarkupTheme.standard.link
    #expect(style(of: "x", "<div style='color:red'><a href=/>x</a></div>") == link)
    #expect(
      style(of: "x", "<a href=/ style='color:red'>x</a>")
        == Style(foreground: .rgb(255, 0, 0)).over(link))
  }

  @Test(arguments: [
    ("<p style='text-align:center'>abcd</p>", ["        abcd"]),
    ("<p align=right>abcd", ["                abcd"]),
    ("<center>abc<p>d</p></center>", ["        abc", "", "         d"]),
    ("<center><p style='text-align:left'>a</p>b</center>", ["a", "", "         b"]),
    ("<h1 align=center>Head</h1>", ["        Head"]),
    ("<div align=center><div>a</div></div>b", ["         a", "b"]),
    ("<p align=center>longer words that wrap</p>", [" longer words that", "        wrap"]),
    ("<center>abcdefghijklmnopqrstuvwxyz</center>", ["abcdefghijklmnopqrst", "      ↪ uvwxyz"]),
    ("<p align=center>a<br>bcd", ["         a", "        bcd"]),
    ("<center><ul><li>ab</ul></center>", ["•         ab"]),
    ("<blockquote align=right>a</blockquote>", ["│                  a"]),
    ("<span style='text-align:right'>a</span>", ["a"]),
    ("<center><table><tr><td>a<td>b<tr><td>ccc<td>d</table></center>", ["      a   │ b", "      ccc │ d"]),
    (
      "<table align=right><tr><td>a<td>b<tr><td>ccc<td>d</table>",
      ["             a   │ b", "             ccc │ d"]
    ),
    ("<table><tr><td align=right>a<td>b<tr><td>ccc<td>d</table>", ["  a │ b", "ccc │ d"]),
    ("<table style='text-align:right'><tr><td>a<td>b<tr><td>ccc<td>d</table>", ["  a │ b", "ccc │ d"]),
    ("<center><table><tr><td>a<tr><td>b</table></center>", ["         a", "         b"]),
    ("<pre align=right>a  b</pre>", ["                a  b"]),
    ("<p style='text-align:end'>a", ["                   a"]),
    ("<p style='text-align:sideways' align=nowhere>a", ["a"]),
  ])
  func textHasTheAlignmentOfItsBlock(_ html: String, _ expected: [String]) {
    #expect(lines(html).map(\.plain) == expected)
  }

  /// The columns with that background, line by line.
  private func filled(_ lines: [StyledText], _ color: Color) -> [Int] {
    lines.map { line in line.runs.reduce(0) { $0 + ($1.style.background == color ? $1.text.columns : 0) } }
  }

  @Test(arguments: [
    ("<div style='background:navy'>a</div>b", [20, 0]),
    ("<div style='background:navy'>a<p>b</p>c</div>", [20, 20, 20, 20, 20]),
    ("<span style='background:navy'>abc</span>d", [3]), ("<body bgcolor=navy><h1>a</h1><p>b", [20, 20, 20]),
    ("<ul><li style='background:navy'>ab</ul>", [18]), ("<ul style='background:navy'><li>ab</ul>", [20]),
    ("<blockquote style='background:navy'>a<p>b</blockquote>", [20, 20, 20]),
    ("<div style='background:navy'><table><tr><td>a<td>b<tr><td>c<td>d</table></div>", [20, 20]),
    ("<div style='background:navy'>a<br><br>b</div>", [20, 20, 20]),
    ("<pre style='background:navy'>a\n\nb</pre>", [20, 20, 20]),
    ("<p align=right style='background:navy'>a</p>", [20]), ("<div style='background:navy'><hr></div>", [20]),
    ("<div style='background:navy'></div>a", [0]),
    ("<div style='background:navy'><p style='background:red'>a</p>b</div>", [0, 20, 20]),
    ("<body bgcolor=navy><p style='background:red'>a</p><p style='background:red'>b</p>", [0, 20, 0]),
    ("<body bgcolor=navy><p>a</p><ul style='background:red'><li>b</ul><p>c</p>", [20, 20, 0, 20, 20]),
    ("<p>a</p><div style='background:navy'><p>b<p>c</div><p>d", [0, 0, 20, 20, 20, 0, 0]),
    ("<table><tr bgcolor=navy><td>ab<td>c<tr><td>d<td>e</table>", [6, 0]),
    ("<table><tr><td bgcolor=navy>a<td>b<tr><td>ccc<td>d</table>", [3, 0]),
    ("<div style='background:navy'><div style='background:transparent'>a</div></div>", [20]),
  ])
  func aBackgroundFillsTheLinesOfItsBlock(_ html: String, _ columns: [Int]) {
    #expect(filled(lines(html), Self.navy) == columns)
  }

  @Test func aPictureKeepsItsColoursOnABackground() {
    let dots = Style(foreground: .rgb(1, 1, 1), background: .rgb(2, 2, 2))
    let picture = [StyledText(runs: [.init(text: "▀", style: dots), .init(text: " ", style: .plain)])]
    let layout = ViewPage(html: "<div style='background:navy'><img src=/p></div>", base: "http://e.org")
      .layout(width: 4, pictures: ["http://e.org/p": picture])
    #expect(
      layout.lines == [
        StyledText(runs: [
          .init(text: "▀", style: dots), .init(text: "   ", style: Style(background: Self.navy)),
        ])
      ])
  }

  @Test(
    arguments: [
      ("color:red;background:red", .rgb(0, 0, 0)), ("color:#fff;background:#fefefe", .rgb(0, 0, 0)),
      ("color:#111;background:navy", .rgb(255, 255, 255)), ("background:navy", .rgb(255, 255, 255)),
      ("background:gold", .rgb(0, 0, 0)), ("color:yellow;background:navy", .rgb(255, 255, 0)),
      ("color:white;background:orange", .rgb(255, 255, 255)), ("color:#333", .terminal),
      ("color:white", .terminal),
      ("color:black", .terminal), ("color:#123456", .rgb(0x12, 0x34, 0x56)),
      ("color:gray", .rgb(128, 128, 128)),
    ] as [(String, Color)])
  func textStaysLegible(_ css: String, _ foreground: Color) {
    #expect(style(of: "x", "<p style='\(css)'>x</p>")?.foreground == foreground)
  }

  @Test(arguments: [
    "<a href=/>x</a>", "<code>x</code>", "<img alt=x>", "<ul><li>y</ul>x",
    "<table><tr><td>x<td>y<tr><td>z<td>w</table>",
  ])
  func theThemesColoursStayLegibleOnAnAuthorsBackground(_ html: String) {
    let runs = lines("<div style='background:navy'>\(html)</div>").flatMap(\.runs)
    #expect(runs.allSatisfy { $0.style.foreground == Self.white || $0.text.text.allSatisfy { $0 == " " } })
  }

  @Test func messagesKnowNoColours() {
    let html =
      "<body bgcolor=navy><center><font color=red>a</font> <b style='color:red;background:blue'>b</b></center>"
    let text = Document.html(html, base: nil).layout(width: 20)
    #expect(text == [StyledText(runs: [.init(text: "a "), .init(text: "b", style: .bold)])])
  }
}
