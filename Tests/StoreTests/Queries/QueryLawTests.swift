import Basics
import Foundation
import Messages
import QuerySamples
import TestBasics
import Testing

@testable import Queries

/// Properties of any query and any message. A failing query is made small before it is reported.
@Suite struct QueryLawTests {
  struct Case {
    var query: Query
    var facts: [Facts]
    var now: Date
    var zone: ZoneClock

    init(seed: Int) {
      var random = RandomQueries(seed: seed)
      let zone = RandomQueries.zones[seed % RandomQueries.zones.count]
      query = random.query()
      facts = (0..<8).map { _ in random.facts(zone) }
      now = random.instant(zone)
      self.zone = zone
    }

    func matches(_ query: Query, _ facts: Facts, now: Date? = nil) -> Bool {
      query.matches(facts, tokenizer: PlainTokenizer(), now: now ?? self.now, zone: zone)
    }
  }

  private func check(_ seeds: Range<Int>, _ claim: String, _ holds: (Query, Facts, Case) -> Bool) {
    for seed in seeds {
      let one = Case(seed: seed)
      for facts in one.facts where !holds(one.query, facts, one) {
        let small = one.query.shrunk { !holds($0, facts, one) }
        Issue.record(
          "\(claim): seed \(seed), \(small.text.debugDescription) at \(one.now) in \(one.zone.name), \(facts)"
        )
        return
      }
    }
  }

  @Test func aQueryAndItsNegationSplitAllMessages() {
    check(0..<200, "both or none match") { query, facts, one in
      one.matches(query, facts) != one.matches(.not(query), facts)
    }
  }

  @Test func aSecondEvaluatorAgrees() {
    check(1000..<1300, "two evaluators differ") { query, facts, one in
      one.matches(query, facts) == NaiveEvaluator(now: one.now, zone: one.zone).matches(query, facts)
    }
  }

  @Test func theNegationNormalFormMeansTheSame() {
    func isNormal(_ query: Query) -> Bool {
      switch query {
      case .and(let members), .or(let members): members.allSatisfy(isNormal)
      case .not(.test), .test: true
      case .not: false
      }
    }
    check(4000..<4200, "the normal form differs") { query, facts, one in
      let normal = query.negationNormalForm
      return isNormal(normal) && one.matches(query, facts) == one.matches(normal, facts)
    }
  }

  @Test func whatCannotMatchDoesNot() {
    check(9000..<9400, "left out too early") { query, facts, one in
      let matcher = QueryMatcher(query, tokenizer: PlainTokenizer(), now: one.now, zone: one.zone)
      // This way of matching checks the needs of a query first.
      var reading = QueryReading(facts, PlainTokenizer())
      return matcher.matches(&reading) == matcher.matches(facts)
        && (matcher.mayMatch(sourceNames: facts.sourceNames) || !matcher.matches(facts))
    }
  }

  @Test func timesOutsideOfTheBoundsDoNotMatch() {
    check(6000..<6300, "a message is out of bounds") { query, facts, one in
      guard let time = facts.time, one.matches(query, facts) else { return true }
      guard let bounds = query.timeBounds(now: one.now, zone: one.zone) else { return false }
      return bounds.from.map { time >= $0 } ?? true && bounds.to.map { time < $0 } ?? true
    }
  }

  @Test func untilTheNextChangeTheAnswerStays() {
    var random = SeededRandom(seed: 17)
    check(7000..<7100, "the answer changed too early") { query, facts, one in
      let next = query.nextChange(after: one.now, of: facts.time, zone: one.zone)
      let span = next.map { $0.timeIntervalSince(one.now) } ?? 400 * 86_400
      let latest = next == nil ? span : span - 0.0015
      let answer = one.matches(query, facts)
      return ([0.001, latest] + (0..<6).map { _ in Double.random(in: 0...1, using: &random) * latest })
        .allSatisfy {
          $0 > latest || one.matches(query, facts, now: one.now.addingTimeInterval($0)) == answer
        }
    }
  }

  @Test func onlyTheNamedSubjectsAreAskedFor() {
    check(8000..<8200, "another subject decides") { query, facts, one in
      let subjects = query.subjects
      var other = facts
      if !subjects.contains(.title) { other.title = "a ab swift café" }
      if !subjects.contains(.body) { other.body = "a ab swift café" }
      if !subjects.contains(.author) { other.author = nil }
      if !subjects.contains(.sourceNames) { other.sourceNames = [] }
      if !subjects.contains(.folder) { other.folder = nil }
      if !subjects.contains(.tags) { other.tags = [] }
      if !subjects.contains(.kinds) { other.kinds = [] }
      if !subjects.contains(.language) { other.language = nil }
      if !subjects.contains(.channel) { other.channel = nil }
      if !subjects.contains(.link) { other.link = nil }
      if !subjects.contains(.rules) { other.rules = [] }
      if !subjects.contains(.states) { other.states = [] }
      if !subjects.contains(.parts) { other.parts = [] }
      if !subjects.contains(.time) { other.time = nil }
      if !subjects.contains(.priority) { other.priority = .normal }
      if !subjects.contains(.id) { (other.id, other.remoteID) = (nil, nil) }
      return one.matches(query, facts) == one.matches(query, other)
    }
  }

  // MARK: - Text

  private func isSame(_ query: Query) -> Bool {
    guard let again = try? Query.parse(query.text, .strict).get() else { return false }
    return again == query && again.text.utf8.elementsEqual(query.text.utf8)
  }

  @Test func whatIsPrintedParsesToTheSame() {
    for seed in 10_000..<12_000 {
      var random = RandomQueries(seed: seed)
      let query = random.query()
      guard !isSame(query) else { continue }
      let small = query.shrunk { !isSame($0) }
      let result = Query.parse(small.text, .strict)
      Issue.record("seed \(seed): \(small.text.debugDescription) becomes \(result)")
      return
    }
  }

  @Test(arguments: [Query.Mode.typing, .strict])
  func anyTextParsesOrNamesAPlace(_ mode: Query.Mode) {
    let pieces: [Unicode.Scalar] = Array("()\"*/-:,.\\ <>=|[]{}^$+?é東\u{301}\u{0}🎉c1ORAND\n".unicodeScalars)
    for seed in 20_000..<21_000 {
      var random = RandomQueries(seed: seed)
      var scalars = Array(random.query().text.unicodeScalars)
      for _ in 0..<Int.random(in: 0...4, using: &random.random) {
        let place = Int.random(in: 0...scalars.count, using: &random.random)
        switch Int.random(in: 0..<3, using: &random.random) {
        case 0: scalars.insert(random.one(of: pieces), at: place)
        case 1: scalars = Array(scalars[..<place])
        case _: if place < scalars.count { scalars[place] = random.one(of: pieces) }
        }
      }
      let text = String(String.UnicodeScalarView(scalars))
      switch Query.parse(text, mode) {
      case .success(let query):
        #expect(isSame(query), "seed \(seed): \(text.debugDescription) is \(query.text.debugDescription)")
      case .failure(let mistake):
        #expect(mistake.range.lowerBound >= 0 && mistake.range.upperBound <= text.utf8.count)
        #expect(String(mistake.part(of: text)).utf8.count == mistake.range.count, "seed \(seed)")
      }
      let completions = Query.completions(in: text, at: text.utf8.count / 2)
      #expect(completions.range.upperBound <= text.utf8.count / 2)
    }
  }
}
