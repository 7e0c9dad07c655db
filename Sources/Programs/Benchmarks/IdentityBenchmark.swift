import Basics
import Foundation
import Messages

/// Documents that come again: unchanged, with other ids, with one edit; and edits among a million stored messages.
struct IdentityBenchmark {
  var workshop: Workshop

  private static let count = 100_000

  /// - Parameter largest: the number of messages that are stored before some are edited.
  func run(_ largest: Int, into table: inout ResultTable) throws {
    try measureDocuments(into: &table)
    try measureEdits(among: largest, into: &table)
  }

  /// One document of 100,000 items, then another version of it, three times.
  private func measureDocuments(into table: inout ResultTable) throws {
    let first = try String(contentsOf: workshop.rss(Self.count), encoding: .utf8)
    let middle = "<guid isPermaLink=\"false\">item-\(Self.count / 2)</guid><title>"
    let versions: [(name: String, text: String, goal: String)] = [
      ("the same with a space more", first + " ", ""),
      ("one title edited", first.replacing(exactly: middle, with: middle + "Edited: "), ""),
      (
        "all ids new",
        first.replacing(
          exactly: "<guid isPermaLink=\"false\">item", with: "<guid isPermaLink=\"false\">other"),
        "≤ 1.5 × the first poll"
      ),
    ]
    for version in versions {
      var (firsts, seconds) = (Times(), Times())
      var peaks = ("", "")
      for round in 0..<3 {
        let source = try DocumentSource(workshop, "version-\(round)")
        defer { source.remove() }
        let before = try source.poll(first)
        let after = try source.poll(version.text)
        firsts.add(before.cost.wall)
        seconds.add(after.cost.wall)
        peaks = (before.cost.peakMiB, after.cost.peakMiB)
      }
      table.add(
        "100,000 RSS items, \(version.name); their first poll before",
        "\(text(seconds.median)), \(peaks.1); \(text(firsts.median)), \(peaks.0): "
          + String(format: "%.2f", seconds.median / firsts.median),
        goal: version.goal)
    }
  }

  /// A document of 1,000 items of a source with very many messages: each edited, against the same once more.
  private func measureEdits(among largest: Int, into table: inout ResultTable) throws {
    note("filling a database with \(largest) messages")
    let filled = try workshop.fill(largest)
    let source = DocumentSource(
      workshop, file: workshop.folder.appending(path: "empty-0.xml"), database: filled.path,
      config: filled.settings)
    var (same, edited) = (Times(), Times())
    for round in 0..<5 {
      let indices = stride(from: round, to: largest, by: largest / 1000)
      _ = try source.poll(Self.document(indices, edition: round))
      edited.add(try source.poll(Self.document(indices, edition: round + 1)).cost.wall)
      same.add(try source.poll(Self.document(indices, edition: round + 1) + " ").cost.wall)
    }
    table.add(
      "\(filled.label): an edited entry of a document",
      text((edited.median - same.median) / 1000), goal: "≤ 0.2 ms")
  }

  private static func document(_ indices: some Sequence<Int>, edition: Int) -> String {
    let items = indices.map { index in
      let message = Workshop.message(index)
      return """
        <item><guid isPermaLink="false">bench-\(index)</guid><title>\(message.title)</title><link>https://example.org/\(index)</link>\
        <description>Edition \(edition) \(message.body)</description></item>

        """
    }
    return "<rss version=\"2.0\"><channel><title>Bench</title>\n\(items.joined())</channel></rss>\n"
  }
}

/// A feed in a file that is rewritten between polls by the program.
private struct DocumentSource {
  private let workshop: Workshop
  private let file: URL
  private let database: String
  private let config: String

  init(_ workshop: Workshop, file: URL, database: String, config: String) {
    (self.workshop, self.file, self.database, self.config) = (workshop, file, database, config)
  }

  /// A new database.
  init(_ workshop: Workshop, _ name: String) throws {
    let file = workshop.folder.appending(path: "\(name).rss")
    let config = workshop.folder.appending(path: "\(name).toml")
    try Data("[[source]]\nname = \"large\"\nkind = \"feed\"\nurl = \"\(file.absoluteString)\"\n".utf8).write(
      to: config)
    self.init(
      workshop, file: file, database: workshop.folder.appending(path: "\(name).sqlite").path,
      config: config.path)
  }

  func poll(_ document: String) throws -> ProcessRun {
    try Data(document.utf8).write(to: file)
    let run = try ProcessRun(
      workshop.program, ["poll", "--all", "--force", "--database", database, "--config", config],
      environment: ["HOME": workshop.folder.path])
    guard run.end == .status(0) else { throw CocoaError(.executableLoad) }
    return run
  }

  func remove() {
    for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + ending) }
    try? FileManager.default.removeItem(at: file)
  }
}
