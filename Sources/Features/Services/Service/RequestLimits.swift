import Basics
import Foundation
import HTTP
import Messages

/// How many requests a server still accepts, in headers such as `RateLimit-Remaining`.
struct RequestLimits {
  let headers: HeaderFields
  /// Of the names: `x-ratelimit-`.
  let prefix: String
  let now: Date

  var remaining: Int? { number(prefix + "remaining") }

  var quota: RequestQuota? {
    remaining.map { RequestQuota(remaining: $0, limit: number(prefix + "limit"), resets: reset) }
  }

  /// When the limit begins anew, by this machine's clock: the server's may differ.
  var reset: Date? {
    let text = headers[prefix + "reset"] ?? ""
    // Seconds since 1970, or as Mastodon has it an ISO date.
    guard
      let reset = number(prefix + "reset").map(Double.init) ?? ISOInstant.parse(text)?.timeIntervalSince1970
    else { return nil }
    let there = headers["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
    let wait = reset - there.timeIntervalSince1970
    return now.addingTimeInterval(min(max(wait, 1), Limits.longestWait))
  }

  /// A failure with what these headers say: a 429 without `Retry-After` ends when the limit begins anew.
  static func failure(_ failure: ServiceFailure, prefix: String, _ client: ServiceClient) -> ServiceFailure {
    var failure = failure
    let limits = RequestLimits(headers: failure.headers, prefix: prefix, now: client.context.now)
    failure.hints.quota = limits.quota
    guard failure.status == 429, failure.hints.retryAfter == nil, let reset = limits.reset else {
      return failure
    }
    failure.hints.retryAfter = reset
    failure.hints.retryAfterFrom = client.base
    failure.failure = .heldBack(status: 429)
    return failure
  }

  /// A header with a whole number from 0.
  func number(_ name: String) -> Int? {
    headers[name].flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}
