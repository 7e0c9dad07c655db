import Foundation
import HTTP
import Messages
import Synchronization

extension PollPosition {
  /// Counts the polls in a row that permanent redirects led to the same address.
  ///
  /// - Parameters:
  ///   - address: where this poll was led; nil: nowhere.
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

/// What the answers to one part's requests say besides their contents: where the successful ones were led, the server's
/// clock, and how many requests it still accepts.
final class AnswerWatch: Sendable {
  private let base: String
  /// The query of the source's address, with its question mark.
  private let query: String
  /// nil for requests that were not redirected for good.
  private let targets = Mutex<Set<String?>>([])
  private let date = Mutex<Date?>(nil)
  private let quota = Mutex<RequestQuota?>(nil)
  private let limits: String?

  /// - Parameter limits: the beginning of the names of headers with the limit of requests.
  init(_ address: String, limits: String?) {
    self.limits = limits
    base = ServiceClient.base(of: address)
    query = URLComponents(string: address)?.percentEncodedQuery.map { "?" + $0 } ?? ""
  }

  /// - Parameters:
  ///   - address: of the request.
  ///   - now: by our clock.
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

  /// With the server's clock and limit of requests, where an answer said them.
  func adding(to hints: PollHints) -> PollHints {
    var hints = hints
    hints.serverDate = hints.serverDate ?? date.withLock(\.self)
    hints.quota = hints.quota ?? quota.withLock(\.self)
    return hints
  }

  /// The source's new address; nil unless all requests were led to the same one.
  var movedTo: String? {
    targets.withLock { $0.count == 1 ? $0.first ?? nil : nil }.map { $0 + query }
  }
}
