import Basics
import Formats
import Markup
import Messages

extension IncomingMessage {
  /// Sets the body to HTML, and to the text shown for it. Its links are relative to the message's own, which must be
  /// set before.
  mutating func setBody(html: String) {
    self.html = html.isEmpty ? nil : html
    body = Document.text(ofHTML: html, base: url)
  }

  /// Sets the title of a message without text to the name of its attachment, or to its link.
  private mutating func giveTitle() {
    guard title.isEmpty, body.isEmpty else { return }
    let file = extras?.enclosures?.first.map(\.url)
    let action = extras?.actions.first { $0.url == file } ?? extras?.actions.first
    title = action.map { $0.label.isEmpty ? $0.url : $0.label } ?? url ?? ""
  }

  /// Cuts long strings while messages wait to be stored, so that none takes too much memory. More is kept than the
  /// store keeps: the store cuts each field to its own limit and reports it.
  mutating func keepWithinLimits() {
    giveTitle()
    title = title.cut(toBytes: Limits.titleBytes)
    body = body.cut(toBytes: 2 * Limits.bodyBytes)
    html = html?.cut(toBytes: 2 * Limits.bodyBytes)
    author = author?.cut(toBytes: Limits.nameBytes)
    channel = channel?.cut(toBytes: Limits.nameBytes)
    for index in tags.indices { tags[index] = tags[index].cut(toBytes: Limits.nameBytes) }
  }

  /// The approximate number of bytes of its text.
  var textBytes: Int { title.utf8.count + body.utf8.count + (html?.utf8.count ?? 0) }
}
