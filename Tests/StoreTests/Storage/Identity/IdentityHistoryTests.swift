import Foundation
import IdentitySamples
import TestBasics
import Testing

/// The store's intake against the second one, over random histories.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct IdentityHistoryTests {
  private static let count = Histories.count(200)

  private static let ways = [
    IdentityStoreRunner.Way(), IdentityStoreRunner.Way(partSize: 1), IdentityStoreRunner.Way(partSize: 2),
    IdentityStoreRunner.Way(isFile: true),
  ]

  /// Returns the first difference, or `nil`.
  private static func difference(_ history: IdentityVector, _ way: IdentityStoreRunner.Way) -> String? {
    let expected = IdentityModel.run(history)
    let found: IdentityModel.Outcome
    do {
      found = try IdentityStoreRunner.run(history, way)
    } catch {
      return "\(error)"
    }
    for step in history.steps.indices {
      if found.verdicts[step] != expected.verdicts[step] {
        return "step \(step): \(found.verdicts[step]) instead of \(expected.verdicts[step])"
      }
      if found.lists[step] != expected.lists[step] {
        return "step \(step) lists \(found.lists[step]) instead of \(expected.lists[step])"
      }
    }
    return nil
  }

  @Test(arguments: 0..<10) func theStoreDecidesAsTheModel(_ part: Int) {
    var failed: [Int] = []
    for number in stride(from: part, to: Self.count, by: 10) {
      let way = Self.ways[number / 10 % Self.ways.count]
      var histories = RandomHistories(SeededRandom(seed: number))
      let history = histories.history("history \(number)")
      if Self.difference(history, way) == nil { continue }
      failed.append(number)
      // Shrinking one history takes as long as many others.
      if failed.count > 1 { continue }
      var smallest = history.shrunk { Self.difference($0, way) != nil }
      let expected = IdentityModel.run(smallest)
      for step in smallest.steps.indices { smallest.steps[step].expect = expected.verdicts[step] }
      let difference = Self.difference(smallest, way) ?? ""
      Issue.record("\(smallest), \(way): \(difference)\n\(smallest.json)")
    }
    #expect(failed == [], "of \(Self.count) histories")
  }

  /// A deleted message that has lost its title in the document with another message that has that title and its page:
  /// until then it had both, so the two are no longer evidence.
  @Test func whatADeletedMessageHadCountsUntilTheDocumentEnds() throws {
    let page = "https://a.example/changes"
    try expectVerdicts(
      """
      {"kind": "feed", "name": "a title lost", "reason": "", "steps": [
        {"source": "a", "now": "2026-11-23T15:10:11Z", "expect": ["new"],
         "doc": [{"link": "\(page)", "title": "report"}]},
        {"source": "a", "now": "2026-11-24T15:10:11Z", "prune": true, "expect": ["same", "new"],
         "doc": [{"link": "\(page)", "text": "Words about maps"},
                 {"id": "2", "link": "\(page)", "title": "report", "published": "2026-11-23T07:10:11Z"}]},
        {"source": "a", "now": "2026-11-25T18:10:11Z", "expect": ["new", "new"],
         "doc": [{"title": "Report"}, {"id": "3", "link": "\(page)", "title": "report"}]}]}
      """)
  }

  /// A message that lost its place in a list has a separate id; another one with its title, day and page, whose id
  /// becomes doubtful later, gets a different one.
  @Test func theIDOfADisplacedMessageIsNotGivenTwice() throws {
    try expectVerdicts(
      """
      {"kind": "feed", "name": "displaced", "reason": "", "steps": [
        {"source": "a", "now": "2026-11-24T12:10:11Z", "expect": ["new", "new"],
         "doc": [{"id": "7", "published": "2026-11-22", "text": "Words"},
                 {"id": "8", "published": "2026-11-24", "title": "Release", "text": "Other words"}]},
        {"source": "a", "now": "2026-11-25T12:10:11Z", "expect": ["new", "same"],
         "doc": [{"id": "7", "published": "2026-11-24", "title": "Release"},
                 {"id": "8", "published": "2026-11-22", "text": "Words"}]},
        {"source": "a", "now": "2026-11-26T12:10:11Z", "expect": ["new", "new"],
         "doc": [{"id": "8", "published": "2026-11-24", "title": "Release"},
                 {"id": "10", "published": "2026-11-22", "text": "Words"}]}]}
      """)
  }

  /// A deleted message that changes twice is compared with its last content.
  @Test func aDeletedMessageIsComparedWithItsLatestWords() throws {
    try expectVerdicts(
      """
      {"kind": "feed", "name": "there and back", "reason": "", "steps": [
        {"source": "a", "now": "2027-01-02T12:10:11Z", "expect": ["new"],
         "doc": [{"id": "1", "published": "2026-11-23T09:10:11Z", "title": "Beta", "text": "All is well"}]},
        {"source": "a", "now": "2027-01-03T12:10:11Z", "prune": true, "expect": ["same"],
         "doc": [{"id": "1", "published": "2026-11-23T09:10:11Z", "title": "Report", "text": "All is well"}]},
        {"source": "a", "now": "2027-01-03T15:10:11Z", "expect": ["same"],
         "doc": [{"id": "1", "published": "2026-11-23T09:10:11Z", "title": "Beta", "text": "All is well"}]},
        {"source": "a", "now": "2027-01-03T18:10:11Z", "expect": ["new"],
         "doc": [{"id": "2", "published": "2026-11-23T09:10:11Z", "title": "Report"}]}]}
      """)
  }

  /// A deleted message that comes again has the title and the page of another one, as it had before: that shows nothing
  /// new about its source, so the third message is recognised by its title and its text when all ids are new.
  @Test func aMessageThatComesAgainIsNotTheSecondWithItsTitleAndPage() throws {
    try expectVerdicts(
      """
      {"kind": "feed", "name": "again", "reason": "", "steps": [
        {"source": "a", "now": "2026-11-23T09:10:11Z", "expect": ["new", "new", "new"],
         "doc": [{"id": "1", "link": "https://b.example/1", "published": "2026-11-22T08:10:11Z", "title": "Report"},
                 {"id": "2", "link": "https://b.example/2", "published": "2026-11-21T08:10:11Z", "title": "Report"},
                 {"id": "3", "link": "https://b.example/3", "published": "2026-11-20T08:10:11Z", "title": "Alpha", "text": "Words about maps"}]},
        {"source": "a", "now": "2026-11-24T09:10:11Z", "prune": true, "expect": ["same", "same", "same"],
         "doc": [{"id": "1", "link": "https://b.example/0", "published": "2026-11-22T08:10:11Z", "title": "Report"},
                 {"id": "2", "link": "https://b.example/0", "published": "2026-11-21T08:10:11Z", "title": "Report"},
                 {"id": "3", "link": "https://b.example/0", "published": "2026-11-20T08:10:11Z", "title": "Alpha", "text": "Words about maps"}]},
        {"source": "a", "now": "2027-01-04T09:10:11Z", "expect": ["come-again", "same", "same"],
         "doc": [{"id": "1", "link": "https://b.example/0", "published": "2027-01-04T08:10:11Z", "title": "Report"},
                 {"id": "2", "link": "https://b.example/0", "published": "2026-11-21T08:10:11Z", "title": "Report"},
                 {"id": "3", "link": "https://b.example/0", "published": "2026-11-20T08:10:11Z", "title": "Alpha", "text": "Words about maps"}]},
        {"source": "a", "now": "2027-01-04T12:10:11Z", "expect": ["new", "same"],
         "doc": [{"id": "4", "link": "https://b.example/0", "title": "Other"},
                 {"id": "5", "link": "https://b.example/0", "title": "Alpha", "text": "Words about maps"}]}]}
      """)
  }

  /// Runs a history with known verdicts, and compares them with those of the second intake too.
  private func expectVerdicts(_ json: String) throws {
    let history = try JSONDecoder().decode(IdentityVector.self, from: Data(json.utf8))
    let verdicts = try IdentityStoreRunner.run(history).verdicts
    #expect(verdicts == history.steps.map(\.expect))
    #expect(verdicts == IdentityModel.run(history).verdicts)
  }
}
