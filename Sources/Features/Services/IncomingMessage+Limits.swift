import Basics
import Formats
import Markup
import Messages

extension IncomingMessage {
  /// Sets the body to HTML, and to the plain text that is shown for it. The message's `url` must already be set,
  /// because links in the HTML are relative to it.
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

  /// Gives a message without title and body a title, and cuts long strings, so that a message that waits to be stored
  /// takes little memory. The limits are larger than those of the store, which cuts each field to its own limit and
  /// reports it.
  mutating func keepWithinLimits() {
    giveTitle()
    title = title.cut(toBytes: Limits.titleBytes)
    body = body.cut(toBytes: 2 * Limits.bodyBytes)
    html = html?.cut(toBytes: 2 * Limits.bodyBytes)
    author = author?.cut(toBytes: Limits.nameBytes)
    channel = channel?.cut(toBytes: Limits.nameBytes)
    for index in tags.indices { tags[index] = tags[index].cut(toBytes: Limits.nameBytes) }
  }

  /// The approximate number of bytes of the message's text.
  var textBytes: Int { title.utf8.count + body.utf8.count + (html?.utf8.count ?? 0) }
}
