import Basics
import Formats
import Foundation
import HTTPTypes
import HummingbirdCore

extension HubAPI {
  /// Returns the audit for administrators, oldest act first.
  func audit(_ request: HubRequest, for caller: HubAccess?) async throws(HubFailure) -> Answer {
    try administrator(caller)
    let since = try request.number("since_id", in: 0...Int64.max, or: 0)
    let limit = Int(
      try request.number("limit", in: 1...Int64(Limits.hubPageItems), or: Int64(Limits.hubUsualPageItems)))
    let acts = try await store.audit(since: since, limit: limit + 1)
    let list = acts.prefix(limit).map { act -> JSONValue in
      var object = JSONObject([
        .init(key: "id", value: .number("\(act.id)")),
        .init(key: "time", value: .string(ISOInstant.text(act.time))),
        .init(key: "who", value: .string(who(act))), .init(key: "act", value: .string(act.act)),
      ])
      object["address"] = act.address.map { .string($0) }
      object["feed"] = act.feed.map { .string($0) }
      object["key"] = act.key.map { .string($0) }
      object["item"] = act.item.map { .number("\($0)") }
      return .object(object)
    }
    let last = acts.prefix(limit).last?.id ?? since
    let page = JSONObject([
      .init(key: "list", value: .array(list)), .init(key: "has_more", value: .bool(acts.count > limit)),
      .init(key: "last_id", value: .number("\(last)")),
    ])
    return Answer(content: .text(JSONValue.object(page).serialized()), fields: [(.cacheControl, "no-store")])
  }

  /// Throws unless the caller is an administrator.
  func administrator(_ caller: HubAccess?) throws(HubFailure) {
    guard let caller else { throw .noToken }
    guard caller.isAdmin else { throw .notFound }
  }

  /// Returns the actor for display: `command`, or a token or webhook with its name.
  private func who(_ act: AuditedAct) -> String {
    guard let number = act.token, number != 0 else { return "command" }
    return "\(number > 0 ? "token" : "webhook") \(act.tokenName ?? "\(abs(number))")"
  }
}
