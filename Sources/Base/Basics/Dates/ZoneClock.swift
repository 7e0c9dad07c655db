package import Foundation

/// Converts between instants and the wall times of one zone.
package struct ZoneClock: Hashable, Sendable {
  /// The zone, or `nil` for the system's zone.
  private let given: TimeZone?

  package init(_ zone: TimeZone) { given = zone }

  /// Creates the clock of a zone whose name is in any of the forms that users, calendars and programs write, or returns
  /// `nil` if no zone has the name.
  package init?(named name: String) {
    guard let zone = ZoneName.zone(name) else { return nil }
    self.init(zone)
  }

  private init() { given = nil }

  /// The clock of `SystemZone`. The C library computes its offsets: Foundation would first load the rules of every zone
  /// in the world, which takes a twentieth of the program's start.
  package static let system = ZoneClock()

  package static let gmt = ZoneClock(.gmt)

  /// The name of the clock's zone, or the rule of a zone without a name.
  package var name: String { given?.identifier ?? SystemZone.name }

  /// 2 January of the year 1 to 31 December 9999, in seconds since 1970: years in this range have one to four digits in
  /// every zone.
  private static let years = -62_135_510_400.0...253_402_214_400.0

  /// Returns the seconds east of UTC at an instant, which is given in seconds since 1970.
  package func offset(at seconds: Int) -> Int {
    if let given { return given.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))) }
    var (instant, wall) = (time_t(seconds), tm())
    // localtime_r(3) fails for years that no `tm` can represent; `years` excludes them.
    return localtime_r(&instant, &wall) == nil ? 0 : wall.tm_gmtoff
  }

  /// Returns the wall time at an instant. An instant outside the years 1 to 9999 becomes the nearest one inside, and
  /// NaN becomes 1970.
  package func wall(at instant: Date) -> WallTime {
    let seconds = instant.timeIntervalSince1970
    let known = seconds.isFinite ? min(max(seconds, Self.years.lowerBound), Self.years.upperBound) : 0
    return wall(atSeconds: Int(known.rounded(.down)))
  }

  /// Returns the wall time at an instant.
  ///
  /// - Parameter seconds: seconds since 1970, within the range of `TimeZone`.
  package func wall(atSeconds seconds: Int) -> WallTime { WallTime(seconds: seconds + offset(at: seconds)) }

  /// Returns the seconds since 1970 at a wall time. A time that occurs twice means the first; a time in a gap is read
  /// with the offset before the gap (RFC 5545 section 3.3.5).
  package func seconds(of wall: WallTime) -> Int { Self.seconds(of: wall, offset: offset) }

  /// Returns the seconds since 1970 at a wall time of any zone, as `seconds(of:)` does for the zone of a clock.
  ///
  /// - Parameter offset: returns the zone's seconds east of UTC at an instant.
  package static func seconds(of wall: WallTime, offset: (Int) -> Int) -> Int {
    let local = wall.secondsAtUTC
    let before = offset(local - 86400)
    let after = offset(local + 86400)
    if before == after { return local - before }
    let early = local - before
    let late = local - after
    let isLate = offset(late) == after
    if offset(early) == before { return isLate ? min(early, late) : early }
    return isLate ? late : early
  }
}
