package import Foundation

/// Wall times of one zone to instants and back.
package struct ZoneClock: Sendable {
  package let zone: TimeZone

  package init(_ zone: TimeZone) { self.zone = zone }

  /// Seconds east of UTC at an instant.
  private func offset(at seconds: Int) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
  }

  package func wall(at instant: Date) -> WallTime {
    wall(atSeconds: Int(instant.timeIntervalSince1970.rounded(.down)))
  }

  func wall(atSeconds seconds: Int) -> WallTime {
    let local = seconds + offset(at: seconds)
    let day = local.dividedDown(by: 86400)
    return WallTime(day: day, second: local - day * 86400)
  }

  /// Seconds since 1970 at which the wall shows a time: the first of a doubled one; a time inside a gap with the
  /// offset from before the gap (RFC 5545 section 3.3.5).
  package func seconds(of wall: WallTime) -> Int {
    let local = wall.secondsAtUTC
    let before = offset(at: local - 86400)
    let after = offset(at: local + 86400)
    if before == after { return local - before }
    let early = local - before
    if offset(at: early) == before { return min(early, alternative(local, after) ?? early) }
    return alternative(local, after) ?? early
  }

  private func alternative(_ local: Int, _ after: Int) -> Int? {
    let late = local - after
    return offset(at: late) == after ? late : nil
  }
}
