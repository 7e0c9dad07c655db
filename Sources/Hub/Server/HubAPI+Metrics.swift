import Foundation
import HTTPTypes
import HummingbirdCore

extension HubAPI {
  /// Returns metrics to administrators, and to programs of this machine if no proxy is in front.
  func metrics(_ request: HubRequest, for caller: HubAccess?) async throws(HubFailure) -> Answer {
    if caller != nil || !isOfThisMachine(request) { try administrator(caller) }
    var state = HubMetrics.State(
      waiting: watch.waiting, lastID: watch.feeds.map(\.lastID).max() ?? 0, isStoreAway: watch.isStoreAway,
      load: store.load)
    // The other values are useful even if the store is unavailable.
    do throws(HubFailure) {
      state.scheduled = try await store.scheduled(now: now())
    } catch { state.isStoreAway = true }
    return Answer(
      content: .text(metrics.text(state)), type: "text/plain; version=0.0.4; charset=utf-8",
      fields: [(.cacheControl, "no-store")])
  }

  /// Whether the request is from this machine. Requests through a proxy of this machine are from elsewhere, and not
  /// every proxy marks them.
  private func isOfThisMachine(_ request: HubRequest) -> Bool {
    guard !options.isBehindProxy, options.trustedProxies.isEmpty, let address = request.address else {
      return false
    }
    let proxies = [
      "X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Proto", "Via",
    ]
    guard proxies.allSatisfy({ request.header($0) == nil }) else { return false }
    return address.hasPrefix("127.") || address == "::1"
  }
}
