import Basics
import Foundation
import Markup
import Screen
import TestBasics
import Testing

/// The article of a page, as the reader shows it.
@Suite struct ArticleTests {
  private func article(_ page: String) throws -> ExtractedArticle {
    let bytes = Data(page.utf8)
    return try ExtractedArticle(
      page: bytes, charset: nil, allowance: Allowance(documentBytes: bytes.count))
  }

  /// Returns the lines at 60 columns, without blank ones.
  private func lines(_ article: ExtractedArticle, base: String = "https://e.example/a/b.html") -> [String] {
    Document.html(article.html, base: base).layout(width: 60).map { line in
      line.plain.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
  }

  private func text(_ page: String) throws -> String { try lines(article(page)).joined(separator: "\n") }

  @Test func aBlogsPostIsReadWithoutWhatIsAroundIt() throws {
    let article = try article(ArticlePages.blog)
    #expect(article.title == "Low tide")
    let lines = lines(article)
    let text = lines.joined(separator: "\n")
    #expect(lines.first?.hasPrefix("First paragraph. The harbour") == true)
    for part in [
      "Mud", "One boat", "Two boats", "Short words.", "— A sailor", "A boat on the mud", "The boat",
      "Third paragraph.", "And that was all.", "https://e.example/tides", "https://e.example/boat.jpg",
    ] {
      #expect(text.contains(part), "\(part) is missing")
    }
    for part in [
      "Ann's notes", "By Ann", "¶", "Share on", "also like", "High tide", "comment", "About me", "©",
      "not text",
      "color", "Low tide",
    ] {
      #expect(!text.contains(part), "\(part) is shown")
    }
  }

  @Test func aNewsStoryIsReadWithItsLeadAndTableAndWithoutTeasers() throws {
    let article = try article(ArticlePages.news)
    #expect(article.title == "Harbour dries out")
    let text = lines(article).joined(separator: "\n")
    #expect(text.hasPrefix("The lead says it all."))
    for part in ["Body one.", "Body two.", "Body three.", "https://daily.example/2026/more.html"] {
      #expect(text.contains(part), "\(part) is missing")
    }
    let rows = lines(article).filter { $0.contains("Mon") || $0.contains("High") }
    #expect(rows.count == 2)
    // The empty corner keeps the columns.
    let columns = rows.map { $0.split { $0 == "│" || $0 == " " }.last }
    #expect(columns.first == "Low")
    for part in ["World", "Search", "5 May", "Background", "Teaser", "place 3", "More from", "Privacy"] {
      #expect(!text.contains(part), "\(part) is shown")
    }
  }

  @Test func aPageOfDocumentationKeepsItsCode() throws {
    let article = try article(ArticlePages.docs)
    #expect(article.title == "sort")
    let text = lines(article).joined(separator: "\n")
    for part in [
      "Sorts an array", "sort(list, by: <)", "Parameters", "How two elements compare.", "n log n", "a < b",
    ] {
      #expect(text.contains(part), "\(part) is missing")
    }
    for part in ["function_1", "Previous", "Next"] { #expect(!text.contains(part), "\(part) is shown") }
  }

  @Test func aChinesePageIsReadThoughItHasNoSpaces() throws {
    let article = try article(ArticlePages.chinese)
    #expect(article.title == "退潮")
    let text = lines(article).joined()
    #expect(text.contains("那天早晨港口很安静"))
    #expect(text.contains("捡贝壳和螃蟹。"))
    for part in ["首页", "体育", "上一篇", "版权所有", "来源"] { #expect(!text.contains(part), "\(part) is shown") }
  }

  @Test func aPageLaidOutWithTablesIsRead() throws {
    let article = try article(ArticlePages.nineties)
    #expect(article.title == "Bob's boats")
    let text = lines(article).joined(separator: "\n")
    for part in ["Building a dinghy", "You need wood.", "nails", "The plan"] {
      #expect(text.contains(part), "\(part) is missing")
    }
    for part in ["Guestbook", "Best viewed"] { #expect(!text.contains(part), "\(part) is shown") }
  }

  @Test func whatSchemaOrgNamesIsPreferredAlsoInAForm() throws {
    let text = try text(ArticlePages.inForm)
    #expect(text.hasPrefix("Short start."))
    #expect(text.hasSuffix("Jane."))
    #expect(!text.contains("Something else"))
  }

  @Test func paragraphsInElementsOfTheirOwnStayTogetherAndApart() throws {
    let article = try article(ArticlePages.divs)
    let plain = Document.html(article.html, base: nil).layout(width: 60).map(\.plain)
    for start in ["One.", "Two.", "Three."] {
      let place = try #require(plain.firstIndex { $0.hasPrefix(start) })
      #expect(place == 0 || plain[place - 1].isEmpty)
    }
  }

  @Test(arguments: [
    ArticlePages.login, ArticlePages.onlyLinks, "", "<p>Short.</p>", "no page at all", "%PDF-1.7",
  ])
  func aPageWithoutAnArticleSaysSo(_ page: String) {
    #expect(throws: ExtractedArticle.Failure.noText) { try article(page) }
  }

  @Test func aPageInItsOwnCharsetIsRead() throws {
    let text = ArticlePages.text("Café crème à la plage.")
    let page = "<html><head><meta charset=iso-8859-1></head><body><p>\(text)</p></body></html>"
    let bytes = try #require(page.data(using: .isoLatin1))
    let article = try ExtractedArticle(
      page: bytes, charset: nil, allowance: Allowance(documentBytes: bytes.count))
    #expect(article.html.contains("Café crème à la plage."))
  }

  /// A name may be that of a wrapper, of a variant, or of a heading.
  @Test(arguments: [
    "class='content with-sidebar'", "class='row row--share'", "class='js-share-anchor'",
    "id='sharing-with-others'", "class='related'", "class='is-menu-open'",
  ])
  func textIsKeptWhateverItsElementIsCalled(_ attributes: String) throws {
    let text = try text(
      "<body><div \(attributes)><p>\(ArticlePages.text("One.", sentences: 4))</p></div>"
        + "<div class=x><p>\(ArticlePages.text("Two."))</p></div></body>")
    #expect(text.contains("One."))
  }

  @Test(arguments: [
    "class='related-posts'", "class='relatedposts'", "class='share_bar'", "class='newsletter-signup'",
    "id=sidebar", "role=navigation", "hidden", "aria-hidden=true", "style='display: none'",
    "class='comments'", "class='photo gallery'",
  ])
  func whatItsElementSaysIsNotTheTextIsLeftOut(_ attributes: String) throws {
    let text = try text(
      "<body><article><p>\(ArticlePages.text("One.", sentences: 4))</p><div \(attributes)>"
        + "<p>\(ArticlePages.text("Two.", sentences: 1))</p></div><p>\(ArticlePages.text("Three."))</p></article></body>"
    )
    #expect(text.contains("One.") && text.contains("Three."))
    #expect(!text.contains("Two."))
  }

  @Test func aTableOfDataKeepsItsLinksAndAMenuBelowDoesNot() throws {
    let rows = (1...5).map {
      "<tr><td><a href='/film\($0)'>Film number \($0)</a><td><a href='/y'>190\($0)</a>"
    }
    let text = try text(
      "<body><div><p>\(ArticlePages.text("Films."))</p><table><tr><th>Film<th>Year\(rows.joined())</table>"
        + "<p>\(ArticlePages.text("End."))</p><ul><li><a href=/a>Other films of that time</a></ul></div></body>"
    )
    #expect(text.contains("Film number 5") && text.contains("1905"))
    #expect(!text.contains("Other films"))
  }

  @Test func aShortLastLineIsKeptBesideTheTextAndACopyrightBelowIsNot() throws {
    let text = try text(
      "<body><div><div><p>\(ArticlePages.text("Start."))</p><p>\(ArticlePages.text("End."))</p><p>So it was.</p></div>"
        + "<div><p>Copyright of us</p></div></div></body>")
    #expect(text.hasSuffix("So it was."))
  }

  /// Embedded media become links, as in messages of a source.
  @Test(arguments: [
    "<iframe src='https://www.youtube.com/embed/x1' title='A talk'></iframe>",
    "<div class=video><iframe data-src='https://maps.example/?q=1' src='about:blank'>Old browsers</iframe></div>",
    "<figure><video controls title=Film><source src=film.webm><source src=film.mp4>No video</video></figure>",
    "<audio src=/a.mp3></audio>", "<lite-youtube videoid=x1 playlabel=Talk></lite-youtube>",
    "<div data-vimeo-id=12><span>Play</span></div>", "<amp-youtube data-videoid=x1></amp-youtube>",
    "<embed src=/clip.mp4>", "<object data=/paper.pdf><p>No reader</p></object>",
  ])
  func aRecordingOrAFrameInTheTextIsALinkToIt(html: String) throws {
    let base = "https://e.example/a/b.html"
    let sent = Document.html(html, base: base)
    let page = try article(
      "<body><article><p>\(ArticlePages.text("Start."))</p>\(html)<p>\(ArticlePages.text("End."))</p></article>"
    )
    let read = Document.html(page.html, base: base)
    let texts = read.text.split(separator: "\n").map(String.init)
    #expect(texts.contains(sent.text) && !sent.text.isEmpty, "\(texts)")
    #expect(read.links.map(\.url) == sent.links.map(\.url) && sent.links.count == 1)
  }

  @Test(arguments: [
    "<iframe src='https://count.example/' width=1 height=1></iframe>",
    "<iframe src='https://count.example/' style='display:none'></iframe>",
    "<iframe src='https://ads.example/' class='ad'></iframe>", "<video><source src=''></video>",
    "<div class=share><iframe src='https://like.example/'></iframe></div>", "<iframe></iframe>",
  ])
  func aFrameThatIsNotOfTheTextIsNotShown(html: String) throws {
    let page = try article(
      "<body><article><p>\(ArticlePages.text("Start."))</p>\(html)<p>\(ArticlePages.text("End."))</p></article>"
    )
    #expect(!page.html.contains("[") && !page.html.contains("href"))
  }

  /// Only known elements and attributes are stored.
  @Test func nothingThatActsIsKept() throws {
    let article = try article(
      """
      <body onload="a()"><div><p onclick="b()" style="position:fixed">\(ArticlePages.text("Text."))
      <a href="/x" onmouseover="c()" target=_blank>link</a> <img src=x alt=pic onerror="d()"> &lt;script&gt; <b id=q>b</b></p>
      <iframe src="//ads.example"></iframe><script>e()</script><object data=f></object><input value=g><custom-tag>c</custom-tag></div>
      """)
    for part in ["on", "style", "target", "<script", "iframe", "object", "input", "custom", "id="] {
      #expect(!article.html.contains("<" + part) && !article.html.contains(" \(part)=\""), "\(part)")
    }
    #expect(article.html.contains("&lt;script&gt;"))
    #expect(article.html.contains("<a href=\"/x\">link</a>"))
  }
}

/// Any page is read quickly, with a sound result.
@Suite struct HostileArticleTests {
  /// - Returns: whether there is an article.
  @discardableResult private func check(_ page: some Sequence<UInt8>) -> Bool {
    let bytes = Data(page)
    guard
      let article = try? ExtractedArticle(
        page: bytes, charset: nil, allowance: Allowance(documentBytes: bytes.count))
    else { return false }
    #expect(article.html.utf8.count <= Limits.articleBytes + 64 << 10)
    // Its tags match, so that reading it again gives the same text.
    var open: [Substring] = []
    for tag in article.html.matches(of: /<(\/?)([a-z0-9]+)[^>]*>/) {
      if ["img", "br", "hr", "base"].contains(tag.2) { continue }
      if tag.1.isEmpty { open.append(tag.2) } else { #expect(open.popLast() == tag.2) }
    }
    #expect(open.isEmpty)
    for line in Document.html(article.html, base: nil).layout(width: 40) { #expect(line.columns <= 40) }
    return true
  }

  @Test(arguments: ArticlePages.all) func aPageCutAtEveryLength(_ page: String) {
    let bytes = Array(page.utf8)
    for length in stride(from: 0, through: bytes.count, by: 61) { check(bytes[..<length]) }
  }

  @Test(arguments: ArticlePages.all.indices) func aPageChangedAtRandom(_ index: Int) {
    var random = SeededRandom(seed: index)
    let marks = Array("<>/=\"'&; \n".utf8) + [0, 0x80, 0xE4, 0xFF]
    for _ in 0..<20 {
      var bytes = Array(ArticlePages.all[index].utf8)
      for _ in 0..<20 {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = marks[Int.random(in: marks.indices, using: &random)]
        case 1: bytes.insert(marks[Int.random(in: marks.indices, using: &random)], at: place)
        default:
          bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        }
      }
      check(bytes)
    }
  }

  @Test(arguments: [
    "<div>", "<a href=x>", "<table><tr><td>", "<p>", "</div>", "<ul><li>", "<b>", "<h1>", "<article>", "<br>",
    "<hr>",
    "<form>", "<span class='share a b c'>", "<img alt=a>", "<td></td>", "<!--", "<script>", "&amp;", "中",
  ])
  func oneThingOverAndOverEndsSoon(_ piece: String) {
    let times = Self.time(of: piece) / Self.harmless
    // A few times as long is normal; a quadratic search takes thousands of times as long.
    #expect(times < 60, "\(times) times what words take")
  }

  private static let harmless = time(of: "<p>a word and so on ")

  private static func time(of piece: String) -> Double {
    let words = "<p>" + ArticlePages.text("Text.")
    let page = Data((words + String(repeating: piece, count: 150_000 / piece.utf8.count) + words).utf8)
    return processorTime {
      _ = try? ExtractedArticle(page: page, charset: nil, allowance: Allowance(documentBytes: page.count))
    }
  }

  @Test func aDeepPageIsReadUpToItsDepth() {
    let text = "<p>" + ArticlePages.text("Text.") + "</p>"
    #expect(check((text + String(repeating: "<div>", count: 100_000) + text).utf8))
  }

  @Test func aLongArticleIsCut() {
    let page = String(repeating: "<p>\(ArticlePages.sentence)</p>", count: 30_000)
    #expect(check(page.utf8))
  }

  @Test func aCancelledReadingHasNoArticle() {
    let bytes = Data(ArticlePages.blog.utf8)
    let allowance = Allowance(documentBytes: bytes.count)
    allowance.cancel()
    #expect(throws: ExtractedArticle.Failure.noText) {
      try ExtractedArticle(page: bytes, charset: nil, allowance: allowance)
    }
  }
}
