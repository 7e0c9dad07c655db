import Basics
import Foundation
import Messages
import Queries
import Testing

@testable import Storage

/// Rules, in the transaction of the arrival.
struct RuleTests {
  /// Judges only by rules.
  struct ByRules: ArrivalJudging {
    var engine: RuleEngine

    init(_ rules: (name: String, when: String, actions: [RuleAction])...) throws {
      engine = RuleEngine(
        try rules.map {
          Rule(name: $0.name, condition: try Query.parse($0.when, .strict).get(), actions: $0.actions)
        })
    }

    struct Judge: ArrivalJudge {
      var judge: RuleJudge
      func verdict(on facts: @autoclosure () -> Facts, _ arrival: Arrival) -> Verdict {
        judge.verdict(on: facts(), arrival)
      }
    }

    func judge(_ tokenizer: any QueryTokenizer, at now: Date) -> any ArrivalJudge {
      Judge(
        judge: engine.judge(tokenizer, now: now, zone: .gmt) { _ in now.addingTimeInterval(3600) })
    }

    var texts: [String: String] {
      Dictionary(uniqueKeysWithValues: engine.rules.map { ($0.name, "\($0.condition)") })
    }
  }

  private func store(_ judging: ByRules) throws -> (store: Store, source: SourceID) {
    let (store, source) = try Store.following()
    store.judgeArrivals(with: judging)
    try store.rules.apply(rules: judging.texts, at: noon)
    return (store, source)
  }

  @Test func whatARuleHidesIsInNoListAndNoCount() throws {
    let rules = try ByRules(("ci noise", "title:passed", [.hide]))
    let (store, source) = try store(rules)
    let recorded = try store.poll(source, [message("1", "Build passed"), message("2", "Build failed")])
    #expect(try store.titles() == ["Build failed"])
    #expect(try store.status(source).unread == 1)
    #expect(recorded.new == 1 && recorded.hidden == 1)
    #expect(try store.rules.hider(of: store.id("1", of: source)) == "ci noise")
    let record = try #require(try store.rules.records()["ci noise"])
    #expect(record.hits == 1 && record.hidden == 1 && record.lastHit == noon)
    try store.expectConsistent()
  }

  /// Without the limit, it took 67 seconds in which no process could write.
  @Test func aRuleThatTakesTooLongForHostileTextsIsNamedAndDoesNothing() throws {
    let rules = try ByRules(
      ("mail", "body:/[a-z]{1,20}[q-z]/", [.hide]), ("not mail", "-body:/[a-z]{1,20}[q-z]/", [.star]),
      ("short", "title:/^t1$/", [.tag("one")]))
    let (store, source) = try store(rules)
    let body = String(repeating: "abcdefghijklmnop", count: 1 << 10)
    let hostile = (1...1500).map { message("\($0)", "t\($0)", body: body) }
    let recorded = try store.poll(source, hostile)
    #expect(recorded.new == 1500)
    #expect(recorded.overBudget == ["rule mail", "rule not mail"])
    let problems = try #require(try store.polls.attempts(of: source, limit: 1).first?.problems)
    #expect(problems.map(\.at) == ["rule mail", "rule not mail"])
    #expect(try store.messages.find(store.id("1", of: source))?.content.tags == ["one"])
    try store.expectConsistent()
  }

  @Test func marksTagsAndPriorityAreThoseOfTheRules() throws {
    let rules = try ByRules(
      ("urgent", "body:outage", [.star, .tag("ops"), .priority(Priority(5))]), ("rest", "-tag:ops", [.read]),
      ("later", "title:weekly", [.snooze("1h")]))
    let (store, source) = try store(rules)
    try store.poll(
      source, [message("1", "News"), message("2", "Alarm", body: "An outage."), message("3", "Weekly")])
    let alarm = try #require(try store.messages.find(store.id("2", of: source)))
    #expect(alarm.isUnread && alarm.isStarred && alarm.content.tags == ["ops"])
    #expect(alarm.content.priority == Priority(5))
    #expect(try store.messages.find(store.id("1", of: source))?.isUnread == false)
    #expect(try store.titles().contains("Weekly") == false)
    try store.time.advance(to: noon + 3601)
    #expect(try store.titles().first == "Weekly")
    #expect(try store.rules.touches(of: store.id("2", of: source)).map(\.rule) == ["urgent"])
    try store.expectConsistent()
  }

