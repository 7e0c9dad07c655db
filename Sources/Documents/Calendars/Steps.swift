import Basics

/// How many steps a search for occurrences may still take: a rule that matches nothing, or a million times, would
/// otherwise be searched for hours.
package final class Steps {
  package private(set) var left: Int
  /// The steps of the whole calendar, of which these are a part.
  private let whole: Steps?

  package init(_ count: Int, of whole: Steps? = nil) {
    left = min(count, whole?.left ?? count)
    self.whole = whole
  }

  package var isSpent: Bool { left < 0 }

  /// False if they are used up.
  @discardableResult func spend(_ count: Int = 1) -> Bool {
    left -= count
    whole?.spend(count)
    return left >= 0
  }

  /// Counts as used up, without the steps of the whole calendar.
  func giveUp() { left = -1 }

  package static let sentence =
    "this rule takes more than \(Limits.seriesSteps) steps to find its times; those that were found are used"
}
