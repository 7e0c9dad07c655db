package import Formats
package import Foundation
import Platform
import Queries
import Settings
package import Storage

/// That the person is told of nothing now but of what is urgent.
package struct QuietTime: Hashable, Sendable {
  /// nil: for ever, by the settings.
  package var until: Date?
  /// `quiet until 7:00`
  package var text: String

  package init(until: Date?, text: String) {
    self.until = until
    self.text = text
  }

  /// For JSON: whether it is quiet, and until when.
  package static func json(_ quiet: QuietTime?) -> [(String, JSONValue)] {
    let until = (quiet?.until).map { JSONValue.string($0.formatted(.iso8601)) }
    return [("quiet", .bool(quiet != nil)), ("quiet_until", until ?? .null)]
  }
}

extension Profile {
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
    guard let quiet = try quietTime() else { return "not quiet" }
    return quiet.until.map { "quiet until \(environment.wallTime($0))" } ?? "always quiet, by the settings"
  }

  /// What holds now; nil: not quiet.
  package func quietTime() throws(StoreFailure) -> QuietTime? {
    // What begins or ends now is stored to the millisecond.
    switch try quiet().state(at: environment.now().addingTimeInterval(0.001), in: environment.clock()) {
    case .off: nil
    case .on(let until?, _): QuietTime(until: until, text: "quiet until \(environment.nearTime(until))")
    case .on(nil, _): QuietTime(until: nil, text: "quiet")
    }
  }

  /// When `quietTime` becomes another one by time alone.
  package func quietChange() throws(StoreFailure) -> Date? {
    try quiet().nextChange(after: environment.now().addingTimeInterval(0.001), in: environment.clock())
  }

  private func quiet() throws(StoreFailure) -> Quiet {
    Quiet(hours: settings.telling.quiet, asked: try store.notices.quiet())
  }
}
