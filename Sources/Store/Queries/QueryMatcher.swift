package import Basics
package import Foundation
import Messages

/// Decides which messages a query matches. It is created once for many messages at one instant.
package final class QueryMatcher {
  private let root: QueryStep
  private let needs: QueryNeeds
  /// Groups of patterns for the source's name: the query can match only if one pattern of each group does.
  private let sources: [[Query.NamePattern]]
  /// The states that usually hide messages from lists, but not from a list of this query.
  private let lifted: Facts.States
  private let tokenizer: any QueryTokenizer
  /// The number of steps that its regular expressions may still take.
  private var stepsLeft: Int
  /// The number of steps that the regular expressions took for the last message.
  package private(set) var steps = 0
  /// Whether the regular expressions exceeded the maximum number of steps for the last message; then the
  /// query does not match it.
  package private(set) var isOverBudget = false

  /// - Parameters:
  ///   - zone: the reader's zone, for dates.
  ///   - steps: the maximum number of steps of the query's regular expressions for all messages together.
  package init(
    _ query: Query, tokenizer: any QueryTokenizer, now: Date, zone: ZoneClock, steps: Int = .max
  ) {
    stepsLeft = steps
    root = QueryStep(query, tokenizer, QueryCalendar(now: now, zone: zone))
    needs = QueryNeeds(root)
    sources = root.sources
    lifted = query.liftedStates
    self.tokenizer = tokenizer
  }

  /// Whether the query matches a message, even one that lists do not show. Either a query or its negation matches.
  package func matches(_ facts: Facts) -> Bool {
    var reading = QueryReading(facts, tokenizer)
    return judge(&reading)
  }

  /// Whether the query matches the message of a reading, which several queries share so that its text is tokenized only
  /// once.
  package func matches(_ reading: inout QueryReading) -> Bool {
    (steps, isOverBudget) = (0, false)
    return needs.areMet(
      &reading.texts, priority: reading.facts.priority, hasTags: !reading.facts.tags.isEmpty)
      && judge(&reading)
  }

  /// Evaluates the query for one message, and counts the steps of its regular expressions.
  private func judge(_ reading: inout QueryReading) -> Bool {
    let allowed = min(stepsLeft, Limits.patternStepsPerMessage)
    reading.patterns = PatternWork(left: allowed)
    let isTrue = root.isTrue(&reading)
    steps = allowed - reading.patterns.left
    stepsLeft -= steps
    isOverBudget = reading.patterns.isOver
    // An unknown result is neither true nor false, so a negation must not turn it into true.
    return isTrue && !isOverBudget
  }

  /// Whether a list of the query shows the message: it matches, and is not hidden from lists unless the query asks for
  /// that.
  package func shows(_ facts: Facts) -> Bool {
    (steps, isOverBudget) = (0, false)
    return facts.states.intersection(.outOfInbox).isSubset(of: lifted) && matches(facts)
  }

  /// Whether the query can match messages of a source with these names.
  package func mayMatch(sourceNames names: [String]) -> Bool {
    sources.allSatisfy { patterns in
      names.contains { name in patterns.contains { $0.matches(name, .source) } }
    }
  }

  /// Whether a list of the query shows the message of a reading. Several queries can share a reading, so that the
  /// message's text is tokenized only once.
  package func shows(_ reading: inout QueryReading) -> Bool {
    (steps, isOverBudget) = (0, false)
    return reading.facts.states.intersection(.outOfInbox).isSubset(of: lifted) && matches(&reading)
  }
}

extension Query {
  /// Whether the query matches one message.
  package func matches(
    _ facts: Facts, tokenizer: any QueryTokenizer, now: Date, zone: ZoneClock
  ) -> Bool {
    QueryMatcher(self, tokenizer: tokenizer, now: now, zone: zone).matches(facts)
  }
}

/// The steps that regular expressions may still take for one message.
struct PatternWork {
  var left: Int
  var isOver = false

  /// Whether the text has a match; `false` if finding out would take too many steps.
  mutating func matches(_ pattern: RegularExpression, _ text: String) -> Bool {
    guard let isFound = pattern.matches(text, steps: &left) else {
      isOver = true
      return false
    }
    return isFound
  }
}

