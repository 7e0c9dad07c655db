import Foundation
import TerminalHarness
import Testing

/// Servers behind a name and a password (RFC 7617).
@Suite struct LoginTests {
  /// Two sources of each kind, with a name and without, on a server that wants a name and a password.
  private static let kinds = [
    "feed", "native", "calendar", "banners", "alertmanager", "ntfy", "nextcloud", "gitea", "github",
    "miniflux",
  ]

  @Test func aNameAndATokenAreSentByEveryKindAndTheAnswerSaysWhichTokenIsWanted() throws {
    let server = try LyingServer()
    server.answerOthers(status: "401 Unauthorized", headers: ["WWW-Authenticate: Basic realm=\"x\""])
    let household = try Household()
    let token = try household.write("token", "hunter2")
    let sources = Self.kinds.flatMap { kind in
      ["named": "user = \"ann\"\n", "alone": ""].map { place, user in
        (
          name: "\(kind)-\(place)", url: server.url("/\(kind)/\(place)"),
          more: "kind = \"\(kind)\"\n\(user)token_file = \"\(token)\""
        )
      }
    }
    try household.settings(sources: sources)
    let ran = try household.run("poll", "--force")
    for kind in Self.kinds {
      let named = server.requests(under: "/\(kind)/named").map { $0.headers["authorization"] }
      #expect(!named.isEmpty && named.allSatisfy { $0 == "Basic YW5uOmh1bnRlcjI=" }, "\(kind): \(named)")
      let alone = server.requests(under: "/\(kind)/alone").map { $0.headers["authorization"] }
      #expect(!alone.isEmpty && alone.allSatisfy { $0 != "Basic YW5uOmh1bnRlcjI=" }, "\(kind): \(alone)")
      for place in ["named", "alone"] {
        #expect(
          ran.errors.components(separatedBy: "\n").contains {
            $0.contains("\(kind)-\(place)") && $0.contains("the server wants a name and a password")
          }, "\(kind)-\(place): \(ran.errors)")
      }
    }
    #expect(!(ran.errors + ran.output).contains("hunter2"))
  }

  /// These services know their user by the token.
  @Test(arguments: ["gitlab", "gotify", "mastodon", "healthchecks"])
  func aNameThatAServiceHasNoUseForIsReported(_ kind: String) throws {
    let household = try Household()
    try household.settings(sources: [
      (
        name: "mine", url: "http://127.0.0.1:9/",
        more: "kind = \"\(kind)\"\nuser = \"ann\"\ntoken_env = \"T\""
      ),
      (
        name: "other", url: "http://127.0.0.1:9/x",
        more: "kind = \"gitea\"\nuser = \"ann\"\ntoken_env = \"T\""
      ),
    ])
    let said = try household.run("poll").errors
    #expect(said.contains("user: has no effect on a source of kind \"\(kind)\""), "\(said)")
    #expect(!said.contains("kind \"gitea\""))
    let added = try household.run("add", kind, "--server", "http://127.0.0.1:9", "--user", "ann", "--force")
    #expect(added.exit == .status(64) && added.errors.contains("--user has no meaning for --kind \(kind)"))
  }
}
