package import Basics
package import Foundation

// Facts about a query: the store uses them to find candidates, and rules to know when to be applied again.
extension Query {
  /// The query with `not` only directly before conditions. If it contains constants, it may be `everything` or
  /// `nothing`.
  package var negationNormalForm: Query { normal(isNegated: false) }

  private func normal(isNegated: Bool) -> Query {
    switch self {
    case .and(let members):
      let members = members.map { $0.normal(isNegated: isNegated) }
      return isNegated ? .any(of: members) : .all(of: members)
    case .or(let members):
      let members = members.map { $0.normal(isNegated: isNegated) }
      return isNegated ? .all(of: members) : .any(of: members)
    case .not(let inner): return inner.normal(isNegated: !isNegated)
    case .test: return isNegated ? .not(self) : self
    }
  }

  /// A query that is true whenever this one is true now, or was or can become true through time or changed
  /// marks alone.
  package var timeless: Query { negationNormalForm.lasting }

  private var lasting: Query {
    switch self {
    case .and(let members): .all(of: members.map(\.lasting))
    case .or(let members): .any(of: members.map(\.lasting))
    case .not(.test(let test)), .test(let test):
      test.changesWithTime || test.subjects == [.states] ? .everything : self
    case .not: .everything
    }
  }

  /// All conditions, including negated ones, in the order of the text.
  package var tests: [Test] {
    switch self {
    case .and(let members), .or(let members): members.flatMap(\.tests)
    case .not(let inner): inner.tests
    case .test(let test): [test]
    }
  }

  /// The states that usually hide messages from lists, but not from this one: those that the query contains, or all
  /// with `in:all`.
  package var liftedStates: Facts.States {
    tests.reduce(into: []) { lifted, test in
      switch test {
      case .everywhere: lifted.formUnion(.outOfInbox)
      case .state(let states):
        for state in states { lifted.formUnion(Facts.States(state).intersection(.outOfInbox)) }
      case .text, .inText, .name, .from, .priority, .compared, .has, .before, .after, .date, .older, .newer,
        .address,
        .id:
        break
      }
    }
  }

  /// The facts about a message that are needed to evaluate the query.
  package var subjects: Set<Subject> { Set(tests.flatMap(\.subjects)) }

  package enum Subject: Hashable, Sendable, CaseIterable {
    case id, title, body, author, sourceNames, folder, tags, kinds, language, channel, link, priority, states,
      parts
    case time, rules
  }

  /// The words, phrases and patterns of the query that aren't negated. A list highlights them in its
  /// messages.
  package var marks: [Mark] {
    switch negationNormalForm {
    case .and(let members), .or(let members): members.flatMap(\.marks)
    case .not: []
    case .test(.text(let term)): [Mark(field: nil, term: term)]
    case .test(.inText(let field, let terms)): terms.map { Mark(field: field, term: $0) }
    case .test(.from(let terms)): terms.map { Mark(field: .author, term: $0) }
    case .test: []
    }
  }

  /// A term to highlight in the found messages.
  package struct Mark: Hashable, Sendable {
    /// The field in which the term is highlighted, or `nil` for title, body and author.
    package var field: TextField?
    package var term: TextTerm
  }
}

extension Query.Test {
  package var subjects: [Query.Subject] {
    switch self {
    case .text: [.title, .body, .author]
    case .inText(.title, _): [.title]
    case .inText(.body, _): [.body]
    case .inText(.author, _): [.author]
    case .name(.source, _): [.sourceNames]
    case .name(.folder, _): [.folder]
    case .name(.tag, _): [.tags]
    case .name(.kind, _): [.kinds]
    case .name(.lang, _): [.language]
    case .name(.channel, _): [.channel]
    case .name(.site, _): [.link]
    case .name(.rule, _): [.rules]
    case .from: [.author, .link]
    case .priority, .compared: [.priority]
    case .state: [.states]
    case .has: [.parts]
    case .before, .after, .date, .older, .newer: [.time]
    case .address: [.link]
    case .id: [.id]
    case .everywhere: []
    }
  }

