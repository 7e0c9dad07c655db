import Markup
import Testing

/// Pictures, recordings, formulas and code as publishers write them.
@Suite struct MediaReadingTests {
  private func document(_ html: String) -> Document { .html(html, base: "https://e.org/p/") }

  private func text(_ html: String) -> String { document(html).text }

  private func addresses(_ html: String) -> [String] { document(html).links.map(\.url) }

  // MARK: Pictures

  @Test(arguments: [
    "<img src='data:image/gif;base64,R0l=' data-src='https://i.example/real.jpg' alt=One class=lazyload>",
    "<img data-original='https://i.example/real.jpg' alt=One>",
    "<img src='https://i.example/lazy.gif' data-lazy-src='https://i.example/real.jpg' alt=One>",
    "<img srcset='https://i.example/real.jpg 1x, https://i.example/real@2x.jpg 2x' alt=One>",
    "<img srcset='/a,1.jpg 320w, https://i.example/real.jpg 1280w,/b.jpg 640w' alt=One>",
    "<img src='data:image/gif;base64,R0l=' data-srcset='https://i.example/real.jpg' alt=One>",
    "<picture><source srcset='https://i.example/real.jpg'><source srcset='/o.jpg'><img alt=One></picture>",
    """
    <picture><source data-srcset='https://i.example/real.jpg 2x'><img src='data:image/gif;base64,R0l=' alt=One></picture>
    """,
    "<picture><source srcset='/o.webp'><img src='https://i.example/real.jpg' alt=One></picture>",
    """
    <img src='data:image/gif;base64,R0l=' data-src='https://i.example/real.jpg' alt=One><noscript><img
    src='https://i.example/real.jpg' alt=One></noscript>
    """,
    """
    <img data-src='https://i.example/real.jpg' alt=One><noscript><img src='https://i.example/real-300.jpg'
    alt=One></noscript>
    """,
    """
    <img src='data:image/gif;base64,R0l=' class=lazy alt=One><noscript><img src='https://i.example/real.jpg'
    alt=One></noscript>
    """,
    "<noscript><img src='https://i.example/real.jpg' alt=One></noscript>",
    "<amp-img src='https://i.example/real.jpg' alt=One></amp-img>",
  ])
  func thePictureThatABrowserShowsIsThereOnce(html: String) {
    #expect(text(html) == "[image: One]")
    #expect(addresses(html) == ["https://i.example/real.jpg"])
  }

