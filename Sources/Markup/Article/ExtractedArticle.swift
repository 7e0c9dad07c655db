package import Foundation
import HTML
package import Limits

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
    let tree = PageTree(allowance: allowance)
    var text = HTMLBytes.text(page, charset: charset)
    text.withUTF8 { HTMLStream(sink: tree, reading: .scriptedPage).run($0) }
    tree.finish()
    guard !allowance.isCancelled else { throw .noText }
    guard let scope = ArticleScope(of: tree) else {
      guard let html = tree.structured.html, html.split(exactly: " ").count >= Limits.articleWords else {
        throw .noText
      }
      title = tree.structured.headline
      self.html = html
      return
    }
    var writer = ArticleWriter(tree, scope)
    writer.write()
    title = scope.title
    html = writer.html
  }
}
