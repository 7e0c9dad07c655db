import Basics
import Foundation
import HTTP
import Messages
import Services
import Testing

struct GotifyAdapterTests {
  private static let base = "https://push.example"
  private static let list = base + "/message?limit=100"

  private func poll(
    address: String = base, from position: PollPosition = PollPosition(), _ exchanges: Exchange...
  ) async throws -> PollOutcome {
    let (source, context) = try service(.gotify, address)
    return try await ServicesTests.poll(source, from: position, context: context, exchanges)
  }

  private static let applications = base + "/application"
  private static let names = Exchange.ok(applications, #"[{"id":1,"name":"Backups\n"},{"id":9,"name":"CI"}]"#)

  private static func page(_ ids: [Int], next: Bool = false, _ date: String = "2026-11-20T08:00:00Z")
    -> String
  {
    let messages = ids.map { #"{"id":\#($0),"appid":1,"title":"T\#($0)","message":"m","date":"\#(date)"}"# }
    let paging = next ? #"{"next":"\#(base)/message?limit=100&since=1","since":1}"# : #"{"since":0}"#
    return #"{"messages":[\#(messages.joined(separator: ","))],"paging":\#(paging)}"#
  }

  @Test func aMessageHasItsFields() throws {
    let inspection = read(
      .gotify,
      #"""
      {"messages":[{"id":25,"appid":5,"title":"Backup\n","message":"**Backup** was successfully finished.","priority":8,"date":"2018-02-27T19:36:10.5045044+01:00","extras":{"client::display":{"contentType":"text/markdown"},"client::notification":{"click":{"url":"https://gotify.net"}},"home::appliances::lighting::on":{"brightness":15}}},{"id":24,"appid":5,"message":"first\nsecond","date":"yesterday"},{"appid":1},7],"paging":{"size":3,"limit":100,"since":0}}
      """#)
    var expected = IncomingMessage(
      remoteID: RemoteID("25"), kind: .service, title: "Backup", body: "**Backup** was successfully finished."
    )
    expected.published = inspection.messages.first?.published
    expected.url = "https://gotify.net"
    expected.priority = Priority(4)
    expected.extras = MessageExtras()
    expected.extras?.format = .markdown
    #expect(inspection.messages.first == expected)
    #expect(abs((expected.published?.timeIntervalSince1970 ?? 0) - 1_519_756_570.5) < 0.01)
    #expect(inspection.messages.last?.title == "first")
    #expect(
      inspection.problems.map(\.at) == ["$.messages[1].date", "$.messages[2].id", "$.messages[3]"])
  }

  @Test(arguments: [(0, 1), (1, 2), (3, 2), (4, 3), (7, 3), (8, 4), (10, 5), (99, 5)])
  func prioritiesAreThoseOfItsApp(number: Int, priority: Int) throws {
    let inspection = read(.gotify, #"{"messages":[{"id":1,"message":"m","priority":\#(number)}]}"#)
    #expect(inspection.messages.first?.priority == Priority(priority))
  }

  @Test func pagesLeadBackToTheLastKnownMessage() async throws {
    let first = try await poll(.ok(Self.list, Self.page([3, 2])), Self.names)
    let position = try #require(first.content?.position)
    #expect(first.content?.messages.map(\.remoteID.text) == ["2", "3"])
    #expect(first.content?.upstream?.open == [RemoteID("2"), RemoteID("3")])
    let next = try await poll(
      from: position, .ok(Self.list, Self.page([7, 6], next: true)),
      .ok(Self.list + "&since=6", Self.page([5, 3], next: true)))
    #expect(next.content?.messages.map(\.remoteID.text) == ["6", "7", "3", "5"])
    #expect(next.content?.upstream?.open == nil)
    let quiet = try await poll(
      from: try #require(next.content?.position), .ok(Self.list, Self.page([7], next: true)))
    #expect(quiet.content?.messages.map(\.remoteID.text) == ["7"])
  }

  @Test func aServerThatCountsAnewIsReadAnew() async throws {
    let first = try await poll(.ok(Self.list, Self.page([500])), Self.names)
    let position = try #require(first.content?.position)
    let outcome = try await poll(
      from: position, .ok(Self.list, Self.page([2, 1], "2026-11-20T10:00:00Z")))
    #expect(outcome.content?.messages.count == 2)
    let after = try await poll(
      from: try #require(outcome.content?.position),
      .ok(Self.list, Self.page([3, 2, 1], "2026-11-20T10:00:00Z")), Self.names)
    #expect(after.content?.messages.map(\.remoteID.text) == ["1", "2", "3"])
  }

  @Test func aPageThatLeadsNowhereEndsThePoll() async throws {
    let outcome = try await poll(
      .ok(Self.list, Self.page([3], next: true)), Self.names,
      .ok(Self.list + "&since=3", Self.page([3], next: true)))
    #expect(outcome.content?.messages.isEmpty == false)
  }

  @Test func aDismissedMessageIsDeleted() async throws {
    let result = try await carry(
      .gotify, Self.base + "/application/5", [act(1, "7", .done(true)), act(2, "8", .read(true))],
      .ok(Self.base + "/message/7", "") { request in
        #expect(request.method == .delete)
        let origin = Origin(Self.base)
        #expect(origin.flatMap { request.credential?.field(for: $0) } == HeaderField("X-Gotify-Key", "tk"))
      })
    #expect(result.carried == [OutgoingID(1)])
    #expect(result.refused.count == 1)
  }

  @Test func anApplicationHasAListOfItsOwn() async throws {
    let outcome = try await poll(
      address: Self.base + "/application/5",
      .ok(Self.base + "/application/5/message?limit=100", Self.page([1])), Self.names)
    #expect(outcome.content?.messages.count == 1)
  }

  private static func page(applications: [Int]) -> String {
    let messages = applications.enumerated().map {
      #"{"id":\#(10 - $0.offset),"appid":\#($0.element),"message":"m"}"#
    }
    return #"{"messages":[\#(messages.joined(separator: ","))],"paging":{"since":0}}"#
  }

  @Test func theNameOfAnApplicationIsTheChannelAndIsAskedForOnce() async throws {
    let page = Exchange.ok(Self.list, Self.page(applications: [1, 7]))
    let first = try await poll(page, Self.names)
    // The other application has no name there.
    #expect(first.content?.messages.map(\.channel) == [nil, "Backups"])
    let position = try #require(first.content?.position)
    #expect(position.cursor?.text.contains("CI") == false)
    let again = try await poll(from: position, page)
    #expect(again.content?.messages.map(\.channel) == [nil, "Backups"])
    let new = try await poll(
      from: position, .ok(Self.list, Self.page(applications: [9, 1])),
      .ok(Self.applications, #"[{"id":1,"name":"Copies"},{"id":9,"name":"CI"}]"#))
    #expect(new.content?.messages.map(\.channel) == ["Copies", "CI"])
  }

  /// The messages are still stored.
  @Test func aTokenThatMayNotReadTheApplicationsIsNamedOnce() async throws {
    let page = Exchange.ok(Self.list, Self.page(applications: [1]))
    let refused = try await poll(page, .ok(Self.applications, "{}", status: 403))
    #expect(refused.content?.messages.map(\.channel) == [nil])
    #expect(refused.content?.problems.map(\.at) == ["/application"])
    #expect(refused.content?.problems.first?.message.contains("403") == true)
    let again = try await poll(from: try #require(refused.content?.position), page)
    #expect(again.content?.problems == [])
  }

  @Test(arguments: [
    Exchange.ok(applications, "", status: 502), .ok(applications, "<p>"),
    .failing(applications, .cutOff(received: 3)),
  ])
  func namesThatCouldNotBeReadAreAskedForAgain(failing: Exchange) async throws {
    let page = Exchange.ok(Self.list, Self.page(applications: [1]))
    let first = try await poll(page, failing)
    #expect(first.content?.messages.count == 1 && first.content?.problems.count == 1)
    let next = try await poll(from: try #require(first.content?.position), page, Self.names)
    #expect(next.content?.messages.map(\.channel) == ["Backups"])
  }

  @Test func theStreamTellsOfMessages() async throws {
    let (source, context) = try service(.gotify, Self.base + "/application/5")
    let adapters = SourceAdapters(transport: NoTransport())
    let stream = try #require(try await adapters.stream(of: source, context: context))
    #expect(stream.request.url == Self.base + "/stream")
    #expect(stream.form == .webSocket)
    #expect(stream.isNews(#"{"id":1,"appid":1,"message":"m"}"#))
    #expect(!stream.isNews("pong"))
  }
}
