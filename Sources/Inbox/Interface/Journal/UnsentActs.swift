package import Foundation

/// Acts that the user's other machines don't get, since the sync location can't be reached.
package struct UnsentActs: Hashable, Sendable {
  package var count: Int
  /// The time of the oldest unsent act.
  package var since: Date

  package init(count: Int, since: Date) { (self.count, self.since) = (count, since) }
}
