import Markup
import Screen
import Testing

/// Typical HTML of feeds, at the width of a terminal.
@Suite struct HTMLReadingTests {
  private func shown(_ html: String, _ width: Int = 80) -> [String] {
    Document.html(html, base: nil).layout(width: width, listsLinks: false).map(\.plain)
  }

  // MARK: Superscripts, subscripts and ruby

  @Test(arguments: [
    ("E = mc<sup>2</sup>, H<sub>2</sub>O", "E = mc², H₂O"), ("4<sup>th</sup> x<sup>n+1</sup>", "4ᵗʰ xⁿ⁺¹"),
    ("a<sub>max</sub> x<sup><i>n</i></sup>", "aₘₐₓ xⁿ"), ("q<sup>Q</sup> z<sub>w</sub>", "q^(Q) z_(w)"),
    ("x<sup>y<sup>2</sup></sup>", "x^(y²)"), ("Acme<sup>™</sup> note<sup>*</sup>", "Acme™ note*"),
    (
      "so<sup><a href='http://e.org/#1'>1</a></sup> and<sup><a href='http://e.org/#2'>[2]</a></sup>",
      "so¹[1] and^[2][2]"
    ),
    ("a<sup> </sup>b<sup></sup>c <sup>2</sup> d", "a bc ² d"),
    ("a<sup>0123456789012345678901234</sup>", "a^(0123456789012345678901234)"),
    ("a<sup hidden>2</sup><sup><img src=i.png alt=one></sup>", "a[image: one]"),
  ])
  func whatIsRaisedOrLoweredSaysSo(_ html: String, _ text: String) {
    #expect(shown(html) == [text])
  }

  @Test(arguments: [
    ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>です", "漢字(かんじ)です"),
    ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢(かん)字(じ)"),
    ("<ruby>漢字<rp>（<rt>かんじ<rp>）</ruby>です", "漢字(かんじ)です"), ("<ruby>漢<rt></rt>字</ruby>", "漢字"),
  ])
  func aReadingIsInParentheses(_ html: String, _ text: String) {
    #expect(shown(html) == [text])
  }

  // MARK: Code

  @Test(arguments: [
    ("<code>f(<a href='http://e.org/a'>A</a>, <a href='http://e.org/b'>B</a>)</code>", "`f(A[1], B[2])`"),
    ("<code><a href='http://e.org/a'>A</a></code>.", "`A`[1]."),
    ("<a href='http://e.org/a'><code>A</code></a>", "`A`[1]"),
    ("<code><span class=k>let</span> <b>x</b></code>", "`let x`"),
    ("<s>old <a href='http://e.org/a'>A</a> one</s>", "~old A[1] one~"),
  ])
  func codeThatHoldsLinksIsOneSpan(_ html: String, _ text: String) {
    #expect(shown(html) == [text])
  }

