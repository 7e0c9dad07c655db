package import Foundation

/// The stored state of one banner of a source.
package struct BannerState: Hashable, Sendable {
  package var isDisplayed = false
  package var lastDisplay: Date?
  /// Launches since the last display; one more at each processed control file, before conditions are judged.
  package var launches = 0
  /// By name; a cleared flag is false.
  package var flags: [String: Bool] = [:]

  package init() {}

  /// The state after a control file was read: one launch more.
  package func launched() -> BannerState {
    var state = self
    state.launches += 1
    return state
  }

  /// The state when its entry view is displayed, before its HTML arrives.
  package func displayed(at now: Date) -> BannerState {
    var state = self
    state.isDisplayed = true
    state.lastDisplay = now
    state.launches = 0
    return state
  }
}