/// A message with which several queries are matched.
package struct QueryReading {
  /// The facts of the message. Rules may change them between two queries, except for the text.
  package var facts: Facts
  var texts: QueryTexts
  var patterns = PatternWork(left: Limits.patternStepsPerMessage)
  /// The names of the source, folded.
  private var sources: [[UInt8]] = []

  package init(_ facts: Facts, _ tokenizer: any QueryTokenizer) {
    self.facts = facts
    texts = QueryTexts(title: facts.title, body: facts.body, author: facts.author, tokenizer)
  }

  /// Whether the message is from a source with one of the names. Rules test this most often, so the names are folded
  /// only once.
  mutating func isOfSource(_ names: [Query.NamePattern]) -> Bool {
    if sources.count != facts.sourceNames.count { sources = facts.sourceNames.map(Caseless.bytes) }
    for pattern in names {
      switch pattern {
      case .glob(let glob): for name in sources where glob.matches(name) { return true }
      case .pattern(let pattern):
        for name in facts.sourceNames where patterns.matches(pattern, name) { return true }
      }
    }
    return false
  }
}

/// A part of a query with its words tokenized and its dates resolved.
indirect enum QueryStep {
  case all([QueryStep])
  case any([QueryStep])
  case not(QueryStep)
  case words(QueryTokens, isPrefix: Bool, [Query.TextField])
  case pattern(RegularExpression, [Query.TextField])
  case names(Query.NameField, [Query.NamePattern])
  /// A set of priorities: bit n is priority n.
  case priorities(UInt8)
  case states([Query.State])
  case parts(Facts.Parts)
  /// Times from an instant until before another one; `nil` means no bound.
  case times([(from: Date?, to: Date?)])
  case address([UInt8])
  case addressPattern(RegularExpression)
  case ids([Query.ExactText])
  case always

  init(_ query: Query, _ tokenizer: any QueryTokenizer, _ calendar: QueryCalendar) {
    // The order does not change the result, so the cheapest steps are first.
    func steps(_ members: [Query]) -> [QueryStep] {
      let steps = members.map { QueryStep($0, tokenizer, calendar) }
      return steps.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
        .map(\.element)
    }
    switch query {
    case .and(let members): self = .all(steps(members))
    case .or(let members): self = .any(steps(members))
    case .not(let inner): self = .not(QueryStep(inner, tokenizer, calendar))
    case .test(let test): self.init(test, tokenizer, calendar)
    }
  }

  private init(_ test: Query.Test, _ tokenizer: any QueryTokenizer, _ calendar: QueryCalendar) {
    func step(_ term: Query.TextTerm, _ fields: [Query.TextField]) -> QueryStep {
      switch term {
      case .words(let words, let isPrefix):
        .words(tokenizer.tokens(of: words.text), isPrefix: isPrefix, fields)
      case .pattern(let pattern): .pattern(pattern, fields)
      }
    }
    switch test {
    case .text(let term): self = step(term, Query.TextField.allCases)
    case .inText(let field, let terms): self = .any(terms.map { step($0, [field]) })
    case .from(let terms):
      self = .any(terms.flatMap { [.names(.site, [$0.siteName]), step($0, [.author])] })
    case .name(let field, let patterns): self = .names(field, patterns)
    case .priority(let levels): self = .priorities(levels.reduce(0) { $0 | 1 << UInt8($1 & 7) })
    case .compared(let comparison, let level):
      let levels = (1...5).filter { comparison.holds($0, level) }
      self = .priorities(levels.reduce(0) { $0 | 1 << UInt8($1) })
    case .state(let states): self = .states(states)
    case .has(let parts): self = .parts(parts.reduce(into: []) { $0.formUnion(Facts.Parts($1)) })
    case .before, .after, .date, .older, .newer: self = .times(calendar.ranges(of: test))
    case .address(let terms):
      self = .any(
        terms.map { term in
          switch term {
          case .contains(let exact): .address(Caseless.bytes(exact.text))
          case .pattern(let pattern): .addressPattern(pattern)
          }
        })
    case .id(let ids): self = .ids(ids)
    case .everywhere: self = .always
    }
  }

  /// Groups of patterns for the source's name: a message can match only if one pattern of each group does.
  fileprivate var sources: [[Query.NamePattern]] {
    switch self {
    case .all(let steps): steps.flatMap(\.sources)
    case .names(.source, let patterns): [patterns]
    case .any, .not, .words, .pattern, .names, .priorities, .states, .parts, .times, .address,
      .addressPattern,
      .ids, .always:
      []
    }
  }

  /// The approximate cost of testing this part of a query on a message.
  private var cost: Int {
    switch self {
    case .all(let steps), .any(let steps): steps.reduce(0) { $0 + $1.cost }
    case .not(let step): step.cost
    case .always, .priorities, .states, .parts, .times, .ids: 1
    case .names, .address, .addressPattern: 10
    case .words(_, _, let fields): fields.contains(.body) ? 1000 : 50
    case .pattern(_, let fields): fields.contains(.body) ? 2000 : 60
    }
  }

  func isTrue(_ reading: inout QueryReading) -> Bool {
    switch self {
    case .all(let steps):
      for step in steps where !step.isTrue(&reading) { return false }
      return true
    case .any(let steps):
      for step in steps where step.isTrue(&reading) { return true }
      return false
    case .not(let step): return !step.isTrue(&reading)
    case .words(let words, let isPrefix, let fields):
      for field in fields where words.occurs(in: reading.texts.tokens(field), isPrefix: isPrefix) {
        return true
      }
      return false
    case .pattern(let pattern, let fields):
      for field in fields {
        if let text = reading.texts[field], reading.patterns.matches(pattern, text) { return true }
      }
      return false
    case .names(.source, let patterns): return reading.isOfSource(patterns)
    case .names(let field, let patterns):
      for name in reading.facts.names(field) {
        for pattern in patterns where pattern.matches(name, field, &reading.patterns) { return true }
      }
      return false
    case .priorities(let levels): return levels & 1 << UInt8(reading.facts.priority.rawValue) != 0
    case .states(let states): return states.contains(where: reading.facts.states.holds)
    case .parts(let parts): return !reading.facts.parts.isDisjoint(with: parts)
    case .times(let ranges):
      guard let time = reading.facts.time else { return false }
      return ranges.contains { range in
        range.from.map { time >= $0 } ?? true && range.to.map { time < $0 } ?? true
      }
    case .address(let needle):
      return reading.facts.link.map { Caseless.contains(Caseless.bytes($0), needle) } ?? false
    case .addressPattern(let pattern):
      return reading.facts.link.map { reading.patterns.matches(pattern, $0) } ?? false
    case .ids(let ids): return ids.contains(where: reading.facts.isNamed)
    case .always: return true
    }
  }
}

