import Foundation
import TerminalHarness

/// The inbox during other work: hostile documents, a long message, a program
/// that hangs.
struct BesideBenchmark {
  var workshop: Workshop

  /// Entries of the hostile list that take the longest, each in its own way.
  private static let documents = [
    "a million links", "5,000,000 empty items", "400,000 items of one guid", "500,000 names of elements",
    "64 MB of &",
  ]
  /// The help begins with this text, and only the help has it.
  private static let help = "Next message, source or line"

  func run(into table: inout ResultTable) throws {
    for entry in HostileCase.all where Self.documents.contains(entry.name) {
      table.add("key to paint while this is polled: \(entry.name)", try keys(beside: entry), goal: "≤ 50 ms")
    }
    try longMessage(into: &table)
    table.add("quit to a free terminal, a token command hangs", text(try quit()), goal: "≤ 500 ms")
  }

  /// Opens and closes the help until the poll has ended.
  private func keys(beside entry: HostileCase) throws -> String {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "document").path
    let document = try HostileDocument(path: path)
    try entry.write(document)
    try document.close()
    let server = try HostileServer(document: path, headers: entry.headers)
    defer { server.stop() }
    let terminal = try inbox(
      folder,
      """
      [[source]]
      name = "hostile"
      url = "http://127.0.0.1:\(server.port)/document"
      initial_delay = "300ms"
      """)
    try terminal.wait(forText: "hostile")
    var times = Times()
    let end = ContinuousClock.now + .seconds(60)
    // Idle again: the poll is over.
    var quiet = 0
    while quiet < 40, ContinuousClock.now < end {
      let before = InboxBenchmark.processorTicks(terminal.process)
      times.add(try toggle(terminal, isShown: true))
      times.add(try toggle(terminal, isShown: false))
      terminal.readUntilQuiet(for: 10)
      let isBusy = InboxBenchmark.processorTicks(terminal.process) - before > 1
      quiet = isBusy ? 0 : quiet + 1
    }
    terminal.send("q")
    _ = try terminal.waitForExit()
    return "p50 \(text(times.median)), slowest \(text(times.percentile(1)))"
  }

  private func toggle(_ terminal: PseudoTerminal, isShown: Bool) throws -> Duration {
    let start = ContinuousClock.now
    terminal.send("?")
    try terminal.wait(for: "the help", until: { $0.screen.text.contains(Self.help) == isShown })
    return ContinuousClock.now - start
  }

  private func longMessage(into table: inout ResultTable) throws {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let feed = folder.appending(path: "long.xml")
    var html = ""
    var number = 0
    while html.utf8.count < 1 << 20 {
      number += 1
      html += "&lt;p&gt;Paragraph \(number) &lt;b&gt;with&lt;/b&gt; some words of its own.&lt;/p&gt;"
    }
    let rss = """
      <rss version="2.0"><channel><title>Long</title><item><guid>1</guid><title>A long text</title>\
      <description>\(html)</description></item></channel></rss>
      """
    try Data(rss.utf8).write(to: feed)
    let settings = "[[source]]\nname = \"long\"\nurl = \"\(feed.absoluteString)\"\ninitial_delay = \"1ms\"\n"
    let terminal = try inbox(folder, settings)
    try terminal.wait(forText: "A long text")
    terminal.readUntilQuiet(for: 500)
    terminal.send("h")
    terminal.readUntilQuiet(for: 100)
    terminal.send("j\t")
    terminal.readUntilQuiet(for: 100)
    let start = ContinuousClock.now
    terminal.send("\r")
    try terminal.wait(forText: "Paragraph 9 ")
    table.add("opening a message of 1 MiB", text((ContinuousClock.now - start).milliseconds))
    terminal.readUntilQuiet(for: 300)
    let toEnd = ContinuousClock.now
    terminal.send("G")
    terminal.read(for: 5000)
    table.add(
      "key to paint, G, to the end of a message of 1 MiB",
      text((ContinuousClock.now - toEnd).milliseconds), goal: "≤ 50 ms")
    terminal.send("q")
    terminal.send("q")
    _ = try terminal.waitForExit()
  }

  /// From the key to the restored terminal.
  private func quit() throws -> Double {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let marker = folder.appending(path: "asked").path
    let terminal = try inbox(
      folder,
      """
      [[source]]
      name = "locked"
      kind = "native"
      url = "http://127.0.0.1:9/"
      initial_delay = "1ms"
      token_timeout = "10m"
      token_command = ["sh", "-c", "trap '' TERM; : > '\(marker)'; sleep 600"]
      """)
    try terminal.wait(
      for: "the token command", until: { _ in FileManager.default.fileExists(atPath: marker) })
    let start = ContinuousClock.now
    terminal.send("q")
    try terminal.wait(for: "the terminal", until: { !$0.screen.isAlternate })
    let time = (ContinuousClock.now - start).milliseconds
    _ = try terminal.waitForExit()
    return time
  }

  private func makeFolder() throws -> URL {
    let folder = workshop.folder.appending(path: "beside")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func inbox(_ folder: URL, _ settings: String) throws -> PseudoTerminal {
    let file = folder.appending(path: "config.toml")
    try Data(settings.utf8).write(to: file)
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    try terminal.start(
      workshop.program, ["--config", file.path, "--database", folder.appending(path: "db.sqlite").path],
      environment: ["HOME": folder.path, "TZ": "UTC"])
    return terminal
  }
}
