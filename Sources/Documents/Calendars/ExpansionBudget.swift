import Basics

/// The number of steps that a search for occurrences may still take. Without this limit, a rule that matches
/// nothing, or a million times, would be searched for hours.
package final class ExpansionBudget {
  package private(set) var left: Int
  /// The budget of the whole calendar, from which the steps of this budget are also spent.
  private let whole: ExpansionBudget?

  /// Creates a budget of this many steps, or of the rest of the whole calendar's budget if that is less.
  package init(_ count: Int, of whole: ExpansionBudget? = nil) {
    left = min(count, whole?.left ?? count)
    self.whole = whole
  }

  package var isSpent: Bool { left < 0 }

  /// Spends `count` steps; returns `false` if the budget is used up.
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
