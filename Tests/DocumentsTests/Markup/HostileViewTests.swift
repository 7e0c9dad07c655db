import Markup
import Screen
import TestBasics
import Testing

/// Any view is read and laid out fast, without traps, shows no code, and has no link to a harmful
/// address.
@Suite struct HostileViewTests {
  private static let sample = """
    <!DOCTYPE html><html><head><title>T</title><base href="/v/"><style>p > a { color: red }</style>
    <script>if (a < b && "</p>") { go("&amp;") }</script></head><body id=body bgcolor="#102030">
    <center id=top style="color: rgb(250, 240, 10)"><h1>T&eacute;st</h1><img src=cat.png alt="Cat 中文"></center>
    <div id=box onclick="press(&quot;x&quot;)">a <a id=link href="x?a=1&amp;b=2">link <b>bo<i>th</b></i></a></div>
    <button id=go onclick='go()'><b>Go</b></button> <a href="javascript:run('%41')">run</a> <input type=button value=v>
    <ul id=list><li hidden>x<ol start=5><li style="text-align:right">y</ol></ul><table align=center><tr bgcolor=navy>
    <th colspan=2>h<td rowspan=3>c</table><pre>\tcode\n</pre><blockquote>q &#x1b;[31m\u{1B}]0;x\u{7}\u{202E}</blockquote><!-- c -->
    """
  private static let picture = [StyledText("▀▄▀", style: Style(foreground: .rgb(1, 2, 3)))]

  private func check(
    _ html: String, widths: [Int] = [80, 20, 5, 1], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var page = ViewPage(html: html, base: "http://b.org/")
    check(page, widths: widths, sourceLocation)
    for element in page.elements {
      page.apply(.html(element: element.id, element.innerHTML))
      page.apply(.clickable(element: element.id, true))
      page.apply(.hidden(element: element.id, false))
    }
    check(page, widths: widths, sourceLocation)
  }

  private func check(_ page: ViewPage, widths: [Int], _ sourceLocation: SourceLocation) {
    let pictures = Dictionary(uniqueKeysWithValues: page.pictures.map { ($0, Self.picture) })
    #expect(page.pictures.allSatisfy { $0.hasPrefix("http") }, sourceLocation: sourceLocation)
    #expect(page.layout(width: 0, pictures: pictures) == ViewLayout(), sourceLocation: sourceLocation)
    for width in widths {
      let layout = page.layout(width: width, pictures: pictures)
      #expect(layout.lines.allSatisfy { $0.columns <= width }, sourceLocation: sourceLocation)
      for run in layout.lines.flatMap(\.runs) {
        #expect(SafeText(untrusted: run.text.text).text == run.text.text, sourceLocation: sourceLocation)
        #expect((0...layout.controls.count).contains(run.link ?? 0), sourceLocation: sourceLocation)
      }
      #expect(layout.controls.map(\.number) == Array(1...layout.controls.count + 1).dropLast())
      for case .open(let address) in layout.controls.map(\.action) {
        let scheme = address.prefix { $0 != ":" }
        #expect(["http", "https", "mailto", "reddot"].contains(scheme), sourceLocation: sourceLocation)
        #expect(address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, sourceLocation: sourceLocation)
      }
    }
  }

  @Test func aViewCutAtEveryLength() {
    let scalars = Array(Self.sample.unicodeScalars)
    for length in 0...scalars.count {
      check(String(String.UnicodeScalarView(scalars[..<length])), widths: [20])
    }
  }

  @Test func aViewChangedAtRandom() {
    var random = SeededRandom(seed: 23)
    let alphabet = Array("<>/&;#\"'=!-()%:\n\t x1a中\u{301}\u{0}\u{1B}\u{85}".unicodeScalars)
    for _ in 0..<150 {
      var scalars = Array(Self.sample.unicodeScalars)
      for _ in 0..<12 {
        let place = Int(random.next() % UInt64(scalars.count))
        switch random.next() % 3 {
        case 0: scalars[place] = alphabet[Int(random.next() % UInt64(alphabet.count))]
        case 1: scalars.insert(alphabet[Int(random.next() % UInt64(alphabet.count))], at: place)
        default: scalars.removeSubrange(place..<min(scalars.count, place + 5))
        }
      }
      check(String(String.UnicodeScalarView(scalars)))
    }
  }

  @Test(arguments: [
    "<script>SECRET</script>", "<style>SECRET</style>", "<SCRIPT type=x>SECRET</SCRIPT >", "<script>SECRET",
    "<script src=x>SECRET</script>", "<p onclick='SECRET'>", "<a href='javascript:SECRET'>a</a>",
    "<a href='data:text/html,SECRET'>a</a>", "<img src='javascript:SECRET'>", "<img src=x onerror='SECRET'>",
    "<svg onload='SECRET'><script>SECRET</script>", "<template>SECRET</template>", "<!-- SECRET -->",
    "<button onclick='SECRET'>a</button>", "<input type=button onclick='SECRET' value=a>",
    "<input type=hidden value=SECRET>",
    "<input type=password value=SECRET>", "<p hidden>SECRET</p>", "<head><title>SECRET</title></head>",
    "<button id=e onclick='SECRET'><script>SECRET</script>a</button>", "<select><option>SECRET</select>",
    "<script>'<!--'</script><script>SECRET</script>", "<style><!-- <p> --> SECRET</style>",
  ])
  func codeIsNeverShown(_ html: String) {
    let layout = ViewPage(html: html + "<p>seen", base: "http://b.org/").layout(width: 80)
    #expect(!layout.lines.contains { $0.plain.contains("SECRET") })
    #expect(!layout.controls.contains { $0.label.text.contains("SECRET") })
  }

