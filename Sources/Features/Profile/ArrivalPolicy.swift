package import Basics
import Calendars
package import Foundation
import Messages
import Platform
package import Queries
import Settings
package import Storage

/// Applies the settings to messages that arrive: first the rules, then the selection of notifications.
package struct ArrivalPolicy: ArrivalJudging {
  private let rules: RuleEngine
  private let selection: NoticeSelection
  private let zone: @Sendable () -> ZoneClock

  /// Creates the policy, or returns `nil` if the settings have neither rules nor notifications, so that arrivals need
  /// no judging.
  init?(_ settings: Settings, _ environment: Environment) {
    let rules = settings.rules.compactMap(\.rule)
    selection = settings.selection
    if rules.isEmpty, selection.channels.isEmpty { return nil }
    self.rules = RuleEngine(rules)
    zone = { environment.clock() }
  }

  /// Creates a policy of these rules alone, without notifications.
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
      // Messages of the first poll cause no notifications.
      if rules.isEmpty, arrival == .firstPoll { return Verdict() }
      let facts = facts()
      var verdict = rules.verdict(on: facts, arrival)
      verdict.channels = selector.channels(facts.after(verdict), arrival, isNotified: verdict.isNotified)
      if selector.isOverBudget { verdict.overBudget.append("notify") }
      return verdict
    }
  }
}

extension Profile {
  /// Applies changed rules again to the messages that they hid, and recounts saved lists.
  ///
  /// May wait for another process that writes. Without a change, it only reads.
  package func applyRulesAndLists() throws(StoreFailure) {
    try applyRules()
    try store.savedLists.apply(
      lists: settings.lists.map {
        SavedList(name: $0.name, query: $0.query?.text, mistaken: $0.query == nil ? $0.written : nil)
      })
  }

  private func applyRules() throws(StoreFailure) {
    guard try store.rules.differ(from: settings.ruleTexts) else { return }
    try store.rules.inTurn { () throws(StoreFailure) in
      // Newer settings may have been applied since these were read.
      try (settingsReadAgain() ?? self).applyRulesNow()
    }
  }

  /// Applies changed rules again to the messages that they hid. Call this within `StoreRules.inTurn` before each step
  /// of the journal: each step then records the effects of one change of rules, and its undo reverts no others.
  func applyRulesNow() throws(StoreFailure) {
    try store.rules.apply(rules: settings.ruleTexts, at: environment.now())
  }
}
