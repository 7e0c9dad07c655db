import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The reasons why a message is not new, as `poll` and `why` print them.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct IdentityReportTests {
  private func entry(
    _ id: String, _ title: String, _ date: String, text: String? = nil, url: String? = nil
  ) -> [String: Any] {
    var entry: [String: Any] = [
      "id": id, "title": title, "content_text": text ?? "\(title): text",
      "date_published": "\(date)T10:00:00Z",
    ]
    entry["url"] = url
    return entry
  }

  private func write(_ household: Household, _ name: String, _ entries: [[String: Any]]) throws {
    let feed: [String: Any] = [
      "version": "https://jsonfeed.org/version/1.1", "title": name, "items": entries,
    ]
    try household.write(
      "\(name).json", String(decoding: try JSONSerialization.data(withJSONObject: feed), as: UTF8.self))
  }

  /// The sources planet and team, both polled; the second of team's three entries is to change.
  private func followed() throws -> Household {
    let household = try Household()
    try write(
      household, "planet", [entry("p", "Shared", "2026-01-05", url: "https://x.example/shared")])
    try writeTeam(household, middle: [entry("2", "Second", "2025-01-02")])
    try household.settings(
      sources: ["planet", "team"].map { ($0, "\(household.home)/\($0).json", "kind = \"feed\"") })
    try #require(try household.run("poll", "--all").exit == .status(0))
    return household
  }

  private func writeTeam(_ household: Household, middle: [[String: Any]]) throws {
    try write(
      household, "team",
      [entry("3", "Third", "2026-01-03")] + middle + [entry("1", "First", "2026-01-01")])
  }

  private func json(_ household: Household, _ arguments: String...) throws -> [String: Any] {
    let output = try household.run(arguments).output
    return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
  }

  private static let keys = ["new", "changed", "again", "joined", "copies", "repeated_ids"]

  private func counts(_ object: [String: Any]) -> [Int?] { Self.keys.map { object[$0] as? Int } }

  /// Checks one poll: the numbers of `poll` and `why`, and the explanation.
  private func check(
    middle: [[String: Any]], counts expected: [Int], _ explanation: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let household = try followed()
    try writeTeam(household, middle: middle)
    let poll = try json(household, "poll", "team", "--force", "--json")
    #expect(counts(poll) == expected, sourceLocation: sourceLocation)
    let why = try json(household, "why", "team", "--json")
    let last = try #require((why["attempts"] as? [[String: Any]])?.first)
    #expect(counts(last) == expected, sourceLocation: sourceLocation)
    #expect(last["explanations"] as? [String] == [explanation], sourceLocation: sourceLocation)
    #expect(
      try household.run("why", "team").output.contains("\n    \(explanation)\n"),
      sourceLocation: sourceLocation)
    // The reason belongs to one poll.
    let next = try json(household, "poll", "team", "--force", "--json")
    #expect(counts(next) == [0, 0, 0, 0, 0, 0], sourceLocation: sourceLocation)
  }

  @Test func anEntryWithAnotherIDIsExplainedByItsEvidence() throws {
    try check(
      middle: [entry("two", "Second", "2025-01-02")], counts: [0, 0, 0, 1, 0, 0],
      "1 came with another id and was known by title and moment: “Second”")
  }

  @Test func anEntryThatIsPublishedAgainIsExplainedByItsDate() throws {
    try check(
      middle: [entry("2", "Second", "2025-06-02")], counts: [0, 0, 1, 0, 0, 0],
      "1 came again with a later date of publication: “Second”")
  }

  @Test func aDuplicateIsExplainedByTheOtherSource() throws {
    try check(
      middle: [
        entry("2", "Second", "2025-01-02"),
        entry("7", "Shared", "2026-01-05", url: "https://x.example/shared"),
      ], counts: [0, 0, 0, 0, 1, 0],
      "1 is a duplicate of a message of “planet”: “Shared”")
  }

  @Test func anIDInDoubtIsNamedOnce() throws {
    try check(
      middle: [entry("2", "Second", "2025-01-02"), entry("2", "Another", "2025-02-02")],
      counts: [1, 0, 0, 0, 0, 1],
      "1 id came for different entries: “2”, for example for “Another”")
  }

  @Test func pollPrintsTheReasonsOfASourceWithoutNewMessages() throws {
    let household = try followed()
    try writeTeam(household, middle: [entry("two", "Second", "2025-01-02")])
    try household.run("poll", "--force").expect(
      "team: Nothing new\n  1 came with another id\nplanet: Nothing new\n")
    try household.run("poll", "--force").expect("2 sources: nothing new\n")
  }

  @Test func anIDInDoubtIsAProblemOfItsFirstPollOnly() throws {
    let household = try followed()
    let doubted = [entry("2", "Second", "2025-01-02"), entry("2", "Another", "2025-02-02")]
    try writeTeam(household, middle: doubted)
    let problem =
      "  1 id came for more than one entry; reddot distinguishes these by title, date, link and text\n"
    try household.run("poll", "--force", "team").expect("team: 1 new\n  Another\n" + problem)
    try writeTeam(household, middle: doubted + [entry("2", "More", "2025-03-02")])
    try household.run("poll", "--force", "team").expect("team: 1 new\n  More\n")
  }
}