extension Facts {
  fileprivate func names(_ field: Query.NameField) -> [String] {
    switch field {
    case .source: sourceNames
    case .folder: folder.map { [$0] } ?? []
    case .tag: tags
    case .kind: kinds
    case .lang: language.map { [$0] } ?? []
    case .channel: channel.map { [$0] } ?? []
    case .site: site.map { [$0] } ?? []
    case .rule: rules
    }
  }

  fileprivate func isNamed(_ name: Query.ExactText) -> Bool {
    id.map { String($0.rawValue) == name.text } ?? false
      || remoteID.map { Query.ExactText($0.text) == name } ?? false
  }
}

extension Query.NamePattern {
  fileprivate func matches(_ name: String, _ field: Query.NameField, _ work: inout PatternWork) -> Bool {
    if case .pattern(let pattern) = self { work.matches(pattern, name) } else { matches(name, field) }
  }

  /// Whether the whole name matches; for a site, also a parent domain.
  package func matches(_ name: String, _ field: Query.NameField) -> Bool {
    switch self {
    case .pattern(let pattern): return pattern.matches(name)
    case .glob(let glob):
      if field != .site { return glob.matches(name) }
      return Caseless.bytes(name).withUnsafeBufferPointer { host in
        let dots = host.indices.filter { host[$0] == UInt8(ascii: ".") }
        return ([0] + dots.map { $0 + 1 }).contains { glob.matches(host[$0...]) }
      }
    }
  }
}

extension Query.TextTerm {
  /// The term of `from:` as a pattern for the name of a site.
  var siteName: Query.NamePattern {
    switch self {
    case .words(let words, let isPrefix): .glob(Glob(words.text + (isPrefix ? "*" : "")))
    case .pattern(let pattern): .pattern(pattern)
    }
  }
}

extension Query.Comparison {
  func holds(_ value: Int, _ level: Int) -> Bool {
    switch self {
    case .less: value < level
    case .atMost: value <= level
    case .atLeast: value >= level
    case .greater: value > level
    }
  }
}

extension QueryCalendar {
  /// Returns the times that a condition on time allows, or an empty list for any other condition.
  func ranges(of test: Query.Test) -> [(from: Date?, to: Date?)] {
    switch test {
    case .before(let points): points.map { (nil, start(of: $0)) }
    case .after(let points): points.map { (start(of: $0), nil) }
    case .date(let ranges): ranges.map { ($0.from.map(start(of:)), $0.to.map(end(of:))) }
    case .older(let spans): spans.map { (nil, instant(before: $0)) }
    case .newer(let spans): spans.map { (instant(before: $0), nil) }
    case .text, .inText, .name, .from, .priority, .compared, .state, .has, .address, .id, .everywhere: []
    }
  }
}
