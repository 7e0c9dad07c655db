package import Foundation

/// The stored state of one banner of a source.
package struct BannerState: Hashable, Sendable {
  package var isDisplayed = false
  package var lastDisplay: Date?
  /// The number of launches since the last display. Each processed control file adds one before its conditions are
  /// evaluated.
  package var launches = 0
  /// The flags, keyed by name; a cleared flag is `false`.
  package var flags: [String: Bool] = [:]

  package init() {}

  /// Returns the state after a control file was read, with one more launch.
  package func launched() -> BannerState {
    var state = self
    state.launches += 1
    return state
  }

  /// Returns the state after its entry view is displayed, before its HTML arrives.
  package func displayed(at now: Date) -> BannerState {
    var state = self
    state.isDisplayed = true
    state.lastDisplay = now
    state.launches = 0
    return state
  }
}
