import Markup
package import Messages
package import Screen
import Words

/// A message as lines of text, as the reader shows it: for standard output.
package enum PaperPage {
  /// Returns the lines of a message.
  ///
  /// - Parameters:
  ///   - sources: the sources, including the message's own, for their titles.
  ///   - article: the article that replaces the message's text.
  ///   - columns: the width of the lines.
  package static func lines(
    _ message: Message, of sources: [SourceStatus], article: Article? = nil, columns: Int,
    options: InterfaceOptions
  ) -> [StyledText] {
    let width = max(1, min(options.layout.textWidth, columns - 2 * Layout.margin(columns)))
    let document = Page.document(of: message, article: article, options.words)
    let page = ReaderPage(
      message: message, text: document.layout(width: width, theme: options.signs.markup),
      links: document.links, isSlow: false,
      source: options.words.title(of: message, among: sources), article: article,
      showsArticle: article != nil, isOnPaper: true, columns: width, options: options)
    // Standard output has no key for the details, which show that something was cut.
    return page.lines(details: message.content.extras?.cut != nil).lines
      .map(\.withoutSpacesAtEnd)
  }
}
