import Formats
import Messages

/// Reads a thread of Gitea's or Forgejo's list of notifications.
enum GiteaThread {
  /// Converts a thread, or returns `nil` if it has no id, which `fields` reports.
  static func element(_ fields: inout JSONFields) -> ListElement? {
    guard let id = fields.remoteID("id") else { return nil }
    var subject = fields.inner("subject")
    // The repository is null once the user may no longer see it.
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
    let state = subject?.text("state")
    message.tags = ServiceText.tags([name, subject?.text("type"), state])
    if let updated = fields.text("updated_at") {
      message.extras = MessageExtras()
      message.extras?.occasion = updated
    }
    let isUnread = fields.bool("unread") ?? true
    fields.adopt((subject?.problems ?? []) + (repository?.problems ?? []))
    // A pinned thread is listed although it was read.
    var element = ListElement(
      message: message, time: message.published, isOpen: isUnread,
      marks: isUnread ? nil : UpstreamMarks(isRead: true))
    switch state {
    case "open": element.isOver = false
    case "closed", "merged": element.isOver = true
    case _: break
    }
    return element
  }
}
