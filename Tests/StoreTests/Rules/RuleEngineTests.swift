import Basics
import Foundation
import Messages
import Testing

@testable import Queries

/// The effects of rules on a message.
@Suite struct RuleEngineTests {
  /// 2027-01-15 08:00 UTC, a Friday.
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private struct Words: QueryTokenizer {
    func tokens(of text: String) -> QueryTokens {
      QueryTokens(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
  }

  private static func rule(
    _ name: String, _ condition: String, _ actions: RuleAction..., stops: Bool = false
  ) throws -> Rule {
    Rule(
      name: name, condition: try Query.parse(condition, .strict).get(), actions: actions, stops: stops)
  }

  private static func facts(_ title: String, tags: [String] = [], hoursOld: Double = 0) -> Facts {
    var facts = Facts(title: title)
    facts.tags = tags
    facts.sourceNames = ["build"]
    facts.states = [.unread, .new]
    facts.time = now.addingTimeInterval(-hoursOld * 3600)
    return facts
  }

  private static func verdict(_ rules: [Rule], _ facts: Facts, _ arrival: Arrival = .new) -> Verdict {
    RuleEngine(rules).judge(Words(), now: now, zone: .gmt) { words in
      words == "2h" ? now.addingTimeInterval(7200) : nil
    }.verdict(on: facts, arrival)
  }

  @Test func whatMatchesNothingIsLeftAlone() throws {
    let verdict = Self.verdict([try Self.rule("ci", "title:failed", .read)], Self.facts("Build passed"))
    #expect(verdict == Verdict())
  }

  @Test func everyActionHasItsEffect() throws {
    let rules = [
      try Self.rule(
        "all", "build", .read, .star, .dismiss, .hide, .tag("ci"), .untag("OLD"), .priority(Priority(5)),
        .snooze("2h"), .urgent, .run)
    ]
    var expected = Verdict()
    expected.rules = ["all"]
    (expected.isRead, expected.isStarred, expected.isDismissed) = (true, true, true)
    expected.hiddenBy = "all"
    expected.tags = ["x", "ci"]
    expected.priority = Priority(5)
    expected.snoozedUntil = Self.now.addingTimeInterval(7200)
    (expected.isNotified, expected.isUrgent) = (true, true)
    expected.runs = ["all"]
    #expect(Self.verdict(rules, Self.facts("Build", tags: ["x", "old"])) == expected)
  }

  @Test func eachSeesWhatThoseBeforeDid() throws {
    let rules = [
      try Self.rule("first", "build", .tag("ci"), .priority(Priority(4))),
      try Self.rule("second", "tag:ci priority>=4 rule:first is:unread", .read),
      try Self.rule("third", "is:unread", .star),
    ]
    let verdict = Self.verdict(rules, Self.facts("Build"))
    #expect(verdict.rules == ["first", "second"])
    #expect(verdict.isRead == true && !verdict.isStarred)
  }

  @Test func whatIsPutAwayIsSeenOnlyByThoseThatAskForIt() throws {
    let rules = [
      try Self.rule("hides", "build", .hide), try Self.rule("plain", "build", .star),
      try Self.rule("asks", "build is:hidden", .tag("seen")),
    ]
    #expect(Self.verdict(rules, Self.facts("Build")).rules == ["hides", "asks"])
  }

  @Test func oneThatStopsIsTheLast() throws {
    let rules = [
      try Self.rule("a", "nothing", .read, stops: true), try Self.rule("b", "build", .star, stops: true),
      try Self.rule("c", "build", .hide),
    ]
    #expect(Self.verdict(rules, Self.facts("Build")).rules == ["b"])
  }

  @Test func theLastWordOnTellingCounts() throws {
    let loud = try Self.rule("loud", "build", .urgent)
    let quiet = try Self.rule("quiet", "build", .silent)
    #expect(Self.verdict([loud, quiet], Self.facts("Build")).isNotified == false)
    #expect(Self.verdict([quiet, loud], Self.facts("Build")).isNotified == true)
    #expect(!Self.verdict([loud, quiet], Self.facts("Build")).isUrgent)
  }

  @Test func aFirstPollStartsNoPrograms() throws {
    let rules = [try Self.rule("runs", "build", .run, .star)]
    let verdict = Self.verdict(rules, Self.facts("Build"), .firstPoll)
    #expect(verdict.runs.isEmpty && verdict.isStarred)
  }

  @Test func aTimeThatMeansNothingSnoozesNothing() throws {
    let rules = [try Self.rule("later", "build", .snooze("next blue moon"))]
    #expect(Self.verdict(rules, Self.facts("Build")).snoozedUntil == nil)
  }

  @Test func itsMomentIsKnownWhenItComes() throws {
    let rules = [
      try Self.rule("old", "older:1d is:read", .dismiss),
      try Self.rule("other", "older:1h title:other", .read),
    ]
    let verdict = Self.verdict(rules, Self.facts("Build", hoursOld: 2))
    #expect(verdict.rules.isEmpty)
    let next = try #require(verdict.nextMoment)
    #expect(abs(next.timeIntervalSince(Self.now) - 22 * 3600) < 1)
  }

  @Test func whatWasToldIsNotToldAgainBecauseTimePasses() throws {
    let rules = [try Self.rule("tells", "build", .notify, .run, .star)]
    var facts = Self.facts("Build")
    facts.rules = ["tells"]
    let verdict = Self.verdict(rules, facts, .moment)
    #expect(verdict.isNotified == nil && verdict.runs.isEmpty && verdict.isStarred)
    #expect(Self.verdict(rules, facts, .changed).isNotified == true)
  }
}
