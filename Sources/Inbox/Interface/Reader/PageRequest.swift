import Markup
import Messages
import Screen
import Words

/// A message's text that is to be laid out: the reader's content below the head.
package struct PageRequest: Hashable, Sendable {
  /// The number of the request, which counts up. Only the response to the last one is shown.
  package let number: Int
  let message: Message
  /// The article that replaces the message's own text.
  let article: Article?
  let words: Words
  let columns: Int
  let theme: MarkupTheme
  /// The minimum number of lines to lay out; the rest of the text may follow later.
  let lines: Int
  /// Whether the text has places in which its pictures may be drawn.
  let showsPictures: Bool

  /// Returns the layout. A pure function whose time grows with the text: run it on a separate thread.
  ///
  /// - Parameter isCancelled: checked before the layout; if it returns `true`, the result is no longer needed.
  package func page(isCancelled: () -> Bool = { false }) -> Page {
    let document = Page.document(of: message, article: article, words, keepsPictures: showsPictures)
    guard !isCancelled() else { return Page() }
    let text = document.layout(width: columns, theme: theme, upTo: lines)
    return Page(links: document.links, text: text)
  }
}

/// A message's text, laid out as far as it is visible.
package struct Page: Hashable, Sendable {
  /// The numbered links; the message's own URL is not among them.
  var links: [Link] = []
  var text = DocumentLayout()

  /// Returns the text of a message or its article. Its actions, pane and picture are added to the links.
  static func document(
    of message: Message, article: Article? = nil, _ words: Words, keepsPictures: Bool = false
  ) -> Document {
    let content = message.content
    var document: Document
    if let article {
      document = .html(article.html, base: article.address, own: content.url, keepsPictures: keepsPictures)
      // The headline of the page, if it differs from the message's title.
      let title = SafeText(untrusted: article.title ?? "")
      if !title.isEmpty, title.text.lowercased() != SafeText(untrusted: content.title).text.lowercased() {
        document.blocks.insert(Block(.heading(level: 1, Inline(title))), at: 0)
      }
    } else if message.id.isWelcome || content.extras?.format == .markdown {
      document = .markdown(content.body, own: content.url)
    } else if let html = content.html {
      document = .html(html, base: content.url, own: content.url, keepsPictures: keepsPictures)
    } else {
      document = .plain(content.body, own: content.url)
    }
    // Other links are numbered after those of the text.
    var extras = (content.extras?.actions ?? []).enumerated().map { index, action in
      let request = action.request.map { "  \($0.method) \(action.url)" } ?? ""
      let label = SafeText(untrusted: action.label + request)
      return (label, action.isLink ? action.url : "reddot:action/\(index)", !action.isLink)
    }
    if let pane = content.extras?.pane {
      extras.append(
        (words(.readerPane, SafeText(untrusted: pane.label)), "reddot:pane/here", true))
    }
    if let poster = content.extras?.poster { extras.append((words(.readerImage), poster, false)) }
    var known = Set(document.links.map(\.url))
    if let own = OpenableAddress(content.url)?.text { known.insert(own) }
    for (label, url, isAction) in extras {
      guard let address = OpenableAddress(url), known.insert(address.text).inserted else { continue }
      document.links.append(
        Link(number: document.links.count + 1, label: label, url: address.text, isAction: isAction))
    }
    return document
  }
}