  /// Whether time alone can change which messages the condition selects.
  package var changesWithTime: Bool {
    switch self {
    case .older, .newer: true
    case .before(let points), .after(let points): points.contains(where: \.isRelative)
    case .date(let ranges):
      ranges.contains { $0.from?.isRelative == true || $0.to?.isRelative == true }
    case .text, .inText, .name, .from, .priority, .compared, .state, .has, .address, .id, .everywhere: false
    }
  }
}

// MARK: - Time

extension Query {
  /// Whether it contains `older:`, `newer:`, `today` or `yesterday`.
  package var changesWithTime: Bool { tests.contains(where: \.changesWithTime) }

  /// Returns the first instant after `now`, in whole milliseconds, at which the result for a message of this time may
  /// change through time alone. Until then it stays the same. Returns `nil` if it never changes.
  package func nextChange(after now: Date, of time: Date?, zone: ZoneClock) -> Date? {
    guard let time else { return nil }
    let calendar = QueryCalendar(now: now, zone: zone)
    return tests.filter(\.changesWithTime).flatMap { test -> [Date] in
      switch test {
      case .older(let spans), .newer(let spans): return spans.compactMap { calendar.end(of: $0, from: time) }
      case .before, .after, .date:
        // The message's day becomes today, yesterday, and the day before.
        let day = calendar.day(of: time)
        return (day...day + 2).map(calendar.start(ofDay:))
      case .text, .inText, .name, .from, .priority, .compared, .state, .has, .address, .id, .everywhere:
        return []
      }
    }.filter { $0 > now }.min()
  }

  /// Bounds of the times of all messages that match now; `nil` means no bound.
  package struct TimeBounds: Hashable, Sendable {
    /// The lower bound, included.
    package var from: Date?
    /// The upper bound, not included.
    package var to: Date?
  }

  /// Returns the bounds of the times of messages that can match now, or `nil` if none can match, for example because
  /// the bounds exclude each other.
  package func timeBounds(now: Date, zone: ZoneClock) -> TimeBounds? {
    negationNormalForm.bounds(QueryCalendar(now: now, zone: zone))
  }

  private func bounds(_ calendar: QueryCalendar) -> TimeBounds? {
    switch self {
    case .and(let members):
      var all = TimeBounds()
      for member in members {
        guard let own = member.bounds(calendar) else { return nil }
        all.from = [all.from, own.from].compactMap(\.self).max()
        all.to = [all.to, own.to].compactMap(\.self).min()
      }
      if let from = all.from, let to = all.to, from >= to { return nil }
      return all
    case .or(let members): return Self.hull(members.compactMap { $0.bounds(calendar) })
    case .not(.test(.older(let spans))) where spans.count == 1:
      return Query.test(.newer(spans)).bounds(calendar)
    case .not(.test(.newer(let spans))) where spans.count == 1:
      return TimeBounds(from: nil, to: calendar.instant(before: spans[0]))
    case .not: return TimeBounds()
    case .test(let test):
      guard test.subjects == [.time] else { return TimeBounds() }
      return Self.hull(calendar.ranges(of: test).map { TimeBounds(from: $0.from, to: $0.to) })
    }
  }

  /// Returns the smallest bounds that contain all the given bounds, or `nil` if no time is within any of
  /// them.
  private static func hull(_ bounds: [TimeBounds]) -> TimeBounds? {
    let bounds = bounds.filter { $0.from ?? .distantPast < $0.to ?? .distantFuture }
    guard !bounds.isEmpty else { return nil }
    let (low, high) = (bounds.map(\.from), bounds.map(\.to))
    return TimeBounds(
      from: low.contains(nil) ? nil : low.compactMap(\.self).min(),
      to: high.contains(nil) ? nil : high.compactMap(\.self).max())
  }
}
