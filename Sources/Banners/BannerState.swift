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

  /// What a script's `setFlag(name, value)` asks: true, "true", "yes" and "1" set a flag, false, "false", "no", "0"
  /// and "" clear it. Anything else isn't a value of a flag, and is nil.
  package static func flag(_ value: String) -> Bool? {
    switch value {
    case "true", "yes", "1": true
    case "false", "no", "0", "": false
    case _: nil
    }
  }
}
