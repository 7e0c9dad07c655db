import Basics

/// The number of steps left in a search for occurrences. A rule that matches nothing, or a million times, would
/// otherwise be searched for hours.
package final class ExpansionBudget {
  package private(set) var left: Int
  /// The budget of the whole calendar, which contains this one.
  private let whole: ExpansionBudget?

  /// Creates a budget of this many steps, or of the rest of the whole calendar's budget if that is less.
  package init(_ count: Int, of whole: ExpansionBudget? = nil) {
    left = min(count, whole?.left ?? count)
    self.whole = whole
  }

  package var isSpent: Bool { left < 0 }

  /// Spends steps; returns `false` if they are used up.
  @discardableResult func spend(_ count: Int = 1) -> Bool {
    left -= count
    whole?.spend(count)
    return left >= 0
  }

  /// Marks this budget as used up, without changing that of the whole calendar.
  func giveUp() { left = -1 }

  /// The problem to report if the budget of a rule is used up.
  package static let sentence =
    "this rule takes more than \(Limits.seriesSteps) steps to find its times; those that were found are used"
}
