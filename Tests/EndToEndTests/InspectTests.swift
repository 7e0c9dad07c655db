import Foundation
import TerminalHarness
import Testing

/// `reddot inspect` on notifications that are not displayed.
@Suite struct InspectTests {
  private static let feed = #"""
    {"list": [
     {"id": 1, "title": "Plain"},
     {"id": 2, "type": "enable-feature", "epoch": "2016-08-29T02:40:33+0530", "expiry": 30, "channel": "math",
      "data": {"feature": "dark-mode", "level": 3}},
     {"id": 3, "type": 3, "actiontype": "disable-feature", "relativetime": 2, "expiry": 90,
      "actiondata": {"features": ["lamps", "heat"]}},
     {"id": 4, "type": "enable-feature", "expiry": "10000millis", "data": {"feature": "\u001b[31mred"}},
     {"id": 5, "type": 3, "actiondata": {"level": 1}}]}
    """#

  @Test func whatIsNotDisplayedSaysWhatItWouldSwitchAndWhen() throws {
    let household = try Household()
    let ran = try household.run("inspect", "-", input: Self.feed)
    #expect(ran.exit == .status(0))
    #expect(
      ran.output == """
        format: native
        messages: 1

        (no date)  Plain
          id: 1

        not displayed: shows nothing, switches dark-mode on
          id: 2
          channel: math
          from: 2016-08-28 21:10
          until: 2016-08-28 21:40
          data: {"feature":"dark-mode","level":3}

        not displayed: shows nothing, switches lamps, heat off
          id: 3
          from: 2 hours after reddot's first start
          until: 1h30m after that
          data: {"features":["lamps","heat"]}

        not displayed: shows nothing, switches \u{FFFD}[31mred on
          id: 4
          from: its arrival
          until: 10s after its arrival
          data: {"feature":"\\u001b[31mred"}

        not displayed: shows nothing, and its data names no feature
          id: 5
          from: its arrival
          until: without end
          data: {"level":1}

        """)
  }

  @Test func theJSONHasThemBesidesTheMessages() throws {
    let household = try Household()
    let output = try household.run("inspect", "-", "--json", input: Self.feed).outputBytes
    let object = try #require(try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
    #expect((object["messages"] as? [[String: Any]])?.count == 1)
    let features = try #require(object["features"] as? [[String: Any]])
    #expect(features.map { $0["id"] as? String } == ["2", "3", "4", "5"])
    #expect(
      features.map { $0["features"] as? [String] } == [
        ["dark-mode"], ["lamps", "heat"], ["\u{1B}[31mred"], [],
      ])
    #expect(features.map { $0["enabled"] as? Bool } == [true, false, true, false])
    #expect(features.first?["visible_from"] as? String == "2016-08-28T21:10:33Z")
    #expect(features.first?["expires"] as? String == "2016-08-28T21:40:33Z")
    #expect(features.first?["channel"] as? String == "math")
    // The time of installation isn't known here.
    #expect(features[1]["visible_from"] is NSNull && features[1]["expires"] is NSNull)
    #expect(features[1]["relativetime"] as? Double == 2)
    #expect(features[2]["expires"] is String)
    // Without features the object has only the keys that are stable for scripts.
    let plain = try household.run("inspect", "-", "--json", input: #"{"list": []}"#).output
    let keys = #"{"format":"native","title":null,"link":null,"messages":[],"problems":[],"left_out":0}"#
    #expect(plain == keys + "\n")
  }

  @Test func theWordsOfTheDraftsAreNotProblems() throws {
    let household = try Household()
    let words = ["general", "festive", "downtime", "others", "enable-feature", "disable-feature"]
    let uses = ["type", "notificationtype", "actiontype"].flatMap { key in words.map { (key, $0) } }
    let items = (uses + [("actiontype", "display")]).enumerated().map { number, use in
      #"{"id": \#(number + 1), "\#(use.0)": "\#(use.1)", "actiondata": {"title": "T\#(number + 1)", "msg": "M"}}"#
    }
    let ran = try household.run("inspect", "-", input: #"{"list": [\#(items.joined(separator: ","))]}"#)
    #expect(ran.exit == .status(0))
    #expect(!ran.output.contains("problem"), "\(ran.output)")
    // All of them were read.
    for number in 1...items.count { #expect(ran.output.contains("id: \(number)\n"), "\(items[number - 1])") }
  }
}
