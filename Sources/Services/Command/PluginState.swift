import Formats
import Foundation
import Messages

/// What a monitoring plugin says by its exit status (Monitoring Plugins Development Guidelines, "Plugin Return Codes").
enum PluginState: String, CaseIterable {
  case ok = "OK"
  case warning = "WARNING"
  case critical = "CRITICAL"
  case unknown = "UNKNOWN"

  init(status: Int32) {
    switch status {
    case 0: self = .ok
    case 1: self = .warning
    case 2: self = .critical
    case _: self = .unknown
    }
  }

  var priority: Priority {
    switch self {
    case .ok: Priority(2)
    case .warning, .unknown: Priority(4)
    case .critical: Priority(5)
    }
  }
}

/// A state, and since when it lasts. Its text is the cursor.
struct PluginStay {
  var state: PluginState
  var since: Date

  init(state: PluginState, since: Date) {
    self.state = state
    self.since = since
  }

  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let state = PluginState(rawValue: String(parts[0])),
      let milliseconds = Int64(parts[1])
    else { return nil }
    self.init(state: state, since: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }

  var text: String { "\(state.rawValue) \(Int64((since.timeIntervalSince1970 * 1000).rounded()))" }
}

/// The output of a monitoring plugin (the guidelines' "Plugin Output for Nagios"): `TEXT | perfdata`, then lines of
/// details, and after a further `|` lines of perfdata.
struct PluginText {
  var title: String
  /// The details, and below them the perfdata.
  var body: String

  init(_ output: Data) {
    let lines = String(decoding: output, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var details: [Substring] = []
    var data: [Substring] = []
    let (first, rest) = Self.parted(lines.first ?? "")
    title = first.trimmingCharacters(in: .whitespaces)
    if let rest { data.append(rest) }
    var isData = false
    for line in lines.dropFirst() {
      if isData {
        data.append(line)
        continue
      }
      let (detail, rest) = Self.parted(line)
      details.append(detail)
      if let rest {
        isData = true
        data.append(rest)
      }
    }
    body = [details, data].map { lines in
      lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    }.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static func parted(_ line: Substring) -> (Substring, Substring?) {
    guard let bar = line.firstIndex(of: "|") else { return (line, nil) }
    return (line[..<bar], line[line.index(after: bar)...].drop { $0 == " " })
  }
}
