import Basics
import Foundation
import Messages
import Queries
import Testing

@testable import Storage

/// The hypothetical results of a rule.
struct RuleTrialTests {
  private func query(_ text: String) throws -> Query { try Query.parse(text, .strict).get() }

  @Test func slicesAddUpToTheWhole() throws {
    let (store, source) = try Store.following()
    try store.poll(source, (1...1200).map { message("\($0)", $0 % 3 == 0 ? "Build failed" : "Build passed") })
    try store.acts.perform(.read([store.id("3", of: source)]), at: noon)
    try store.acts.perform(.star([store.id("6", of: source)]), at: noon)
    let failed = try query("title:failed")
    let start = noon - 86_400
    var found: [MessageID] = []
    let whole = try store.rules.trial(
      of: failed, since: start, now: noon, zone: .gmt, found: { found.append($0) })
    #expect(whole.looked == 1200 && whole.matched == 400 && whole.opened == 1 && whole.starred == 1)
    #expect(whole.bySource == [source: 400] && found.count == 400)
    #expect(whole.samples.map(\.id) == Array(found.prefix(RuleTrial.mostSamples)))
    #expect(whole.samples.first?.title == "Build failed" && whole.rest == nil)
    var part = RuleTrial()
    var looked: [Int] = []
    while part.rest != nil {
      part = try store.rules.goOn(with: part, of: failed, since: start, now: noon, zone: .gmt)
      looked.append(part.looked)
    }
    #expect(looked == [500, 1000, 1200] && part == whole)
    #expect(part.lookedTo == noon)
  }

  @Test func samplesHaveTheTimesOfTheList() throws {
    let (store, source) = try Store.following()
    var reminder = message("2", "Reminder")
    reminder.visibleFrom = noon - 600
    try store.poll(source, [message("1", "News", at: noon - 7200), reminder], at: noon - 3600)
    let both = try query("title:news OR title:reminder")
    let trial = try store.rules.trial(of: both, since: noon - 86_400, now: noon, zone: .gmt)
    try store.time.catchUp(to: noon)
    let list = try store.lists.snapshot(InboxQuery(), InboxWindow()).rows
    #expect(list.count == 2)
    for sample in trial.samples {
      #expect(list.first { $0.id == sample.id }?.time == sample.time)
      #expect(try store.messages.find(sample.id)?.time == sample.time)
    }
  }

  @Test func whatCameEarlierIsNotLookedAt() throws {
    let (store, source) = try Store.following()
    try store.poll(source, [message("1", "Build failed")], at: noon - 90_000)
    try store.poll(source, [message("2", "Build failed")], at: noon)
    let trial = try store.rules.trial(of: query("failed"), since: noon - 86_400, now: noon, zone: .gmt)
    #expect(trial.looked == 1 && trial.matched == 1)
  }

  /// A rule that is tried again with other words must find the messages that it has hidden.
  @Test func whatIsOffTheListsNowIsJudgedAsItCame() throws {
    let (store, source) = try Store.following()
    try store.poll(source, (1...4).map { message("\($0)", "Build failed") })
    try store.acts.perform(.dismiss([store.id("1", of: source)]), at: noon)
    try store.acts.perform(.read([store.id("2", of: source)]), at: noon)
    for (condition, matched) in [
      ("failed", 4), ("failed is:unread", 4), ("is:dismissed", 1), ("is:starred", 0),
    ] {
      let trial = try store.rules.trial(of: query(condition), since: noon - 86_400, now: noon, zone: .gmt)
      #expect(trial.matched == matched, "\(condition)")
    }
  }

  @Test func theNeighboursOfAMessageAreTheNewestOfItsSource() throws {
    let (store, source) = try Store.following()
    try store.poll(
      source,
      (1...5).map { number in
        var message = message("\(number)", "Message \(number)", at: noon + Double(number))
        message.tags = ["t\(number)"]
        return message
      })
    let neighbours = try store.rules.neighbours(of: store.id("4", of: source), in: source, limit: 3)
    #expect(neighbours == [5, 3].map { RuleNeighbour(title: "Message \($0)", tags: ["t\($0)"]) })
  }

  @Test func wordsAreCountedAsFarAsSaysWhetherTheyAreRare() throws {
    let (store, source) = try Store.following()
    try store.poll(
      source,
      (1...400).map { number in
        message(
          "\(number)", number <= 300 ? "Backup \(number)" : "Grafana: Élan 数据", at: noon + Double(number))
      })
    let counts = try store.rules.counts(of: ["backup", "grafana", "elan", "399x", "数据", "", "\"", "400"])
    #expect(
      counts == [
        "backup": WordCount(100, isFrequent: true), "grafana": WordCount(100, isFrequent: true),
        "elan": WordCount(100, isFrequent: true), "399x": WordCount(0), "400": WordCount(0),
      ])
    #expect(try store.rules.counts(of: ["300"]) == ["300": WordCount(1)])
  }
}
