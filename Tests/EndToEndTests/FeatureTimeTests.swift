import Foundation
import TerminalHarness
import Testing

/// Features that notifications switch for a time, in the built program: a feed, a database, a `feature_command`.
@Suite struct FeatureTimeTests {
  private func features(_ team: Team) throws -> [String: [String: Any]] {
    var features: [String: [String: Any]] = [:]
    for line in try team.household.run("features", "--json").output.split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      features[try #require(object["name"] as? String)] = object
    }
    return features
  }

  @Test func whatIsOverHasNotComeOrIsForOthersSwitchesNothing() throws {
    let team = try Team()
    try team.serve(
      #"{"id": 1, "type": "enable-feature", "epoch": "2016-08-29T02:40:33+0530", "expiry": 30, "data": {"feature": "past"}}"#,
      #"{"id": 2, "type": "enable-feature", "epoch": "2090-08-29T02:40:33+0530", "expiry": 30, "data": {"feature": "future"}}"#,
      #"{"id": 3, "type": "enable-feature", "channel": "math", "data": {"feature": "others"}}"#,
      #"{"id": 4, "type": "enable-feature", "epoch": "2016-08-29T02:40:33+0530", "data": {"feature": "now"}}"#
    )
    #expect(try team.household.run("poll", "--all").exit == .status(0))
    let found = try features(team)
    #expect(found.filter { $0.value["enabled"] as? Bool == true }.map(\.key) == ["now"])
    #expect(found["past"]?["why"] as? String == "this has expired")
    #expect(found["future"]?["until"] as? String == "2090-08-28T21:10:33Z")
    #expect(found["future"]?["why"] as? String == "this begins 2090-08-28 21:10")
    #expect(found["others"]?["why"] as? String == "this is for the channel math, which is not subscribed")
    #expect(found["now"]?["why"] as? String == "without end")
    // A new subscription takes effect at the next poll: `features` only reads.
    try team.settings("", more: "channels = [\"general\", \"math\"]")
    #expect(try team.household.run("poll", "--all").exit == .status(0))
    #expect(try features(team)["others"]?["enabled"] as? Bool == true)
    // A message that is delivered again replaces the earlier one.
    try team.serve(#"{"id": 4, "type": "disable-feature", "data": {"feature": "now"}}"#)
    #expect(try team.household.run("poll", "--all").exit == .status(0))
    #expect(try features(team)["now"]?["enabled"] as? Bool == false)
  }

  /// The program of the first of two changes hangs, and quitting the inbox ends it. Both are run at the next start.
  @Test(arguments: [["poll"], []])
  func aCommandInterruptedByQuittingIsRunAtTheNextStart(_ next: [String]) throws {
    let team = try Team()
    let record = "\(team.household.home)/told"
    let begun = "\(team.household.home)/begun"
    try team.settings(
      "", more: "feature_command = [\"/bin/sh\", \"-c\", \"echo $2 >> '\(begun)'; exec sleep 60\"]")
    try team.serve(
      #"{"id": 1, "type": "enable-feature", "data": {"feature": "lamps"}}"#,
      #"{"id": 2, "type": "enable-feature", "data": {"feature": "heat"}}"#)
    let terminal = try team.household.inbox()
    try eventually("the program to begin") { FileManager.default.fileExists(atPath: begun) }
    try terminal.leave()
    // The program was started only once, and the other change is pending.
    #expect(try team.household.text(of: begun) == "lamps\n")
    try team.settings("", more: "feature_command = [\"/bin/sh\", \"-c\", \"echo $1 $2 >> '\(record)'\"]")
    func told() -> String {
      String(decoding: FileManager.default.contents(atPath: record) ?? Data(), as: UTF8.self)
    }
    if next.isEmpty {
      let again = try team.household.inbox()
      try again.wait(for: "what was left") { _ in told() == "on lamps\non heat\n" }
      try again.leave()
    } else {
      let ran = try team.household.run(next)
      #expect(ran.exit == .status(0), "\(ran.errors)")
    }
    #expect(told() == "on lamps\non heat\n")
    // Another poll run does not start the programs again.
    _ = try team.household.run("poll", "--all")
    #expect(told() == "on lamps\non heat\n")
  }

  @Test func theMomentSwitchesWithoutAPollAndBackAgain() throws {
    let team = try Team()
    let record = "\(team.household.home)/told"
    try team.settings("", more: "feature_command = [\"/bin/sh\", \"-c\", \"echo $1 $2 >> '\(record)'\"]")
    team.server.answer("/app") { connection in
      let epoch = ISO8601DateFormatter().string(from: Date() + 2)
      connection.respond(
        "200 OK", [],
        Data(
          """
          {"list": [{"id": 1, "type": "enable-feature", "epoch": "\(epoch)", "data": {"feature": "lamps"}},
          {"id": 2, "type": "enable-feature", "expiry": "300millis", "data": {"feature": "heat"}}]}
          """.utf8))
    }
    let terminal = try team.household.inbox()
    try terminal.wait(for: "what time switched") { _ in
      let told = FileManager.default.contents(atPath: record) ?? Data()
      return String(decoding: told, as: UTF8.self).split(separator: "\n").sorted()
        == ["off heat", "on heat", "on lamps"]
    }
    #expect(team.requests == 1)
    #expect(try features(team)["heat"]?["why"] as? String == "this has expired")
    #expect(try features(team)["lamps"]?["enabled"] as? Bool == true)
    try terminal.leave()
  }
}
