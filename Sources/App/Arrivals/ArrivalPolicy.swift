package import Foundation
import Messages
package import Queries
import Rules
import Schedules
package import Storage

/// What happens with messages that arrive, by the settings.
package struct ArrivalPolicy: ArrivalJudging {
  private let rules: RuleEngine
  private let zone: @Sendable () -> TimeZone

  /// nil where the settings say nothing of arrivals: then they cost nothing.
  init?(_ settings: Settings, _ environment: Environment) {
    let rules = settings.rules.compactMap(\.rule)
    if rules.isEmpty { return nil }
    self.rules = RuleEngine(rules)
    zone = environment.zone
  }

  package func judge(_ tokenizer: any QueryTokenizer, at now: Date) -> any ArrivalJudge {
    let zone = zone()
    return Judge(
      rules: rules.judge(tokenizer, now: now, zone: zone) { SnoozeTime.parse($0, now: now, zone: zone) })
  }

  private struct Judge: ArrivalJudge {
    var rules: RuleJudge

    func verdict(on facts: Facts, _ arrival: Arrival) -> Verdict { rules.verdict(on: facts, arrival) }
  }
}

extension Workspace {
  /// Rules that were written differently since any process took notice of them judge again what they hid. May wait for
  /// another process that writes; without a change it only reads.
  package func takeRules() throws(StoreFailure) {
    let rules = settings.rules.compactMap(\.rule).map { ($0.name, $0.text) }
    try store.take(rules: Dictionary(rules, uniquingKeysWith: { first, _ in first }), at: environment.now())
  }
}
