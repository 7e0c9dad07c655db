package import Foundation

/// Acts that the person's other machines don't get, since the place can't be reached.
package struct UnsentActs: Hashable, Sendable {
  package var count: Int
  /// When the oldest of them was done.
  package var since: Date

  package init(count: Int, since: Date) { (self.count, self.since) = (count, since) }
}
