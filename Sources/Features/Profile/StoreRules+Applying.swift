import Foundation
import Messages
package import Platform
package import Queries
package import Storage

extension StoreRules {
  /// Applies a rule to the messages of the last time span, as one action.
  ///
  /// - Returns: the number of matching messages, and the number of changed ones.
  package func apply(
    _ rule: Rule, last: Duration, _ environment: Environment
  ) throws(StoreFailure) -> (matched: Int, changed: Int) {
    let now = environment.now()
    let start = now.addingTimeInterval(-(last / .seconds(1)))
    var ids: [MessageID] = []
    _ = try trial(
      of: rule.condition, since: start, now: now, zone: environment.clock(), found: { ids.append($0) })
    return (ids.count, try apply(ArrivalPolicy([rule], zone: environment.clock), to: ids, at: now))
  }
}
