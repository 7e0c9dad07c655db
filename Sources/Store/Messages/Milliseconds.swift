package import Foundation

/// A stored instant: whole milliseconds since 1970, so that every comparison is one of integers.
package typealias Milliseconds = Int64

extension Milliseconds {
  /// The seconds since 1970, rounded down.
  package var second: Int64 { self >= 0 ? self / 1000 : -((999 - self) / 1000) }
}

extension Date {
  /// The instant in milliseconds, clamped to 35,000 years around 1970, so that arithmetic does not overflow for any
  /// date of a feed.
  package var milliseconds: Milliseconds {
    let value = (timeIntervalSince1970 * 1000).rounded()
    guard value.isFinite else { return 0 }
    let limit = Double(1 << 50)
    return Milliseconds(min(limit, max(-limit, value)))
  }

  package init(milliseconds: Milliseconds) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Duration {
  /// The duration in nanoseconds, limited to 292 years: the form in which durations of the settings are stored.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, tooFar) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return tooFar ? (seconds < 0 ? .min : .max) : sum
  }
}
