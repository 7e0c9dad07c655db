import Basics
import Foundation
import StandIns
import TestBasics
import Testing

@testable import Hub

/// Documents of a running hub.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct DocumentTests {
  private static let control = """
    {"tip": {"entry": "a", "conditions": {"all": {"neverDisplayed": true}},
      "views": {"a": {"file": "https://hub.example/d/ops/tip.html", "height": 64}}}}
    """

  @Test(arguments: StoreKind.allCases) func whatIsPutIsReadUntilItIsRemoved(_ kind: StoreKind) async throws {
    try await RunningHub.with(try HubPremises(kind)) { hub in
      let first = try await hub.put("banners/control.json", Self.control)
      #expect(first.status == 201)
      #expect(
        first.body
          == #"{"path":"banners/control.json","state":"stored","url":"https://hub.example/d/ops/banners/control.json"}"#
      )
      #expect(try await hub.put("banners/control.json", Self.control).body.contains("unchanged"))
      let read = try await hub.get("banners/control.json")
      #expect(read.status == 200 && read.body == Self.control)
      #expect(read.fields["content-type"] == "application/json")
      #expect(read.fields["x-content-type-options"] == "nosniff")
      #expect(read.fields["content-security-policy"] == "sandbox")
      #expect(read.fields["cache-control"] == "private, no-cache")
      let head = try await hub.client.answer(
        "HEAD", "/d/ops/banners/control.json", ["Authorization: Bearer \(hub.reader)"])
      #expect(head.status == 200 && head.body == "" && head.fields["etag"] == read.fields["etag"])
      let updated = try await hub.put("banners/control.json", "{}")
      #expect(updated.status == 200 && updated.body.contains("updated"))
      #expect(try await hub.get("banners/control.json").fields["etag"] != read.fields["etag"])
      #expect(try await hub.remove("banners/control.json").status == 200)
      #expect(try await hub.get("banners/control.json").status == 404)
      #expect(try await hub.remove("banners/control.json").status == 404)
    }
  }

  @Test(arguments: StoreKind.allCases) func whoHasItIsSentNothing(_ kind: StoreKind) async throws {
    try await RunningHub.with(try HubPremises(kind)) { hub in
      _ = try await hub.put("view.html", "<p>Hello</p>", type: "text/html; charset=utf-8")
      let read = try await hub.get("view.html")
      #expect(read.fields["content-type"] == "text/html; charset=utf-8")
      let (tag, date) = (try #require(read.fields["etag"]), try #require(read.fields["last-modified"]))
      let modified = try #require(HTTPDate.parse(date, now: Date()))
      for (field, status) in [
        ("If-None-Match: \(tag)", 304), ("If-None-Match: \"x\"", 200), ("If-Modified-Since: \(date)", 304),
        ("If-Modified-Since: \(HTTPDate.text(modified.addingTimeInterval(-1)))", 200),
        // The time is that of the reader's clock.
        ("If-Modified-Since: \(HTTPDate.text(modified.addingTimeInterval(86_400)))", 304),
        ("If-Modified-Since: yesterday", 200),
      ] {
        let answer = try await hub.get("view.html", field)
        #expect(answer.status == status, "\(field)")
        #expect((answer.body == "") == (status == 304))
      }
      // Only the tag decides.
      #expect(
        try await hub.get("view.html", "If-None-Match: \"x\"", "If-Modified-Since: \(date)").status == 200)
    }
  }

  @Test(arguments: StoreKind.allCases) func rightsAreThoseOfTheFeed(_ kind: StoreKind) async throws {
    try await RunningHub.with(try HubPremises(kind)) { hub in
      _ = try await hub.put("a.json", "{}")
      let open = try await hub.client.answer(
        "PUT", "/v1/documents/news/a.json",
        ["Authorization: Bearer \(hub.publisher)", "Content-Type: application/json"], body: "{}")
      #expect(open.status == 201)
      let news = try await hub.client.answer("GET", "/d/news/a.json")
      #expect(news.status == 200 && news.fields["cache-control"]?.hasPrefix("public") == true)
      #expect(try await hub.client.answer("GET", "/d/news/b.json").status == 404)
      for path in ["/d/ops/a.json", "/d/ops/b.json", "/d/none/a.json"] {
        #expect(try await hub.client.answer("GET", path).body == HubFailure.noToken.json)
        let publisher = try await hub.client.answer("GET", path, ["Authorization: Bearer \(hub.publisher)"])
        #expect(publisher.body == HubFailure.notFound.json)
      }
      for method in ["PUT", "DELETE"] {
        let reader = try await hub.client.answer(
          method, "/v1/documents/ops/a.json", ["Authorization: Bearer \(hub.reader)"], body: "x")
        #expect(reader.body == HubFailure.notFound.json)
      }
      #expect(try await hub.client.answer("POST", "/d/ops/a.json").status == 405)
    }
  }

  @Test func aFileWithProblemsIsRefusedWithAllOfThem() async throws {
    try await RunningHub.with { hub in
      let control = Self.control.replacing("\"entry\": \"a\"", with: "\"entry\": \"b\"")
        .replacing("neverDisplayed", with: "always")
      let bad = try await hub.put("control.json", control)
      #expect(bad.status == 422)
      #expect(
        bad.body.contains(#""at":"$.tip.entry""#) && bad.body.contains(#""at":"$.tip.conditions.all.always""#)
      )
      let schedule =
        #"[{"id": 1, "title": "Lunch", "body": "Now", "time": "12:30"}, {"id": 1, "time": "25:00"}]"#
      let wrong = try await hub.put("schedule.json", schedule)
      #expect(wrong.status == 422 && wrong.body.contains("problems"), "\(wrong.body)")
      // Any other JSON is accepted.
      #expect(try await hub.put("other.json", #"{"colour": ["red"]}"#).status == 201)
      #expect(try await hub.put("broken.json", "{").status == 422)
      #expect(try await hub.get("control.json").status == 404)
    }
  }

  @Test func otherTypesPathsAndSizesAreRefused() async throws {
    try await RunningHub.with { (hub: RunningHub) async throws in
      for type in ["", "text/javascript", "image/svg+xml", "multipart/form-data", "application/pdf"] {
        #expect(try await hub.put("a", "x", type: type).status == 415, "\(type)")
      }
      for path in [
        "..", "a/..", "%2e%2e/a", "a%2Fb", "a%5Cb", "a%00", "a%0A", String(repeating: "a", count: 501),
      ] {
        #expect(try await hub.put(path, "x", type: "text/plain").status == 404, "\(path)")
      }
      let most = String(repeating: "x", count: Limits.hubDocumentBytes)
      #expect(try await hub.put("large", most, type: "text/plain").status == 201)
      #expect(try await hub.get("large").body.utf8.count == Limits.hubDocumentBytes)
      #expect(try await hub.put("larger", most + "x", type: "text/plain").status == 413)
      #expect(
        try await hub.put("name%20with%20words%20%C3%A9", "x", type: "text/plain").body.contains("%C3%A9"))
      #expect(try await hub.get("name%20with%20words%20%C3%A9").body == "x")
    }
  }
}

extension RunningHub {
  fileprivate func put(
    _ path: String, _ text: String, type: String = "application/json"
  ) async throws -> LoopbackClient.Answer {
    try await client.answer(
      "PUT", "/v1/documents/ops/\(path)", ["Authorization: Bearer \(publisher)", "Content-Type: \(type)"],
      body: text)
  }

  fileprivate func remove(_ path: String) async throws -> LoopbackClient.Answer {
    try await client.answer("DELETE", "/v1/documents/ops/\(path)", ["Authorization: Bearer \(publisher)"])
  }

  fileprivate func get(_ path: String, _ fields: String...) async throws -> LoopbackClient.Answer {
    try await client.answer("GET", "/d/ops/\(path)", ["Authorization: Bearer \(reader)"] + fields)
  }
}
