import Foundation
import TerminalHarness
import Testing

/// The input of programs' hooks, and the resulting row, whose title shows the request.
@Suite struct HookTitleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var object: String
    var title: String
    var waits = true
    var lines: [String] = []
    var testDescription: String { title }
  }

  private static let place = #""session_id":"s1","cwd":"/home/ada/shop""#

  @Test(arguments: [
    Case(
      object: #"{"hook_event_name":"Notification",\#(place),"message":"Needs your approval"}"#,
      title: "shop: Needs your approval"),
    Case(
      object:
        #"{"hook_event_name":"Notification",\#(place),"title":"Hint","notification_type":"idle_prompt","message":"Waiting\nfor you"}"#,
      title: "shop: Waiting", lines: ["Waiting", "for you"]),
    Case(
      object:
        #"{"hook_event_name":"PermissionRequest",\#(place),"tool_name":"Bash","tool_input":{"command":"rm -rf build && make test","description":"Builds from scratch"}}"#,
      title: "shop: ? rm -rf build && make test",
      lines: ["Bash: rm -rf build && make test", "Builds from scratch", "", "/home/ada/shop, job s1"]),
    Case(
      object:
        #"{"hook_event_name":"PermissionRequest",\#(place),"tool_name":"Bash","tool_input":{"command":"cat <<X\none\nX","timeout":5}}"#,
      title: "shop: ? cat <<X one X",
      lines: ["Bash:", "cat <<X", "one", "X", "timeout: 5", "", "/home/ada/shop, job s1"]),
    Case(
      object:
        #"{"hook_event_name":"PermissionRequest",\#(place),"tool_name":"Write","tool_input":{"file_path":"/etc/hosts","content":"127.0.0.1 x"}}"#,
      title: "shop: ? /etc/hosts", lines: ["Write: /etc/hosts", "", "/home/ada/shop, job s1"]),
    Case(
      object:
        #"{"type":"approval-requested","thread-id":"s1","cwd":"/home/ada/shop","tool_name":"shell","tool_input":{"command":["git","commit","-m","two words"]}}"#,
      title: "shop: ? git commit -m 'two words'",
      lines: ["shell: git commit -m 'two words'", "", "/home/ada/shop, job s1"]),
    Case(
      object:
        #"{"hook_event_name":"PermissionRequest",\#(place),"tool_name":"Remember","tool_input":{"fact":{"a":1}}}"#,
      title: "shop: ? Remember", lines: ["Remember", #"fact: {"a":1}"#, "", "/home/ada/shop, job s1"]),
    Case(
      object:
        #"{"hook_event_name":"Stop",\#(place),"last_assistant_message":"I ran them.\n\nTests pass now: 214 in 3 min\n"}"#,
      title: "shop: ✓ Tests pass now: 214 in 3 min", waits: false),
    Case(
      object:
        #"{"type":"agent-turn-complete","thread-id":"s1","cwd":"/home/ada/shop/","last-assistant-message":"All green"}"#,
      title: "shop: ✓ All green", waits: false),
    Case(
      object: #"{"event":"Deployed",\#(place),"version":"4.2"}"#, title: "shop: deployed", waits: false),
  ])
  func theTitleSaysWhatIsWanted(_ one: Case) throws {
    let household = try Household()
    try household.run(["push", "--hook"], input: one.object).expect("")
    let message = try household.message { $0["title"] as? String == one.title }
    #expect(message["tags"] as? [String] == (one.waits ? ["waiting"] : []))
    let body = try #require(message["body"] as? String)
    if !one.lines.isEmpty { #expect(body == one.lines.joined(separator: "\n")) }
    #expect(!body.contains("hook_event_name"))
  }

  /// Three permissions: two jobs of one project ask for the same, and one of another.
  @Test func permissionsOfOneProjectAreToldApartByAWord() throws {
    let household = try Household()
    func ask(_ session: String, _ folder: String, _ title: String) throws -> Running {
      let request =
        #"{"hook_event_name":"PermissionRequest","session_id":"\#(session)","cwd":"\#(folder)","tool_name":"Bash","tool_input":{"command":"make"}}"#
      let running = try household.start(["push", "--hook", "--answer", "--for", "10m"], input: request)
      _ = try household.message { $0["title"] as? String == title }
      return running
    }
    let asking = [
      try ask("s1", "/home/ada/shop", "shop: ? make"), try ask("s2", "/srv/shop", "shop (job 2): ? make"),
      try ask("s3", "/srv/api", "api: ? make"),
    ]
    for running in asking {
      kill(running.process, SIGTERM)
      try running.waitForEnd().expect("")
    }
  }

  /// Three rows: two jobs of one project with the same text, and a job of another project.
  @Test func jobsOfOneProjectAreToldApartByAWord() throws {
    let household = try Household()
    func stop(_ session: String, _ folder: String) throws {
      try household.run(
        ["push", "--hook"],
        input: #"{"hook_event_name":"Stop","session_id":"\#(session)","cwd":"\#(folder)","message":"Done"}"#
      ).expect("")
    }
    try stop("s1", "/home/ada/shop")
    _ = try household.message { $0["title"] as? String == "shop: ✓ Done" }
    try stop("s2", "/srv/shop")
    _ = try household.message { $0["title"] as? String == "shop (job 2): ✓ Done" }
    try stop("s3", "/srv/api")
    _ = try household.message { $0["title"] as? String == "api: ✓ Done" }
    try stop("s1", "/home/ada/shop")
    _ = try household.message { $0["title"] as? String == "shop (job 1): ✓ Done" }
    #expect(try household.messages().count == 3)
    // After the end of one session, the project has only one job.
    try household.run(
      ["push", "--hook"], input: #"{"hook_event_name":"SessionEnd","session_id":"s1","cwd":"/home/ada/shop"}"#
    ).expect("")
    try stop("s2", "/srv/shop")
    _ = try household.message { $0["title"] as? String == "shop: ✓ Done" }
    let titles = try household.messages().compactMap { $0["title"] as? String }.sorted()
    #expect(titles == ["api: ✓ Done", "shop (job 1): ✓ Done", "shop: ✓ Done"])
  }
}
