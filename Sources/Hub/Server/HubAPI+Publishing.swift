import Basics
import Formats
import Foundation
import HTTPTypes
import HummingbirdCore
import Messages

extension HubAPI {
  /// Stores the items of a request, for callers who may publish to the feed.
  func publish(
    _ request: HubRequest, to feed: FeedName, by caller: HubAccess?
  ) async throws(HubFailure) -> Answer {
    let publisher = try publisher(caller, to: feed)
    let type = (request.request.headers[.contentType] ?? "").prefix { $0 != ";" }
      .trimmingCharacters(in: .whitespaces).lowercased()
    if type.hasPrefix("multipart/") || request.header("Content-Encoding") != nil {
      throw HubFailure(
        .wrongType, "send JSON as application/json, or the text alone, neither packed nor in parts")
    }
    let isJSON = type == "application/json"
    let bytes = try await request.body(
      limit: isJSON ? Limits.hubRequestBytes : Limits.hubItemBytes, in: room)
    let time = now()
    let lenient = request.value("lenient").map { $0 != "0" } ?? false
    let reader = PublicationReader(now: time, author: publisher.name, isLenient: lenient)
    let given = MessageFields.items(request.request.headers.map { ($0.name.rawName, $0.value) })
    let items = request.query.filter { $0.name != "lenient" } + given
    if isJSON, !lenient, let item = items.first {
      throw HubFailure(.unknownKey, "is not known here; with JSON, use its keys instead", at: item.name)
    }
    let reading = isJSON ? try reader.json(bytes) : try reader.form(bytes, items)
    let order = PublishOrder(
      feed: feed, publications: reading.publications, token: publisher.number, address: request.address,
      idempotency: try idempotency(
        request.header("Idempotency-Key"),
        ["POST", feed.text, type] + (request.query + given).flatMap { [$0.name, $0.value] }, bytes))
    let answer = try await store.publish(order, now: time)
    if !answer.isReplayed { count(answer.results, feed) }
    return Self.answer(answer, reading)
  }

  /// Withdraws an item, for callers who may publish to the feed.
  func withdraw(
    _ key: String, _ request: HubRequest, from feed: FeedName, by caller: HubAccess?
  ) async throws(HubFailure) -> Answer {
    let publisher = try publisher(caller, to: feed)
    let result = try await store.withdraw(
      key, from: feed, token: publisher.number, address: request.address, now: now())
    count([result], feed)
    return Answer(content: .text(result.json.serialized()), fields: [(.cacheControl, "no-store")])
  }

  /// Counts published items in the metrics.
  func count(_ results: [PublishResult], _ feed: FeedName) {
    for result in results {
      metrics.count("published_total", [("feed", feed.text), ("state", result.state.rawValue)])
    }
  }

  static func answer(_ answer: PublishAnswer, _ reading: PublicationReader.Reading) -> Answer {
    var sent = Answer(content: .text(""), fields: [(.cacheControl, "no-store")])
    if answer.isReplayed, let name = HTTPField.Name("Idempotency-Replayed") {
      sent.fields.append((name, "true"))
    }
    if !reading.isList, let result = answer.results.first {
      sent.status = [.stored: 201, .scheduled: 202][result.state] ?? 200
      var object = result.json.object ?? JSONObject()
      object["note"] = reading.note.map { .string($0) }
      sent.content = .text(JSONValue.object(object).serialized())
    } else {
      let results = JSONValue.array(answer.results.map(\.json))
      var object = JSONObject([.init(key: "results", value: results)])
      if !reading.problems.isEmpty {
        object["problems"] = FormatProblem.json(reading.problems)
      }
      sent.content = .text(JSONValue.object(object).serialized())
    }
    return sent
  }

  /// Returns the data by which the hub recognises that a request is repeated, or `nil` if the request has no
  /// key.
  ///
  /// - Parameters:
  ///   - key: the key that identifies the request, or `nil` if there is none.
  ///   - head: the parts of the request besides its body; the digest covers everything.
  func idempotency(
    _ key: String?, _ head: [String], _ bytes: Data
  ) throws(HubFailure) -> PublishOrder.Idempotency? {
    guard let key else { return nil }
    guard (1...Limits.hubIdempotencyKeyBytes).contains(key.utf8.count) else {
      throw HubFailure(
        .badRequest, "must have 1 to \(Limits.hubIdempotencyKeyBytes) bytes", at: "Idempotency-Key")
    }
    let all = Array(head.joined(separator: "\0").utf8) + [0, 0] + bytes
    return PublishOrder.Idempotency(key: key, hash: SHA256.digest(all.span.bytes))
  }
}
