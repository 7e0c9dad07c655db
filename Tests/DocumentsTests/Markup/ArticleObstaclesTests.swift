import Basics
import Foundation
import Markup
import Testing

/// Elements that make it hard to find a page's article.
@Suite struct ArticleObstaclesTests {
  private func article(_ page: String) throws -> ExtractedArticle {
    let bytes = Data(page.utf8)
    return try ExtractedArticle(
      page: bytes, charset: nil, allowance: Allowance(documentBytes: bytes.count))
  }

  /// Returns the text on one line.
  private func text(_ page: String) throws -> String {
    Document.html(try article(page).html, base: nil).text.replacing("\n", with: " ")
  }

  private static let sentences = [
    "The council voted on Tuesday to keep the old library open for another year, after a long debate about its cost.",
    "Members of the public filled the room, and many of them had brought letters from people who could not come.",
  ]

  private static let story = sentences.map { "<p>\($0)</p>" }.joined()

  /// The dialog is longer than the article, before or after it, and its name shows nothing.
  @Test(arguments: [true, false]) func aDialogAboutCookiesIsNoArticle(isFirst: Bool) throws {
    let plea = """
      <p>We and our partners store and access information on your device, such as identifiers in cookies, to process
      personal data. You may accept or manage your choices by clicking below, or at any time on the page about our privacy
      policy. These choices will be signalled to our partners.</p>
      """
    let dialog =
      "<div class=x1><div><h2>Your privacy</h2>\(plea)\(plea)\(plea)<button>Accept</button></div></div>"
    let content = "<div class=c><h1>Library stays</h1>\(Self.story)</div>"
    let page = "<title>Library stays</title><body>" + (isFirst ? dialog + content : content + dialog)
    let text = try self.text(page)
    for sentence in Self.sentences { #expect(text.contains(sentence)) }
    #expect(!text.contains("partners") && !text.contains("privacy"))
  }

  @Test func anArticleAboutCookiesIsRead() throws {
    let about = """
      <p>A cookie is a small text that a site keeps in a browser, and consent to cookies is what the law wants to see
      before.</p>
      """
    let page =
      "<title>Cookies</title><body><div><h1>Cookies</h1>\(about)\(about)<button>Share</button></div>"
    #expect(try text(page).contains("small text"))
  }

  @Test func aParagraphThatIsALinkStays() throws {
    let link = "<p><a href='/next'>All figures of the last ten years in one table</a></p>"
    let menu = """
      <p><a href='/1'>Another story of the week here</a></p><p><a href='/2'>One more story of this week</a></p>
      """
    let page =
      "<title>T</title><body><div><h1>T</h1>\(Self.story)\(link)\(Self.story)\(menu)\(Self.story)</div>"
    let text = try self.text(page)
    #expect(text.contains("All figures of the last ten years"))
    #expect(!text.contains("One more story"))
  }

  @Test func thePageOfAScriptHasItsArticleInJSONLD() throws {
    let body = Self.sentences.joined(separator: "\\n") + #" A \u00fc < \"quote\"."#
    let page = """
      <title>T - Paper</title><script type='application/ld+json'>{"@type": "NewsArticle", "headline": "Library stays",
      "articleBody" : "\(body)"}</script><body><nav><a href=/>Home</a></nav><div id=root></div>
      """
    let article = try self.article(page)
    #expect(article.title == "Library stays")
    let text = try self.text(page)
    for sentence in Self.sentences { #expect(text.contains(sentence)) }
    #expect(text.contains("A ü < \"quote\"."))
    // The page's own text comes first.
    let both = page + "<h1>T</h1>" + Self.story.replacing("library", with: "bakery")
    #expect(try self.text(both).contains("bakery"))
    #expect(throws: ExtractedArticle.Failure.noText) {
      try self.article("<script type='application/ld+json'>{\"articleBody\": \"short\"}</script>")
    }
  }

  // MARK: Text where no article looks like one

  private static let weeks = (1...6).map {
    "In week \($0) the gardeners met near the old greenhouse, and they spoke for a long time about water and seeds."
  }

  private static let paragraphs = weeks.map { "<p>\($0)</p>" }.joined()

  @Test(arguments: [
    "<noscript><div><img src=x></noscript><div class=t>\(paragraphs)</div>",
    "<div class='one-sidebar-second'>\(paragraphs)</div>",
    "<div>" + weeks.map { "<p><a href=/w>\($0)</a>, and went home.</p>" }.joined() + "</div>",
    "<div>\(paragraphs)<form>" + (1...80).map { "<a href=/\($0)>one more link of a form</a> " }.joined()
      + "</form></div>",
    "<article><nav>\(paragraphs)</nav></article>", "<aside>\(paragraphs)</aside>",
    "<div><script type='text/template'>\(paragraphs)</script></div>", "<template>\(paragraphs)</template>",
  ])
  func aWeakArticleIsBetterThanNone(body: String) throws {
    let text = try self.text(
      "<html><head><title>The garden</title></head><body><h1>The garden</h1>\(body)</body></html>")
    for week in Self.weeks { #expect(text.contains(week.dropLast())) }
  }

  /// The parts are between two paragraphs of the text, so that only their names distinguish them from it.
  @Test(arguments: [
    "author-bio", "post-author", "autor_box", "copyright", "article__paywall", "affiliate-text",
    "c-letters-cta",
    "editorial-disclosure", "post-ratings",
  ])
  func aPartWithANameOfItsOwnIsNotTheText(name: String) throws {
    let other =
      "<p>Whoever reads this part reads about another thing, which no week of this story has in it.</p>"
    let body = Self.weeks.map { "<p>\($0)</p>" }
    let page = { (name: String) in
      "<h1>The garden</h1><div class=c>\(body[..<3].joined())<div class='\(name)'>\(other)</div>\(body[3...].joined())</div>"
    }
    let text = try self.text(page(name))
    for week in Self.weeks { #expect(text.contains(week.dropLast())) }
    #expect(!text.contains("another thing"))
    #expect(try self.text(page("lead")).contains("another thing"))
  }

  @Test func anArticleAboutPrivacyWithAButtonIsNoDialog() throws {
    let menu = "<ul>" + (1...80).map { "<li><a href=/\($0)>one more page</a>" }.joined() + "</ul>"
    let about = Self.sentences.map { "<p>Privacy: \($0) So much for consent.</p>" }.joined()
    let page =
      "<title>Blog</title><div><h1>Blog</h1></div><div>\(about)\(about)<form><button>Find</button></form></div>\(menu)"
    #expect(try text(page).contains("brought letters"))
  }

  @Test(arguments: [("schema", false), ("plain", true)])
  func theDescriptionOfAPageWithoutTextIsItsArticle(kind: String, isPlain: Bool) throws {
    let text = isPlain ? Self.weeks.joined(separator: " ") : Self.paragraphs
    let page =
      "<title>T</title><script type='application/ld+json'>{\"@type\": \"HowTo\", \"description\": \"\(text)\"}</script><body><div id=root></div>"
    let found = try self.text(page)
    for week in Self.weeks { #expect(found.contains(week.dropLast())) }
  }

  @Test(arguments: [0, 2000, 200_000])
  func aCharsetBehindScriptsIsTheOneOfThePage(length: Int) throws {
    let script = "<script>" + String(repeating: "x = 1;\n", count: length / 7) + "</script>"
    let head = "<html><head>\(script)<meta charset=windows-1251><title>T</title></head><body>"
    let words = (1...60).map { _ in "слово" }.joined(separator: " ")
    var bytes = Data(head.utf8)
    bytes += Data(words.unicodeScalars.map { $0.value < 0x80 ? UInt8($0.value) : UInt8($0.value - 0x350) })
    let article = try? ExtractedArticle(
      page: bytes, charset: nil, allowance: Allowance(documentBytes: bytes.count))
    // The search ends before anything farther behind.
    #expect((article?.html.contains("слово слово") ?? false) == (length < 65_536))
  }

  @Test func aShortLeadBelongsToTheArticle() throws {
    let text = try self.text(
      "<h1>The garden</h1><p>By Ann Bee</p><p>The gardeners met in the rain</p><p>What they said about seeds and about water is news in the whole town</p>\(Self.paragraphs)"
    )
    #expect(text.contains("What they said about seeds"))
    #expect(!text.contains("By Ann Bee"))
  }
}
