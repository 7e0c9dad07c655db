import Foundation

/// Measures how long the program takes to store 100,000 items of a file in the database, where they can be
/// searched.
struct IntakeBenchmark {
  var workshop: Workshop

  /// - Parameter isWhole: whether to measure a million items too.
  func run(isWhole: Bool, into table: inout ResultTable) async throws {
    let count = 100_000
    try runShortly(into: &table)
    let rss = try workshop.rss(count)
    try measure("native", try workshop.native(count, inApp: false), kind: "native", goal: "", into: &table)
    try measure(
      "in-app", try workshop.native(count, inApp: true), kind: "native", goal: "no slower than RSS",
      into: &table)
    if isWhole { try measureTenFiles(rss, into: &table) }
    try measureQuietFeeds(into: &table)
  }

  /// Measures only one large feed.
  func runShortly(into table: inout ResultTable) throws {
    try measure("RSS", workshop.rss(100_000), kind: "feed", goal: "≤ 2.5 s, ≤ 200 MiB", into: &table)
  }

  /// Measures one poll of a million items in ten files, in turn with one poll of such a file.
  private func measureTenFiles(_ file: URL, into table: inout ResultTable) throws {
    let feeds = try workshop.feeds(10, items: 100_000, named: "tenth")
    defer { for file in feeds.files { try? FileManager.default.removeItem(at: file) } }
    var (one, ten) = (Times(), Times())
    var peak = ""
    for round in 0..<3 {
      one.add(try takeIn("one-\(round)", file, kind: "feed").cost.wall)
      let database = workshop.folder.appending(path: "ten.sqlite").path
      let run = try ProcessRun(
        workshop.program, ["poll", "--all", "--database", database, "--config", feeds.config.path],
        environment: ["HOME": workshop.folder.path])
      ten.add(run.cost.wall)
      peak = run.cost.peakMiB
      for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + ending) }
    }
    table.add(
      "1,000,000 RSS items in ten files, to one of the files",
      String(format: "%.1f", ten.median / one.median)
        + ": \(text(ten.median)), \(peak), to \(text(one.median))",
      goal: "≤ 12")
  }

  /// Measures 300 feeds of 50 items, polled again: nothing is new, as in most polls.
  private func measureQuietFeeds(into table: inout ResultTable) throws {
    let feeds = try workshop.feeds(300, items: 50)
    let database = workshop.folder.appending(path: "feeds.sqlite").path
    func poll() throws -> ProcessRun {
      try ProcessRun(
        workshop.program, ["poll", "--all", "--database", database, "--config", feeds.config.path],
        environment: ["HOME": workshop.folder.path])
    }
    _ = try poll()
    var (same, written) = (Times(), Times())
    for _ in 0..<5 { same.add(try poll().cost.cpu) }
    for _ in 0..<5 {
      for file in feeds.files {
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
      }
      written.add(try poll().cost.cpu)
    }
    table.add(
      "300 feeds of 50 items polled again, their files unchanged: CPU", text(same.median), goal: "≤ 120 ms")
    table.add("the same, their files written again: CPU", text(written.median))
  }

  private func measure(
    _ name: String, _ file: URL, kind: String, goal: String, into table: inout ResultTable
  ) throws {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    let run = try takeIn(name, file, kind: kind)
    let megabytes = String(format: "%.0f MB", Double(size) / 1e6)
    table.add(
      "100,000 \(name) items (\(megabytes)) taken in, stored, searchable",
      "\(text(run.cost.wall.milliseconds)), \(run.cost.peakMiB)\(run.end == .status(0) ? "" : " FAILED")",
      goal: goal)
  }

  /// Polls a file once into a new database.
  func takeIn(_ name: String, _ file: URL, kind: String) throws -> ProcessRun {
    let config = workshop.folder.appending(path: "intake-\(name).toml")
    try Data("[[source]]\nname = \"large\"\nkind = \"\(kind)\"\nurl = \"\(file.absoluteString)\"\n".utf8)
      .write(to: config)
    let database = workshop.folder.appending(path: "intake-\(name).sqlite").path
    return try ProcessRun(
      workshop.program, ["poll", "--all", "--database", database, "--config", config.path],
      environment: ["HOME": workshop.folder.path])
  }
}
