import Basics
import Foundation
import HTTP
import Messages
import Testing

@testable import Services

/// Requests for a native feed that its server should hold.
@Suite struct NativeWaitTests {
  @Test func aHeldRequestIsThatOfAPollAndHasMoreTime() async throws {
    let feed = source("http://feeds.example/n", .native)
    var context = PollContext(now: now, installed: now)
    context.wait = Limits.nativeWait
    let asked = PollPosition(cursor: Cursor("17"), validators: Validators(etag: "\"a\""))
    let outcome = try await poll(
      feed, from: asked, context: context,
      [
        .ok(
          "http://feeds.example/n?since_id=17&limit=1000&wait=50",
          #"{"list": [{"id": 18, "title": "News"}]}"#,
          movedTo: "http://new.example/n?since_id=17&limit=1000&wait=50"
        ) { request in
          #expect(request.etag == "\"a\"")
          #expect(request.requestTimeout == feed.polling.requestTimeout + Limits.nativeWait)
        }
      ])
    let content = try #require(outcome.content)
    #expect(content.position.cursor == Cursor("18") && content.messages.count == 1)
    // The added query items are no part of the new address.
    #expect(content.position.movedTo == "http://new.example/n")
  }
}