  @Test func aLineOfCodeThatDoesNotFitContinuesAfterAMark() {
    #expect(
      shown("<pre>if condition { return value }\n  x = 1</pre>", 20) == [
        "    if condition { r", "    ↪ eturn value }", "      x = 1",
      ])
    #expect(shown("<pre>0123456789abcdefghij</pre>", 5) == ["01234", "56789", "abcde", "fghij"])
    let ascii = Document.html("<pre>0123456789abcdefgh</pre>", base: nil).layout(width: 12, theme: .ascii)
    #expect(ascii.map(\.plain) == ["0123456789ab", "+ cdefgh"])
  }

  @Test func inlineCodeStaysOnOneLineWhereItFits() {
    #expect(
      shown("then run <code>git commit -m words</code>, ok", 24) == [
        "then run", "`git commit -m words`,", "ok",
      ])
    #expect(shown("run <code>git commit --amend</code>", 12) == ["run `git", "commit", "--amend`"])
  }

  @Test func aWordThatIsLongerThanALineContinuesAfterAMark() {
    #expect(shown("an incomprehensibilities here", 12) == ["an", "incomprehens", "↪ ibilities", "here"])
    #expect(shown("<ul><li>incomprehensibilities</ul>", 14) == ["• incomprehens", "  ↪ ibilities"])
    #expect(shown("汉字汉字汉字汉字", 8) == ["汉字汉字", "汉字汉字"])
    #expect(shown("ภาษาไทยภาษาไทย", 8).allSatisfy { !$0.contains("↪") })
    #expect(shown("incomprehensibilities", 5).joined() == "incomprehensibilities")
  }

  // MARK: Pictures and what is embedded

  @Test(arguments: [
    ("hi <img class='wp-smiley' src='http://e.org/1.png' alt='🙂'> you", "hi 🙂 you"),
    ("hi<img class='emoji' alt=':cat:' src='http://e.org/c.png'>.", "hi:cat:."),
    ("<img src='http://e.org/h.png' alt='❤️👍'>!", "❤👍!"),
    ("<img class=latex src='http://e.org/l.png' alt='x^2'> is", "x^2 is"),
    ("<img src='http://e.org/i.png' width=16 height=16 alt=new> item", "new item"),
    ("<img src='http://e.org/i.png' width=640 height=480 alt=new>", "[image: new][1]"),
    ("<a href='http://e.org/'><img class=emoji alt='🙂' src=s.png></a>", "🙂[1]"),
  ])
  func aSmileyIsReadAsText(_ html: String, _ text: String) {
    #expect(shown(html) == [text])
  }

  @Test(arguments: [
    "<img src='http://e.org/p.gif' width=1 height=1>",
    "<img src='http://e.org/p.gif' width='1px' height='1px'>",
    "<img src='http://e.org/p.gif' width=0 height=0>",
    "<img src='http://e.org/p.gif' style='width: 1px; height:1px'>",
    "<img src='http://e.org/p.gif' style='display:none'>", "<img src='http://e.org/p.gif' hidden>",
    "<img class='avatar avatar-48' src='http://e.org/a.png' alt='Ann'>",
    "<a href='http://e.org/ann'><img src='https://secure.gravatar.com/avatar/0?s=48' alt='Ann'></a>",
    "<object type='application/x-shockwave-flash' data='http://e.org/v'></object>",
    "<object classid='clsid:D27CDB6E-AE6D-11cf-96B8-444553540000'><param name=movie value=m.swf><embed src='http://e.org/m.swf'></object>",
    "<embed src='http://e.org/game.SWF?x=1'>",
  ])
  func invisiblePicturesAndAvatarsAreLeftOut(_ html: String) {
    let document = Document.html("seen" + html, base: nil)
    #expect(document.layout(width: 80).map(\.plain) == ["seen"])
    #expect(document.links.isEmpty)
  }

  @Test(arguments: [
    ("<video src='http://e.org/v'></video><audio src='http://e.org/a'></audio>", "[video][1] [audio][2]"),
    (
      "<img src='http://e.org/a.png' alt=a><img src='http://e.org/b.png' alt=b>",
      "[image: a][1] [image: b][2]"
    ),
    ("<video src='http://e.org/v'></video> <audio src='http://e.org/a'></audio>", "[video][1] [audio][2]"),
    ("see <video src='http://e.org/v'></video>, too", "see [video][1], too"),
    ("<img alt=a><b><img alt=b></b>", "[image: a] [image: b]"),
  ])
  func embeddedThingsStandApart(_ html: String, _ text: String) {
    #expect(shown(html) == [text])
  }

  // MARK: Addresses

  @Test func bareAddressesAreLinksInTheOrderOfTheText() {
    let html =
      "See http://a.example/x, <a href='http://b.example'>b</a>, <b>https://c.example/y</b>. http://a.example/x"
    let document = Document.html(html, base: nil)
    #expect(document.links.map(\.url) == ["http://a.example/x", "http://b.example", "https://c.example/y"])
    #expect(
      document.layout(width: 80, listsLinks: false).map(\.plain) == [
        "See http://a.example/x[1], b[2], https://c.example/y[3]. http://a.example/x[1]"
      ])
    let embedded = Document.html("http://a.example <video src='http://b.example/v'></video>", base: nil)
    #expect(embedded.links.map(\.url) == ["http://a.example", "http://b.example/v"])
  }

  @Test func addressesInCodeStayCode() {
    let html = "<code>curl http://a.example</code><pre>wget http://b.example</pre>"
    #expect(Document.html(html, base: nil).links.isEmpty)
    #expect(Document.html("<a href='http://a.example'>http://b.example</a>", base: nil).links.count == 1)
  }

  // MARK: Where lines end

  @Test(arguments: [
    ("digests by SHA-256", 14, ["digests by", "SHA-256"]),
    ("a key of 256-bit length", 12, ["a key of", "256-bit", "length"]),
    ("on 2026-11-22 at noon", 10, ["on", "2026-11-22", "at noon"]),
    ("run git commit -m now", 16, ["run git commit", "-m now"]), ("maps a->b", 7, ["maps", "a->b"]),
    ("the state-of-the-art", 13, ["the state-of-", "the-art"]),
    ("Quoi de neuf ? Rien !", 12, ["Quoi de", "neuf ?", "Rien !"]),
    ("il dit « oui » ici", 10, ["il dit", "« oui »", "ici"]), ("中文, 中文.", 4, ["中", "文,", "中", "文."]),
    ("(he said “yes”)!", 12, ["(he said", "“yes”)!"]),
  ])
  func linesEndWhereAReaderExpects(_ text: String, _ width: Int, _ lines: [String]) {
    #expect(shown(text, width) == lines)
  }
}
