import Basics
import Foundation

/// A `reddot-hub` that was built before. It serves the feed `ops`, whose items are in an SQLite file in the
/// workshop's folder, until it is stopped.
final class ServedHub {
  private let process = Process()
  let port: Int
  let token: String

  /// Creates the feed, and returns a token for it.
  static func makeFeed(_ program: String, in workshop: Workshop) throws -> String {
    let folder = workshop.folder
    let lines = [
      "listen = \"127.0.0.1:0\"", "store = \"sqlite:\(folder.appending(path: "hub.db").path)\"",
      "limits = { publish_per_minute = 1000000, read_per_minute = 1000000 }",
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: settings(workshop))
    func output(_ words: String...) throws -> String {
      let file = folder.appending(path: "hub.out").path
      let run = try ProcessRun(
        program, words + ["--config", settings(workshop).path], environment: ["HOME": folder.path],
        output: file)
      let text = try String(contentsOfFile: file, encoding: .utf8)
      guard run.end == .status(0) else { throw HubBenchmarkFailure(description: "\(words): \(text)") }
      return text.trimmingCharacters(in: .newlines)
    }
    _ = try output("feed", "add", "ops")
    return try output("token", "add", "all", "--publish", "ops", "--read", "ops")
  }

  private static func settings(_ workshop: Workshop) -> URL { workshop.folder.appending(path: "hub.toml") }

  /// - Parameter token: the token from `makeFeed`.
  init(_ program: String, in workshop: Workshop, token: String) throws {
    self.token = token
    process.executableURL = URL(filePath: program)
    process.arguments = ["serve", "--config", Self.settings(workshop).path]
    process.environment = ["HOME": workshop.folder.path, "LC_ALL": "C.UTF-8"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.hasSuffix("\n") {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { throw HubBenchmarkFailure(description: "\(program) ended") }
      text += String(decoding: piece, as: UTF8.self)
    }
    guard let port = text.firstMatch(of: #/Listening on 127\.0\.0\.1:(\d+),/#).flatMap({ Int($0.1) }) else {
      throw HubBenchmarkFailure(description: "no port: \(text)")
    }
    self.port = port
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  func connect() throws -> HubConnection { try HubConnection(port: port, token: token) }

  /// The processor time of the hub, in hundredths of a second.
  var processorTicks: Int { InboxBenchmark.processorTicks(process.processIdentifier) }

  /// The memory of the hub now and at its peak, in KiB, or 0 if the system doesn't report it.
  var memory: (resident: Int, peak: Int) {
    let status =
      (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
    func kibibytes(_ name: String) -> Int {
      let line = status.split(onBytes: "\n").first { $0.hasPrefix(name) } ?? ""
      return line.split(onBytes: " ").compactMap { Int($0) }.first ?? 0
    }
    return (kibibytes("VmRSS:"), kibibytes("VmHWM:"))
  }
}

struct HubBenchmarkFailure: Error, CustomStringConvertible {
  var description: String
}
