import Foundation

/// Random histories, of which a test runs a few: enough for each change, and any number by hand.
package enum Histories {
  private static let wanted =
    ProcessInfo.processInfo.environment["REDDOT_HISTORIES"].flatMap { Int($0) }

  /// The number of histories: `REDDOT_HISTORIES`, or the given one.
  package static func count(_ usual: Int) -> Int { wanted ?? usual }

  /// The seeds of as many histories as `count`, one after the other.
  package static func seeds(_ usual: Int, from first: Int = 0) -> Range<Int> {
    first..<first + count(usual)
  }
}
