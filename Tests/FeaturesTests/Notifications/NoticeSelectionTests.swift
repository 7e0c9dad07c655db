import Basics
import Foundation
import Messages
import Testing

@testable import Queries

/// The selection of the messages that cause notifications.
struct NoticeSelectionTests {
  private struct Words: QueryTokenizer {
    func tokens(of text: String) -> QueryTokens {
      QueryTokens(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
  }

  static func facts(_ source: String = "news", _ priority: Int = 3, _ title: String = "Title") -> Facts {
    var facts = Facts(title: title, priority: Priority(priority))
    facts.sourceNames = [source]
    facts.states = [.unread, .new]
    return facts
  }

  private static func isNotified(
    _ facts: Facts, _ arrival: Arrival = .new, by rule: Bool? = nil, choice: String? = nil
  ) throws -> Bool {
    let selection = NoticeSelection(
      choice: try choice.map { try Query.parse($0, .strict).get() }, sources: ["builds"],
      channels: [.terminal])
    let channels = selection.selector(Words(), now: Date(timeIntervalSince1970: 1_800_000_000), zone: .gmt)
      .channels(facts, arrival, isNotified: rule)
    return channels == [.terminal]
  }

  @Test func byDefaultASourceOrAHighPriorityIsTold() throws {
    #expect(try !Self.isNotified(Self.facts()))
    #expect(try Self.isNotified(Self.facts("builds")))
    #expect(try Self.isNotified(Self.facts("news", 4)) && Self.isNotified(Self.facts("news", 5)))
  }

  @Test func aQueryTakesThePlaceOfTheDefault() throws {
    #expect(try Self.isNotified(Self.facts("news", 3, "Build failed"), choice: "title:failed"))
    #expect(try !Self.isNotified(Self.facts("builds", 5), choice: "title:failed"))
  }

  @Test func aRuleHasTheLastWord() throws {
    #expect(try Self.isNotified(Self.facts(), by: true))
    #expect(try !Self.isNotified(Self.facts("builds", 5), by: false))
  }

  @Test func ofAQuietMessageOnlyARuleTells() throws {
    var facts = Self.facts("builds", 5, "Build failed")
    facts.isQuiet = true
    #expect(try !Self.isNotified(facts) && !Self.isNotified(facts, .changed))
    #expect(try !Self.isNotified(facts, choice: "title:failed"))
    #expect(try Self.isNotified(facts, by: true))
  }

  @Test func firstPollsTellNothingAndMomentsOnlyWhatARuleSays() throws {
    #expect(try !Self.isNotified(Self.facts("builds", 5), .firstPoll, by: true))
    #expect(try !Self.isNotified(Self.facts("builds", 5), .moment))
    #expect(try Self.isNotified(Self.facts(), .moment, by: true))
    #expect(try Self.isNotified(Self.facts("builds"), .appeared))
  }

  @Test(arguments: [Facts.States.dismissed, .snoozed, .hidden, .expired])
  func whatIsOffTheListsIsNotTold(_ state: Facts.States) throws {
    var facts = Self.facts("builds", 5)
    facts.states.insert(state)
    #expect(try !Self.isNotified(facts))
    facts.states = []
    #expect(try !Self.isNotified(facts), "it is read")
  }

  @Test func aVerdictChangesWhatIsKnown() {
    var verdict = Verdict()
    (verdict.isRead, verdict.isStarred, verdict.hiddenBy) = (true, true, "ci")
    (verdict.tags, verdict.priority, verdict.rules) = (["x"], Priority(5), ["ci"])
    let facts = Self.facts().after(verdict)
    #expect(facts.states == [.new, .starred, .hidden])
    #expect(facts.tags == ["x"] && facts.priority == Priority(5) && facts.rules == ["ci"])
  }
}
