package import Formats
package import Foundation
import Platform
import Queries
import Settings
package import Storage

/// A time in which the user is notified only of urgent messages.
package struct QuietTime: Hashable, Sendable {
  /// The end of the quiet time, or `nil` if the settings make it always quiet.
  package var until: Date?
  /// A description of the quiet time, for example `quiet until 7:00`.
  package var text: String

  package init(until: Date?, text: String) {
    self.until = until
    self.text = text
  }

  /// Returns the members of a JSON object: whether it is quiet, and the end.
  package static func json(_ quiet: QuietTime?) -> [(String, JSONValue)] {
    let until = (quiet?.until).map { JSONValue.string($0.formatted(.iso8601)) }
    return [("quiet", .bool(quiet != nil)), ("quiet_until", until ?? .null)]
  }
}

extension Profile {
  /// Starts or ends a time in which the user is notified only of urgent messages.
  ///
  /// - Parameter text: a time as typed, with or without `until` before it; `off` ends it; `nil` only reports the state.
  /// - Returns: a sentence about the current state.
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

  /// Returns the current quiet time, or `nil` if there is none.
  package func quietTime() throws(StoreFailure) -> QuietTime? {
    // Times of beginnings and ends are stored with milliseconds.
    switch try quiet().state(at: environment.now().addingTimeInterval(0.001), in: environment.clock()) {
    case .off: nil
    case .on(let until?, _): QuietTime(until: until, text: "quiet until \(environment.barTime(until))")
    case .on(nil, _): QuietTime(until: nil, text: "quiet")
    }
  }

  /// Returns the time at which `quietTime` changes if nothing else happens.
  package func quietChange() throws(StoreFailure) -> Date? {
    try quiet().nextChange(after: environment.now().addingTimeInterval(0.001), in: environment.clock())
  }

  private func quiet() throws(StoreFailure) -> Quiet {
    Quiet(hours: settings.telling.quiet, asked: try store.notices.quiet())
  }
}
