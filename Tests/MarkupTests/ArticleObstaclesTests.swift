import Foundation
import Limits
import Markup
import Testing

/// What stands between a page and its article.
@Suite struct ArticleObstaclesTests {
  private func article(_ page: String) throws -> ExtractedArticle {
    let bytes = Data(page.utf8)
    return try ExtractedArticle(
      page: bytes, charset: nil, allowance: Allowance(documentBytes: bytes.count))
  }

  /// In one line.
  private func text(_ page: String) throws -> String {
    Document.html(try article(page).html, base: nil).text.replacing("\n", with: " ")
  }

  private static let sentences = [
    "The council voted on Tuesday to keep the old library open for another year, after a long debate about its cost.",
    "Members of the public filled the room, and many of them had brought letters from people who could not come.",
  ]

  private static let story = sentences.map { "<p>\($0)</p>" }.joined()

  /// Longer than the article, before it and behind it, with a name that tells nothing.
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
}
