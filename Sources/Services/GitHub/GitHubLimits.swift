import Dates
import Foundation
import Limits
import Messages
import Transport

/// How often GitHub accepts requests (docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
enum GitHubLimits {
  /// `X-Poll-Interval` and the limit of requests, of a success or a "not modified".
  static func hints(_ response: TransportResponse, _ context: PollContext, earlier: PollHints) -> PollHints {
    var hints = earlier
    if let seconds = number(response.headers, "X-Poll-Interval"), seconds > 0 {
      hints.minimumWait = .seconds(min(seconds, Int(Limits.longestMinimumWait)))
      hints.minimumWaitRule = .pollInterval
    }
    hints.quota = quota(response.headers, context) ?? hints.quota
    return hints
  }

  private static func quota(_ headers: HeaderFields, _ context: PollContext) -> RequestQuota? {
    guard let remaining = number(headers, "x-ratelimit-remaining") else { return nil }
    return RequestQuota(
      remaining: remaining, limit: number(headers, "x-ratelimit-limit"), resets: reset(headers, context))
  }

  /// When the limit begins anew, by this machine's clock: the server's may differ.
  private static func reset(_ headers: HeaderFields, _ context: PollContext) -> Date? {
    guard let reset = number(headers, "x-ratelimit-reset") else { return nil }
    let there = headers["Date"].flatMap { HTTPDate.parse($0, now: context.now) } ?? context.now
    let wait = Double(reset) - there.timeIntervalSince1970
    return context.now.addingTimeInterval(min(max(wait, 1), Limits.longestWait))
  }

  /// A failure with what it says of limits: a status of 403 or 429 has one of three meanings.
  static func failure(_ failure: ServiceFailure, _ client: ServiceClient, earlier: PollHints)
    -> ServiceFailure
  {
    var failure = failure
    let headers = failure.headers
    failure.hints.quota = quota(headers, client.context) ?? earlier.quota
    guard let status = failure.status, status == 403 || status == 429 else { return failure }
    let now = client.context.now
    var until: Date?
    if let seconds = number(headers, "Retry-After") {
      until = now.addingTimeInterval(min(Double(seconds), Limits.longestWait))
    } else if number(headers, "x-ratelimit-remaining") == 0 {
      until = reset(headers, client.context)
    } else if ServiceFailure.sentence(failure.body)?.lowercased().contains("secondary rate limit") == true {
      until = now.addingTimeInterval(Limits.secondaryLimitSeconds)
    }
    // Otherwise a right is missing.
    guard let until = until ?? failure.hints.retryAfter else { return failure }
    failure.hints.retryAfter = until
    failure.hints.retryAfterFrom = client.base
    failure.failure = .heldBack(status: status)
    return failure
  }

  /// `Last-Modified` exactly as received; nil while it is so young that the same second may bring more (RFC 9110 section
  /// 8.8.2.2).
  static func lastModified(_ response: TransportResponse, _ context: PollContext) -> String? {
    guard let text = response.headers["Last-Modified"] else { return nil }
    guard let date = response.headers["Date"].flatMap({ HTTPDate.parse($0, now: context.now) }),
      let modified = HTTPDate.parse(text, now: context.now)
    else { return text }
    return date.timeIntervalSince(modified) >= 2 ? text : nil
  }

  private static func number(_ headers: HeaderFields, _ name: String) -> Int? {
    headers[name].flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}
