import ArgumentParser
import Basics
import Foundation
import Settings

/// An instant in an option: ISO 8601, in UTC without an offset.
struct Instant: ExpressibleByArgument {
  var date: Date

  init?(argument: String) {
    guard let date = ISOInstant.parse(argument) else { return nil }
    self.date = date
  }
}

/// A time zone in an option: a name of the zone database, or UTC.
struct ZoneArgument: ExpressibleByArgument {
  var zone: ZoneClock

  init?(argument: String) {
    guard let zone = ZoneClock(named: argument) else { return nil }
    self.zone = zone
  }
}

/// A length of time in an option: `30d`, `12h`.
struct LengthOfTime: ExpressibleByArgument {
  var duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    guard let duration = DurationText.parse(argument), duration > .zero else { return nil }
    self.duration = duration
  }

  var defaultValueDescription: String { DurationText.format(duration) }
}
