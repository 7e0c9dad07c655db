package import Basics
import Formats
package import Foundation

/// The article of a web page, without what surrounds it.
///
/// The method is that of Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features" (WSDM
/// 2010): the page is a sequence of text blocks, and the numbers of words and the shares of linked words of a block and
/// of its neighbours decide whether it belongs to the text (`TextBlock.markContent`). The smallest element around that
/// text is the article (`ArticleScope`); its headings, lists, code, tables and captions are kept. An element that the
/// page itself calls its article is preferred where it holds most of the text.
///
/// The time and the memory grow with the page, not faster.
package struct ExtractedArticle: Hashable, Sendable {
  /// The headline; nil if the page has none. It isn't part of `html`.
  package var title: String?
  /// A fragment of a few known elements and attributes, without scripts, styles and forms; at most
  /// `Limits.articleBytes` bytes. Its links are as in the page, with a `base` if that has one.
  package var html: String

  /// Why there isn't an article.
  package enum Failure: Error, Hashable, Sendable {
    /// The page has no longer text: lists of links, a form, a page that a script fills.
    case noText
  }

  /// - Parameters:
  ///   - page: a whole page, also a broken one; of a cut one the beginning is read.
  ///   - charset: of the response's header.
  ///   - allowance: for what is made of the page; once it is spent, reading stops. A cancelled one has no text.
  package init(page: Data, charset: String?, allowance: Allowance) throws(Failure) {
    let text = HTMLBytes.text(page, charset: charset)
    let tree = PageTree(text, .main, allowance)
    guard !allowance.isCancelled else { throw .noText }
    if let scope = ArticleScope(of: tree) {
      (title, html) = (scope.title, Self.html(tree, scope))
    } else if let html = tree.structured.html, html.split(exactly: " ").count >= Limits.articleWords {
      title = tree.structured.headline
      self.html = html
    } else if let (whole, scope) = Self.weak(text, tree, allowance) {
      (title, html) = (scope.title ?? tree.pageTitle, Self.html(whole, scope))
    } else {
      throw .noText
    }
  }

  private static func html(_ tree: PageTree, _ scope: ArticleScope) -> String {
    var writer = ArticleWriter(tree, scope)
    writer.write()
    return writer.html
  }

  /// The text of a page on which nothing looks like an article: it may be in a menu, in a form, or be made of links. If
  /// there is no text, that of templates, which scripts fill in, and that of schema.org's `description`.
  private static func weak(
    _ text: String, _ tree: PageTree, _ allowance: Allowance
  ) -> (PageTree, ArticleScope)? {
    let others = [tree.structured.templates, tree.structured.description ?? ""]
    for (text, reading) in [(text, PageTree.Reading.text), (text, .all)] + others.map({ ($0, .all) })
    where !text.isEmpty {
      let whole = PageTree(text, reading, allowance)
      if let scope = ArticleScope(of: whole, isWeak: true) { return (whole, scope) }
    }
    return nil
  }
}
