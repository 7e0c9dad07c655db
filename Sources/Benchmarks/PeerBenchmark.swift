import Foundation
import TerminalHarness

/// Other feed readers with the same file, if they are installed.
struct PeerBenchmark {
  var workshop: Workshop

  func run(into table: inout ResultTable) throws {
    let rss = try workshop.rss(100_000)
    if Self.isInstalled("newsboat") {
      let cache = "newsboat.db"
      let run = try newsboat(rss, cache: cache)
      table.add(
        "newsboat: 100,000 RSS items taken in", "\(text(run.cost.wall.milliseconds)), \(run.cost.peakMiB)")
      let terminal = try PseudoTerminal(columns: 120, rows: 40)
      let start = ContinuousClock.now
      try terminal.start("/usr/bin/newsboat", options(rss, cache: cache), environment: environment)
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
    } else {
      note("newsboat is not installed")
    }
    if Self.isInstalled("sfeed") {
      let run = try ProcessRun("sh", ["-c", "sfeed < '\(rss.path)' > '\(workshop.folder.path)/sfeed.tsv'"])
      table.add(
        "sfeed: 100,000 RSS items parsed to a text file",
        "\(text(run.cost.wall.milliseconds)), \(run.cost.peakMiB)")
    } else {
      note("sfeed is not installed")
    }
  }

  private var environment: [String: String] { ["HOME": workshop.folder.path] }

  private func options(_ feed: URL, cache: String) throws -> [String] {
    let urls = workshop.folder.appending(path: "urls")
    let config = workshop.folder.appending(path: "newsboat.conf")
    try Data("file://\(feed.path)\n".utf8).write(to: urls)
    try Data("max-items 0\n".utf8).write(to: config)
    return ["-u", urls.path, "-C", config.path, "-c", workshop.folder.appending(path: cache).path]
  }

  /// One reload of a file.
  func newsboat(_ feed: URL, cache: String) throws -> ProcessRun {
    try ProcessRun(
      "newsboat", options(feed, cache: cache) + ["-x", "reload"], environment: environment)
  }

  static func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
  }
}
