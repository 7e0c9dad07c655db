import Foundation
import Synchronization
import TestBasics

/// A program in tmux, which is another terminal than ours, to check that both show the same.
package final class TmuxSession {
  private static let tmux = ["/usr/bin/tmux", "/bin/tmux", "/usr/local/bin/tmux"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  private static let count = Atomic(0)

  package static var isAvailable: Bool { tmux != nil }

  private let server: String

  package init(
    columns: Int, rows: Int, program: String, arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    server = "reddot-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
    let variables = environment.map { "\($0)=\($1)" }
    // The server is not a child of Foundation's `Process`, which would wait for its end.
    let starter = try PseudoTerminal()
    try starter.start(
      Self.tmux ?? "tmux",
      [
        "-L", server, "-u", "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
        "env",
      ]
        + variables + [program] + arguments)
    guard try starter.waitForExit() == .status(0) else {
      throw PseudoTerminalFailure("tmux does not start: \(starter.screen.text)")
    }
  }

  deinit {
    do { try run(["kill-server"]) } catch { /* It ends by itself with its last program. */  }
  }

  /// Returns a terminal that shows the session.
  package func attach(columns: Int = 80, rows: Int = 24, type: String = "xterm-256color") throws
    -> PseudoTerminal
  {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    try terminal.start(
      Self.tmux ?? "tmux", ["-L", server, "-u", "attach"],
      environment: ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "TERM": type])
    return terminal
  }

  package func set(_ option: String, to value: String) throws {
    try run(["set-option", "-s", option, value])
  }

  /// Returns the text that was copied last, or `nil` if none was.
  package func buffer() throws -> String? {
    try run(["list-buffers"]).isEmpty ? nil : try run(["show-buffer"])
  }

  /// Types keys by tmux's names: `Enter`, `C-c`, `j`.
  package func send(_ keys: String...) throws { try run(["send-keys"] + keys) }

  package func resize(columns: Int, rows: Int) throws {
    try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Returns the rows as tmux shows them, without the spaces at their ends.
  package func lines() throws -> [String] {
    try run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      String($0.reversed().drop { $0 == " " }.reversed())
    }
  }

  package func title() throws -> String {
    try run(["display-message", "-p", "#{pane_title}"]).trimmingCharacters(in: .newlines)
  }

  package func wait(forText text: String) throws {
    try wait(for: "“\(text)”") { lines in lines.contains { $0.contains(text) } }
  }

  /// Checks repeatedly, since tmux does not report changes.
  package func wait(for what: String, until holds: ([String]) -> Bool) throws {
    let deadline = ContinuousClock.now + HangLimit.duration
    while true {
      let lines = try lines()
      if holds(lines) { return }
      if ContinuousClock.now > deadline {
        throw PseudoTerminalFailure("waited for \(what) in tmux; it shows:\n\(lines)")
      }
    }
  }

  /// Runs a command of tmux, and returns what it prints.
  @discardableResult
  package func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.tmux ?? "/usr/bin/tmux")
    process.arguments = ["-L", server] + arguments
    process.environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "TERM": "xterm-256color"]
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw PseudoTerminalFailure("tmux \(arguments): \(String(decoding: text, as: UTF8.self))")
    }
    return String(decoding: text, as: UTF8.self)
  }
}
