package import Basics
package import Foundation
package import Messages

/// Which messages the person is told of, and how.
package struct NoticeSelection: Hashable, Sendable {
  /// Takes the place of the usual choice.
  package var choice: Query?
  /// Names of the sources whose messages are told of without a `choice`.
  package var sources: Set<String>
  package var channels: Set<NoticeChannel>

  /// Messages of this priority or higher are told of without a `choice`.
  package static let priority = Priority(4)

  package init(choice: Query? = nil, sources: Set<String> = [], channels: Set<NoticeChannel>) {
    self.choice = choice
    self.sources = sources
    self.channels = channels
  }

  /// For the messages of one moment.
  package func selector(_ tokenizer: any QueryTokenizer, now: Date, zone: ZoneClock) -> NoticeSelector {
    NoticeSelector(
      selection: self,
      choice: choice.map {
        QueryMatcher(
          $0, tokenizer: tokenizer, now: now, zone: zone, steps: Limits.patternStepsPerTransaction)
      })
  }
}

/// Chooses among the messages of one moment.
package struct NoticeSelector {
  fileprivate let selection: NoticeSelection
  fileprivate let choice: QueryMatcher?

  /// Whether a regular expression of the choice would have taken too long for the last message.
  package var isOverBudget: Bool { choice?.isOverBudget ?? false }

  /// How the person is told of a message.
  ///
  /// - Parameters:
  ///   - facts: the message as rules left it.
  ///   - isTold: what rules say; nil: nothing.
  /// - Returns: empty: not at all.
  package func channels(_ facts: Facts, _ arrival: Arrival, isTold: Bool?) -> Set<NoticeChannel> {
    guard facts.states.contains(.unread), facts.states.isDisjoint(with: .offLists) else { return [] }
    switch arrival {
    case .firstPoll: return []
    // Of what came earlier only a rule tells, because its moment has come.
    case .moment: return isTold == true ? selection.channels : []
    case .new, .changed, .appeared: return isTold ?? chooses(facts) ? selection.channels : []
    }
  }

  private func chooses(_ facts: Facts) -> Bool {
    if facts.isQuiet { return false }
    if let choice { return choice.shows(facts) }
    return facts.priority >= NoticeSelection.priority
      || facts.sourceNames.first.map(selection.sources.contains) == true
  }
}

extension Facts {
  /// What a verdict makes of a message.
  package func after(_ verdict: Verdict) -> Facts {
    var facts = self
    if let tags = verdict.tags { facts.tags = tags }
    if let priority = verdict.priority { facts.priority = priority }
    facts.rules += verdict.rules
    func set(_ state: States, _ holds: Bool) { if holds { facts.states.insert(state) } }
    if let isRead = verdict.isRead {
      facts.states.remove(.unread)
      set(.unread, !isRead)
    }
    set(.starred, verdict.isStarred)
    set(.dismissed, verdict.isDismissed)
    set(.hidden, verdict.hiddenBy != nil)
    set(.snoozed, verdict.snoozedUntil != nil)
    return facts
  }
}
