import Basics
import Foundation
import HTTP
import Messages

/// The number of requests that a server still accepts, from headers such as `RateLimit-Remaining`.
struct RequestLimits {
  let headers: HeaderFields
  /// The beginning of the headers' names, for example `x-ratelimit-`.
  let prefix: String
  let now: Date

  var remaining: Int? { number(prefix + "remaining") }

  var quota: RequestQuota? {
    remaining.map { RequestQuota(remaining: $0, limit: number(prefix + "limit"), resets: reset) }
  }

  /// The time at which the limit is reset, by this machine's clock, because the server's clock may differ.
  var reset: Date? {
    let text = headers[prefix + "reset"] ?? ""
    // The value is in seconds since 1970 or, for Mastodon, an ISO date.
    guard
      let reset = number(prefix + "reset").map(Double.init) ?? ISOInstant.parse(text)?.timeIntervalSince1970
    else { return nil }
    let there = headers["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
    let wait = reset - there.timeIntervalSince1970
    return now.addingTimeInterval(min(max(wait, 1), Limits.longestWait))
  }

  /// Returns the failure with the values of these headers: after a 429 without `Retry-After`, requests wait until the
  /// limit is reset.
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

  /// Returns the value of a header that is a whole number from 0.
  func number(_ name: String) -> Int? {
    headers[name].flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}