  @Test(arguments: [
    "javascript:x", "JaVaScRiPt:x", " javascript:x", "java\tscript:x", "java\nscript:x", "java&#10;script:x",
    "java&Tab;script:x", "&#106;avascript:x", "&#x6A;&#x61;vascript:x", "\u{1}javascript:x",
    "javascript&colon;x",
    "javascript:%78", "vbscript:x", "VBScript:x", "data:text/html,<b>", "DATA:text/html;base64,AA",
    "file:///etc/passwd",
    "about:blank", "blob:http://e.org/x", "view-source:http://e.org", "ftp://e.org/", "ssh://e.org",
    "x-apple:go",
    "javascript//e.org:x", "java\u{0}script:x",
  ])
  func noSchemeButTheOfferedOnesIsOpened(_ address: String) {
    let html =
      "<a href=\"\(address)\">a</a><iframe src=\"\(address)\"></iframe><img src=\"\(address)\"><base href=\"\(address)\">"
    let page = ViewPage(html: html, base: nil)
    #expect(page.pictures.isEmpty)
    for control in page.layout(width: 80).controls {
      #expect(control.action == .run(code: "x", element: nil))
    }
  }

  @Test(arguments: [
    "<div>", "<p onclick=f()>", "<a href=/x>", "<button>", "<form>", "<font color=red>", "<center>",
    "<script>", "<style>",
    "<!--", "<table><tr><td>", "<ul><li>", "<blockquote>", "<b id=x>", "<img src=x>",
    "<div style='background:red'>",
    "</div>", "<", "&", "<button><img src=x>", "<table bgcolor=red align=center>", "<pre>", "<a b=",
    "<p style='",
  ])
  func oneThingOverAndOverEndsSoon(_ piece: String) {
    let times = Self.time(of: piece) / Self.harmless
    // A few times as long is normal; a quadratic search takes thousands of times as long.
    #expect(times < 50, "\(times) times what words take")
  }

  private static let harmless = time(of: "a word ")

  private static func time(of piece: String) -> Double {
    processorTime {
      var page = ViewPage(
        html: String(repeating: piece, count: 40_000 / piece.utf8.count), base: "http://b.org/")
      _ = page.elements
      page.apply(.html(element: "x", String(repeating: piece, count: 20_000 / piece.utf8.count)))
      _ = page.layout(width: 80, pictures: ["http://b.org/x": Self.picture])
      _ = page.layout(width: 3)
    }
  }

  @Test func elementsWithoutEndSaySo() {
    let page = ViewPage(html: "start" + String(repeating: "<div>", count: 100_000), base: nil)
    #expect(
      page.layout(width: 60).lines.map(\.plain) == [
        "start", "", "[Cut here: too many elements inside each other]",
      ])
  }

  @Test func scriptsCannotNestWithoutEnd() {
    var page = ViewPage(html: "<div id=e>x</div>", base: nil)
    let deep = String(repeating: "<div>", count: 400) + "<i id=e>y</i>"
    for _ in 0..<20 {
      page.apply(.html(element: "e", deep))
      page.apply(.html(element: "e", deep.replacing("id=e", with: "id=f")))
      page.apply(.html(element: "f", deep))
    }
    #expect(page.layout(width: 60).lines.last?.plain == "[Cut here: too many elements inside each other]")
    #expect(!page.elements.isEmpty)
  }

  @Test func elementsInsideEachOtherAreNotHandedOverWithoutEnd() {
    let ids = (0..<400).map { "<b id=n\($0)>" }.joined()
    let page = ViewPage(html: ids + String(repeating: "&amp;", count: 80_000), base: nil)
    #expect(page.elements.count == 400)
    #expect(page.elements.reduce(0) { $0 + $1.textContent.utf8.count + $1.innerHTML.utf8.count } <= 4 << 20)
    #expect(page.elements.first?.textContent.utf8.count == 80_000)
  }

  @Test(arguments: [
    "<!-- <script> -->", "<!doctype x '<script>'>", "<?x <script> ?>", "<![CDATA[<script>]]>",
    "<p a=b='>'><script/>",
    "<script a=b='></script>", "<style/>", "<script></scripty>", "<p title='<script>'>",
    "<xmp><script></xmp></script>",
    "<p <script>", "</p <script>", "<script <p></script>", "<a href=x/>", "<script a/></script>",
  ])
  func endlessAttributesAreReadFast(_ start: String) {
    let many = (0..<400).map { "a\($0)=1" }.joined(separator: " ")
    let page = ViewPage(html: "\(start)<div id=box><p \(many)>text</p></div>", base: nil)
    for element in page.elements { #expect(element.innerHTML.split(separator: " ").count < 210) }
  }

  @Test func aViewTooLongSaysHowMuchIsShown() {
    let page = ViewPage(html: String(repeating: "<p>some words</p>", count: 40_000), base: nil)
    #expect(page.layout(width: 60).lines.last?.plain == "[Cut here: 665 KiB in all, 512 KiB shown]")
  }

  @Test func pictureLinesCannotNameControls() {
    let lines = [StyledText("x", link: 99)]
    let page = ViewPage(html: "<img src=/p><a href=/y>y</a>", base: "http://b.org")
    let layout = page.layout(width: 9, pictures: ["http://b.org/p": lines])
    #expect(layout.lines.first?.runs.map(\.link) == [nil])
    #expect(layout.controls.count == 1)
  }

  @Test func thousandsOfControlsAreNumberedAsFarAsAnyoneWouldWalk() {
    let page = ViewPage(html: String(repeating: "<a href=/x>x</a> ", count: 3000), base: "http://b.org")
    #expect(page.layout(width: 80).controls.count == 999)
  }
}
