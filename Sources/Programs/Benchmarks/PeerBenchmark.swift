import Foundation
import TerminalHarness

/// Measures newsboat, another feed reader, with the same files, if it is installed.
struct PeerBenchmark {
  var workshop: Workshop

  func run(into table: inout ResultTable) throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/newsboat") else {
      return note("newsboat is not installed")
    }
    let rss = try workshop.rss(100_000)
    try compareIntake(rss, into: &table)
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    let start = ContinuousClock.now
    try terminal.start("/usr/bin/newsboat", options(rss, cache: "0.db"), environment: environment)
    try terminal.wait(forText: "(100000/")
    table.add("newsboat: start to first list", text((ContinuousClock.now - start).milliseconds))
    terminal.send("\r")
    terminal.readUntilQuiet(for: 1500)
    var times = Times()
    for _ in 0..<30 {
      let start = ContinuousClock.now
      terminal.send("j")
      guard terminal.read(for: 3000) else { continue }
      times.add(ContinuousClock.now - start)
      terminal.readUntilQuiet(for: 20)
    }
    table.add("newsboat: key to paint, j, 100,000 messages", "p50 \(text(times.median))")
    table.add("newsboat: resident memory", InboxBenchmark.resident(terminal.process))
  }

  /// Compares reddot and newsboat in turn: the times of machines differ by a factor of two, but the ratio of both
  /// programs hardly differs.
  private func compareIntake(_ rss: URL, into table: inout ResultTable) throws {
    let intake = IntakeBenchmark(workshop: workshop)
    var (own, other) = (Times(), Times())
    var peak = ""
    for round in 0..<3 {
      own.add(try intake.takeIn("peer-\(round)", rss, kind: "feed").cost.wall)
      let run = try newsboat(rss, cache: "\(round).db")
      other.add(run.cost.wall)
      peak = run.cost.peakMiB
    }
    table.add("newsboat: 100,000 RSS items taken in", "\(text(other.median)), \(peak)")
    table.add(
      "newsboat's time for 100,000 RSS items, to reddot's",
      String(format: "%.1f", other.median / own.median) + ": \(text(other.median)) to \(text(own.median))")
  }

  private var environment: [String: String] { ["HOME": workshop.folder.path] }

  private func options(_ feed: URL, cache: String) throws -> [String] {
    let urls = workshop.folder.appending(path: "urls")
    let config = workshop.folder.appending(path: "newsboat.conf")
    try Data("file://\(feed.path)\n".utf8).write(to: urls)
    try Data("max-items 0\n".utf8).write(to: config)
    return ["-u", urls.path, "-C", config.path, "-c", workshop.folder.appending(path: cache).path]
  }

  /// Runs newsboat once, to reload a file.
  private func newsboat(_ feed: URL, cache: String) throws -> ProcessRun {
    try ProcessRun(
      "newsboat", options(feed, cache: cache) + ["-x", "reload"], environment: environment)
  }
}
