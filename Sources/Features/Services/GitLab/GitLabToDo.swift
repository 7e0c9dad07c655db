import Formats
import Messages

/// An item of GitLab's to-do list.
enum GitLabToDo {
  static func element(_ fields: inout JSONFields) -> ListElement? {
    guard let id = fields.remoteID("id") else { return nil }
    // Either of the two is there, and the target may be gone.
    var project = fields.inner("project")
    var group = fields.inner("group")
    var target = fields.inner("target")
    var author = fields.inner("author")
    let body = fields.text("body") ?? ""
    let named = ServiceText.oneLine(target?.text("title") ?? "")
    let title = named.isEmpty ? ServiceText.oneLine(WebFeedMessages.beginning(of: body)) : named
    let type = fields.text("target_type")
    var message = IncomingMessage(
      remoteID: id, kind: .service, title: title.isEmpty ? type ?? "To-do \(id.text)" : title,
      body: ServiceText.oneLine(body) == title ? "" : body)
    message.url = ServiceText.address(fields.text("target_url"))
    message.author = author?.text("username").map(ServiceText.oneLine)
    message.published = fields.instant("created_at")
    let labels = (target?.elements("labels") ?? []).map {
      $0.text ?? $0.object?["title"]?.text ?? $0.object?["name"]?.text
    }
    let path = project?.text("path_with_namespace") ?? group?.text("full_path")
    message.channel = path.map(ServiceText.oneLine)
    message.tags = ServiceText.tags([fields.text("action_name"), type, path] + labels)
    let isPending = fields.text("state").map { $0 == "pending" } ?? true
    for inner in [project, group, target, author] { fields.adopt(inner?.problems ?? []) }
    return ListElement(
      message: message, time: message.published, isOpen: isPending,
      marks: isPending ? nil : UpstreamMarks(isRead: true))
  }
}
