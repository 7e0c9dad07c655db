import Foundation
import HTTPTypes
import HubItems
import HubStore
import HummingbirdCore

extension HubAPI {
  /// For administrators, and for programs of this machine.
  func metrics(_ request: HubRequest, for caller: HubAccess?) async throws(HubFailure) -> Answer {
    if caller != nil || !isOfThisMachine(request) { try administrator(caller) }
    var state = HubMetrics.State(
      waiting: watch.waiting, lastID: watch.feeds.map(\.lastID).max() ?? 0, isStoreAway: watch.isStoreAway,
      load: store.load)
    // What else is known is of use where the store is away.
    do throws(HubFailure) {
      state.scheduled = try await store.scheduled(now: now())
    } catch { state.isStoreAway = true }
    return Answer(
      content: .text(metrics.text(state)), type: "text/plain; version=0.0.4; charset=utf-8",
      fields: [(.cacheControl, "no-store")])
  }

  /// What a proxy of this machine passes on comes from elsewhere.
  private func isOfThisMachine(_ request: HubRequest) -> Bool {
    guard let address = request.address, request.header("X-Forwarded-For") == nil,
      request.header("Forwarded") == nil
    else { return false }
    return address.hasPrefix("127.") || address == "::1"
  }
}
