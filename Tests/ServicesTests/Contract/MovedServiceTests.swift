import Foundation
import HTTP
import Messages
import Services
import Testing

@Suite("A service that has moved for good") struct MovedServiceTests {
  private static let old = "https://push.example/old"
  private static let new = "https://push.example/new"

  private func poll(from position: PollPosition, _ exchanges: Exchange...) async throws -> PollOutcome {
    let (source, context) = try service(.gotify, Self.old + "?app=1")
    return try await ServicesTests.poll(source, from: position, context: context, exchanges)
  }

  private static func list(_ base: String, since id: Int? = nil) -> String {
    base + "/message?limit=100" + (id.map { "&since=\($0)" } ?? "")
  }

  private static func page(_ ids: Int..., next: Bool = false) -> String {
    let messages = ids.map {
      #"{"id":\#($0),"message":"m","date":"2026-11-20T08:00:00Z"}"#
    }
    let paging = next ? #"{"next":"there is more"}"# : "{}"
    return #"{"messages":[\#(messages.joined(separator: ","))],"paging":\#(paging)}"#
  }

  @Test func isAskedAtItsNewAddressAfterThreePolls() async throws {
    var position = PollPosition()
    for count in 1...3 {
      let outcome = try await poll(
        from: position, .ok(Self.list(Self.old), Self.page(count), movedTo: Self.list(Self.new)))
      position = try #require(outcome.content?.position)
      #expect(position.movedCount == count)
      #expect(position.permanentAddress == (count < 3 ? nil : Self.new + "?app=1"))
    }
    let asked = try await poll(from: position, .ok(Self.list(Self.new), Self.page(4)))
    #expect(asked.content?.messages.map(\.remoteID.text) == ["4"])
    #expect(asked.content?.position.permanentAddress == Self.new + "?app=1")
  }

  @Test func onePollWithoutARedirectEndsTheCount() async throws {
    let two = PollPosition(movedTo: Self.new + "?app=1", movedCount: 2)
    let stayed = try await poll(from: two, .ok(Self.list(Self.old), Self.page(1)))
    #expect(stayed.content?.position.movedCount == 0)
    #expect(stayed.content?.position.movedTo == nil)
  }

  @Test func oneOfItsAddressesThatIsRedirectedAloneDoesNotCount() async throws {
    let two = PollPosition(movedTo: Self.new + "?app=1", movedCount: 2)
    let outcome = try await poll(
      from: two, .ok(Self.list(Self.old), Self.page(9, 8, next: true), movedTo: Self.list(Self.new)),
      .ok(Self.list(Self.old, since: 8), Self.page(7, 1)))
    #expect(outcome.content?.messages.count == 4)
    #expect(outcome.content?.position.movedCount == 2)
    let renamed = try await poll(
      from: PollPosition(), .ok(Self.list(Self.old), Self.page(1), movedTo: "https://push.example/x"))
    #expect(renamed.content?.position.movedTo == nil)
  }

  /// Data that is kept only for a time is not deleted while the clocks differ.
  @Test func theServersClockIsKnownFromEachAnswer() async throws {
    let date = "Fri, 20 Nov 2026 08:00:00 GMT"
    let outcome = try await poll(
      from: PollPosition(), .ok(Self.list(Self.old), Self.page(1), ["Date": date]))
    #expect(outcome.hints.serverDate == now.addingTimeInterval(-3600))
    let failed = try await poll(
      from: PollPosition(), .ok(Self.list(Self.old), "{}", ["Date": date], status: 500))
    #expect(failed.failure != nil && failed.hints.serverDate == now.addingTimeInterval(-3600))
  }

  @Test func aFailureChangesNothing() async throws {
    let two = PollPosition(movedTo: Self.new + "?app=1", movedCount: 2)
    let failed = try await poll(from: two, .ok(Self.list(Self.old), "", status: 500))
    #expect(failed.failure == .status(500, reason: "Internal Server Error"))
  }

  @Test func anotherServerGetsNoTokenAndThePersonIsToldWhy() async throws {
    let other = "https://other.example/message?limit=100"
    let failed = try await poll(
      from: PollPosition(),
      .ok(Self.list(Self.old), "", status: 401, movedTo: other) { request in
        #expect(request.credential?.origin == Origin(Self.old))
      })
    guard case .status(401, let reason) = try #require(failed.failure) else {
      Issue.record("the status was expected")
      return
    }
    #expect(
      reason.hasPrefix("the response is from https://other.example, but the token or password is only for"))
  }
}
