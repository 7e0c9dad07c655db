import Formats
import Messages

extension IncomingMessage {
  /// Makes a service's message from an HTML body, with plain text too. A missing title is replaced by the beginning of
  /// the body.
  ///
  /// - Parameter title: plain text.
  init(service id: String, title: String, html: String, url: String?) {
    self.init(remoteID: RemoteID(id), kind: .service, title: ServiceText.oneLine(title))
    self.url = url
    setBody(html: html)
    if self.title.isEmpty { self.title = WebFeedMessages.beginning(of: body) }
  }

  /// Adds attachments, such as recordings, videos and files, and for each one a button that opens it.
  mutating func attach(_ enclosures: [Enclosure]) {
    guard !enclosures.isEmpty else { return }
    var extras = extras ?? MessageExtras()
    extras.actions += enclosures.map {
      MessageAction(label: AttachmentLabel.of($0.url, title: nil, type: $0.type), url: $0.url)
    }
    extras.enclosures = (extras.enclosures ?? []) + enclosures
    self.extras = extras
  }
}
