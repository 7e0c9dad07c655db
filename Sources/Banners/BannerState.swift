package import Foundation

/// What is remembered of a banner, per source.
package struct BannerState: Hashable, Sendable, Codable {
  package var isDisplayed = false
  package var lastDisplay: Date?
  /// Launches since the last display, raised by one at each processed control file before anything is judged.
  package var launches = 0
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

  /// What a script's `setFlag(name, value)` asks: true, "true", "yes", "1" set; false, "false", "no", "0", ""
  /// clear; anything else changes nothing.
  package func settingFlag(_ name: String, to value: String) -> BannerState {
    var state = self
    switch value {
    case "true", "yes", "1": state.flags[name] = true
    case "false", "no", "0", "": state.flags[name] = false
    case _: break
    }
    return state
  }
}
