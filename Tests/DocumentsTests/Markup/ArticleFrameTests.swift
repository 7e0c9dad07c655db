import Basics
import Foundation
import Markup
import Screen
import Testing

/// Frames in articles. Each frame that is kept differs in one property from one that is not.
@Suite struct ArticleFrameTests {
  private static let start = "<p>\(ArticlePages.text("Start."))</p>"
  private static let end = "<p>\(ArticlePages.text("End."))</p>"

  private func html(_ content: String) throws -> String {
    let page = Data("<title>T</title><body><article>\(content)</article>".utf8)
    return try ExtractedArticle(
      page: page, charset: nil, allowance: Allowance(documentBytes: page.count)
    ).html
  }

  private func document(_ content: String) throws -> Document {
    .html(try html(content), base: "https://paper.example/story")
  }

  private func links(_ frame: String) throws -> [String] {
    try document(Self.start + frame + Self.end).links.map(\.url)
  }

  @Test(arguments: [
    // The host.
    ("src='https://www.youtube.com/embed/x'", "src='https://www.googletagmanager.com/ns.html?id=x'"),
    ("src='//player.vimeo.com/video/1'", "src='//player.doubleclick.net/video/1'"),
    ("src='https://w.soundcloud.com/player/?url=x'", "src='https://w.taboola.com/player/?url=x'"),
    ("src='https://datawrapper.dwcdn.net/cw7t6/'", "src='https://frames.example/cw7t6/'"),
    ("src='https://docs.google.com/presentation/d/x'", "src='https://accounts.google.com/presentation/d/x'"),
    ("src='https://video.site.example/1'", "src='https://ads.site.example/1'"),
    ("src='https://ad.example/embed/1'", "src='https://ad.site.example/embed/1'"),
    // The path.
    ("src='https://www.google.com/maps/embed?pb=1'", "src='https://www.google.com/recaptcha/embed?pb=1'"),
    (
      "src='https://www.facebook.com/plugins/video.php?href=x'",
      "src='https://www.facebook.com/plugins/like.php?href=x'"
    ),
    ("src='https://www.youtube.com/embed/x'", "src='https://www.youtube.com/subscribe_embed/x'"),
    ("src='/media/player.html?id=1'", "src='/media/counter.html?id=1'"),
    ("src='https://site.example/pdf/tide'", "src='https://site.example/consent/tide'"),
    // The title.
    (
      "src='https://frames.example/1' title='The harbour from above'",
      "src='https://frames.example/1' title='3rd party ad content'"
    ),
    ("src='https://frames.example/1' title='The harbour from above'", "src='https://frames.example/1'"),
    (
      "src='https://frames.example/1' title='The harbour from above'",
      "src='https://frames.example/1' title='Embedded content'"
    ),
    (
      "src='https://frames.example/1' title='Cookies from four countries, and how to bake them'",
      "src='https://frames.example/1' title='Cookie settings'"
    ),
    (
      "src='https://www.site.example/embed/1' title='A talk'",
      "src='https://www.site.example/embed/1' title='Anzeige'"
    ),
    // The size.
    ("src='https://www.youtube.com/embed/x' height=400", "src='https://www.youtube.com/embed/x' height=0"),
    ("src='https://www.youtube.com/embed/x' width=400", "src='https://www.youtube.com/embed/x' width=1px"),
    (
      "src='https://datawrapper.dwcdn.net/1/' style='width: 0; min-width: 100% !important'",
      "src='https://datawrapper.dwcdn.net/1/' style='width: 0'"
    ),
    (
      "src='https://www.youtube.com/embed/x' style='display: block'",
      "src='https://www.youtube.com/embed/x' style='display: none'"
    ),
    (
      "src='https://www.youtube.com/embed/x' aria-hidden=false",
      "src='https://www.youtube.com/embed/x' aria-hidden=true"
    ),
    // The attribute from which a script takes the address.
    ("data-lazy-src='https://www.youtube.com/embed/x'", "data-lazy-src='https://x.doubleclick.net/embed/x'"),
    (
      "data-iframe-src='https://www.youtube.com/embed/x' src='about:blank'",
      "data-iframe-src='https://x.doubleclick.net/embed/x' src='about:blank'"
    ),
    (
      "suppressedsrc='https://www.youtube.com/embed/x' src='about:blank'",
      "suppressedsrc='https://x.criteo.com/embed/x' src='about:blank'"
    ),
    (
      "srcdoc=\"<style>a{}</style><a href='https://www.youtube.com/embed/x'><img src='/p.jpg'>▶</a>\"",
      "srcdoc=\"<style>a{}</style><a href='https://shop.example/offers'><img src='/p.jpg'>▶</a>\""
    ),
  ])
  func aFrameIsKeptIfItIsAPlayerOrADocument(kept: String, leftOut: String) throws {
    #expect(try links("<iframe \(kept)></iframe>").count == 1)
    #expect(try links("<iframe \(leftOut)></iframe>").isEmpty)
    #expect(!(try html(Self.start + "<iframe \(leftOut)></iframe>" + Self.end).contains("[")))
  }

