import Foundation
import TerminalHarness
import Testing

/// A token or a password is sent only to the configured server, with any responses.
@Suite struct SecretTests {
  private static let feed = rss("Team", [item(1, "First")])

  @Test func aMoveToAnotherServerTakesNoTokenAlongAndWhySaysSo() throws {
    let server = try LyingServer()
    let other = try LyingServer()
    let household = try Household()
    let token = try household.write("token", "hunter2")
    try household.settings(sources: [
      (name: "team", url: server.url("/feed"), more: "token_file = \"\(token)\"")
    ])
    server.answer("/feed", status: "301 Moved", headers: ["Location: \(other.url("/new"))"], text: "")
    other.answer("/new", text: Self.feed)
    for _ in 0..<5 { _ = try household.run("poll", "--force") }
    #expect(
      server.requests("/feed").map { $0.headers["authorization"] }
        == Array(repeating: "Bearer hunter2", count: 3))
    #expect(other.requests("/new").map { $0.headers["authorization"] } == Array(repeating: nil, count: 5))
    let why = try household.run("why", "team").output
    #expect(
      why.contains(
        "moved: the server sends this source to \(other.url("/new")) for good, another server; its token or password "
          + "is only for http://127.0.0.1:\(server.port) and is not sent there. If you trust that address, write it"
      ))

    other.answer("/new", status: "401 Unauthorized", text: "")
    let failed = try household.run("poll", "--force")
    #expect(
      failed.errors.contains(
        "the response is from http://127.0.0.1:\(other.port), but the token or password is only for")
    )
    #expect(!(why + failed.errors + failed.output).contains("hunter2"))
  }

  /// The name and password in the page's address are also used for the feed that it links to on the same server.
  @Test func aPasswordOpensTheFeedThatAPageOfItsServerNames() throws {
    let server = try LyingServer()
    let household = try Household()
    try household.settings(sources: [])
    server.answer(
      "/",
      text: """
        <!doctype html><html><head><title>Blog</title>
        <link rel="alternate" type="application/rss+xml" href="/feed"></head></html>
        """)
    server.answer("/feed", text: Self.feed)
    let page = server.url("/").replacing("http://", with: "http://ann:hunter2@")
    let added = try household.run("add", page)
    #expect(added.exit == .status(0), "\(added.errors)")
    #expect(!(added.output + added.errors).contains("hunter2"))
    _ = try household.run("poll", "--force")
    #expect(try household.messages().map { $0["title"] as? String } == ["First"])
    let seen = server.requests("/feed").map { $0.headers["authorization"] }
    #expect(seen == Array(repeating: "Basic YW5uOmh1bnRlcjI=", count: 2))
  }

  @Test func aPageCannotSendItsTokenToAnotherServer() throws {
    let server = try LyingServer()
    let other = try LyingServer()
    let household = try Household()
    let token = try household.write("token", "hunter2")
    try household.settings(sources: [])
    server.answer(
      "/",
      text: """
        <!doctype html><html><head><title>Blog</title>
        <link rel="alternate" type="application/rss+xml" href="\(other.url("/feed"))"></head></html>
        """)
    other.answer("/feed", text: Self.feed)
    let added = try household.run("add", server.url("/"), "--token-file", token)
    #expect(added.exit == .status(1))
    #expect(added.errors.contains("the page names a feed on another server"))
    #expect(other.requests("/feed").isEmpty)
  }
}
