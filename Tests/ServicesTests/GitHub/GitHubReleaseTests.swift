import Basics
import Foundation
import HTTP
import Messages
import Testing

@testable import Services

/// The notes of releases, which the list of threads does not have.
struct GitHubReleaseTests {
  private static let base = "https://api.github.com"
  private static let list = base + "/notifications?per_page=50"
  private static let early = "2026-11-20T08:00:00Z"

  private func poll(_ exchanges: [Exchange], from position: PollPosition = PollPosition()) async throws
    -> PollOutcome
  {
    let (source, context) = try service(.github, "https://github.com")
    return try await ServicesTests.poll(source, from: position, context: context, exchanges)
  }

  private static func thread(_ id: Int, _ updated: String = early, url: String? = nil) -> String {
    let url = url ?? address(id)
    return
      #"{"id":"\#(id)","unread":true,"reason":"subscribed","updated_at":"\#(updated)","subject":{"title":"v\#(id)","type":"Release","url":"\#(url)"},"repository":{"full_name":"o/r","html_url":"https://github.com/o/r"}}"#
  }

  private static func address(_ id: Int) -> String { base + "/repos/o/r/releases/\(id)" }

  private static func threads(_ ids: [Int], _ updated: String = early) -> Exchange {
    .ok(list, "[\(ids.map { thread($0, updated) }.joined(separator: ","))]")
  }

  private static func notes(_ id: Int, _ body: String = "**bold**") -> Exchange {
    .ok(
      address(id),
      #"{"id":\#(id),"html_url":"https://github.com/o/r/releases/tag/v\#(id)","author":{"login":"ann"},"body":"\#(body)"}"#
    ) { request in
      let headers = HeaderFields(request.headers)
      #expect(headers["Accept"] == "application/vnd.github+json")
      #expect(headers["X-GitHub-Api-Version"] == "2022-11-28")
      #expect(request.credential != nil)
    }
  }

  @Test func aReleaseComesWithItsNotes() async throws {
    let outcome = try await poll([Self.threads([1]), Self.notes(1, "# New\\r\\n\\r\\n* **bold**")])
    let content = try #require(outcome.content)
    let message = try #require(content.messages.first)
    #expect(content.messages.count == 1 && content.problems == [])
    #expect(message.body == "Release: you watch the repository\n\n# New\r\n\r\n* **bold**")
    #expect(message.extras?.format == .markdown)
    #expect(message.extras?.actions.map(\.label) == ["Mute"])
    #expect(message.url == "https://github.com/o/r/releases/tag/v1")
    #expect(message.author == "ann")
  }

  @Test(arguments: [
    #"{"body":null,"html_url":"javascript:1"}"#, #"{"body":" \n","author":7}"#, #"{"body":7}"#,
  ])
  func whatAReleaseDoesNotSayStaysAsItWas(answer: String) async throws {
    let outcome = try await poll([Self.threads([1]), .ok(Self.address(1), answer)])
    let message = try #require(outcome.content?.messages.first)
    #expect(message.body == "Release: you watch the repository")
    #expect(message.extras?.format == nil)
    #expect(message.url == "https://github.com/o/r/releases")
    #expect(outcome.content?.problems == [])
  }

  @Test func theNotesAreReadOnceAndAgainAfterAChange() async throws {
    let first = try await poll([Self.threads([1]), Self.notes(1)])
    let position = try #require(first.content?.position)
    let second = try await poll([Self.threads([1])], from: position)
    // The release would come without its notes.
    #expect(second.content?.messages == [])
    let next = try #require(second.content?.position)
    let changed = try await poll(
      [Self.threads([1], "2026-11-20T08:30:00Z"), Self.notes(1, "more")], from: next)
    #expect(changed.content?.messages.map(\.body) == ["Release: you watch the repository\n\nmore"])
  }

  @Test func aPollReadsTheNotesOfSomeAndTheNextOneThoseOfOthers() async throws {
    let ids = Array(1...(Limits.releaseNotes + 2))
    let some = ids.prefix(Limits.releaseNotes)
    let first = try await poll([Self.threads(ids)] + some.map { Self.notes($0) })
    let content = try #require(first.content)
    #expect(content.messages.count == ids.count && content.problems == [])
    #expect(content.messages.filter { $0.extras?.format == .markdown }.count == some.count)
    #expect(content.upstream?.open?.count == ids.count)
    let rest = ids.dropFirst(some.count)
    let second = try await poll([Self.threads(ids)] + rest.map { Self.notes($0) }, from: content.position)
    #expect(Set(second.content?.messages.map(\.remoteID.text) ?? []) == Set(rest.map(String.init)))
    #expect(second.content?.messages.allSatisfy { $0.extras?.format == .markdown } == true)
  }

  @Test(arguments: [500, 403, 429, 401])
  func aFailureThatMayPassCostsTheNotesUntilTheNextPoll(status: Int) async throws {
    let failed = try await poll([Self.threads([1, 2]), .ok(Self.address(1), "{}", status: status)])
    let content = try #require(failed.content)
    #expect(content.messages.map(\.body) == Array(repeating: "Release: you watch the repository", count: 2))
    #expect(content.problems.map(\.message) == ["the notes of \"v1\" could not be fetched: status \(status)"])
    #expect(content.upstream?.open?.count == 2)
    let again = try await poll([Self.threads([1, 2]), Self.notes(1), Self.notes(2)], from: content.position)
    #expect(again.content?.messages.count == 2)
  }

  @Test func notesThatAreNotThereAreNotAskedForAgain() async throws {
    let failed = try await poll([
      Self.threads([1, 2]), .ok(Self.address(1), "{}", status: 404), Self.notes(2),
    ])
    let content = try #require(failed.content)
    #expect(content.problems.map(\.message) == ["the notes of \"v1\" could not be fetched: status 404"])
    #expect(content.messages.filter { $0.extras?.format == .markdown }.count == 1)
    let again = try await poll([Self.threads([1, 2])], from: content.position)
    #expect(again.content?.messages == [])
  }

  @Test func bytesThatAreNoReleaseAreAProblem() async throws {
    let outcome = try await poll([Self.threads([1]), .ok(Self.address(1), "<html>")])
    #expect(outcome.content?.messages.count == 1)
    #expect(
      outcome.content?.problems.map(\.message) == [
        "the notes of \"v1\" could not be fetched: the response is not a release"
      ])
    let cut = try await poll([Self.threads([1]), .failing(Self.address(1), .cutOff(received: 5))])
    #expect(cut.content?.problems.map(\.message) == ["the notes of \"v1\" could not be fetched: no answer"])
  }

  /// The token would be sent there.
  @Test(arguments: ["https://evil.example/repos/o/r/releases/1", "http://api.github.com/x", "/x", ""])
  func anotherServerIsNotAskedForNotes(url: String) async throws {
    let outcome = try await poll([.ok(Self.list, "[\(Self.thread(1, url: url))]")])
    #expect(outcome.content?.messages.map(\.body) == ["Release: you watch the repository"])
    #expect(outcome.content?.problems == [])
  }
}
