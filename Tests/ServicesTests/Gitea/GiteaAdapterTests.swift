import Foundation
import HTTP
import Messages
import Services
import Testing

struct GiteaAdapterTests {
  private static let base = "https://gitea.example.com/api/v1/notifications"
  private static let published = #"""
    {"id":42,"unread":true,"pinned":false,"updated_at":"2024-01-15T12:00:00Z","url":"https://gitea.example.com/api/v1/notifications/threads/42","repository":{"id":1,"name":"repo","full_name":"owner/repo","html_url":"https://gitea.example.com/owner/repo"},"subject":{"title":"Fix bug","type":"Pull","state":"open","url":"https://gitea.example.com/api/v1/repos/owner/repo/pulls/3","html_url":"https://gitea.example.com/owner/repo/pulls/3","latest_comment_url":"","latest_comment_html_url":""}}
    """#

  private func poll(from position: PollPosition = PollPosition(), _ exchanges: Exchange...) async throws
    -> PollOutcome
  {
    let (source, context) = try service(.gitea, "https://gitea.example.com/")
    return try await ServicesTests.poll(source, from: position, context: context, exchanges)
  }

  private static func page(_ number: Int) -> String { base + "?limit=50&page=\(number)" }

  @Test func aThreadHasItsFields() throws {
    let message = try readOne(.gitea, Self.published)
    var expected = IncomingMessage(remoteID: RemoteID("42"), kind: .service, title: "Fix bug")
    expected.url = "https://gitea.example.com/owner/repo/pulls/3"
    expected.published = Date(timeIntervalSince1970: 1_705_320_000)
    expected.channel = "owner/repo"
    expected.tags = ["owner/repo", "Pull", "open"]
    expected.extras = MessageExtras()
    expected.extras?.occasion = "2024-01-15T12:00:00Z"
    #expect(message == expected)
  }

  @Test func aCommentIsWhereItsThreadOpens() throws {
    let message = try readOne(
      .gitea,
      #"""
      {"id":1,"updated_at":"2024-01-15T12:00:00+02:00","repository":null,"subject":{"title":"a\r\nb","html_url":"https://g/o/r/issues/1",
       "latest_comment_html_url":"https://g/o/r/issues/1#issuecomment-9"}}
      """#)
    #expect(message.url == "https://g/o/r/issues/1#issuecomment-9")
    #expect(message.title == "a b")
    #expect(message.published == Date(timeIntervalSince1970: 1_705_312_800))
    #expect(message.tags == [])
  }

  @Test func aRelativeAddressIsNone() throws {
    let message = try readOne(
      .gitea,
      #"{"id":1,"repository":{"full_name":"o/r","html_url":"https://g/o/r"},"subject":{"title":"r","type":"Repository","url":"/o/r","html_url":"/o/r"}}"#
    )
    #expect(message.url == "https://g/o/r")
  }

  @Test func aPinnedThreadWasRead() async throws {
    let outcome = try await poll(
      .ok(
        Self.page(1), #"[{"id":1,"unread":false,"pinned":true,"subject":{"title":"p"}}]"#,
        ["X-Total-Count": "1"]
      ) {
        request in
        let origin = Origin("https://gitea.example.com")
        #expect(
          origin.flatMap { request.credential?.field(for: $0) } == HeaderField("Authorization", "token tk"))
      })
    let upstream = try #require(outcome.content?.upstream)
    #expect(upstream.open == [])
    #expect(upstream.marks == [UpstreamState.Mark(RemoteID("1"), UpstreamMarks(isRead: true))])
    #expect(outcome.content?.messages.count == 1)
  }

  /// The list has the states, so nothing else is requested. The end of a thread that was read changes nothing.
  @Test func theMergedOneInTheMiddleOfAPageEnds() async throws {
    func thread(_ id: Int, _ state: String, isUnread: Bool = true) -> String {
      #"{"id":\#(id),"unread":\#(isUnread),"updated_at":"2026-11-20T08:00:00Z","subject":{"title":"T\#(id)","type":"Pull","state":"\#(state)"}}"#
    }
    let threads = [
      thread(4, "open"), thread(3, "merged"), thread(2, "open"), thread(1, "closed", isUnread: false),
    ]
    let outcome = try await poll(
      .ok(Self.page(1), "[\(threads.joined(separator: ","))]", ["X-Total-Count": "4"]))
    let endings = try #require(outcome.content?.endings)
    #expect(endings.map(\.message.text) == ["4", "3", "2"])
    #expect(endings.map(\.isOver) == [false, true, false])
    #expect(outcome.content?.messages.map(\.tags.last) == ["closed", "open", "merged", "open"])
  }

  /// Servers may allow shorter pages than fifty.
  @Test func aShortPageIsNotTheLastOne() async throws {
    let counted = try await poll(
      .ok(Self.page(1), #"[{"id":2,"subject":{"title":"b"}}]"#, ["X-Total-Count": "2"]),
      .ok(Self.page(2), #"[{"id":1,"subject":{"title":"a"}}]"#, ["X-Total-Count": "2"]))
    #expect(counted.content?.messages.map(\.remoteID.text) == ["2", "1"])
    let uncounted = try await poll(
      .ok(Self.page(1), #"[{"id":2,"subject":{"title":"b"}}]"#), .ok(Self.page(2), "[]"))
    #expect(uncounted.content?.upstream?.open == [RemoteID("2")])
    #expect(uncounted.content?.link == "https://gitea.example.com/notifications")
  }

  @Test func aMarkIsNotNewsWhenItComesBack() async throws {
    let result = try await carry(
      .gitea, "https://gitea.example.com", [act(1, "42", .read(false)), act(2, "7", .read(true))],
      .ok(
        Self.base + "/threads/42?to-status=unread", #"{"id":42,"updated_at":"2026-11-20T09:00:00Z"}"#,
        status: 205
      ) { #expect($0.method == .patch) },
      .ok(Self.base + "/threads/7?to-status=read", "", status: 205))
    #expect(result.carried == [OutgoingID(1), OutgoingID(2)])
    #expect(result.occasions == [RemoteID("42"): "2026-11-20T09:00:00Z"])
  }

  @Test func anUnknownThreadHasNothingLeftToDo() async throws {
    let result = try await carry(
      .gitea, "https://gitea.example.com", [act(1, "42", .read(true)), act(2, "43", .starred(true))],
      .ok(
        Self.base + "/threads/42?to-status=read",
        #"{"message":"not found","url":"https://codeberg.org/api/swagger"}"#, status: 404))
    #expect(result.carried == [OutgoingID(1)])
    #expect(result.refused.keys.map(\.rawValue) == [2])
  }
}
