import Basics
import Foundation
import Markup
package import Messages
import Screen
import Words

// Messages for programs and files. Since they may end in a terminal, they contain no control characters.
extension PaperPage {
  /// Returns a message as Markdown: a heading, its source and time, its URL, its text and its other links.
  package static func markdown(
    _ message: Message, of sources: [SourceStatus], options: InterfaceOptions
  ) -> String {
    let content = message.content
    var parts: [String] = []
    let title = SafeText(untrusted: content.title)
    if !title.isEmpty { parts.append(Document(blocks: [Block(.heading(level: 1, Inline(title)))]).markdown) }
    parts.append(Document(blocks: [Block(.paragraph(Inline(origin(message, sources, options))))]).markdown)
    if let address = OpenableAddress(content.url) { parts.append("<\(address.text)>") }
    let document = Page.document(of: message, options.words)
    if content.extras?.format == .markdown {
      // The text is as its author wrote it; its other links follow.
      parts.append(SafeText.lines(untrusted: content.body).map(\.text).joined(separator: "\n"))
      let inText = Document.markdown(content.body).links.count
      let others = Document(links: document.links.filter { $0.number > inText })
      parts.append(others.markdown)
    } else {
      parts.append(document.markdown)
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// The line between messages as text and as Markdown.
  package static let separator = "\n---\n\n"

  /// Returns messages as one HTML page, with a line between them. Their scripts do not run in any program.
  package static func html(
    _ messages: [Message], of sources: [SourceStatus], options: InterfaceOptions
  ) -> String {
    // A page has only one base: the relative links of several messages would lead to the wrong site.
    let base = messages.count == 1 ? address(of: messages[0]).map { "<base href=\"\($0)\">\n" } ?? "" : ""
    let title = messages.first.map { SafeText(untrusted: $0.content.title).text.markupEscaped } ?? ""
    let page = """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="script-src 'none'; object-src 'none'; frame-src 'none'">
      \(base)<title>\(title)</title>
      </head>
      <body>
      \(messages.map { article($0, sources, options) }.joined(separator: "\n<hr>\n"))
      </body>
      </html>

      """
    return withReferences(page)
  }

  private static func address(of message: Message) -> String? {
    OpenableAddress(message.content.url).map { $0.text.markupEscaped }
  }

  /// Returns a message as one `article` element, whose end also closes the elements that the message's HTML leaves
  /// open.
  private static func article(
    _ message: Message, _ sources: [SourceStatus], _ options: InterfaceOptions
  ) -> String {
    let content = message.content
    let title = SafeText(untrusted: content.title).text.markupEscaped
    let heading = address(of: message).map { "<a href=\"\($0)\">\(title)</a>" } ?? title
    return """
      <article>
      <h1>\(heading)</h1>
      <p>\(origin(message, sources, options).text.markupEscaped)</p>
      \(content.html ?? "<pre>\(content.body.markupEscaped)</pre>")
      </article>
      """
  }

  /// Returns the line with a message's source, author and time.
  private static func origin(
    _ message: Message, _ sources: [SourceStatus], _ options: InterfaceOptions
  ) -> SafeText {
    let words = options.words
    let source = words.title(of: message, among: sources)
    let author = SafeText(untrusted: message.content.author ?? "")
    let date = words.fullDate(message.time, in: options.zone)
    let between = options.signs.between
    return author.isEmpty || author == source
      ? source + between + date : source + between + author + between + date
  }

  /// Returns the page with character references for its control characters; in a browser it looks the same.
  private static func withReferences(_ page: String) -> String {
    var text = ""
    var gate = SafeText.Gate()
    for scalar in page.unicodeScalars {
      if scalar == "\n" || scalar == "\t" || gate.lets(scalar) {
        text.unicodeScalars.append(scalar)
      } else if scalar != "\r" {
        text += "&#x\(String(scalar.value, radix: 16));"
      }
    }
    return text
  }
}
