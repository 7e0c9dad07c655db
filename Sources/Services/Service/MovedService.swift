import Foundation
import Messages
import Synchronization
import Transport

/// Polls a service and remembers where permanent redirects lead, as for feeds: the new address is used after 3 polls in
/// a row that were all sent there by 301 or 308.
///
/// A service has many addresses below that of its source. One that is redirected by itself, such as that of a renamed
/// project, says nothing about the others: so only a redirect that keeps what follows the source's address counts.
struct MovedService: SourceAdapter {
  let type: any ServiceAdapter.Type
  let transport: any HTTPTransport

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    var source = source
    source.address = position.permanentAddress ?? source.address
    let watch = RedirectWatch(transport, source.address)
    let outcome = await type.init(transport: watch).poll(source, position: position, context: context)
    switch outcome {
    case .content(var content, let hints):
      content.position.note(watch.movedTo, after: position)
      return .content(content, hints)
    case .notModified(var next, let hints):
      next.note(watch.movedTo, after: position)
      return .notModified(next, hints)
    case .failed: return outcome
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

/// Passes requests on and notes where the successful ones below one address were led.
private final class RedirectWatch: HTTPTransport {
  private let transport: any HTTPTransport
  private let base: String
  /// The query of the source's address, with its question mark.
  private let query: String
  /// nil for requests that were not redirected for good.
  private let targets = Mutex<Set<String?>>([])

  init(_ transport: any HTTPTransport, _ address: String) {
    self.transport = transport
    base = ServiceClient.base(of: address)
    query = URLComponents(string: address)?.percentEncodedQuery.map { "?" + $0 } ?? ""
  }

  func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    let response = try await transport.send(request)
    guard (200..<300).contains(response.status) || response.status == 304, request.url.hasPrefix(base)
    else { return response }
    let rest = request.url.dropFirst(base.count)
    if let target = response.permanentlyMovedTo {
      if target.hasSuffix(rest) { targets.withLock { _ = $0.insert(String(target.dropLast(rest.count))) } }
    } else {
      targets.withLock { _ = $0.insert(nil) }
    }
    return response
  }

  /// The source's new address; nil unless all requests were led to the same one.
  var movedTo: String? {
    targets.withLock { $0.count == 1 ? $0.first ?? nil : nil }.map { $0 + query }
  }
}