  @Test(arguments: [
    ("<iframe src='https://www.youtube.com/embed/x'></iframe>", true),
    ("<iframe src='https://x.doubleclick.net/embed/x'></iframe>", false),
  ])
  func aFrameDoesNotCutItsParagraph(frame: String, isKept: Bool) throws {
    // If the article has no name, the short end of its last paragraph is not a part of it.
    let page =
      "<title>T</title><body><div>\(Self.start)<p>So said Ann,\(frame) and then all went home.</p></div>"
    let bytes = Data(page.utf8)
    let article = try ExtractedArticle(
      page: bytes, charset: nil, allowance: Allowance(documentBytes: bytes.count))
    let text = Document.html(article.html, base: nil).text
    #expect(text.contains("So said Ann,"))
    #expect(
      text.hasSuffix(isKept ? "[page] and then all went home." : "So said Ann, and then all went home."))
  }

  // MARK: Pages of other sites

  private static let quotation =
    "<blockquote class='wp-embedded-content'><p><a href='https://other.example/tide/'>High tide</a></p></blockquote>"

  @Test(arguments: [
    "https://other.example/tide/embed/#?secret=1", "https://other.example/tide/?embed=true#?secret=1",
    "https://other.example/tide/embed",
  ])
  func aPageThatWordPressEmbedsIsALinkOnce(address: String) throws {
    let frame =
      "<iframe class='wp-embedded-content' src='\(address)' title='“High tide” — Other'></iframe>"
    let hidden = Self.quotation.replacing("<blockquote", with: "<blockquote style='display: none'")
    for (content, label) in [
      (Self.quotation + frame, "High tide"), (hidden + frame, "[page: “High tide” — Other]"),
      (frame, "[page: “High tide” — Other]"),
    ] {
      let html = try self.html(Self.start + content + Self.end)
      #expect(html.components(separatedBy: "href=").count == 2)
      let links = Document.html(html, base: nil).links
      #expect(links.map(\.label.text) == [label])
      #expect(links.first?.url.hasPrefix("https://other.example/tide") == true)
      #expect(links.first?.url.contains("embed") == false)
    }
    let another = Self.quotation.replacing("/tide/", with: "/mud/") + frame
    #expect(try links(another).count == 2)
  }

  /// Several paragraphs that consist of links are a menu, even with other elements between them.
  @Test(arguments: [
    "", "<iframe src='https://www.youtube.com/embed/x'></iframe>", "<img alt='A boat' src='/b.jpg'>",
  ])
  func framesDoNotMakeAMenuAPartOfTheText(between: String) throws {
    let others = (1...4).map {
      "<blockquote><p><a href='/\($0)'>Another story of the week here</a></p></blockquote>"
    }
    let menu = try document(Self.start + others.joined(separator: between) + Self.end).text
    #expect(!menu.contains("Another story"))
    let single = try document(Self.start + between + others[0] + between + Self.end).text
    #expect(single.contains("Another story"))
  }
}
