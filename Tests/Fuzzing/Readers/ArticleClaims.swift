import Basics
import Foundation
import Markup

/// Articles of pages: bounded, with known, matching elements, and as safe as any message.
enum ArticleClaims {
  static func check(_ bytes: Data, _ widths: [Int]) throws(Violation) {
    let allowance = Allowance(documentBytes: bytes.count)
    let article: ExtractedArticle
    do throws(ExtractedArticle.Failure) {
      article = try ExtractedArticle(page: bytes, charset: nil, allowance: allowance)
    } catch {
      return
    }
    try claimBounded(article.html.utf8.count, by: bytes.count, times: 16, "an article")
    try claim(article.html.utf8.count <= Limits.articleBytes + 64 << 10, "an article is too long")
    var open: [Substring] = []
    for tag in article.html.matches(of: /<(\/?)([^ >]*)[^>]*>/.matchingSemantics(.unicodeScalar)) {
      try claim(known.contains(tag.2), "an article has <\(tag.2)>")
      if empty.contains(tag.2) { continue }
      if tag.1.isEmpty {
        open.append(tag.2)
      } else {
        try claim(open.popLast() == tag.2, "</\(tag.2)> ends another element")
      }
    }
    try claim(open.isEmpty, "\(open) have no end")
    try PageClaims.check(
      .html(article.html, base: "http://pages.example/a/b.html"), article.html.utf8.count, widths)
  }

  private static let empty: Set<Substring> = ["img", "br", "hr", "base"]

  private static let known: Set<Substring> = Set(
    """
    img br hr base div p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table caption thead tbody tfoot tr td th \
    figcaption details summary a b strong i em u s strike del ins code kbd samp var tt sub sup mark q cite dfn small \
    ruby rt rp math mfrac msqrt mroot msup mover msub munder msubsup munderover mfenced mtable mtr mlabeledtr mspace mi \
    mn mo ms mtext mrow mstyle mtd
    """.split(separator: " "))
}
