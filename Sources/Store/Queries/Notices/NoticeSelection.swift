package import Basics
package import Foundation
package import Messages

/// Selects the messages that the user is notified of, and the channels.
package struct NoticeSelection: Hashable, Sendable {
  /// A query that replaces the default selection.
  package var choice: Query?
  /// The names of the sources whose messages cause notifications if there is no `choice`.
  package var sources: Set<String>
  package var channels: Set<NoticeChannel>
  /// The query that selects the notifications for the phone, or `nil` if all go there.
  package var phone: Query?

  /// The priority from which messages cause notifications if there is no `choice`.
  package static let priority = Priority(4)

  package init(
    choice: Query? = nil, sources: Set<String> = [], channels: Set<NoticeChannel>, phone: Query? = nil
  ) {
    self.choice = choice
    self.sources = sources
    self.channels = channels
    self.phone = phone
  }

  /// Returns a selector for messages, with the date conditions evaluated at `now`.
  package func selector(_ tokenizer: any QueryTokenizer, now: Date, zone: ZoneClock) -> NoticeSelector {
    func matcher(_ query: Query) -> QueryMatcher {
      QueryMatcher(
        query, tokenizer: tokenizer, now: now, zone: zone, steps: Limits.patternStepsPerTransaction)
    }
    return NoticeSelector(
      selection: self, choice: choice.map(matcher),
      phone: channels.contains(.phone) ? phone.map(matcher) : nil)
  }
}

/// Selects the channels that notify of messages, with the date conditions evaluated at one instant.
package struct NoticeSelector {
  fileprivate let selection: NoticeSelection
  fileprivate let choice: QueryMatcher?
  fileprivate let phone: QueryMatcher?

  /// Whether a regular expression of the queries took too long for the last message.
  package var isOverBudget: Bool { choice?.isOverBudget == true || phone?.isOverBudget == true }

  /// Returns the channels of a message's notification.
  ///
  /// - Parameters:
  ///   - facts: the message after the rules.
  ///   - isNotified: the decision of rules, or `nil` if they have none.
  /// - Returns: the channels; empty for no notification.
  package func channels(_ facts: Facts, _ arrival: Arrival, isNotified: Bool?) -> Set<NoticeChannel> {
    guard facts.states.contains(.unread), facts.states.isDisjoint(with: .outOfInbox) else { return [] }
    switch arrival {
    case .firstPoll: return []
    // Only a rule whose time has come causes a notification of an earlier message.
    case .moment: return isNotified == true ? channels(for: facts) : []
    case .new, .changed, .appeared: return isNotified ?? chooses(facts) ? channels(for: facts) : []
    }
  }

  /// Returns the channels for a message that causes a notification.
  private func channels(for facts: Facts) -> Set<NoticeChannel> {
    guard let phone, !phone.shows(facts) else { return selection.channels }
    return selection.channels.subtracting([.phone])
  }

  /// Whether a message causes a notification if no rule has decided it.
  private func chooses(_ facts: Facts) -> Bool {
    if facts.isQuiet { return false }
    if let choice { return choice.shows(facts) }
    return facts.priority >= NoticeSelection.priority
      || facts.sourceNames.first.map(selection.sources.contains) == true
  }
}

extension Facts {
  /// Returns the facts of the message with the changes that a verdict of the rules makes.
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
