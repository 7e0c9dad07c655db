import Foundation

/// What rules cost those who take in many messages.
struct RuleBenchmark {
  var workshop: Workshop

  func run(into table: inout ResultTable) throws {
    let file = try workshop.rss(100_000)
    // By turns, so that a slower moment of the machine doesn't count against one of them.
    var without: [Duration] = []
    var with: [Duration] = []
    for turn in 1...3 {
      without.append(try poll(file, rules: 0, turn))
      with.append(try poll(file, rules: 50, turn))
    }
    guard let plain = without.min(), let ruled = with.min() else { return }
    let more = (ruled / plain - 1) * 100
    table.add(
      "100,000 RSS items taken in, without and with 50 rules",
      "\(text(plain.milliseconds)), \(text(ruled.milliseconds)): \(String(format: "%+.0f %%", more))",
      goal: "≤ 30 % more")
  }

  private func poll(_ file: URL, rules: Int, _ turn: Int) throws -> Duration {
    let name = "rules-\(rules)-\(turn)"
    var settings = "[[source]]\nname = \"large\"\nurl = \"\(file.absoluteString)\"\n"
    for number in 0..<rules { settings += rule(number) }
    let config = workshop.folder.appending(path: "\(name).toml")
    try Data(settings.utf8).write(to: config)
    let database = workshop.folder.appending(path: "\(name).sqlite").path
    let run = try ProcessRun(
      workshop.program, ["poll", "--force", "--database", database, "--config", config.path],
      environment: ["HOME": workshop.folder.path])
    guard run.end == .status(0) else { throw CocoaError(.executableLoad) }
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + end) }
    return run.cost.wall
  }

  /// Of all kinds: words in any text, a title, a source, tags, phrases; one in ten matches some messages.
  private func rule(_ number: Int) -> String {
    let condition =
      switch number % 5 {
      case 0: "title:release\(number) -tag:internal"
      case 1: "outage\(number) OR \\\"build failed \(number)\\\""
      case 2: "source:build\(number) priority>=4"
      case 3: "body:word\(number) is:unread"
      case _: "tag:ci\(number) author:robot"
      }
    return "[[rule]]\nname = \"rule \(number)\"\nwhen = \"\(condition)\"\ndo = [\"tag:seen\", \"star\"]\n"
  }
}
