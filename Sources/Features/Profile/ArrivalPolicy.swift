package import Basics
import Calendars
package import Foundation
import Messages
import Platform
package import Queries
import Settings
package import Storage

/// What happens with messages that arrive, by the settings: the rules first, then whether the person is told of them.
package struct ArrivalPolicy: ArrivalJudging {
  private let rules: RuleEngine
  private let selection: NoticeSelection
  private let zone: @Sendable () -> ZoneClock

  /// nil where the settings say nothing of arrivals: then they cost nothing.
  init?(_ settings: Settings, _ environment: Environment) {
    let rules = settings.rules.compactMap(\.rule)
    selection = settings.selection
    if rules.isEmpty, selection.channels.isEmpty { return nil }
    self.rules = RuleEngine(rules)
    zone = { environment.clock() }
  }

  /// These rules alone; nobody is told.
  package init(_ rules: [Rule], zone: @escaping @Sendable () -> ZoneClock) {
    selection = NoticeSelection(channels: [])
    self.rules = RuleEngine(rules)
    self.zone = zone
  }

  package func judge(_ tokenizer: any QueryTokenizer, at now: Date) -> any ArrivalJudge {
    let zone = zone()
    return Judge(
      rules: rules.judge(tokenizer, now: now, zone: zone) { SnoozeTime.parse($0, now: now, zone: zone) },
      selection: selection,
      selector: selection.selector(tokenizer, now: now, zone: zone))
  }

  private struct Judge: ArrivalJudge {
    let rules: RuleJudge
    let selection: NoticeSelection
    let selector: NoticeSelector

    func verdict(on facts: @autoclosure () -> Facts, _ arrival: Arrival) -> Verdict {
      // Nobody is told of what was there before.
      if rules.isEmpty, arrival == .firstPoll { return Verdict() }
      let facts = facts()
      var verdict = rules.verdict(on: facts, arrival)
      verdict.channels = selector.channels(facts.after(verdict), arrival, isTold: verdict.isTold)
      if selector.isOverBudget { verdict.overBudget.append("notify") }
      return verdict
    }
  }
}

extension Profile {
  /// Rules that were written differently since any process took notice of them judge again what they hid, and saved lists
  /// are counted anew. May wait for another process that writes; without a change it only reads.
  package func applyRulesAndLists() throws(StoreFailure) {
    try store.rules.apply(rules: settings.ruleTexts, at: environment.now())
    try store.savedLists.apply(
      lists: settings.lists.map {
        SavedList(name: $0.name, query: $0.query?.text, mistaken: $0.query == nil ? $0.written : nil)
      })
  }
}