  @Test func itNeverOverridesWhatTheUserDid() throws {
    let rules = try ByRules(("reads", "title:news", [.read, .star]))
    let (store, source) = try store(rules)
    try store.poll(source, [message("1", "News")])
    let id = try store.id("1", of: source)
    try store.acts.perform(.unread([id]), at: noon)
    try store.acts.perform(.unstar([id]), at: noon)
    try store.poll(source, [message("1", "News", body: "corrected")])
    let seen = try #require(try store.messages.find(id))
    #expect(seen.isUnread && !seen.isStarred && seen.content.body == "corrected")
    try store.expectConsistent()
  }

  @Test func aChangeOfContentIsJudgedToo() throws {
    let rules = try ByRules(("hides", "title:passed", [.hide]), ("tags", "build", [.tag("ci")]))
    let (store, source) = try store(rules)
    try store.poll(source, [message("1", "Build passed", at: noon)])
    #expect(try store.titles() == [])
    try store.poll(source, [message("1", "Build failed", at: noon)])
    #expect(try store.titles() == ["Build failed"])
    #expect(try store.messages.find(store.id("1", of: source))?.content.tags == ["ci"])
    // If the message itself has not changed, the rules' tags are no change.
    #expect(try store.poll(source, [message("1", "Build failed", at: noon)]).updated == 0)
    try store.expectConsistent()
  }

  @Test func whenARuleChangesWhatItHidIsJudgedAgain() throws {
    let (store, source) = try store(try ByRules(("ci", "title:build", [.hide])))
    try store.poll(source, (1...1200).map { message("\($0)", $0 % 2 == 0 ? "Build ok" : "Build failed") })
    #expect(try store.snapshot().total == 0)
    let narrower = try ByRules(("ci", "title:ok", [.hide]))
    store.judgeArrivals(with: narrower)
    try store.rules.apply(rules: narrower.texts, at: noon)
    #expect(try store.snapshot().total == 600)
    try store.expectConsistent()
    store.judgeArrivals(with: nil)
    try store.rules.apply(rules: [:], at: noon)
    #expect(try store.snapshot().total == 1200)
    #expect(try store.rules.records().isEmpty)
    try store.expectConsistent()
  }

  @Test(arguments: ["detail", "status", "article", "touched", "rule_due", "rule_run", "notification"])
  func aMessageThatGoesIsLookedForInNoWholeTable(table: String) throws {
    let plan = try Store.fresh().plan("DELETE FROM \(table) WHERE message_id = ?")
    #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
  }

  @Test func ruleOfTimeActsWhenItsMomentComes() throws {
    let (store, source) = try store(try ByRules(("old", "older:2h is:unread", [.read, .tag("old")])))
    try store.poll(source, [message("1", "First", at: noon), message("2", "Read", at: noon)])
    try store.acts.perform(.read([store.id("2", of: source)]), at: noon)
    let next = try #require(try store.time.advance(to: noon + 60))
    #expect(abs(next.timeIntervalSince(noon) - 7200) < 1)
    #expect(try store.status(source).unread == 1)
    try store.time.advance(to: noon + 7201)
    #expect(try store.status(source).unread == 0)
    #expect(try store.messages.find(store.id("1", of: source))?.content.tags == ["old"])
    #expect(try store.messages.find(store.id("2", of: source))?.content.tags == [])
    #expect(try store.time.advance(to: noon + 7202) == nil)
    try store.expectConsistent()
  }

