import Foundation
import PostgreSQLStandIn
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// The guide "A team in ten minutes", typed exactly.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubGuideTests {
  enum StoreKind: CaseIterable {
    case file, database

    static let allCases: [StoreKind] = [.file] + (PostgreSQLServer.isInstalled ? [.database] : [])
  }

  /// A line that is typed, and the lines that it prints.
  private struct Step {
    var line: String
    var printed: [String] = []
  }

  /// Returns the steps of the blocks that show a screen.
  private static func steps() throws -> [Step] {
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Hub.md")
    var steps: [Step] = []
    for block in page.components(separatedBy: "\n```console\n").dropFirst() {
      for line in block.components(separatedBy: "\n```")[0].components(separatedBy: "\n") {
        if line.hasPrefix("# ") || line.hasPrefix("$ ") {
          steps.append(Step(line: String(line.dropFirst(2))))
        } else {
          steps[steps.count - 1].printed.append(line)
        }
      }
    }
    return steps
  }

  /// Whether the strings between the dots occur in their order.
  private static func fits(_ text: String, _ pattern: String) -> Bool {
    var rest = text[...]
    for part in pattern.components(separatedBy: "…") where !part.isEmpty {
      guard let found = rest.range(of: part.trimmingCharacters(in: .whitespaces)) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"),
      "curl is not installed: Resources/install-packages --servers"),
    arguments: StoreKind.allCases)
  func eachCommandPrintsWhatTheGuideSays(_ kind: StoreKind) throws {
    var store = ""
    let household = try Household()
    if case .database = kind {
      let server = try PostgreSQLServer.shared
      store = try server.address(role: "postgres", database: server.database())
    } else {
      store = "sqlite:\(household.home)/hub.db"
    }
    let team = try HubTeam(1, store: store)
    let desk = team.household
    try desk.settings(sources: [])
    let client = try team.start(0)
    let (steps, address) = (try Self.steps(), "http://127.0.0.1:\(client.port)")
    var environment = desk.environment.merging(["HUB": address]) { $1 }
    let programs = URL(filePath: BuiltProduct.path("reddot")).deletingLastPathComponent().path
    environment["PATH"] = "\(programs):/usr/bin:/bin"
    var typed = 0
    for step in steps where !step.line.hasPrefix("systemctl ") && !step.line.hasPrefix("ssh ") {
      var line = step.line.replacing("http://127.0.0.1:8377", with: address)
      if line.hasPrefix("reddot-hub ") { line += " --config \(desk.home)/hub0.toml" }
      let ran = try Running("/bin/sh", ["-c", line], environment: environment, keeping: desk).waitForEnd()
      #expect(ran.exit == .status(0), "\(line): \(ran.errors)")
      let printed = ran.output.trimmingCharacters(in: .newlines).components(separatedBy: "\n")
      #expect(printed.count == step.printed.count, "\(line): \(printed)")
      for (text, pattern) in zip(printed, step.printed) {
        #expect(
          Self.fits(text, pattern.replacing("http://127.0.0.1:8377", with: address)), "\(line): \(text)")
      }
      if printed.first?.hasPrefix("rdh_") == true { environment["T"] = printed[0] }
      if line.contains(" feed add ") {
        // A hub looks each second.
        try eventually("the hub to know the feed") {
          try client.ask("GET", "/v1/feeds").body.contains("ops")
        }
      }
      typed += 1
    }
    #expect(typed > 5)
    // The script's message is on the desk too.
    _ = try desk.run("poll", "--force")
    #expect(try desk.run("list").output.split(separator: "\n").count == 2)
    // These are a newcomer's next commands: a refusal contains the reason.
    let curl = "curl -s -H \"Authorization: Bearer $T\""
    for (line, reason) in [
      ("\(curl) -d Hi \"$HUB/v1/feeds/ops?title=Größe&priority=9\"", "must be 1 to 5"),
      ("\(curl) -d '' \"$HUB/v1/feeds/ops\"", "neither a title nor a body"),
      ("\(curl) -g --path-as-is -d Hi \"$HUB/v1/feeds/ops?title=%ZZ\"", "percent-encoded"),
      ("\(curl) -d Hi \"$HUB/v1/feeds/oops\"", "this token has no access to anything here"),
    ] {
      let ran = try Running("/bin/sh", ["-c", line], environment: environment, keeping: desk).waitForEnd()
      #expect(ran.output.contains(reason), "\(line): \(ran)")
    }
    let umlaut = "\(curl) -d Hi \"$HUB/v1/feeds/ops?title=Länge&channel=maße\""
    let ran = try Running("/bin/sh", ["-c", umlaut], environment: environment, keeping: desk).waitForEnd()
    #expect(ran.output.contains("\"state\":\"stored\""), "\(ran)")
    _ = try desk.run("poll", "--force")
    #expect(try desk.run("list", "--query", "channel:maße").output.contains("Länge"))
    #expect(try team.end(0, SIGTERM).exit == .status(0))
  }
}
