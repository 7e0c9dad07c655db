import Foundation
import TerminalHarness
import Testing

/// `reddot hooks json`: a program's settings keep every byte that isn't reddot's.
@Suite struct JSONHooksTests {
  private let household: Household

  init() throws { household = try Household() }

  private static let events = [
    "PermissionRequest", "Notification", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd",
  ]

  private static func commands(_ text: String) throws -> [String: [String]] {
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let hooks = object["hooks"] as? [String: [[String: Any]]] ?? [:]
    return hooks.mapValues { entries in
      entries.flatMap { ($0["hooks"] as? [[String: Any]] ?? []).compactMap { $0["command"] as? String } }
    }
  }

  @Test func theyArePrinted() throws {
    let commands = try Self.commands(try household.run("hooks", "json").output)
    #expect(Set(commands.keys) == Set(Self.events))
    for (event, commands) in commands {
      #expect(commands.count == 1)
      let end = event == "PermissionRequest" ? "/reddot push --hook --answer" : "/reddot push --hook"
      #expect(commands[0].hasSuffix(end), "\(event): \(commands[0])")
    }
  }

  /// Somebody else's hooks and keys, in different layouts.
  @Test(arguments: [
    "{}", "{ }\n", "{\"a\":1}", "{\n\t\"model\": \"x\",\n\t\"hooks\": {}\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}\n    ]\n  },\n  \"z\": [1, 2,  3 ],\r\n  \"é\\u00e9\": \"}]\\\"{\"\n}",
    "{\"hooks\":{\"PostToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"fmt\"}]}],\"Other\":[]},\"b\":{\"c\":null}}",
  ])
  func everythingElseStays(_ text: String) throws {
    let file = try household.write("settings.json", text)
    chmod(file, 0o640)
    try household.run("hooks", "json", "--install", file).expect("")
    let installed = try household.text(of: file)
    let commands = try Self.commands(installed)
    for event in Self.events {
      #expect(commands[event]?.count { $0.contains("/reddot push --hook") } == 1, "\(event)")
    }
    for (event, before) in try Self.commands(text) { #expect(commands[event]?.starts(with: before) == true) }
    #expect(try household.text(of: file + ".before-reddot") == text)
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    // The file may contain tokens.
    #expect(try mode(file) == 0o640 && mode(file + ".before-reddot") == 0o600)
    // Again it is the same.
    try household.run("hooks", "json", "--install", file).expect("")
    #expect(try household.text(of: file) == installed)
    try household.run("hooks", "json", "--remove", file).expect("")
    let removed = try household.text(of: file)
    #expect(removed == text || text.contains("\"hooks\": {}") && !removed.contains("reddot"))
  }

  @Test(arguments: ["", "[1]", "{\"hooks\": 1}", "{\"hooks\": {\"Stop\": {}}}", "{\"a\": 1", "{// no\n}"])
  func whatIsNoSuchFileIsNotChanged(_ text: String) throws {
    let file = try household.write("settings.json", text)
    let ran = try household.run("hooks", "json", "--install", file)
    #expect(ran.exit == .status(1) && ran.errors.hasSuffix("nothing was changed\n"), "\(ran.errors)")
    #expect(try household.text(of: file) == text)
  }

  @Test func aFileThatIsNotThereIsMade() throws {
    let file = "\(household.home)/new/settings.json"
    try household.run("hooks", "json", "--remove", file).expect("")
    #expect(!FileManager.default.fileExists(atPath: file))
    try household.run("hooks", "json", "--install", file).expect("")
    #expect(try Self.commands(household.text(of: file)).count == Self.events.count)
  }
}
