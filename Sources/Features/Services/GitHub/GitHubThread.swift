import Basics
import Formats
import Foundation
import Messages

/// Reads a thread of GitHub's list of notifications.
enum GitHubThread {
  /// Converts a thread, or returns `nil` if it has no id, which `fields` reports.
  static func element(_ fields: inout JSONFields) -> ListElement? {
    guard let id = fields.remoteID("id") else { return nil }
    var subject = fields.inner("subject")
    var repository = fields.inner("repository")
    let name = repository?.text("full_name")
    let type = subject?.text("type")
    let reason = fields.text("reason")
    let title = ServiceText.oneLine(subject?.text("title") ?? "")
    var message = IncomingMessage(
      remoteID: id, kind: .service, title: title.isEmpty ? name ?? "Notification \(id.text)" : title)
    message.body = body(type: type, reason: reason)
    message.url =
      GitHubAddress(
        repository: ServiceText.address(repository?.text("html_url")), type: type, title: title,
        subject: subject?.text("url"), comment: subject?.text("latest_comment_url")
      ).page
    // Both are null in an invitation.
    message.published = fields.instant("updated_at")
    message.channel = name.map(ServiceText.oneLine)
    message.tags = ServiceText.tags([name, type, reason])
    if let reason, asksForTheUser.contains(reason) { message.priority = Priority(4) }
    var extras = MessageExtras()
    extras.occasion = fields.text("updated_at")
    extras.actions = [MessageAction(label: "Mute", url: "", upstream: MessageAction.mute)]
    message.extras = extras
    let isUnread = fields.bool("unread") ?? true
    fields.adopt((subject?.problems ?? []) + (repository?.problems ?? []))
    let address = ServiceText.address(subject?.text("url"))
    return ListElement(
      message: message, time: message.published, isOpen: isUnread,
      marks: isUnread ? nil : UpstreamMarks(isRead: true), details: type == "Release" ? address : nil,
      subject: type == "PullRequest" || type == "Issue" ? address : nil)
  }

  /// The reasons for which a notification gets a higher priority, because the user is addressed.
  private static let asksForTheUser: Set<String> = [
    "mention", "team_mention", "review_requested", "assign", "approval_requested", "security_alert",
  ]

  /// Returns a sentence from the type of the subject and the reason for the notification.
  private static func body(type: String?, reason: String?) -> String {
    let parts = [
      type.map { types[$0] ?? ServiceText.oneLine($0) },
      reason.map { reasons[$0] ?? ServiceText.oneLine($0) },
    ]
    return parts.compactMap { $0 }.joined(separator: ": ")
  }

  private static let types = [
    "PullRequest": "Pull request", "CheckSuite": "Workflow run", "WorkflowRun": "Deployment",
    "RepositoryInvitation": "Invitation", "RepositoryAdvisory": "Security advisory",
    "RepositoryDependabotAlertsThread": "Dependabot alerts",
    "RepositoryVulnerabilityAlert": "Vulnerability alert",
  ]

  private static let reasons = [
    "approval_requested": "your approval was requested", "assign": "you were assigned",
    "author": "you opened it", "ci_activity": "a workflow run that you started has ended",
    "comment": "you commented on it", "invitation": "you were invited to the repository",
    "manual": "you subscribed to it",
    "member_feature_requested": "members of your organization asked for a feature",
    "mention": "you were mentioned", "review_requested": "your review was requested",
    "security_advisory_credit": "you were credited",
    "security_alert": "a weakness was found in your repository",
    "state_change": "you changed its state", "subscribed": "you watch the repository",
    "team_mention": "your team was mentioned",
  ]
}

/// Computes the web URL of a notification thread: the API contains only its own URLs, and querying each one costs a
/// request.
struct GitHubAddress {
  /// The repository's page, or `nil` if none is known.
  var repository: String?
  var type: String?
  var title: String
  /// The API's URL of the issue, pull request or other subject, and of its newest comment.
  var subject: String?
  var comment: String?

  /// The web URL of the thread, or a page of its repository if the URL isn't known; `nil` without a repository.
  var page: String? {
    guard let repository, repository.hasPrefix("https://") || repository.hasPrefix("http://") else {
      return nil
    }
    switch type {
    case "PullRequest":
      return numbered(repository + "/pull/", else: repository + "/pulls", anchor: "#issuecomment-")
    case "Issue":
      return numbered(repository + "/issues/", else: repository + "/issues", anchor: "#issuecomment-")
    case "Commit":
      return numbered(repository + "/commit/", else: repository + "/commits", anchor: "#commitcomment-")
    case "Discussion":
      return numbered(repository + "/discussions/", else: repository + "/discussions", anchor: nil)
    // Its id is a number, but its page is named after a tag, which its notes contain.
    case "Release": return repository + "/releases"
    case "CheckSuite": return repository + "/actions" + runs
    case "WorkflowRun": return repository + "/actions?query=is:waiting"
    case "RepositoryInvitation": return repository + "/invitations"
    case "RepositoryAdvisory": return repository + "/security/advisories"
    case "RepositoryDependabotAlertsThread": return repository + "/security/dependabot"
    case _: return repository
    }
  }

  /// Returns the page of the subject, at its newest comment if `anchor` isn't `nil`, or `other` if the subject's number
  /// isn't known.
  private func numbered(_ start: String, else other: String, anchor: String?) -> String {
    guard let name = Self.lastPart(subject) else { return other }
    guard let anchor, let comment, comment != subject, comment.contains("comments/"),
      let id = Self.lastPart(comment), id.utf8.allSatisfy({ (48...57).contains($0) })
    else { return start + name }
    return start + name + anchor + id
  }

  /// Returns the last part of a URL: a number or a hash.
  private static func lastPart(_ address: String?) -> String? {
    guard let part = address?.split(onBytes: "/").last, part.utf8.count <= 64,
      part.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return nil }
    return String(part)
  }

  /// The query that finds a workflow run on the page of all runs. Only its title is known, for example `CI workflow
  /// run, Attempt #2 failed for main branch`.
  private var runs: String {
    let (marker, end) = (" workflow run", " branch")
    guard title.hasSuffix(end), let name = title.range(of: marker) else { return "" }
    var rest = title[name.upperBound...].dropLast(end.count)
    if rest.hasPrefix(", Attempt #") { rest = rest.dropFirst(11).drop { $0.isNumber } }
    let states = [
      " succeeded for ": "success", " failed at startup for ": "failure", " failed for ": "failure",
      " cancelled for ": "cancelled", " skipped for ": "skipped",
    ]
    guard let state = states.first(where: { rest.hasPrefix($0.key) }) else { return "" }
    let branch = String(rest.dropFirst(state.key.count))
    // A plus is a space in the query, and must remain one.
    let words = title[..<name.lowerBound].split(onBytes: " ", omittingEmptySubsequences: false)
      .map { ServiceClient.encoded(String($0)) }.joined(separator: "+")
    return "?query=workflow:%22\(words)%22+is:\(state.value)+branch:\(ServiceClient.encoded(branch))"
  }
}
