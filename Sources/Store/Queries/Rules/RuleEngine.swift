package import Basics
package import Foundation
package import Messages

/// The rules of the settings, in their order, which decide about arriving messages.
package struct RuleEngine: Sendable {
  package let rules: [Rule]

  package init(_ rules: [Rule]) { self.rules = rules }

  /// Returns a judge that applies the rules to messages, with the date conditions evaluated at `now`.
  ///
  /// - Parameters:
  ///   - zone: the reader's zone, for dates.
  ///   - time: returns the instant that words such as `tomorrow 9` mean now, or `nil` if they mean none.
  package func judge(
    _ tokenizer: any QueryTokenizer, now: Date, zone: ZoneClock, time: @escaping (String) -> Date?
  ) -> RuleJudge {
    RuleJudge(rules, tokenizer, now: now, zone: zone, time: time)
  }
}

/// Applies the rules to messages, with the date conditions evaluated at one instant.
package struct RuleJudge {
  /// A rule with its prepared condition. It is a class, since many rules are tested for each message, and
  /// copying their parts would usually cost more than the test itself.
  private final class Step {
    let rule: Rule
    let matcher: QueryMatcher
    /// The condition without its time-dependent parts, or `nil` if it has none.
    let timeless: QueryMatcher?

    init(rule: Rule, matcher: QueryMatcher, timeless: QueryMatcher?) {
      (self.rule, self.matcher, self.timeless) = (rule, matcher, timeless)
    }
  }

  /// The rules that can match messages of one source, kept for the next message: all messages of a poll are
  /// from one source.
  private final class SourceSteps {
    var names: [String]?
    var steps: [Step] = []
  }

  private let steps: [Step]
  private let ofSource = SourceSteps()
  private let tokenizer: any QueryTokenizer
  private let now: Date
  private let zone: ZoneClock
  private let time: (String) -> Date?

  init(
    _ rules: [Rule], _ tokenizer: any QueryTokenizer, now: Date, zone: ZoneClock,
    time: @escaping (String) -> Date?
  ) {
    func matcher(_ query: Query) -> QueryMatcher {
      QueryMatcher(
        query, tokenizer: tokenizer, now: now, zone: zone, steps: Limits.patternStepsPerTransaction)
    }
    steps = rules.map { rule in
      let timeless = rule.condition.changesWithTime ? rule.condition.timeless : nil
      return Step(
        rule: rule, matcher: matcher(rule.condition), timeless: timeless.map(matcher))
    }
    (self.tokenizer, self.now, self.zone, self.time) = (tokenizer, now, zone, time)
  }

  /// Whether there are no rules.
  package var isEmpty: Bool { steps.isEmpty }

  /// Returns the rules that can match messages of a source with these names.
  private func steps(ofSource names: [String]) -> [Step] {
    if ofSource.names != names {
      ofSource.names = names
      ofSource.steps = steps.filter { ($0.timeless ?? $0.matcher).mayMatch(sourceNames: names) }
    }
    return ofSource.steps
  }

  /// Returns the verdict of the rules on a message. All matching rules run in their order, each on the result of those
  /// before it, until one stops.
  ///
  /// - Parameter facts: the message before any rule.
  package func verdict(on facts: Facts, _ arrival: Arrival) -> Verdict {
    var verdict = Verdict()
    if isEmpty { return verdict }
    var reading = QueryReading(facts, tokenizer)
    for step in steps(ofSource: facts.sourceNames) {
      if let timeless = step.timeless, timeless.shows(&reading),
        let moment = step.rule.condition.nextChange(after: now, of: facts.time, zone: zone)
      {
        verdict.nextMoment = min(moment, verdict.nextMoment ?? moment)
      }
      let isMeant = step.matcher.shows(&reading)
      if step.matcher.isOverBudget || step.timeless?.isOverBudget == true {
        verdict.overBudget.append("rule \(step.rule.name)")
      }
      guard isMeant else { continue }
      // A rule notifies only once of a message, not again because time has passed.
      let isKnown = arrival == .moment && facts.rules.contains(step.rule.name)
      verdict.rules.append(step.rule.name)
      reading.facts.rules.append(step.rule.name)
      for action in step.rule.actions {
        perform(action, of: step.rule.name, on: &reading.facts, &verdict, notifies: !isKnown, arrival)
      }
      if step.rule.stops { break }
    }
    if reading.facts.tags != facts.tags { verdict.tags = reading.facts.tags }
    if reading.facts.priority != facts.priority { verdict.priority = reading.facts.priority }
    return verdict
  }

  /// Applies an action of a matching rule to the message and to the verdict.
  private func perform(
    _ action: RuleAction, of rule: String, on facts: inout Facts, _ verdict: inout Verdict,
    notifies: Bool, _ arrival: Arrival
  ) {
    // A program waits for the user, who has to see it.
    if facts.isQuestion, action.changesList { return }
    switch action {
    case .read:
      facts.states.remove(.unread)
      facts.states.remove(.new)
      verdict.isRead = true
    case .unread:
      facts.states.insert(.unread)
      verdict.isRead = false
    case .star:
      facts.states.insert(.starred)
      verdict.isStarred = true
    case .dismiss:
      facts.states.insert(.dismissed)
      verdict.isDismissed = true
    case .hide:
      facts.states.insert(.hidden)
      verdict.hiddenBy = verdict.hiddenBy ?? rule
    case .tag(let tag):
      if !facts.tags.contains(where: { Glob(pieces: [tag]).matches($0) }) { facts.tags.append(tag) }
    case .untag(let tag): facts.tags.removeAll { Glob(pieces: [tag]).matches($0) }
    case .priority(let priority): facts.priority = priority
    case .snooze(let words):
      guard let until = time(words) else { return }
      facts.states.insert(.snoozed)
      verdict.snoozedUntil = until
    case .notify: if notifies { verdict.isNotified = true }
    case .urgent:
      guard notifies else { return }
      verdict.isNotified = true
      verdict.isUrgent = true
    case .again(let minutes):
      guard notifies else { return }
      verdict.isNotified = true
      verdict.again = Repetition(rule: rule, minutes: minutes)
    case .silent:
      verdict.isNotified = false
      verdict.isUrgent = false
      verdict.again = nil
    case .run:
      // No program is started for the old messages of a new source.
      if notifies, arrival != .firstPoll { verdict.runs.append(rule) }
    }
  }
}