  @Test func theUserBringsAHiddenMessageBackAndNoRuleHidesItAgain() throws {
    let rules = try ByRules(("ci", "title:build", [.hide]))
    let (store, source) = try store(rules)
    try store.poll(source, (1...3).map { message("\($0)", "Build \($0)", at: noon + Double($0)) })
    let hidden = InboxQuery(scope: .hidden)
    #expect(try store.titles(hidden) == ["Build 3", "Build 2", "Build 1"])
    #expect(try store.snapshot().hidden == [HiddenCount(rule: "ci", count: 3)])
    let id = try store.id("2", of: source)
    #expect(try store.acts.perform(.undismiss([id]), at: noon) == 1)
    #expect(try store.titles() == ["Build 2"] && store.titles(hidden).count == 2)
    #expect(try store.acts.undo(at: noon)?.count == 1)
    #expect(try store.titles() == [] && store.snapshot().hidden == [HiddenCount(rule: "ci", count: 3)])
    try store.acts.perform(.undismiss([id]), at: noon)
    try store.poll(source, [message("2", "Build 2", body: "changed")])
    #expect(try store.titles() == ["Build 2"])
    try store.sources.forget(source)
    #expect(try store.snapshot().hidden == [])
    try store.expectConsistent()
  }

  @Test func appliedToWhatIsThereItIsOneActThatIsUndone() throws {
    let (store, source) = try Store.following()
    try store.poll(
      source,
      [
        message("1", "Build ok"), message("2", "Build failed"), message("3", "News"),
        message("4", "Build mine"),
      ])
    let ids = try (1...4).map { try store.id("\($0)", of: source) }
    try store.acts.perform(.unread([ids[3]]), at: noon)
    try store.acts.perform(.read([ids[3]]), at: noon)
    let before = try store.snapshot()
    let rules = try ByRules(
      ("all", "title:build", [.read, .tag("ci"), .priority(Priority(4))]), ("ok", "title:ok", [.hide, .run]))
    #expect(try store.rules.apply(rules, to: ids, at: noon) == 3)
    #expect(try store.titles() == ["Build mine", "News", "Build failed"])
    #expect(try store.messages.find(ids[1])?.content.tags == ["ci"])
    #expect(try store.messages.find(ids[1])?.isUnread == false)
    #expect(try store.rules.touches(of: ids[0]).map(\.rule) == ["all", "ok"])
    #expect(try store.read { try $0.integer("SELECT count(*) FROM rule_run") } == 0)
    try store.expectConsistent()
    #expect(try store.acts.undo(at: noon)?.kind == .rule)
    #expect(try store.snapshot().rows == before.rows)
    #expect(try store.messages.find(ids[1])?.content.tags == [])
    try store.expectConsistent()
  }

  @Test func twoProcessesThatTakeInTheSameRunARuleOnce() throws {
    let directory = try Directory()
    let rules = try ByRules(("tags", "build", [.tag("ci"), .run]))
    let stores = try (1...2).map { _ in try Store(path: directory.database, now: noon) }
    let source = try stores[0].follow(configured("news"))[0]
    try stores[0].pollNothing(source)
    for store in stores {
      store.judgeArrivals(with: rules)
      try store.rules.apply(rules: rules.texts, at: noon)
      try store.poll(source, [message("1", "Build")])
    }
    #expect(try stores[1].rules.records()["tags"]?.hits == 1)
    #expect(try stores[1].read { try $0.integer("SELECT count(*) FROM rule_run") } == 1)
  }

  @Test func whatIsHiddenByOneSourcesCopyStaysInTheOthers() throws {
    let rules = try ByRules(("aggregator", "source:second", [.hide]))
    let store = try Store.fresh()
    let sources = try store.follow(configured("first"), configured("second"))
    try store.pollNothing(sources[0], sources[1])
    store.judgeArrivals(with: rules)
    var same = message("1", "Shared")
    same.url = "https://example.org/post"
    try store.poll(sources[0], [same])
    try store.poll(sources[1], [same])
    #expect(try store.titles() == ["Shared"])
    #expect(try store.titles(InboxQuery(scope: .source(sources[1]))) == [])
    try store.expectConsistent()
  }
}
