import Formats
import Foundation

/// GitLab's webhooks.
struct GitLabHook {
  let body: JSONValue

  func read() throws(HubFailure) -> HookReading {
    guard let kind = body.at("object_kind")?.text else {
      throw HubFailure(.invalidItem, "is missing", at: "$.object_kind")
    }
    guard let item = item(kind) else { return .ignored }
    return .items([item])
  }

  private var attributes: JSONValue? { body.at("object_attributes") }

  private func item(_ kind: String) -> HookItem? {
    let action = attributes?.at("action")?.text ?? ""
    switch kind {
    case "push": return push()
    case "merge_request":
      switch action {
      case "open", "reopen", "close", "merge": return thread(kind, "!", action)
      // Out of draft.
      case "update" where body.at("changes", "draft", "current")?.bool == false:
        return thread(kind, "!", "ready")
      default: return nil
      }
    case "issue": return ["open", "reopen", "close"].contains(action) ? thread(kind, "#", action) : nil
    // Its action came later; before there were only new ones.
    case "note": return action == "" || action == "create" ? note() : nil
    case "release": return body.at("action")?.text == "create" ? release() : nil
    case "pipeline": return pipeline()
    default: return nil
    }
  }

  private var project: String { body.at("project", "path_with_namespace")?.shown ?? "project" }

  private func start(_ kind: String, _ number: String, _ title: String?) -> HookItem {
    var item = HookItem(key: "gitlab/\(project)/\(kind)/\(number)")
    item.set("title", "\(project): \(title ?? kind)")
    item.setPriority(3)
    item.set("author", (body.at("user", "username") ?? body.at("user_username"))?.shown)
    item.setURL((attributes?.at("url") ?? body.at("project", "web_url"))?.shown)
    item.succession = .newest
    return item
  }

  private func push() -> HookItem? {
    guard let branch = body.at("project", "default_branch")?.text,
      body.at("ref")?.text == "refs/heads/\(branch)", let after = body.at("after")?.shown,
      let commits = body.at("commits")?.elements, let head = commits.last
    else { return nil }
    var item = start("push", after, ForgeText.title(head.at("message")?.text))
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

  /// An issue, or a merge request.
  private func thread(_ kind: String, _ sign: String, _ action: String) -> HookItem? {
    guard let attributes, let number = attributes.at("iid")?.shown else { return nil }
    var item = start(kind, number, attributes.at("title")?.shown)
    item.setBody(attributes.at("description")?.shown)
    item.set("time", HookTime.text(HookTime.parse(attributes.at("updated_at")?.text)))
    item.set("group", "\(project)\(sign)\(number)")
    item.setTags([action])
    if action == "close" || action == "merge" { item.setDone() }
    return item
  }

  private func note() -> HookItem? {
    guard let attributes, let number = attributes.at("id")?.shown else { return nil }
    let about = body.at("merge_request") ?? body.at("issue")
    let sign = body.at("merge_request") == nil ? "#" : "!"
    let title = about?.at("title") ?? body.at("commit", "title") ?? body.at("snippet", "title")
    var item = start("note", number, title?.shown)
    item.setBody(attributes.at("note")?.shown)
    item.set("time", HookTime.text(HookTime.parse(attributes.at("updated_at")?.text)))
    item.set("group", about?.at("iid")?.shown.map { "\(project)\(sign)\($0)" })
    item.setTags(["note"])
    return item
  }

  private func release() -> HookItem? {
    guard let number = body.at("id")?.shown else { return nil }
    var item = start("release", number, (body.at("name") ?? body.at("tag"))?.shown)
    item.setBody(body.at("description")?.shown)
    item.setURL(body.at("url")?.shown)
    item.set("time", HookTime.text(HookTime.parse((body.at("released_at") ?? body.at("created_at"))?.text)))
    item.setTags(["release", body.at("tag")?.shown])
    return item
  }

  /// One item for each branch: it fails, and is over once a pipeline succeeds.
  private func pipeline() -> HookItem? {
    guard let attributes, let status = attributes.at("status")?.text, let ref = attributes.at("ref")?.shown,
      ["failed", "success"].contains(status)
    else { return nil }
    var item = start("pipeline", ref, "Pipeline (\(ref)): \(status)")
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