  @Test func aPictureWithoutAddressSaysWhatItIs() {
    #expect(
      text("<p>chart <img src='data:image/png;base64,iVBORw0KGgo=' alt=Ten></p>") == "chart [image: Ten]")
    #expect(text("<img alt=Nine>") == "[image: Nine]")
    #expect(addresses("<img alt=Nine>") == [])
    let two = "<img src=a.png alt=A><noscript><p>Enable scripts</p></noscript><img src=b.png alt=B>"
    #expect(text(two) == "[image: A]\nEnable scripts\n[image: B]")
  }

  @Test func theSourceOfAPictureIsNotThatOfTheNext() {
    let html =
      "<picture><source srcset=a.png></picture><img alt=B><video src=v.mp4><source src=c.png></video><img alt=D>"
    #expect(addresses(html) == ["https://e.org/p/v.mp4"])
  }

  // MARK: Recordings

  @Test(arguments: [
    (
      "<video poster=p.jpg><source src='a.webm'><source src='a.mp4'>No video here.</video>", "[video]",
      "a.webm"
    ),
    ("<audio controls><source src='a.mp3'></audio>", "[audio]", "a.mp3"),
    ("<audio src='a.mp3'>No</audio>", "[audio]", "a.mp3"),
    ("<iframe data-src='https://v.example/1' src='about:blank'></iframe>", "[page]", "https://v.example/1"),
    (
      "<iframe src='https://v.example/1' title='The launch'></iframe>", "[page: The launch]",
      "https://v.example/1"
    ),
    ("<object><param name=movie value='m.mp4'></object>", "[object]", "m.mp4"),
    ("<object><embed src='m.mp4'></object>", "[object]", "m.mp4"),
    ("<object data='x.pdf' type='application/pdf'>x</object>", "[object]", "x.pdf"),
    ("<amp-youtube data-videoid=abc></amp-youtube>", "[video]", "https://www.youtube.com/watch?v=abc"),
    ("<youtube-embed src='https://v.example/q'></youtube-embed>", "[page]", "https://v.example/q"),
    (
      "<lite-youtube videoid='a-B_9' playlabel='The launch'></lite-youtube>", "[video: The launch]",
      "https://www.youtube.com/watch?v=a-B_9"
    ),
    ("<lite-vimeo videoid=364402896></lite-vimeo>", "[video]", "https://vimeo.com/364402896"),
    ("<amp-vimeo data-videoid=364402896></amp-vimeo>", "[video]", "https://vimeo.com/364402896"),
    ("<figure><oembed url='https://v.example/1'></oembed></figure>", "[page]", "https://v.example/1"),
    ("<div data-youtube-id=abc></div>", "[video]", "https://www.youtube.com/watch?v=abc"),
    ("<embed data-src='m.mp4'>", "[object]", "m.mp4"),
    ("<video data-src='m.mp4'></video>", "[video]", "m.mp4"),
    ("<video><source data-src='m.mp4'></video>", "[video]", "m.mp4"),
    (
      "<iframe data-cmplz-src='https://v.example/1' src='about:blank'></iframe>", "[page]",
      "https://v.example/1"
    ),
    ("<amp-video-iframe src='https://v.example/1'></amp-video-iframe>", "[video]", "https://v.example/1"),
  ])
  func aRecordingLeavesALink(html: String, text: String, address: String) {
    #expect(self.text(html) == text)
    #expect(addresses(html) == [address.hasPrefix("http") ? address : "https://e.org/p/" + address])
  }

  @Test(arguments: [
    "<video>No video</video>", "<embed src='y.swf'>", "<object><param name=movie value='y.swf'></object>",
    "<object classid='clsid:D27CDB6E-AE6D-11CF-96B8-444553540000'><param name=movie value=x></object>",
    "<iframe srcdoc='<p>inner</p>'></iframe>", "<audio><source></audio>",
    "<lite-youtube videoid='a\"b'></lite-youtube>", "<lite-youtube></lite-youtube>", "<oembed></oembed>",
  ])
  func whatCannotBePlayedLeavesNothing(html: String) {
    #expect(text(html + "<p>after</p>") == "after")
    #expect(addresses(html) == [])
  }

  // MARK: Formulas

  @Test(arguments: [
    ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", "a/b"),
    ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac>", "(a+1)/2"),
    ("<msup><mi>e</mi><mrow><mo>-</mo><mn>7</mn><mi>t</mi></mrow></msup>", "e⁻⁷ᵗ"),
    ("<msup>\n <mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>\n <mn>2</mn>\n</msup>", "(a+b)²"),
    ("<msqrt><mn>2</mn></msqrt>", "√2"), ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x+1)"),
    ("<mroot><mi>x</mi><mn>3</mn></mroot>", "x^(1/3)"), ("<msub><mi>x</mi><mn>1</mn></msub>", "x₁"),
    (
      "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
      "∑ᵢ₌₁ⁿi"
    ),
    ("<mfrac><msqrt><mi>x</mi></msqrt><msup><mi>y</mi><mn>2</mn></msup></mfrac>", "√x/y²"),
    ("<mfenced><mi>x</mi><mi>y</mi></mfenced>", "(x,y)"),
    (
      """
      <mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>\
      <mo>]</mo>
      """, "[1 2; 3]"
    ),
    ("<semantics><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></semantics>", "x"),
  ])
  func aFormulaKeepsItsMeaningInALine(math: String, text: String) {
    #expect(self.text("so <math>\(math)</math> is") == "so \(text) is")
  }

  @Test func aFormulaOfKaTeXIsThereOnce() {
    let mathML = """
      <span class=katex-mathml><math><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation>x^2</annotation>\
      </semantics></math></span>
      """
    let visible = "<span class=katex-html aria-hidden=true><span>x</span><span>2</span></span>"
    #expect(text("a <span class=katex>\(mathML)\(visible)</span> b") == "a x² b")
    #expect(text("a <span class=katex>\(visible)</span> b") == "a x2 b", "its only copy")
  }

  // MARK: Code

  @Test(arguments: [
    // The forms of Hugo (inline and as a table), Hexo, Rouge, Pygments and highlight.js.
    """
    <pre><code><span class=ln>1</span><span class=cl>fn main() {
    </span><span class=ln>2</span><span class=cl>  x();</span></code></pre>
    """,
    """
    <table class=lntable><tr><td class=lntd><pre><code><span class=lnt>1
    </span><span class=lnt>2
    </span></code></pre></td><td class=lntd><pre><code>fn main() {
      x();</code></pre></td></tr></table>
    """,
    """
    <figure class=highlight><table><tr><td class=gutter><pre><span class=line>1</span><br><span class=line>2</span><br>\
    </pre></td><td class=code><pre><span class=line>fn main() {</span><br><span class=line>  x();</span><br></pre></td>\
    </tr></table></figure>
    """,
    """
    <table class=rouge-table><tbody><tr><td class='rouge-gutter gl'><pre class=lineno>1
    2
    </pre></td><td class=rouge-code><pre>fn main() {
      x();
    </pre></td></tr></tbody></table>
    """,
    """
    <table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre>1
    2</pre></div></td><td class=code><div><pre>fn main() {
      x();</pre></div></td></tr></table>
    """,
    "<table><tr><td>1</td><td><pre>fn main() {</pre></td></tr><tr><td>2</td><td><pre>  x();</pre></td></tr></table>",
  ])
  func numbersOfLinesAreNoCode(html: String) {
    #expect(text(html) == "fn main() {\n  x();")
  }

  @Test func tablesWithNumbersStay() {
    #expect(text("<table><tr><td>1<td>Ann<tr><td>2<td>Bo</table>") == "1 Ann\n2 Bo")
    let scores =
      "<table><tr><td>7</td><td><pre>a</pre></td></tr><tr><td>3</td><td><pre>b</pre></td></tr></table>"
    #expect(text(scores) == "7 a\n3 b")
  }
}
