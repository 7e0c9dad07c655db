import Foundation
import Messages
import Synchronization
import Transport

/// Polls a service and remembers where permanent redirects lead, as for feeds: the new address is used after 3 polls in
/// a row that were all sent there by 301 or 308.
///
/// A service has many addresses below that of its source. One that is redirected by itself, such as that of a renamed
/// project, says nothing about the others: so only a redirect that keeps what follows the source's address counts.
///
/// It also keeps the server's clock, as its last answer says it.
struct MovedService: SourceAdapter {
  /// One for all polls: some services keep a login.
  let service: any ServiceAdapter

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    var source = source
    source.address = position.permanentAddress ?? source.address
    let watch = AnswerWatch(source.address)
    var context = context
    context.answers = watch
    let outcome = await service.poll(source, position: position, context: context)
    var hints = outcome.hints
    hints.serverDate = hints.serverDate ?? watch.serverDate
    switch outcome {
    case .content(var content, _):
      content.position.note(watch.movedTo, after: position)
      return .content(content, hints)
    case .notModified(var next, _):
      next.note(watch.movedTo, after: position)
      return .notModified(next, hints)
    case .failed(let failure, _): return .failed(failure, hints)
    }
  }
}

extension PollPosition {
  /// Counts the polls in a row that permanent redirects led to the same address.
  ///
  /// - Parameters:
  ///   - address: where this poll was led; nil: nowhere.
  ///   - last: the position before this poll.
  mutating func note(_ address: String?, after last: PollPosition) {
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

/// Notes where the successful requests below one address were led, and when they were answered.
final class AnswerWatch: Sendable {
  private let base: String
  /// The query of the source's address, with its question mark.
  private let query: String
  /// nil for requests that were not redirected for good.
  private let targets = Mutex<Set<String?>>([])
  private let date = Mutex<Date?>(nil)

  init(_ address: String) {
    base = ServiceClient.base(of: address)
    query = URLComponents(string: address)?.percentEncodedQuery.map { "?" + $0 } ?? ""
  }

  /// - Parameters:
  ///   - address: of the request.
  ///   - now: by our clock.
  func record(_ response: TransportResponse, to address: String, at now: Date) {
    if let said = response.serverDate(now: now) { date.withLock { $0 = said } }
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

  /// By the server's clock; nil where no answer said it.
  var serverDate: Date? { date.withLock(\.self) }

  /// The source's new address; nil unless all requests were led to the same one.
  var movedTo: String? {
    targets.withLock { $0.count == 1 ? $0.first ?? nil : nil }.map { $0 + query }
  }
}
