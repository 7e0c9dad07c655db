import Formats
import Foundation

/// Reads the webhooks of GitHub, and those of Gitea and Forgejo, which have the same form.
struct ForgeHook {
  let kind: HookKind
  /// The kind of event according to the forge's header field, or `nil` if the field is missing.
  let event: String?
  let body: JSONValue

  func read() throws(HubFailure) -> HookReading {
    let header = kind == .github ? "X-GitHub-Event" : "X-Gitea-Event"
    guard let event else { throw HubFailure(.badRequest, "the field is missing", at: header) }
    if event == "ping" { return .ping }
    guard let item = try item(event) else { return .ignored }
    return .items([item])
  }

  private func item(_ event: String) throws(HubFailure) -> HookItem? {
    let action = body.at("action")?.text ?? ""
    switch event {
    case "push": return try push()
    case "pull_request":
      let known = ["opened", "reopened", "ready_for_review", "closed"]
      return known.contains(action) ? try thread("pull_request", "pull", action) : nil
    case "issues":
      return ["opened", "reopened", "closed"].contains(action) ? try thread("issue", "issue", action) : nil
    case "issue_comment": return action == "created" ? try comment() : nil
    case "release": return action == "published" ? try release() : nil
    case "workflow_run": return action == "completed" ? try run() : nil
    default: return nil
    }
  }

  /// Creates an item of a repository, whose key contains the number from the forge.
  private func start(
    _ what: String, _ number: String, _ title: String?
  ) throws(HubFailure) -> HookItem {
    let repository = try body.required("repository", "full_name")
    let forge = kind == .github ? "github" : "gitea"
    var item = HookItem(key: "\(forge)/\(repository)/\(what)/\(number)")
    item.set("title", "\(repository): \(title ?? what)")
    item.setPriority(3)
    item.set("author", body.at("sender", "login")?.shown)
    item.succession = .newest
    return item
  }

  /// Returns an item for a push to the default branch, or `nil` for another branch.
  private func push() throws(HubFailure) -> HookItem? {
    let branch = try body.required("repository", "default_branch")
    guard try body.required("ref") == "refs/heads/\(branch)",
      // A deleted branch has no commits.
      let head = body.at("head_commit") ?? body.at("commits")?.elements?.last
    else { return nil }
    let after = try body.required("after")
    var item = try start("push", after, ForgeText.title(head.at("message")?.text))
    let lines = body.at("commits")?.elements?.map { commit in
      let name = commit.at("author", "name")?.shown.map { " (\($0))" } ?? ""
      return (ForgeText.title(commit.at("message")?.text) ?? "") + name
    }
    item.setBody(lines?.joined(separator: "\n"))
    item.setURL((body.at("compare") ?? body.at("compare_url") ?? head.at("url"))?.shown)
    item.set("time", HookTime.text(HookTime.parse(head.at("timestamp")?.text)))
    item.setTags([branch])
    return item
  }

  /// Returns the item for an issue or a pull request.
  private func thread(_ key: String, _ what: String, _ action: String) throws(HubFailure) -> HookItem {
    let number = try body.required(key, "number")
    let repository = try body.required("repository", "full_name")
    let thread = body.at(key) ?? .null
    var item = try start(what, number, thread.at("title")?.shown)
    item.setBody(thread.at("body")?.shown)
    item.setURL(thread.at("html_url")?.shown)
    item.set("time", HookTime.text(HookTime.parse(thread.at("updated_at")?.text)))
    item.set("group", "\(repository)#\(number)")
    let isMerged = thread.at("merged")?.bool == true
    item.setTags([isMerged ? "merged" : action])
    if action == "closed" { item.setDone() }
    return item
  }

  private func comment() throws(HubFailure) -> HookItem {
    let number = try body.required("comment", "id")
    let repository = try body.required("repository", "full_name")
    let (comment, issue) = (body.at("comment") ?? .null, body.at("issue") ?? .null)
    var item = try start("comment", number, issue.at("title")?.shown)
    item.setBody(comment.at("body")?.shown)
    item.setURL(comment.at("html_url")?.shown)
    item.set("time", HookTime.text(HookTime.parse(comment.at("updated_at")?.text)))
    item.set("group", issue.at("number")?.shown.map { "\(repository)#\($0)" })
    item.setTags(["comment"])
    return item
  }

  private func release() throws(HubFailure) -> HookItem {
    let number = try body.required("release", "id")
    let release = body.at("release") ?? .null
    let name = release.at("name")?.shown ?? release.at("tag_name")?.shown
    var item = try start("release", number, name)
    item.setBody(release.at("body")?.shown)
    item.setURL(release.at("html_url")?.shown)
    item.set("time", HookTime.text(HookTime.parse(release.at("published_at")?.text)))
    item.setTags(["release", release.at("tag_name")?.shown])
    return item
  }

  /// Returns the item for a workflow and a branch, which reports a failed run, and is resolved once a run
  /// succeeds. Returns `nil` for other results of a run.
  private func run() throws(HubFailure) -> HookItem? {
    let conclusion = try body.required("workflow_run", "conclusion")
    let run = body.at("workflow_run") ?? .null
    let known = (run.at("workflow_id") ?? run.at("path"))?.shown
    let number = if let known { known } else { try body.required("workflow_run", "workflow_id") }
    let branch = run.at("head_branch")?.shown
    let name = run.at("name")?.shown ?? "workflow"
    let title = name + (branch.map { " (\($0))" } ?? "")
    var item = try start("workflow", "\(number)/\(branch ?? "")", "\(title): \(conclusion)")
    item.setBody((run.at("display_title") ?? run.at("head_commit", "message"))?.shown)
    item.setURL(run.at("html_url")?.shown)
    item.set("time", HookTime.text(HookTime.parse((run.at("updated_at") ?? run.at("completed_at"))?.text)))
    item.setTags([conclusion, branch])
    switch conclusion {
    case "failure", "timed_out", "startup_failure": item.setPriority(4)
    case "success":
      item.setDone()
      item.succession = .end
    default: return nil
    }
    return item
  }
}

/// Reads the messages of commits.
enum ForgeText {
  /// Returns the first line that isn't empty.
  static func title(_ message: String?) -> String? {
    message?.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
