import Basics
import Foundation
import HTTP
import Messages

/// Reads the request limits of GitHub (docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
enum GitHubLimits {
  /// Returns the poll interval that the header `X-Poll-Interval` of a response sets.
  static func hints(_ response: TransportResponse, _ context: PollContext) -> PollHints {
    var hints = PollHints()
    if let seconds = limits(response.headers, context).number("X-Poll-Interval"), seconds > 0 {
      hints.minimumWait = .seconds(min(seconds, Int(Limits.longestMinimumWait)))
      hints.minimumWaitRule = .pollInterval
    }
    return hints
  }

  /// Returns the request limit in the headers of a response.
  private static func limits(_ headers: HeaderFields, _ context: PollContext) -> RequestLimits {
    RequestLimits(headers: headers, prefix: "x-ratelimit-", now: context.now)
  }

  /// Returns a failure with the request limit that it reports. A status of 403 or 429 means that the hourly limit is
  /// reached, that the secondary limit is reached, or that the token lacks a permission.
  static func failure(_ failure: ServiceFailure, _ client: ServiceClient) -> ServiceFailure {
    var failure = failure
    let limits = limits(failure.headers, client.context)
    guard let status = failure.status, status == 403 || status == 429 else { return failure }
    let now = client.context.now
    var until: Date?
    if let seconds = limits.number("Retry-After") {
      until = now.addingTimeInterval(min(Double(seconds), Limits.longestWait))
    } else if limits.remaining == 0 {
      until = limits.reset
    } else if ServiceFailure.sentence(failure.body)?.lowercased().contains("secondary rate limit") == true {
      until = now.addingTimeInterval(Limits.secondaryLimitSeconds)
    }
    guard let until = until ?? failure.hints.retryAfter else {
      // The token lacks a right.
      if let reason = missingRight(failure) { failure.failure = .status(status, reason: reason) }
      return failure
    }
    failure.hints.retryAfter = until
    failure.hints.retryAfterFrom = client.base
    failure.failure = .heldBack(status: status)
    return failure
  }

  /// Returns what the user can do if the token lacks a permission (docs.github.com/rest/authentication), or `nil` if it
  /// doesn't.
  private static func missingRight(_ failure: ServiceFailure) -> String? {
    if let header = failure.headers["X-GitHub-SSO"], header.hasPrefix("required") {
      let address = header.range(of: "url=").map { String(header[$0.upperBound...].prefix { $0 != ";" }) }
      return "the organization asks for single sign-on: authorize the token at "
        + (address ?? "https://github.com/settings/tokens")
    }
    guard ServiceFailure.sentence(failure.body)?.hasPrefix("Resource not accessible by") == true else {
      return nil
    }
    return
      "a fine-grained token cannot read notifications: make a classic one with the scope notifications at "
      + "https://github.com/settings/tokens"
  }

  /// Returns `Last-Modified` exactly as received, or `nil` if it is missing or so recent that there may be more changes
  /// in the same second (RFC 9110 section 8.8.2.2).
  static func lastModified(_ response: TransportResponse, _ context: PollContext) -> String? {
    guard let text = response.headers["Last-Modified"] else { return nil }
    guard let date = response.serverDate(now: context.now),
      let modified = HTTPDate.parse(text, now: context.now)
    else { return text }
    return date.timeIntervalSince(modified) >= 2 ? text : nil
  }
}
