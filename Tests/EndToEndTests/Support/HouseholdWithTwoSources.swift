import Foundation
import TerminalHarness
import Testing

/// A household with a web feed and a native feed, both polled once: messages 1 to 3 of `team`, 4 and 5 of `board`.
func householdWithTwoSources() throws -> Household {
  let household = try Household()
  try household.write(
    "team.xml",
    rss(
      "Team",
      [
        item(
          3, "Coffee &amp; cake",
          more: "<description>&lt;p&gt;At &lt;b&gt;three&lt;/b&gt;.&lt;/p&gt;</description>"),
        item(2, "Second"),
        item(1, "First", more: "<author>Ann</author><category>news</category>"),
      ]))
  try household.write(
    "board.json",
    try native(
      "Board",
      [
        [
          "id": 17, "title": "Release 2.0", "body": "It is out.\nRead on.", "url": "https://board.example/17",
          "time": "2026-11-20T09:00:00Z", "author": "Bo", "priority": 4, "tags": ["a", "b"],
          "actions": [["label": "Notes", "url": "https://board.example/notes"]],
        ],
        [
          "id": 18, "title": "Lunch", "time": "2026-11-20T12:00:00Z", "html": "<p>Soup</p>",
          "channel": "general",
        ],
      ]))
  try household.settings(sources: [
    (name: "team", url: "\(household.home)/team.xml", more: ""),
    (name: "board", url: "\(household.home)/board.json", more: "kind = \"native\""),
  ])
  // One after the other, so that the numbers are always the same.
  for source in ["team", "board"] {
    let ran = try household.run("poll", source)
    guard ran.exit == .status(0) else { throw HouseholdFailure(ran.errors) }
  }
  return household
}

extension Ran {
  func expect(
    _ output: String, errors: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.output == output, sourceLocation: sourceLocation)
    #expect(self.errors == errors, sourceLocation: sourceLocation)
    #expect(exit == .status(status), sourceLocation: sourceLocation)
  }

  /// Failed with one line on standard error and nothing on standard output.
  func expectFailure(_ sentence: String, sourceLocation: SourceLocation = #_sourceLocation) {
    expect("", errors: "reddot: \(sentence)\n", status: 1, sourceLocation: sourceLocation)
  }
}

extension String {
  /// The text without the times, which differ from run to run.
  var timeless: String {
    replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME")
      .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/, with: "TIME")
      // A time that is not today has its weekday.
      .replacing(/((Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\d\d:\d\d(:\d\d)?/, with: "TIME")
  }
}
