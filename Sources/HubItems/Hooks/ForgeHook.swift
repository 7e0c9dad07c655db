import Formats
import Foundation

/// The webhooks of GitHub, and those of Gitea and Forgejo, which have its form.
struct ForgeHook {
  let kind: HookKind
  /// What the head says; nil: nothing.
  let event: String?
  let body: JSONValue

  func read() throws(HubFailure) -> HookReading {
    let header = kind == .github ? "X-GitHub-Event" : "X-Gitea-Event"
    guard let event else { throw HubFailure(.badRequest, "the field is missing", at: header) }
    if event == "ping" { return .ping }
    guard let item = item(event) else { return .ignored }
    return .items([item])
  }

  private func item(_ event: String) -> HookItem? {
    let action = body.at("action")?.text ?? ""
    switch event {
    case "push": return push()
    case "pull_request":
      let known = ["opened", "reopened", "ready_for_review", "closed"]
      return known.contains(action) ? thread("pull_request", "pull", action) : nil
    case "issues":
      return ["opened", "reopened", "closed"].contains(action) ? thread("issue", "issue", action) : nil
    case "issue_comment": return action == "created" ? comment() : nil
    case "release": return action == "published" ? release() : nil
    case "workflow_run": return action == "completed" ? run() : nil
    default: return nil
    }
  }

  private var repository: String { body.at("repository", "full_name")?.shown ?? "repository" }

  /// An item of the repository; `NUMBER` is what the forge calls it.
  private func start(_ what: String, _ number: String, _ title: String?) -> HookItem {
    let forge = kind == .github ? "github" : "gitea"
    var item = HookItem(key: "\(forge)/\(repository)/\(what)/\(number)")
    item.set("title", "\(repository): \(title ?? what)")
    item.setPriority(3)
    item.set("author", body.at("sender", "login")?.shown)
    item.succession = .newest
    return item
  }

  private func push() -> HookItem? {
    guard let branch = body.at("repository", "default_branch")?.text,
      body.at("ref")?.text == "refs/heads/\(branch)", let after = body.at("after")?.shown,
      let head = body.at("head_commit") ?? body.at("commits")?.elements?.last
    else { return nil }
    var item = start("push", after, ForgeText.title(head.at("message")?.text))
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

  /// An issue, or a pull request.
  private func thread(_ key: String, _ what: String, _ action: String) -> HookItem? {
    guard let thread = body.at(key), let number = thread.at("number")?.shown else { return nil }
    var item = start(what, number, thread.at("title")?.shown)
    item.setBody(thread.at("body")?.shown)
    item.setURL(thread.at("html_url")?.shown)
    item.set("time", HookTime.text(HookTime.parse(thread.at("updated_at")?.text)))
    item.set("group", "\(repository)#\(number)")
    let isMerged = thread.at("merged")?.bool == true
    item.setTags([isMerged ? "merged" : action])
    if action == "closed" { item.setDone() }
    return item
  }

  private func comment() -> HookItem? {
    guard let comment = body.at("comment"), let number = comment.at("id")?.shown, let issue = body.at("issue")
    else { return nil }
    var item = start("comment", number, issue.at("title")?.shown)
    item.setBody(comment.at("body")?.shown)
    item.setURL(comment.at("html_url")?.shown)
    item.set("time", HookTime.text(HookTime.parse(comment.at("updated_at")?.text)))
    item.set("group", issue.at("number")?.shown.map { "\(repository)#\($0)" })
    item.setTags(["comment"])
    return item
  }

  private func release() -> HookItem? {
    guard let release = body.at("release"), let number = release.at("id")?.shown else { return nil }
    let name = release.at("name")?.shown ?? release.at("tag_name")?.shown
    var item = start("release", number, name)
    item.setBody(release.at("body")?.shown)
    item.setURL(release.at("html_url")?.shown)
    item.set("time", HookTime.text(HookTime.parse(release.at("published_at")?.text)))
    item.setTags(["release", release.at("tag_name")?.shown])
    return item
  }

  /// One item for each workflow and branch: it fails, and is over once a run succeeds.
  private func run() -> HookItem? {
    guard let run = body.at("workflow_run"), let number = (run.at("workflow_id") ?? run.at("path"))?.shown,
      let conclusion = run.at("conclusion")?.text
    else { return nil }
    let branch = run.at("head_branch")?.shown
    let name = run.at("name")?.shown ?? "workflow"
    let title = name + (branch.map { " (\($0))" } ?? "")
    var item = start("workflow", "\(number)/\(branch ?? "")", "\(title): \(conclusion)")
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

/// Texts of commits.
enum ForgeText {
  /// The first line that has something.
  static func title(_ message: String?) -> String? {
    message?.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
