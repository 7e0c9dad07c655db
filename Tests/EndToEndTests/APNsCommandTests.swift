import Foundation
import TerminalHarness
import Testing

/// `reddot apns` in scripts: every key of Apple's, made and shown.
@Suite struct APNsCommandTests {
  static let everyKey =
    #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B","launch-image":"L.png","title-loc-key":null,"action":"View","summary-arg":"Mina","summary-arg-count":2},"badge":0,"sound":"ping","content-available":0,"category":"INVITE","thread-id":"deploys","mutable-content":1,"target-content-id":"w","interruption-level":"active","relevance-score":0,"filter-criteria":"work","url-args":["a","b"],"attributes-type":"Delivery","attributes":{"order":"17"},"event":"start","timestamp":1700000000,"content-state":{"stage":2},"stale-date":1700000100,"dismissal-date":1700000200,"input-push-token":1},"acme":[1]}"#

  @Test func everyKeyIsMadeFromOptions() throws {
    let household = try Household()
    try household.run(
      "apns", "make", "--title", "T", "--subtitle", "S", "--body", "B", "--launch-image", "L.png", "--action",
      "View", "--summary-arg", "Mina", "--summary-arg-count", "2", "--badge", "0", "--sound", "ping",
      "--category", "INVITE", "--thread-id", "deploys", "--mutable-content", "--target-content-id", "w",
      "--interruption-level", "active", "--relevance-score", "0", "--filter-criteria", "work", "--url-arg",
      "a", "--url-arg", "b", "--attributes-type", "Delivery", "--attributes", #"{"order":"17"}"#, "--event",
      "start", "--timestamp", "1700000000", "--content-state", #"{"stage":2}"#, "--stale-date", "1700000100",
      "--dismissal-date", "1700000200", "--input-push-token", "--extra", "acme=[1]", "-",
      input: #"{"content-available":0,"alert":{"title-loc-key":null}}"#
    ).expect(Self.everyKey + "\n")
    try household.run("apns", "make", "--attributes", "[1]")
      .expectFailure("attributes must be an object, not an array")
    #expect(
      try household.run("apns", "make", "--alert", "A", "--summary-arg-count", "2").exit == .status(64))
  }

  @Test func everyKeyIsShown() throws {
    let household = try Household()
    let shown = try household.run("apns", "show", "-", input: Self.everyKey)
    #expect(shown.exit == .status(0))
    #expect(
      shown.output == """
        title:     T
        subtitle:  S
        body:      B
        button:    View
        badge:     0 (clears the number)
        sound:     ping
        category:  INVITE: no actions in the settings
        thread:    deploys
        level:     active
        aps:       alert.launch-image = "L.png"
        aps:       alert.title-loc-key = null
        aps:       alert.action = "View"
        aps:       alert.summary-arg = "Mina"
        aps:       alert.summary-arg-count = 2
        aps:       content-available = 0
        aps:       mutable-content = 1
        aps:       target-content-id = "w"
        aps:       relevance-score = 0
        aps:       filter-criteria = "work"
        aps:       url-args = ["a","b"]
        aps:       attributes-type = "Delivery"
        aps:       attributes = {"order":"17"}
        aps:       event = "start"
        aps:       timestamp = 1700000000
        aps:       content-state = {"stage":2}
        aps:       stale-date = 1700000100
        aps:       dismissal-date = 1700000200
        aps:       input-push-token = 1
        silent:    no
        extra:     acme = [1]
        size:      \(Self.everyKey.utf8.count) of 4096 bytes

        """)
    let json = try household.run("apns", "show", "-", "--json", input: Self.everyKey)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
    #expect(object["launch_image"] as? String == "L.png")
    #expect(object["mutable_content"] as? Bool == true)
    #expect(object["relevance_score"] as? Double == 0)
    #expect(object["target_content_id"] as? String == "w")
    #expect(object["thread_id"] as? String == "deploys")
    let sent = try JSONSerialization.jsonObject(with: Data(Self.everyKey.utf8)) as? [String: Any]
    #expect(object["aps"] as? NSDictionary == sent?["aps"] as? NSDictionary)
  }

  @Test func problemsEndWithAStatusUnlessTheyAreAllowed() throws {
    let household = try Household()
    let payload = #"{"aps":{"alert":"A","badge":"3"}}"#
    let problem = "problem:   $.aps.badge: must be an integer from 0, not a string\n"
    let strict = try household.run("apns", "show", "-", input: payload)
    #expect(strict.exit == .status(1))
    #expect(strict.output.hasSuffix(problem))
    #expect(strict.errors == "")
    #expect(try household.run("apns", "show", "-", "--json", input: payload).exit == .status(1))
    let lenient = try household.run("apns", "show", "-", "--lenient", input: payload)
    #expect(lenient.exit == .status(0))
    #expect(lenient.output == strict.output)
  }
}
