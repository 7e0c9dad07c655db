import Foundation
import TerminalHarness

/// `reddot-benchmark`, which fills databases, measures the program through a pseudo-terminal, and prints a table.
@main
struct Benchmark {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") || arguments.contains("-h") {
      print(
        """
        USAGE: reddot-benchmark [--all | --only NAME] [--quick] [--program PATH] [--hub-program PATH]

        Without --all and --only: the six main numbers.

        --all           everything that can be named
        --only NAME     one of: inbox, store, intake, peers, sync, hub
        --quick         up to 100,000 messages instead of a million
        --program PATH  the reddot that is measured, else the one beside this program
        --hub-program PATH  the same of reddot-hub
        """)
      return
    }
    func option(_ name: String) -> String? {
      arguments.firstIndex(of: name).flatMap { arguments.dropFirst($0 + 1).first }
    }
    let only = option("--only")
    let isWhole = !arguments.contains("--quick")
    let largest = isWhole ? 1_000_000 : 100_000
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    var table = ResultTable()
    var workshop = Workshop(folder: folder)
    if let program = option("--program") { workshop.program = program }
    if only == nil, !arguments.contains("--all") {
      note("filling a database with \(largest) messages")
      let database = try workshop.fill(largest)
      try InboxBenchmark(workshop: workshop).run(database, isShort: true, into: &table)
      try StoreBenchmark().runShortly(database, into: &table)
      try IntakeBenchmark(workshop: workshop).runShortly(into: &table)
      return print(table.markdown)
    }
    func wants(_ name: String) -> Bool { only == nil || only == name }
    if wants("inbox") || wants("store") {
      for size in [1_000, largest] {
        note("filling a database with \(size) messages")
        let database = try workshop.fill(size)
        if wants("inbox") { try InboxBenchmark(workshop: workshop).run(database, into: &table) }
        if wants("inbox"), size == largest {
          try await InboxBenchmark(workshop: workshop).runWithBanner(database, into: &table)
          note("filling one with 150 sources")
          let many = try workshop.fill(size, sources: 150)
          try InboxBenchmark(workshop: workshop).run(many, into: &table)
        }
        if wants("store") { try await StoreBenchmark().run(database, into: &table) }
      }
    }
    if wants("intake") { try await IntakeBenchmark(workshop: workshop).run(isWhole: isWhole, into: &table) }
    if wants("sync") { try SyncBenchmark(workshop: workshop).run(largest, into: &table) }
    if wants("hub") {
      let program = option("--hub-program") ?? BuiltProduct.path("reddot-hub")
      try HubBenchmark(workshop: workshop, program: program).run(isWhole: isWhole, into: &table)
    }
    if wants("peers") { try PeerBenchmark(workshop: workshop).run(into: &table) }
    print(table.markdown)
  }

  /// Prints progress to standard error, so that standard output contains only the table.
  static func note(_ text: String) { FileHandle.standardError.write(Data("… \(text)\n".utf8)) }
}

func note(_ text: String) { Benchmark.note(text) }
