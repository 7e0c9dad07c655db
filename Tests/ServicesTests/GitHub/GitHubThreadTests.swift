import Basics
import Foundation
import Messages
import Services
import Testing

struct GitHubThreadTests {
  private static let published = #"""
    {"id":"1","unread":true,"reason":"subscribed","updated_at":"2016-12-19T22:01:45Z","last_read_at":"2016-12-19T22:01:45Z","url":"https://api.github.com/notifications/threads/1","subject":{"title":"Support labels","url":"https://api.github.com/repos/octobox/octobox/issues/57","latest_comment_url":"https://api.github.com/repos/octobox/octobox/issues/comments/567","type":"Issue"},"repository":{"id":930405,"full_name":"octobox/octobox","private":false,"html_url":"https://github.com/octobox/octobox","owner":{"login":"andrew"}}}
    """#

  @Test func aThreadHasItsFields() throws {
    let message = try readOne(.github, Self.published)
    var expected = IncomingMessage(
      remoteID: RemoteID("1"), kind: .service, title: "Support labels",
      body: "Issue: you watch the repository")
    expected.url = "https://github.com/octobox/octobox/issues/57#issuecomment-567"
    expected.published = Date(timeIntervalSince1970: 1_482_184_905)
    expected.channel = "octobox/octobox"
    expected.tags = ["octobox/octobox", "Issue", "subscribed"]
    var extras = MessageExtras()
    extras.occasion = "2016-12-19T22:01:45Z"
    extras.actions = [MessageAction(label: "Mute", url: "", upstream: "mute")]
    expected.extras = extras
    #expect(message == expected)
  }

  @Test func anInvitationHasNeitherTimesNorAddresses() throws {
    let message = try readOne(
      .github,
      #"""
      {"id":"2","unread":null,"reason":"invitation","updated_at":null,"last_read_at":null,"url":"https://api.github.com/notifications/threads/2",
       "subject":{"title":"Invitation to join octo/hello from ann","url":null,"latest_comment_url":null,"type":"RepositoryInvitation"},
       "repository":{"full_name":"octo/hello","html_url":"https://github.com/octo/hello"}}
      """#)
    #expect(message.title == "Invitation to join octo/hello from ann")
    #expect(message.body == "Invitation: you were invited to the repository")
    #expect(message.url == "https://github.com/octo/hello/invitations")
    #expect(message.published == nil)
    #expect(message.extras?.occasion == nil)
  }

  @Test(arguments: [
    ("PullRequest", "pulls/7", "pulls/7", "pull/7"),
    ("PullRequest", "pulls/7", "issues/comments/99", "pull/7#issuecomment-99"),
    ("Issue", "issues/7", "", "issues/7"),
    ("Issue", "issues/7", "issues/comments/../x", "issues/7"),
    ("Commit", "commits/0a1b2c", "comments/5", "commit/0a1b2c#commitcomment-5"),
    ("Discussion", "discussions/3", "discussions/3", "discussions/3"),
    ("Discussion", "", "", "discussions"),
    ("Release", "releases/42", "releases/42", "releases"),
    ("WorkflowRun", "", "", "actions?query=is:waiting"),
    ("RepositoryInvitation", "", "", "invitations"),
    ("RepositoryAdvisory", "", "", "security/advisories"),
    ("RepositoryDependabotAlertsThread", "", "", "security/dependabot"),
    ("RepositoryVulnerabilityAlert", "", "", ""),
    ("SomethingNew", "new/1", "", ""),
  ])
  func aSubjectHasItsPage(type: String, subject: String, comment: String, page: String) throws {
    func value(_ path: String) -> String {
      path.isEmpty ? "null" : "\"https://api.github.com/repos/o/r/\(path)\""
    }
    let message = try readOne(
      .github,
      #"""
      {"id":"3","reason":"mention","updated_at":"2026-01-01T00:00:00Z","subject":{"title":"T","url":\#(value(subject)),
       "latest_comment_url":\#(value(comment)),"type":"\#(type)"},"repository":{"full_name":"o/r","html_url":"https://github.com/o/r"}}
      """#)
    #expect(message.url == "https://github.com/o/r" + (page.isEmpty ? "" : "/" + page))
  }

  @Test(arguments: [
    ("CI workflow run succeeded for main branch", "%22CI%22+is:success+branch:main"),
    (
      "Build & test workflow run, Attempt #2 failed for a/b branch",
      "%22Build+%26+test%22+is:failure+branch:a%2Fb"
    ),
    ("CI workflow run failed at startup for x branch", "%22CI%22+is:failure+branch:x"),
    ("CI workflow run cancelled for x branch", "%22CI%22+is:cancelled+branch:x"),
    ("CI workflow run skipped for x branch", "%22CI%22+is:skipped+branch:x"),
    ("Something else", nil),
  ])
  func aWorkflowRunIsFoundByItsTitle(title: String, query: String?) throws {
    let message = try readOne(
      .github,
      #"""
      {"id":"3","reason":"ci_activity","updated_at":"2026-01-01T00:00:00Z","subject":{"title":"\#(title)","url":null,
       "latest_comment_url":null,"type":"CheckSuite"},"repository":{"full_name":"o/r","html_url":"https://github.com/o/r"}}
      """#)
    #expect(message.url == "https://github.com/o/r/actions" + (query.map { "?query=workflow:" + $0 } ?? ""))
  }

  @Test(arguments: [
    ("mention", 4), ("team_mention", 4), ("review_requested", 4), ("assign", 4), ("approval_requested", 4),
    ("security_alert", 4), ("subscribed", 3), ("author", 3), ("a_new_reason", 3),
  ])
  func whatAsksForTheUserIsMoreUrgent(reason: String, priority: Int) throws {
    let message = try readOne(
      .github,
      #"{"id":"3","reason":"\#(reason)","subject":{"title":"T","type":"Odd"},"repository":{"full_name":"o/r"}}"#
    )
    #expect(message.priority == Priority(priority))
    #expect(message.tags == ["o/r", "Odd", reason])
    if reason == "a_new_reason" { #expect(message.body == "Odd: a_new_reason") }
  }

  @Test func aTitleIsOneLine() throws {
    let message = try readOne(
      .github, #"{"id":"3","subject":{"title":" One\r\ntwo\u0000 \u2028three\r"},"repository":null}"#)
    #expect(message.title == "One two three")
    #expect(message.url == nil)
    let untitled = try readOne(
      .github, #"{"id":"3","subject":{"title":"\r"},"repository":{"full_name":"o/r"}}"#)
    #expect(untitled.title == "o/r")
  }

  @Test func whatIsMalformedIsAProblemAndTheRestIsKept() {
    let inspection = read(
      .github,
      #"""
      [7, {"unread":true}, {"id":true,"subject":{"title":"x"}},
       {"id":5,"updated_at":"yesterday","subject":{"title":4,"type":"Issue"},"repository":[]},
       {"id":"6","subject":{"title":"Six"}}]
      """#)
    #expect(inspection.messages.map(\.remoteID.text) == ["5", "6"])
    #expect(
      inspection.problems.map(\.at) == [
        "$[0]", "$[1].id", "$[2].id", "$[3].repository", "$[3].updated_at", "$[3].subject.title",
      ])
  }

  /// A message may come from anywhere: only web addresses are derived from it.
  @Test func aRepositoryThatIsNoWebPageHasNoAddress() throws {
    let message = try readOne(
      .github,
      #"{"id":"3","subject":{"title":"T","type":"Release"},"repository":{"html_url":"javascript:alert(1)//"}}"#
    )
    #expect(message.url == nil)
  }
}
