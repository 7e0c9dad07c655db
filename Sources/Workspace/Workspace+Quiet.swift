import Foundation
import Notices
import Platform
import Settings
import Storage

extension Workspace {
  /// Nobody is told of anything until then, but of what is urgent.
  ///
  /// - Parameter text: a time as typed, `until` before it or not; `off` ends it; nil only asks.
  /// - Returns: a sentence about what holds now.
  package func quiet(_ text: String?) throws -> String {
    let now = environment.now()
    if let text {
      if text.lowercased() == "off" {
        try store.notices.endQuiet(at: now)
      } else {
        let isPrefixed = text.lowercased().hasPrefix("until ")
        try store.notices.setQuiet(until: instant(isPrefixed ? String(text.dropFirst(6)) : text), at: now)
      }
    }
    let quiet = Quiet(hours: settings.telling.quiet, asked: try store.notices.quiet())
    // What begins or ends now is stored to the millisecond.
    switch quiet.state(at: now.addingTimeInterval(0.001), in: environment.zone()) {
    case .off: return "not quiet"
    case .on(let until?, _): return "quiet until \(environment.wallTime(until))"
    case .on(nil, _): return "always quiet, by the settings"
    }
  }
}
