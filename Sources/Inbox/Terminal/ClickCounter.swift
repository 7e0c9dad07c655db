import Screen

/// Distinguishes a double click from two clicks.
struct ClickCounter {
  /// The maximum time between the two clicks of a double click.
  let interval: Duration
  private var last: (point: Point, time: Duration)?

  init(interval: Duration) { self.interval = interval }

  mutating func click(at point: Point, _ now: Duration) -> Mouse.Kind {
    if let last, last.point == point, now - last.time <= interval {
      self.last = nil
      return .doubleClick
    }
    last = (point, now)
    return .click
  }
}
