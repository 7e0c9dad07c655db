import Foundation
import TerminalHarness

/// A key whose time from the terminal to the first byte of the new frame is measured.
struct MeasuredKey {
  var name: String
  var bytes: String
  /// The number of times that the key is typed.
  var count: Int
  /// The keys that prepare the measured key, typed before the first one, or before each.
  var before = ""
  var preparesEach = false

  static let down = MeasuredKey(name: "j", bytes: "j", count: 300)
  static let pageDown = MeasuredKey(name: "PgDn", bytes: "\u{1B}[6~", count: 100, before: "g")
  static let all = [
    down, pageDown,
    MeasuredKey(name: "G", bytes: "G", count: 30, before: "g", preparesEach: true),
    MeasuredKey(name: "n", bytes: "n", count: 100, before: "g"),
    // This starts in the left pane, wherever the key before has led.
    MeasuredKey(name: "open a message", bytes: "\r", count: 50, before: "hhlj", preparesEach: true),
    MeasuredKey(name: "open a list", bytes: "\r", count: 50, before: "hhj", preparesEach: true),
  ]

  /// Types the key, and returns the median and the 99th percentile of the times.
  func paint(in terminal: PseudoTerminal) -> String {
    var times = Times()
    for index in 0..<count {
      // Each measured key is typed on an idle screen, and has an effect.
      if preparesEach || index == 0 { prepare(terminal) }
      if let time = time(in: terminal) { times.add(time) }
    }
    return "p50 \(text(times.median)), p99 \(text(times.percentile(0.99)))"
  }

  func prepare(_ terminal: PseudoTerminal) {
    for key in before {
      terminal.send(String(key))
      terminal.readUntilQuiet(for: 15)
    }
  }

  /// Types the key, and returns the time until something is painted, or `nil` if nothing is.
  func time(in terminal: PseudoTerminal) -> Duration? {
    let start = ContinuousClock.now
    terminal.send(bytes)
    guard terminal.hasOutput(within: 1000) else { return nil }
    let time = ContinuousClock.now - start
    terminal.readUntilQuiet(for: 8)
    return time
  }
}
