import Formats
import Foundation
import Messages

/// Reads an item of GitLab's to-do list.
enum GitLabToDo {
  /// Whether both times are known, and the first is later than the second.
  private static func `is`(_ time: Date?, after end: Date?) -> Bool {
    guard let time, let end else { return false }
    return time > end
  }

  /// Converts a to-do item, or returns `nil` if it has no id, which `fields` reports.
  static func element(_ fields: inout JSONFields) -> ListElement? {
    guard let id = fields.remoteID("id") else { return nil }
    // One of the two exists, and the target may have been deleted.
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
    let state = target?.text("state")
    let isOver = state == "closed" || state == "merged"
    let stateTag = state == "opened" ? "open" : isOver ? state : nil
    let isDraft = target?.bool("draft") ?? target?.bool("work_in_progress") ?? false
    message.tags = ServiceText.tags(
      [fields.text("action_name"), type, path, stateTag, isDraft ? "draft" : nil] + labels)
    let end = target?.instant("merged_at") ?? target?.instant("closed_at")
    let isPending = fields.text("state").map { $0 == "pending" } ?? true
    for inner in [project, group, target, author] { fields.adopt(inner?.problems ?? []) }
    var element = ListElement(
      message: message, time: message.published, isOpen: isPending,
      marks: isPending ? nil : UpstreamMarks(isRead: true))
    // A to-do item that was made after the end is open anyway.
    if state == "opened" {
      element.isOver = false
    } else if isOver, !Self.is(message.published, after: end) {
      element.isOver = true
    }
    return element
  }
}
