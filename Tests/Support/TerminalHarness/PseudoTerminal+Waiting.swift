import Foundation
import TestBasics

extension PseudoTerminal {
  /// Reads until the condition is true between two frames; throws, with the screen's content, if it is not in time or
  /// if the program has ended.
  package func wait(
    for what: String, within limit: Duration = HangLimit.duration, until holds: (PseudoTerminal) -> Bool
  ) throws {
    let deadline = ContinuousClock.now + limit
    while screen.isUpdating || !holds(self) {
      if !read(for: 20) { checkExit() }
      if exit != nil {
        // The last bytes may have arrived with the end.
        while read(for: 0) {}
        if holds(self) { return }
        throw failure("ended (\(exit.map { "\($0)" } ?? "")) without \(what)")
      }
      if ContinuousClock.now > deadline { throw failure("waited \(limit) for \(what)") }
    }
  }

  /// Waits until the screen shows the given text.
  package func wait(forText text: String, within limit: Duration = HangLimit.duration) throws {
    try wait(for: "“\(text)” on the screen", within: limit) { $0.screen.text.contains(text) }
  }

  package func wait(forNoText text: String, within limit: Duration = HangLimit.duration) throws {
    try wait(for: "“\(text)” to go from the screen", within: limit) { !$0.screen.text.contains(text) }
  }

  /// Waits for the program's end, reading all of its output.
  package func waitForExit(within limit: Duration = HangLimit.duration) throws -> Exit {
    let deadline = ContinuousClock.now + limit
    while true {
      read(for: 5)
      checkExit()
      if let exit {
        while read(for: 0) {}
        return exit
      }
      if ContinuousClock.now > deadline { throw failure("waited \(limit) for the program's end") }
    }
  }

  /// Reads until nothing arrives for that many milliseconds, and never stops within a frame, because its first half
  /// isn't what the terminal shows.
  package func readUntilQuiet(for milliseconds: Int32 = 100) {
    let deadline = ContinuousClock.now + HangLimit.duration
    while read(for: milliseconds) || (screen.isUpdating && exit == nil && ContinuousClock.now < deadline) {
      checkExit()
    }
  }

  /// The number of times that the program's threads were scheduled so far (Linux; 0 elsewhere): if it stays the same,
  /// the program did not wake up.
  package var wakeUps: Int { wakeUpsOfThreads.values.reduce(0, +) }

  /// The number of times that each thread was scheduled, by its number and name.
  package var wakeUpsOfThreads: [String: Int] {
    let tasks = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.reduce(into: [:]) { counted, thread in
      let status = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
      let lines = (status ?? "").split(separator: "\n")
      let values = lines.filter { $0.contains("ctxt_switches") }.map { $0.split(separator: "\t").last ?? "" }
      let name = lines.first.map { $0.split(separator: "\t").last ?? "" } ?? ""
      counted["\(thread) \(name)"] = values.reduce(0) { $0 + (Int($1) ?? 0) }
    }
  }

  private func failure(_ what: String) -> PseudoTerminalFailure {
    PseudoTerminalFailure("\(what); the screen:\n\(screen.text)")
  }
}

/// Programs that were built with the tests.
package enum BuiltProduct {
  /// The path of an executable target's product.
  package static func path(_ name: String) -> String {
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let folder = tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    return folder.appendingPathComponent(name).path
  }
}
