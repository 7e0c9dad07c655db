import Formats
import Messages

/// A thread of Gitea's or Forgejo's list of notifications.
enum GiteaThread {
  static func element(_ fields: inout JSONFields) -> ListElement? {
    guard let id = fields.remoteID("id") else { return nil }
    var subject = fields.inner("subject")
    // Null once the user may not see it any more.
    var repository = fields.inner("repository")
    let name = repository?.text("full_name")
    let title = ServiceText.oneLine(subject?.text("title") ?? "")
    var message = IncomingMessage(
      remoteID: id, kind: .service, title: title.isEmpty ? name ?? "Notification \(id.text)" : title)
    let pages = [
      subject?.text("latest_comment_html_url"), subject?.text("html_url"), repository?.text("html_url"),
    ]
    message.url = pages.lazy.compactMap(ServiceText.address).first
    message.published = fields.instant("updated_at")
    message.channel = name.map(ServiceText.oneLine)
    message.tags = ServiceText.tags([name, subject?.text("type"), subject?.text("state")])
    if let updated = fields.text("updated_at") {
      message.extras = MessageExtras()
      message.extras?.occasion = updated
    }
    let isUnread = fields.bool("unread") ?? true
    fields.adopt((subject?.problems ?? []) + (repository?.problems ?? []))
    // A pinned one is listed though it was read.
    return ListElement(
      message: message, time: message.published, isOpen: isUnread,
      marks: isUnread ? nil : UpstreamMarks(isRead: true))
  }
}
