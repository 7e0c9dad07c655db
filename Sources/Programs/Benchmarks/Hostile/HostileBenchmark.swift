import Basics
import Foundation
import TerminalHarness

/// The hostile list: documents that are made to take much time or memory, each polled by the built program together
/// with a normal source. Time and memory are compared with the limits for any document.
///
/// A document may take 1 s and 2 s for each MiB, and 64 MiB and 8 times its bytes more memory than polling the normal
/// source alone. Its size is the greater of the transferred and the decoded bytes, up to the limit of a response. Time
/// is processor time, so that the load of the machine does not matter; a process that only waits is ended much later.
struct HostileBenchmark {
  var workshop: Workshop
  /// The program to measure, instead of the one in the folder of this one.
  var program: String?
  /// Only cases whose names contain it.
  var filter: String?

  private static let responseLimit = 64 << 20

  private struct Measurement {
    var bytes = 0
    var runs: [ProcessRun] = []
    var hasHonest = true

    var seconds: Double { runs.map(\.cost.wall.milliseconds).max().map { $0 / 1000 } ?? 0 }
    var processorSeconds: Double { runs.map(\.cost.cpu.milliseconds).max().map { $0 / 1000 } ?? 0 }
    var peakBytes: Int { runs.map(\.cost.peakBytes).max() ?? 0 }
  }

  func run() throws {
    let base = try measure(HostileCase.poll("honest") { try $0.put(HostileServer.honest) }).peakBytes
    say("The honest source alone takes \(mebibytes(base)).\n")
    say(
      "| case | size | end | time | processors | allowed | memory | allowed | honest | |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    var failures = 0
    for entry in HostileCase.all where filter.map({ entry.name.contains($0) }) ?? true {
      let measured = try measure(entry)
      let mebi = Double(measured.bytes) / 1_048_576
      let (seconds, memory) = (1 + 2 * mebi, base + 8 * measured.bytes + 64 << 20)
      let isOrderly = measured.runs.allSatisfy {
        if case .status(let status) = $0.end { status <= 1 } else { false }
      }
      let holds =
        isOrderly && measured.hasHonest && measured.processorSeconds <= seconds
        && measured.peakBytes <= memory
      if !holds { failures += 1 }
      let ends = measured.runs.map { Self.words($0.end) }.joined(separator: " ")
      let figures = [
        entry.name, mebibytes(measured.bytes), ends, text(measured.seconds), text(measured.processorSeconds),
        text(seconds), mebibytes(measured.peakBytes), mebibytes(memory), measured.hasHonest ? "yes" : "no",
        holds ? "" : "**over**",
      ]
      say("| " + figures.joined(separator: " | ") + " |")
    }
    say("\n\(failures) cases are over.")
  }

  private func measure(_ entry: HostileCase) throws -> Measurement {
    let folder = workshop.folder.appending(path: "hostile")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "document").path
    let document = try HostileDocument(path: path)
    try entry.write(document)
    try document.close()
    var measured = Measurement()
    measured.bytes = min(Self.responseLimit, max(document.count, entry.decodedBytes ?? 0))
    // Longer than allowed, to distinguish slow cases from endless ones.
    let limit = 20 + 6 * Double(measured.bytes) / 1_048_576
    func run(_ arguments: [String]) throws {
      measured.runs.append(
        try ProcessRun(
          program ?? workshop.program, arguments,
          environment: [
            "HOME": folder.path, "TZ": "UTC", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
            "HOSTILE_TOKEN": "t",
          ],
          output: folder.appending(path: "output").path, within: limit))
    }
    switch entry.reader {
    case .command(let arguments): try run(arguments.map { $0 == "FILE" ? path : $0 })
    case .poll(let kind, let lines):
      let server = try HostileServer(document: path, headers: entry.headers)
      defer { server.stop() }
      let settings = folder.appending(path: "config.toml")
      try Data(
        """
        [poll]
        initial_delay = "1ms"
        [[source]]
        name = "hostile"
        kind = "\(kind)"
        \(kind == "command" ? "" : "url = \"http://127.0.0.1:\(server.port)/document\"")
        \(lines.map { $0.replacing(exactly: "FILE", with: path) }.joined(separator: "\n"))
        [[source]]
        name = "honest"
        url = "http://127.0.0.1:\(server.port)/honest.xml"
        """.utf8
      ).write(to: settings)
      let files = ["--config", settings.path, "--database", folder.appending(path: "db.sqlite").path]
      try run(["poll"] + files)
      try run(["list", "--source", "honest"] + files)
      measured.hasHonest = try String(contentsOf: folder.appending(path: "output"), encoding: .utf8).contains(
        "still here")
      try run(["list", "--limit", "200"] + files)
      try run(["show", "1"] + files)
    }
    return measured
  }

  /// Unbuffered: the list takes long, and its lines are read meanwhile.
  private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  private func mebibytes(_ bytes: Int) -> String { String(format: "%.1f MiB", Double(bytes) / 1_048_576) }

  private func text(_ seconds: Double) -> String { String(format: "%.2f s", seconds) }

  private static func words(_ end: ProcessRun.End) -> String {
    switch end {
    case .status(let status): "\(status)"
    case .signal(let signal): "signal \(signal)"
    case .overtime: "no end"
    }
  }
}
