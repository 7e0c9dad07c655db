import Foundation
import TerminalHarness

/// A program did not show what it should.
struct MissingList: Error {
  var text: String
}

/// The program beside others in one run, in turn: machines differ by a factor of two, ratios hardly do.
struct RatioBenchmark {
  var workshop: Workshop

  /// - Parameter database: the largest one.
  func run(_ database: FilledDatabase, into table: inout ResultTable) throws {
    try compareStarts(database, into: &table)
    try compareKeys(database, into: &table)
    try compareIntake(into: &table)
  }

  /// With a program that only opens the same libraries, the database and a screen.
  private func compareStarts(_ database: FilledDatabase, into table: inout ResultTable) throws {
    var (own, floor) = (Times(), Times())
    for _ in 0..<25 {
      own.add(
        try start("Message \(database.messages - 1):") { terminal in
          try InboxBenchmark(workshop: workshop).launch(database, in: terminal)
        })
      floor.add(
        try start(FloorProgram.text) { terminal in
          try terminal.start(
            BuiltProduct.path("reddot-benchmark"), ["floor", database.path],
            environment: ["HOME": workshop.folder.path])
        })
    }
    add(
      "start to first list, \(database.label), to opening libraries, database and screen", own.median,
      floor.median, into: &table)
  }

  private func start(_ first: String, _ launch: (PseudoTerminal) throws -> Void) throws -> Duration {
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    let start = ContinuousClock.now
    try launch(terminal)
    let end = terminal.time(ofText: first)
    terminal.send("q")
    _ = try terminal.waitForExit()
    guard let end else { throw MissingList(text: first) }
    return end - start
  }

  private func compareKeys(_ database: FilledDatabase, into table: inout ResultTable) throws {
    guard PeerBenchmark.isInstalled("sfeed_curses"), PeerBenchmark.isInstalled("sfeed") else {
      return note("sfeed is not installed")
    }
    let list = workshop.folder.appending(path: "sfeed-list").path
    let rss = try workshop.rss(100_000)
    _ = try ProcessRun("sh", ["-c", "sfeed < '\(rss.path)' > '\(list)'"])
    let (ours, theirs) = (
      try PseudoTerminal(columns: 120, rows: 40), try PseudoTerminal(columns: 120, rows: 40)
    )
    try InboxBenchmark(workshop: workshop).launch(database, in: ours)
    try ours.wait(forText: "Message \(database.messages - 1):")
    try theirs.start("/usr/bin/sfeed_curses", [list], environment: ["HOME": workshop.folder.path])
    try theirs.wait(forText: "Message 0:")
    // From the feeds to the items.
    theirs.send("l")
    for terminal in [ours, theirs] { terminal.readUntilQuiet(for: 500) }
    let key = MeasuredKey(name: "j", bytes: "j", count: 1)
    var (own, other) = (Times(), Times())
    for _ in 0..<300 {
      if let time = key.time(in: ours) { own.add(time) }
      if let time = key.time(in: theirs) { other.add(time) }
    }
    table.add("sfeed_curses: key to paint, j, 100,000 messages", "p50 \(text(other.median))")
    add(
      "key to paint, j, \(database.label), p50, to sfeed_curses with 100,000", own.median, other.median,
      into: &table)
    for terminal in [ours, theirs] {
      terminal.send("q")
      _ = try terminal.waitForExit()
    }
  }

  private func compareIntake(into table: inout ResultTable) throws {
    guard PeerBenchmark.isInstalled("newsboat") else { return note("newsboat is not installed") }
    let rss = try workshop.rss(100_000)
    let intake = IntakeBenchmark(workshop: workshop)
    let peers = PeerBenchmark(workshop: workshop)
    var (own, other) = (Times(), Times())
    for round in 0..<3 {
      own.add(try intake.takeIn("ratio-\(round)", rss, kind: "feed").cost.wall)
      other.add(try peers.newsboat(rss, cache: "ratio-\(round).db").cost.wall)
    }
    add(
      "newsboat's time for 100,000 RSS items, to reddot's", other.median, own.median, into: &table)
  }

  private func add(_ what: String, _ time: Double, _ other: Double, into table: inout ResultTable) {
    table.add(what, String(format: "%.2f", time / other) + ": \(text(time)) to \(text(other))")
  }
}
