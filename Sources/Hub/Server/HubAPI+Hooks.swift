import Basics
import Formats
import Foundation
import HTTPTypes
import HummingbirdCore

extension HubAPI {
  /// Handles a delivery to a webhook. It is stored before the response, since not every sender retries.
  ///
  /// - Parameter rest: the names after that of the webhook in the URL.
  func deliver(
    _ request: HubRequest, to name: String, _ rest: [String], _ line: inout HubLogLine
  ) async throws(HubFailure) -> Answer {
    let time = now()
    line.set(pattern: "/v1/hooks/NAME", "/v1/hooks/-")
    guard let hook = options.hooks.first(where: { $0.name.text == name }) else {
      throw try refused(request, time)
    }
    line.set(pattern: "/v1/hooks/NAME", "/v1/hooks/\(hook.name)")
    line.token = -hook.number
    var delivery = HookDelivery(
      fields: request.request.headers.map { ($0.name.rawName, $0.value) }, query: request.query,
      ntfy: NtfyAddress(rest, method: request.request.method.rawValue), body: Data())
    do throws(HubFailure) {
      if !hook.signsBody, !hook.isProven(delivery, now: time) { throw try refused(request, time) }
      delivery.body = try await request.body(limit: Limits.hubHookBytes, in: room)
      guard hook.isProven(delivery, now: time) else { throw try refused(request, time) }
      if hook.kind != .ntfy, rest != (hook.kind == .gotify ? ["message"] : []) { throw .notFound }
      // HEAD is no delivery.
      guard delivery.ntfy != nil else { throw .wrongMethod(allowed: NtfyAddress.methods(rest)) }
      if let coding = request.header("Content-Encoding"), coding.lowercased() != "identity" {
        throw HubFailure(.wrongType, "send the body as it is, without Content-Encoding: \(coding.prefix(40))")
      }
      if watch.isStopping { throw .stopping }
      // Alertmanager would not retry after 429.
      guard rates.spend(.publish, "hook \(hook.number)", now: time) == nil else { throw .busy }
      let reading = try HookReader(hook, now: time).read(delivery)
      let answer = try await answer(reading, of: delivery, hook, request)
      count(hook, Self.result(answer.status))
      if answer.status == Self.partialStatus { line.code = HubFailure.Code.invalidItem.rawValue }
      return answer
    } catch {
      count(hook, error.code.rawValue)
      throw error
    }
  }

  /// Stores the items of a delivery, and returns the response.
  private func answer(
    _ reading: HookReading, of delivery: HookDelivery, _ hook: Hook, _ request: HubRequest
  ) async throws(HubFailure) -> Answer {
    let (items, unreadable): ([HookItem], [FormatProblem])
    switch reading {
    case .items(let all): (items, unreadable) = (all, [])
    case .withdrawal(let key): return try await withdraw(key, hook, request)
    case .partial(let some, let problems): (items, unreadable) = (some, problems)
    case .ping, .ignored:
      return Self.ignored(reading == .ping ? 200 : 202)
    }
    let time = now()
    let (publications, problems) = try PublicationReader(now: time, author: hook.name.text)
      .hook(items, unreadable)
    let head =
      ["hook", hook.name.text, delivery.ntfy?.topic ?? "", delivery.ntfy?.sequence ?? ""]
      + request.query.filter { $0.name != "token" && $0.name != "auth" }.flatMap { [$0.name, $0.value] }
    let order = PublishOrder(
      feed: hook.feed, publications: publications, token: -hook.number, address: request.address,
      idempotency: try idempotency(delivery.id, head, delivery.body))
    do {
      let isList = publications.count != 1 || !problems.isEmpty
      let stored = try await store.publish(order, now: time)
      if !stored.isReplayed { count(stored.results, hook.feed) }
      var reading = PublicationReader.Reading(publications: publications, isList: isList)
      reading.problems = problems
      var sent = Self.answer(stored, reading)
      // Some senders accept no other status as success.
      sent.status = problems.isEmpty ? 200 : Self.partialStatus
      return sent
    } catch {
      guard error.code == .notFound else { throw error }
      throw HubFailure(.notFound, "the feed of this webhook does not exist")
    }
  }

  private static func ignored(_ status: Int) -> Answer {
    Answer(status: status, content: .text("{\"state\":\"ignored\"}"), fields: [(.cacheControl, "no-store")])
  }

  /// Withdraws an item. One that is already gone is ignored, since scripts repeat their withdrawals.
  private func withdraw(_ key: String, _ hook: Hook, _ request: HubRequest) async throws(HubFailure) -> Answer
  {
    do throws(HubFailure) {
      let result = try await store.withdraw(
        key, from: hook.feed, token: -hook.number, address: request.address, now: now())
      count([result], hook.feed)
      return Answer(content: .text(result.json.serialized()), fields: [(.cacheControl, "no-store")])
    } catch  where error.code == .notFound && watch.feed(hook.feed) != nil {
      return Self.ignored(202)
    }
  }

  /// Multi-Status (RFC 4918 section 11.1): the response contains the results of the stored items, and the
  /// problems of the others.
  private static let partialStatus = 207

  /// Returns the result of a delivery for the metrics.
  private static func result(_ status: Int) -> String {
    switch status {
    case 200: "accepted"
    case partialStatus: "partial"
    default: "ignored"
    }
  }

  private func count(_ hook: Hook, _ result: String) {
    metrics.count("hook_total", [("hook", hook.name.text), ("result", result)])
  }

  /// Returns the same failure for a missing webhook and for a wrong secret.
  private func refused(_ request: HubRequest, _ time: Date) throws(HubFailure) -> HubFailure {
    try spend(.failedTokens, request.address ?? "", time)
    return HubFailure(
      .badToken, "no webhook has this name, or the secret, the signature or its time is wrong")
  }
}
