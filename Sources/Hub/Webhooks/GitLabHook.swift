import Formats
import Foundation

/// Reads GitLab's webhooks.
struct GitLabHook {
  let body: JSONValue

  func read() throws(HubFailure) -> HookReading {
    guard let kind = body.at("object_kind")?.text else {
      // Events of groups and of the whole system have a name instead.
      if body.at("event_name")?.text != nil { return .ignored }
      throw HubFailure(.invalidItem, "is missing", at: "$.object_kind")
    }
    guard let item = try item(kind) else { return .ignored }
    return .items([item])
  }

  private var attributes: JSONValue? { body.at("object_attributes") }

  private func item(_ kind: String) throws(HubFailure) -> HookItem? {
    let action = attributes?.at("action")?.text ?? ""
    switch kind {
    case "push": return try push()
    case "merge_request":
      switch action {
      case "open", "reopen", "close", "merge": return try thread(kind, "!", action)
      // This is the end of a draft.
      case "update" where body.at("changes", "draft", "current")?.bool == false:
        return try thread(kind, "!", "ready")
      default: return nil
      }
    case "issue": return ["open", "reopen", "close"].contains(action) ? try thread(kind, "#", action) : nil
    // The action was added later; before, there were only new notes.
    case "note": return action == "" || action == "create" ? try note() : nil
    case "release": return body.at("action")?.text == "create" ? try release() : nil
    case "pipeline": return try pipeline()
    default: return nil
    }
  }

  /// Returns the path of the project. Requests of GitLab before version 8.5 have it only as their target.
  private func project() throws(HubFailure) -> String {
    if let target = attributes?.at("target", "path_with_namespace")?.shown { return target }
    return try body.required("project", "path_with_namespace")
  }

  /// Creates an item of a project, whose key contains the number from GitLab.
  private func start(_ kind: String, _ number: String, _ title: String?) throws(HubFailure) -> HookItem {
    let project = try project()
    var item = HookItem(key: "gitlab/\(project)/\(kind)/\(number)")
    item.set("title", "\(project): \(title ?? kind)")
    item.setPriority(3)
    item.set("author", (body.at("user", "username") ?? body.at("user_username"))?.shown)
    item.setURL((attributes?.at("url") ?? body.at("project", "web_url"))?.shown)
    item.succession = .newest
    return item
  }

  /// Returns an item for a push to the default branch, or `nil` for another branch.
  private func push() throws(HubFailure) -> HookItem? {
    let branch = try body.required("project", "default_branch")
    guard try body.required("ref") == "refs/heads/\(branch)",
      // A deleted branch has no commits.
      let commits = body.at("commits")?.elements, let head = commits.last
    else { return nil }
    let after = try body.required("after")
    var item = try start("push", after, ForgeText.title(head.at("message")?.text))
    let lines = commits.map { commit in
      let name = commit.at("author", "name")?.shown.map { " (\($0))" } ?? ""
      return (ForgeText.title(commit.at("message")?.text) ?? "") + name
    }
    item.setBody(lines.joined(separator: "\n"))
    item.setURL(head.at("url")?.shown)
    item.set("time", HookTime.text(HookTime.parse(head.at("timestamp")?.text)))
    item.setTags([branch])
    return item
  }

  /// Returns the item for an issue or a merge request.
  private func thread(_ kind: String, _ sign: String, _ action: String) throws(HubFailure) -> HookItem {
    let number = try body.required("object_attributes", "iid")
    let project = try project()
    let attributes = attributes ?? .null
    var item = try start(kind, number, attributes.at("title")?.shown)
    item.setBody(attributes.at("description")?.shown)
    item.set("time", HookTime.text(HookTime.parse(attributes.at("updated_at")?.text)))
    item.set("group", "\(project)\(sign)\(number)")
    item.setTags([action])
    if action == "close" || action == "merge" { item.setDone() }
    return item
  }

  /// Returns an item for a comment.
  private func note() throws(HubFailure) -> HookItem {
    let number = try body.required("object_attributes", "id")
    let project = try project()
    let attributes = attributes ?? .null
    let about = body.at("merge_request") ?? body.at("issue")
    let sign = body.at("merge_request") == nil ? "#" : "!"
    let title = about?.at("title") ?? body.at("commit", "title") ?? body.at("snippet", "title")
    var item = try start("note", number, title?.shown)
    item.setBody(attributes.at("note")?.shown)
    item.set("time", HookTime.text(HookTime.parse(attributes.at("updated_at")?.text)))
    item.set("group", about?.at("iid")?.shown.map { "\(project)\(sign)\($0)" })
    item.setTags(["note"])
    return item
  }

  private func release() throws(HubFailure) -> HookItem {
    let number = try body.required("id")
    var item = try start("release", number, (body.at("name") ?? body.at("tag"))?.shown)
    item.setBody(body.at("description")?.shown)
    item.setURL(body.at("url")?.shown)
    item.set("time", HookTime.text(HookTime.parse((body.at("released_at") ?? body.at("created_at"))?.text)))
    item.setTags(["release", body.at("tag")?.shown])
    return item
  }

  /// Returns the item for a branch, which reports a failed pipeline, and is resolved once a pipeline
  /// succeeds. Returns `nil` for other states of a pipeline.
  private func pipeline() throws(HubFailure) -> HookItem? {
    let status = try body.required("object_attributes", "status")
    guard ["failed", "success"].contains(status) else { return nil }
    let ref = try body.required("object_attributes", "ref")
    let attributes = attributes ?? .null
    var item = try start("pipeline", ref, "Pipeline (\(ref)): \(status)")
    item.setBody(ForgeText.title(body.at("commit", "message")?.text))
    item.set(
      "time",
      HookTime.text(HookTime.parse((attributes.at("finished_at") ?? attributes.at("created_at"))?.text)))
    item.setTags([status, ref])
    if status == "failed" {
      item.setPriority(4)
    } else {
      item.setDone()
      item.succession = .end
    }
    return item
  }
}
