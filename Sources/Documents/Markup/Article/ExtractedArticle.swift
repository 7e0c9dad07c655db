package import Basics
import Formats
package import Foundation

/// The article of a web page, without its surroundings.
///
/// The method is that of Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features" (WSDM
/// 2010). The page is a sequence of text blocks. The numbers of words and the shares of linked words of a block and of
/// its neighbours decide whether it belongs to the text (`TextBlock.markContent`). The smallest element around that
/// text is the article (`ArticleScope`); its headings, lists, code, tables and captions are kept. An element that the
/// page itself marks as its article is preferred if it contains most of the text.
///
/// Time and memory are linear in the size of the page.
package struct ExtractedArticle: Hashable, Sendable {
  /// The headline, or `nil` if the page has none. It isn't part of `html`.
  package var title: String?
  /// The article as an HTML fragment of a few known elements and attributes, without scripts, styles and forms. It has
  /// at most `Limits.articleBytes` bytes. Its links are as in the page, with a `base` if the page has one.
  package var html: String

  /// The reason why there is no article.
  package enum Failure: Error, Hashable, Sendable {
    /// The page has no long text: it consists of lists of links or a form, or a script fills it.
    case noText
  }

  /// Extracts the article of a page.
  ///
  /// - Parameters:
  ///   - page: a whole page, which may be broken; if it is cut off, its beginning is read.
  ///   - charset: the charset of the response's header.
  ///   - allowance: the allowance for the output; reading stops once it is spent. If it is cancelled, there is no text.
  package init(page: Data, charset: String?, allowance: Allowance) throws(Failure) {
    let text = HTMLBytes.text(page, charset: charset)
    let tree = PageTree(text, .main, allowance)
    guard !allowance.isCancelled else { throw .noText }
    if let scope = ArticleScope(of: tree) {
      (title, html) = (scope.title, Self.html(tree, scope))
    } else if let html = tree.structured.html, html.split(onBytes: " ").count >= Limits.articleWords {
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

  /// Returns the text of a page on which nothing looks like an article: it may be in a menu or a form, or consist of
  /// links. If there is none, returns the text of templates, which scripts fill in, or that of schema.org's
  /// `description`.
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
