import Formats
import Foundation
import HTTP
import Messages
import Services
import Synchronization
import Testing

@Suite struct HubClientTests {
  private static let base = "https://hub.example/below"
  private static let feed = base + "/v1/feeds/ops"
  private static let stored = ##"{"id":1,"key":"#1","state":"stored"}"##
  private static let busy = #"{"error":{"code":"busy","message":"too many requests wait to be stored"}}"#

  /// Publishes one item.
  private func publish(
    _ exchanges: [Exchange]
  ) async -> (result: Result<JSONValue, HubClient.Failure>, waits: [Duration]) {
    await ScriptedTransport.run(exchanges) { transport in
      let client = HubClient(
        transport, address: Self.base + "/", token: "rdh_1_x", options: SourceOptions(), now: now)
      var waits: [Duration] = []
      do throws(HubClient.Failure) {
        let item = JSONObject([.init(key: "title", value: .string("Disk"))])
        let answer = try await client.publish(item, to: "ops", key: "once") { wait in waits.append(wait) }
        return (.success(answer), waits)
      } catch {
        return (.failure(error), waits)
      }
    }
  }

  @Test func aRequestWithoutAnAnswerIsSentAgainUnderTheSameKey() async throws {
    let bodies = Mutex<[TransportRequest.Body?]>([])
    let check: @Sendable (TransportRequest) -> Void = { request in
      #expect(request.method == .post && request.headers.contains(HeaderField("Idempotency-Key", "once")))
      #expect(request.credential != nil)
      bodies.withLock { $0.append(request.body) }
    }
    var lost = Exchange.failing(Self.feed, .timedOut(.waiting, seconds: 60))
    lost.check = check
    let (result, waits) = await publish([
      lost,
      .ok(Self.feed, Self.busy, ["Retry-After": "4"], status: 503, check: check),
      .ok(Self.feed, Self.stored, status: 201, check: check),
    ])
    #expect(try result.get().object?["state"]?.text == "stored")
    #expect(waits == [.seconds(1), .seconds(4)])
    #expect(bodies.withLock { Set($0.map { "\(String(describing: $0))" }).count } == 1)
  }

  @Test func whatTheHubRefusesIsSentOnce() async throws {
    let error = #"{"error":{"code":"invalid_item","message":"must be 1 to 5","at":"$.priority"}}"#
    let (result, waits) = await publish([.ok(Self.feed, error, status: 422)])
    guard case .failure(.refused(let refusal, let status, let wait)) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(status == 422 && refusal.code == "invalid_item" && wait == nil)
    #expect(refusal.message == "must be 1 to 5" && refusal.at == "$.priority")
    #expect(waits.isEmpty)
    let page = await publish([.ok(Self.feed, "<html>", status: 404)])
    #expect(page.result == .failure(.notAHub(status: 404)))
    // A long wait is left to the user.
    let slow = await publish([.ok(Self.feed, Self.busy, ["Retry-After": "60"], status: 429)])
    #expect(slow.waits.isEmpty)
    // The attempts end.
    let away = Array(repeating: Exchange.failing(Self.feed, .cutOff(received: 0)), count: 3)
    #expect(await publish(away).result == .failure(.request(.cutOff(received: 0))))
  }

  @Test func feedsAreBelowTheAddressThatWasAsked() async throws {
    let list = #"""
      {"feeds": [{"name": "ops", "title": "Ops", "url": "https://evil.example/v1/feeds/ops"},
        {"name": "../x", "title": "X"}, {"name": "b"}]}
      """#
    let feeds = try await ScriptedTransport.run([.ok(Self.base + "/v1/feeds", list)]) { transport in
      try await HubClient(
        transport, address: Self.base + "/v1/feeds", token: nil, options: SourceOptions(), now: now
      ).feeds()
    }
    #expect(feeds.map(\.address) == [Self.feed, Self.base + "/v1/feeds/b"])
    #expect(feeds.map(\.title) == ["Ops", "b"])
  }

  @Test(arguments: [
    ("https://h/v1/feeds/ops", "https://h", "ops"), ("https://h/x/v1/feeds/a-1?y=1", "https://h/x", "a-1"),
  ])
  func aSourceSaysItsHubAndFeed(address: String, hub: String, name: String) throws {
    let found = try #require(HubClient.feed(of: address))
    #expect(found.hub == hub && found.name == name)
    #expect(HubClient.feed(of: "https://h/feed.xml") == nil)
    #expect(HubClient.feed(of: "https://h/v1/feeds/ops.atom") == nil)
  }
}
