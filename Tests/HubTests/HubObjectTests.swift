import Foundation
import Hub
import StandIns
import Sync
import TestBasics
import Testing

/// Objects of users' machines: in both stores, and over HTTP.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubObjectTests {
  private let start = HubPremises.start
  private let device = String(repeating: "0a", count: 16)

  private func name(_ first: Int, _ last: Int) throws -> ObjectName {
    func digits(_ number: Int) -> String {
      String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }
    return try #require(ObjectName(path: "\(device)/\(digits(first))-\(digits(last)).ops"))
  }

  /// - Returns: the number of the user, and a token.
  private func person(_ name: String, _ store: any HubAdministering) throws -> (number: Int, token: String) {
    let text = try store.addToken("\(name)'s", person: name, now: start)
    let token = try #require(HubToken(text)).number
    let access = try #require(try store.tokens().first { $0.number == token })
    #expect(access.personName == name)
    return (try #require(access.person), text)
  }

  @Test(arguments: StoreKind.allCases) func objectsStayAsTheyAreAndChangesHaveNumbers(kind: StoreKind)
    async throws
  {
    let premises = try HubPremises(kind)
    let (hub, store) = (try premises.hub(), try premises.open())
    let (ann, bob) = (try person("ann", store).number, try person("bob", store).number)
    let (first, second) = (try name(1, 3), try name(4, 4))
    let bytes = Data([0, 255, 92, 39, 0])
    #expect(try await hub.objects(of: ann, after: 0, limit: 10) == HubObjectPage(last: 0, hasMore: false))

    let put = try await hub.put(bytes, as: first, of: ann, now: start)
    #expect(put.isNew && put.last > 0)
    #expect(
      try await hub.put(bytes, as: first, of: ann, now: start)
        == HubObjectChange(isNew: false, last: put.last))
    await #expect(throws: HubFailure.otherObject) {
      try await hub.put(Data(), as: first, of: ann, now: start)
    }
    // Between them, an item is published: there is one order for everything.
    let item = try await hub.one(#"{"title": "A"}"#)
    let empty = try await hub.put(Data(), as: second, of: ann, now: start)
    #expect(try #require(item.id) > put.last && empty.last > (item.id ?? 0))

    var page = try await hub.objects(of: ann, after: 0, limit: 1)
    #expect(page.objects == [HubObject(name: first, size: 5, seq: put.last)] && page.hasMore)
    #expect(page.last == empty.last)
    page = try await hub.objects(of: ann, after: put.last, limit: 1)
    #expect(page.objects == [HubObject(name: second, size: 0, seq: empty.last)] && !page.hasMore)
    #expect(try await hub.object(first, of: ann) == bytes)

    // Another user has none of these objects.
    #expect(try await hub.object(first, of: bob) == nil)
    #expect(try await hub.removeObject(first, of: bob) == 0)
    #expect(try await hub.put(Data([1]), as: first, of: bob, now: start).isNew)

    let removed = try await hub.removeObject(first, of: ann)
    #expect(removed > empty.last)
    #expect(try await hub.object(first, of: ann) == nil)
    #expect(try await hub.removeObject(first, of: ann) == removed)
    page = try await hub.objects(of: ann, after: empty.last, limit: 10)
    #expect(page == HubObjectPage(last: removed, hasMore: false))
    #expect(try await hub.lastChanges(of: [ann]) == [ann: removed])
    #expect(try await hub.put(Data([2]), as: first, of: ann, now: start).isNew)
  }

  @Test func theAddressesOfObjects() async throws {
    try await RunningHub.with { (hub: RunningHub) async throws in
      let ann = try person("ann", hub.premises.open()).token
      func ask(
        _ method: String, _ path: String, _ token: String?, _ fields: [String] = [], _ body: String = ""
      ) async throws -> LoopbackClient.Answer {
        try await hub.client.answer(
          method, "/v1/sync\(path)", (token.map { ["Authorization: Bearer \($0)"] } ?? []) + fields,
          body: body)
      }
      let path = "/\(device)/000000000001-000000000003.ops"
      let once = ["If-None-Match: *"]
      // A token for feeds belongs to no user.
      #expect(try await ask("GET", "?after=0", nil).status == 401)
      #expect(try await ask("GET", "?after=0", hub.reader).status == 404)
      #expect(try await ask("PUT", path, hub.publisher, once, "x").status == 404)
      #expect(try await ask("GET", "?after=-1", ann).status == 400)
      #expect(try await ask("PUT", path, ann, [], "x").status == 400)
      for wrong in [
        "/\(device)/1-3.ops", "/\(device.uppercased())/000000000001-000000000003.ops", "/a/b", "/a",
      ] {
        #expect(try await ask("PUT", wrong, ann, once, "x").status == 404, "\(wrong)")
      }
      #expect(try await ask("PUT", path, ann, once, "bytes").status == 201)
      #expect(try await ask("PUT", path, ann, once, "bytes").status == 200)
      let other = try await ask("PUT", path, ann, once, "others")
      #expect(other.status == 412 && other.body.contains("\"exists\""))
      let got = try await ask("GET", path, ann)
      #expect(got.status == 200 && got.body == "bytes" && got.fields["cache-control"] == "private, immutable")
      let list = try await ask("GET", "?after=0", ann)
      #expect(
        list.body.wholeMatch(
          of:
            /\{"objects":\[\{"device":"(0a){16}","name":"000000000001-000000000003\.ops","size":5,"seq":(\d+)\}\],"last":\2,"has_more":false\}/
        ) != nil, "\(list.body)")
      // A waiting machine also gets deletions.
      let last = try #require(list.body.firstMatch(of: /"last":(\d+)/)?.1)
      async let waiting = ask("GET", "?after=\(last)&wait=300", ann)
      #expect(try await ask("DELETE", path, ann).status == 204)
      let woken = try await waiting
      #expect(
        woken.status == 200 && woken.body.contains("\"objects\":[]")
          && !woken.body.contains("\"last\":\(last),"))
      #expect(try await ask("GET", path, ann).status == 404)
      #expect(try await ask("DELETE", path, ann).status == 204)
      #expect(hub.log.allSatisfy { !$0.contains(device) && !$0.contains(ann) })
    }
  }

  /// One of two hubs is notified of the objects that the other one stored.
  @Test(.enabled("skipped: PostgreSQL isn't installed") { StoreKind.allCases.contains(.database) })
  func whoWaitsAtAnotherHubIsWoken() async throws {
    let premises = try HubPremises(.database)
    let ann = try person("ann", premises.open())
    try await RunningHub.with(premises) { (here: RunningHub) async throws in
      try await RunningHub.with(premises) { (there: RunningHub) async throws in
        let token = ["Authorization: Bearer \(ann.token)"]
        async let waiting = there.client.answer("GET", "/v1/sync?after=0&wait=300", token)
        let put = try await here.client.answer(
          "PUT", "/v1/sync/\(device)/000000000001-000000000003.ops", token + ["If-None-Match: *"], body: "x")
        #expect(put.status == 201)
        #expect(try await waiting.body.contains("000000000001-000000000003.ops"))
      }
    }
  }
}
