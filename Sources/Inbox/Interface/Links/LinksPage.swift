import Markup
import Messages
import Screen
import Words

/// The links of a message, one of them selected.
package struct LinksPage: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    /// The number of the link in the message's text, or `nil` for the message's own link.
    var number: Int?
    var label: SafeText
    var address: String
  }

  let message: MessageID
  /// The links. Never empty.
  let links: [Row]
  var selected = 0
}

extension Reader {
  /// The page of the links, or `nil` if there are none.
  var linksPage: LinksPage? {
    guard let message else { return nil }
    let own = OpenableAddress(message.content.url).map {
      LinksPage.Row(number: nil, label: .empty, address: $0.text)
    }
    let rows = links.map { LinksPage.Row(number: $0.number, label: $0.label, address: $0.url) }
    let all = [own].compactMap(\.self) + rows
    return all.isEmpty ? nil : LinksPage(message: message.id, links: all)
  }

  /// Returns the title and the text of the message, or of its article if that is shown, not broken into the lines of
  /// the screen.
  func text(_ words: Words) -> String? {
    guard let message else { return nil }
    var lines = message.content.body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map
    {
      SafeText(untrusted: String($0)).text
    }
    if let article = article.shown {
      let document = Page.document(of: message, article: article, words)
      lines = document.layout(width: Self.textColumns, theme: .inWords(quote: "> ")).map(\.plain)
    }
    return ([SafeText(untrusted: message.content.title).text, ""] + lines).joined(separator: "\n")
  }

  /// The width at which an article is copied, in columns.
  private static let textColumns = 200
}
