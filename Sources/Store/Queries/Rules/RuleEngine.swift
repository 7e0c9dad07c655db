package import Basics
package import Foundation
package import Messages

/// The rules of the settings, in their order: what a message becomes that arrives.
package struct RuleEngine: Sendable {
  package let rules: [Rule]

  package init(_ rules: [Rule]) { self.rules = rules }

  /// A judge for the messages of one moment.
  ///
  /// - Parameters:
  ///   - zone: the reader's, for dates.
  ///   - time: the instant that words such as `tomorrow 9` mean now; nil if they mean none.
  package func judge(
    _ tokenizer: any QueryTokenizer, now: Date, zone: ZoneClock, time: @escaping (String) -> Date?
  ) -> RuleJudge {
    RuleJudge(rules, tokenizer, now: now, zone: zone, time: time)
  }
}

/// Judges messages at one moment.
package struct RuleJudge {
  /// An object: many are gone through for each message, and a copy of their parts would cost more than most answers.
  private final class Step {
    let rule: Rule
    let matcher: QueryMatcher
    /// The condition without what time changes; nil where it has none of that.
    let timeless: QueryMatcher?

    init(rule: Rule, matcher: QueryMatcher, timeless: QueryMatcher?) {
      (self.rule, self.matcher, self.timeless) = (rule, matcher, timeless)
    }
  }

  /// Those that can match messages of one source: the messages of a poll are all of one.
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

  private func steps(ofSource names: [String]) -> [Step] {
    if ofSource.names != names {
      ofSource.names = names
      ofSource.steps = steps.filter { ($0.timeless ?? $0.matcher).mayMatch(sourceNames: names) }
    }
    return ofSource.steps
  }

  /// What the rules make of a message. All that match run, in their order, each on what those before made of it, until
  /// one that stops.
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
      // What a rule told of once it doesn't tell of again because time has passed.
      let isKnown = arrival == .moment && facts.rules.contains(step.rule.name)
      verdict.rules.append(step.rule.name)
      reading.facts.rules.append(step.rule.name)
      for action in step.rule.actions {
        perform(action, of: step.rule.name, on: &reading.facts, &verdict, tells: !isKnown, arrival)
      }
      if step.rule.stops { break }
    }
    if reading.facts.tags != facts.tags { verdict.tags = reading.facts.tags }
    if reading.facts.priority != facts.priority { verdict.priority = reading.facts.priority }
    return verdict
  }

  private func perform(
    _ action: RuleAction, of rule: String, on facts: inout Facts, _ verdict: inout Verdict,
    tells: Bool, _ arrival: Arrival
  ) {
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
    case .notify: if tells { verdict.isTold = true }
    case .urgent:
      guard tells else { return }
      verdict.isTold = true
      verdict.isUrgent = true
    case .silent:
      verdict.isTold = false
      verdict.isUrgent = false
    case .run:
      // Nobody wants a program started for each of the old messages of a new source.
      if tells, arrival != .firstPoll { verdict.runs.append(rule) }
    }
  }
}
