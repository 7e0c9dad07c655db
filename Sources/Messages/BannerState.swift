package import Foundation

/// What is stored about one banner of a source (section 9).
package struct BannerState: Hashable, Sendable {
  package var isDisplayed = false
  package var lastDisplay: Date?
  /// Launches since the last display, raised by one at each processed control file before anything is judged.
  package var launches = 0
  /// By name; a flag that was cleared is false.
  package var flags: [String: Bool] = [:]

  package init() {}

  /// After a control file was read: one launch more.
  package func launched() -> BannerState {
    var state = self
    state.launches += 1
    return state
  }

  /// When its entry view is put up, before its HTML arrives.
  package func displayed(at now: Date) -> BannerState {
    var state = self
    state.isDisplayed = true
    state.lastDisplay = now
    state.launches = 0
    return state
  }
}
