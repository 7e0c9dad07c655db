import Basics
import Formats
import Messages

/// Converts a notification of Mastodon into a message.
enum MastodonMessage {
  /// Returns the message, or `nil` if the notification has no valid id, which `fields` reports.
  static func message(_ fields: inout JSONFields) -> IncomingMessage? {
    guard let id = fields.remoteID("id") else { return nil }
    var account = fields.inner("account")
    var status = fields.inner("status")
    let type = fields.text("type")
    let handle = account?.text("acct").map(ServiceText.oneLine)
    let name = ServiceText.oneLine(account?.text("display_name") ?? "")
    let author = name.isEmpty ? handle : handle.map { "\(name) (@\($0))" } ?? name
    var message = IncomingMessage(
      remoteID: id, kind: .service,
      title: title(type, by: name.isEmpty ? handle.map { "@" + $0 } ?? "Somebody" : name))
    message.author = author
    message.published = fields.instant("created_at")
    message.tags = ServiceText.tags([type])
    let page = [status?.text("url"), status?.text("uri"), account?.text("url")]
    message.url = page.lazy.compactMap(ServiceText.address).first
    if let html = status?.text("content") { message.setBody(html: html) }
    if let warning = status?.text("spoiler_text") {
      message.body = warning + (message.body.isEmpty ? "" : "\n\n" + message.body)
      // As HTML, the text would be shown without its warning.
      message.html = nil
    }
    // A row shows the beginning of the text. If the text has a content warning, the row shows the warning instead.
    let words = ServiceText.oneLine(WebFeedMessages.beginning(of: message.body))
    if !words.isEmpty { message.title += ": " + words }
    message.language = status?.text("language")
    let enclosures = (status?.elements("media_attachments") ?? []).prefix(Limits.actions).compactMap {
      ServiceText.address($0.object?["url"]?.text).map { Enclosure(url: $0) }
    }
    if !enclosures.isEmpty {
      var extras = MessageExtras()
      extras.enclosures = enclosures
      extras.actions = enclosures.map { MessageAction(label: "Attachment", url: $0.url) }
      message.extras = extras
    }
    fields.adopt((account?.problems ?? []) + (status?.problems ?? []))
    return message
  }

  private static func title(_ type: String?, by name: String) -> String {
    switch type {
    case "mention": "\(name) mentioned you"
    case "status": "\(name) posted"
    case "reblog": "\(name) boosted your post"
    case "follow": "\(name) follows you"
    case "follow_request": "\(name) asks to follow you"
    case "favourite": "\(name) likes your post"
    case "poll": "A poll of \(name) has ended"
    case "update": "\(name) edited a post"
    case "quote": "\(name) quoted you"
    case "quoted_update": "\(name) edited a post that you quoted"
    case "admin.sign_up": "\(name) signed up"
    case "admin.report": "\(name) filed a report"
    case "severed_relationships": "Some of your follows have ended"
    case "moderation_warning": "The moderators have warned you"
    case let type?: "\(name): \(ServiceText.oneLine(type))"
    case nil: name
    }
  }
}
