import Basics
import Foundation
import HTTP
import Messages
import Services
import Testing

struct ControlFileAdapterTests {
  private static let url = "http://team.example/control.json?team=1&lang=de"
  private static let good = """
    {"hello": {"entry": "v", "views": {"v": {"file": "http://team.example/v.html"}}}}
    """

  private func poll(
    from position: PollPosition = PollPosition(), _ exchanges: Exchange...
  ) async throws -> PollOutcome {
    try await ServicesTests.poll(source(Self.url, .banners), from: position, exchanges)
  }

  @Test func aControlFileBringsItsBytesAndNoMessages() async throws {
    let outcome = try await poll(
      .ok(Self.url, Self.good, ["ETag": "W/\"odd  tag\"", "Last-Modified": "then"]) { request in
        #expect(request.headers.first { $0.name == "Accept" }?.value.hasPrefix("application/json") == true)
        #expect(request.etag == nil && request.lastModified == nil)
      })
    let content = try #require(outcome.content)
    #expect(content.messages.isEmpty && content.problems.isEmpty && content.title == nil)
    #expect(content.document == SourceDocument(address: Self.url, bytes: Data(Self.good.utf8)))
    #expect(
      content.position
        == PollPosition(validators: Validators(etag: "W/\"odd  tag\"", lastModified: "then")))
  }

  @Test func aMistakeIsAProblemWithItsPathAndTheFileIsKept() async throws {
    let text =
      #"{"a": {"entry": "gone", "views": {}}, "b": {"entry": 1, "conditions": {"all": {"moon": 1}}}}"#
    let content = try #require(try await poll(.ok(Self.url, text)).content)
    #expect(content.problems.map(\.at) == ["$.a.entry", "$.b.entry", "$.b.conditions.all.moon"])
    #expect(content.document?.bytes == Data(text.utf8))
  }

  @Test func validatorsGoBackAndA304KeepsTheCopy() async throws {
    let position = PollPosition(validators: Validators(etag: "W/\"x\"", lastModified: "then"))
    let outcome = try await poll(
      from: position,
      .ok(Self.url, "", status: 304) { request in
        #expect(request.etag == "W/\"x\"" && request.lastModified == "then")
      })
    #expect(outcome.notModified == position)
  }

  @Test func a304ToAnUnconditionalRequestIsAFailure() async throws {
    let outcome = try await poll(.ok(Self.url, "", status: 304))
    let reason = "Not Modified, though the request named no version of the document"
    #expect(outcome.failure == .status(304, reason: reason))
  }

  @Test(arguments: [
    ("<!doctype html><title>x</title>", 1, "a control file is JSON, and this is a web page"),
    (
      "<rss version=\"2.0\"><channel><title>x</title></channel></rss>", 1,
      "a control file is JSON, and this is a feed"
    ),
    ("\u{89}PNG", 1, "a control file is JSON, and this is "), ("[]", 1, "a control file is an object"),
    ("{\n\"a\": {},\n\"b\" 1}", 3, "a colon is expected"), ("{\"a\":", 1, "the text ends inside a value"),
    ("", 1, "only white space"),
  ])
  func anInvalidControlFileIsReportedWithItsLine(text: String, line: Int, reason: String) async throws {
    let failure = try await poll(.ok(Self.url, text)).failure
    guard case .malformed(line, let said)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(said.contains(reason), "\(said)")
  }

  @Test func aFileIsPolledLikeAnAddress() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-control-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "control.json")
    try Data(Self.good.utf8).write(to: file)
    let first = try await ServicesTests.poll(source(file.absoluteString, .banners), [])
    let content = try #require(first.content)
    #expect(content.document?.address == file.absoluteString)
    let second = try await ServicesTests.poll(
      source(file.absoluteString, .banners), from: content.position, [])
    #expect(second.notModified != nil)
  }

  @Test func theThirdPermanentRedirectMovesTheCopyToTheNewAddress() async throws {
    let moved = "http://new.example/control.json"
    let position = PollPosition(movedTo: moved, movedCount: 2)
    let content = try #require(
      try await poll(from: position, .ok(Self.url, Self.good, movedTo: moved)).content)
    #expect(content.position.permanentAddress == moved)
    #expect(content.document?.address == moved)
  }
}
