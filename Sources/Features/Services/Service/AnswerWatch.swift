import Foundation
import HTTP
import Messages
import Synchronization

extension PollPosition {
  /// Counts the polls in a row in which permanent redirects led to the same address.
  ///
  /// - Parameters:
  ///   - address: the target of this poll's redirects; `nil` if there were none.
  ///   - last: the position before this poll.
  mutating func count(_ address: String?, after last: PollPosition) {
    if let address {
      movedCount = address == last.movedTo ? last.movedCount + 1 : 1
      movedTo = address
    } else if last.permanentAddress != nil {
      movedCount = last.movedCount
      movedTo = last.movedTo
    } else {
      movedCount = 0
      movedTo = nil
    }
  }
}

/// Collects data from the responses to the requests of one part of a poll: the targets of redirects, the
/// server's clock, and the number of requests that the server still accepts.
final class AnswerWatch: Sendable {
  /// The source's address without its query and without a slash at its end.
  private let base: String
  /// The query of the source's address, with its question mark.
  private let query: String
  /// The targets of permanent redirects; `nil` stands for a request without one.
  private let targets = Mutex<Set<String?>>([])
  private let date = Mutex<Date?>(nil)
  private let quota = Mutex<RequestQuota?>(nil)
  /// The prefix of the names of the headers that contain the request limit, for example `X-RateLimit-`.
  private let limits: String?

  /// - Parameter limits: the beginning of the names of the headers with the request limit.
  init(_ address: String, limits: String?) {
    self.limits = limits
    base = ServiceClient.base(of: address)
    query = URLComponents(string: address)?.percentEncodedQuery.map { "?" + $0 } ?? ""
  }

  /// Records the server's clock, the request limit and the permanent redirect of one response, if it has them.
  ///
  /// - Parameters:
  ///   - address: the address of the request.
  ///   - now: the time of this machine's clock.
  func record(_ response: TransportResponse, to address: String, at now: Date) {
    if let said = response.serverDate(now: now) { date.withLock { $0 = said } }
    if let limits, let said = RequestLimits(headers: response.headers, prefix: limits, now: now).quota {
      quota.withLock { $0 = said }
    }
    guard (200..<300).contains(response.status) || response.status == 304, address.hasPrefix(base) else {
      return
    }
    let rest = address.dropFirst(base.count)
    if let target = response.permanentlyMovedTo {
      if target.hasSuffix(rest) { targets.withLock { _ = $0.insert(String(target.dropLast(rest.count))) } }
    } else {
      targets.withLock { _ = $0.insert(nil) }
    }
  }

  /// Returns the hints with the server's clock and request limit, if a response had them.
  func adding(to hints: PollHints) -> PollHints {
    var hints = hints
    hints.serverDate = hints.serverDate ?? date.withLock(\.self)
    hints.quota = hints.quota ?? quota.withLock(\.self)
    return hints
  }

  /// The source's new address, if all requests were permanently redirected to the same new address, otherwise
  /// `nil`.
  var movedTo: String? {
    targets.withLock { $0.count == 1 ? $0.first ?? nil : nil }.map { $0 + query }
  }
}
