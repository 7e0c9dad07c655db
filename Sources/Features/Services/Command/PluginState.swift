import Basics
import Formats
import Foundation
import Messages

/// The state that a monitoring plugin reports with its exit status (Monitoring Plugins Development Guidelines, "Plugin
/// Return Codes").
enum PluginState: String, CaseIterable {
  case ok = "OK"
  case warning = "WARNING"
  case critical = "CRITICAL"
  case unknown = "UNKNOWN"

  /// Creates the state for an exit status; any other status than 0, 1 and 2 is unknown.
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

/// A state, and the time since which it has lasted. It is stored as the cursor of its source.
struct PluginStay {
  var state: PluginState
  var since: Date

  init(state: PluginState, since: Date) {
    self.state = state
    self.since = since
  }

  /// Reads a state from its `text`, or returns `nil` if the text has another form.
  init?(_ text: String) {
    let parts = text.split(onBytes: " ")
    guard parts.count == 2, let state = PluginState(rawValue: String(parts[0])),
      let milliseconds = Int64(parts[1])
    else { return nil }
    self.init(state: state, since: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }

  /// The state and its time in milliseconds since 1970, separated by a space.
  var text: String { "\(state.rawValue) \(Int64((since.timeIntervalSince1970 * 1000).rounded()))" }
}

/// The output of a monitoring plugin (the guidelines' "Plugin Output for Nagios"): `TEXT | perfdata`, then lines of
/// details, and after a further `|` lines of perfdata.
struct PluginText {
  var title: String
  /// The body of the message: the details, followed by the perfdata.
  var body: String

  /// Reads the output. Output of any length, even of nothing but line ends, needs little memory, because no line is
  /// stored separately.
  init(_ output: Data) {
    var (first, details, data) = (Part(most: Limits.titleBytes), Part(), Part())
    var (isFirst, isData) = (true, false)
    let bytes = [UInt8](output)
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, !Self.endsLine(bytes[end]) { end += 1 }
      let line = bytes[start..<end]
      let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      start = end + (isPair ? 2 : 1)
      // Once perfdata has begun, all further lines belong to it.
      let bar = isData && !isFirst ? line.startIndex : line.firstIndex(of: UInt8(ascii: "|"))
      let detail = bar.map { line[..<$0] } ?? line
      if isFirst { first.add(detail) } else if !isData { details.add(detail) }
      if let bar {
        let perfdata = isData && !isFirst ? line : line[(bar + 1)...].drop { $0 == 0x20 }
        data.add(perfdata)
        if !isFirst { isData = true }
      }
      isFirst = false
    }
    title = first.text
    body = [details.text, data.text].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// Whether a byte is a line end: LF, VT, FF or CR.
  private static func endsLine(_ byte: UInt8) -> Bool { byte >= 0x0A && byte <= 0x0D }

  /// The lines of one part of the output, cut to the size that is stored.
  private struct Part {
    var most = Limits.bodyBytes
    private var bytes: [UInt8] = []

    init(most: Int = Limits.bodyBytes) { self.most = most }

    /// Adds a line if there is room for it.
    mutating func add(_ line: ArraySlice<UInt8>) {
      guard bytes.count < most else { return }
      // Blank lines at the beginning are left out.
      if !bytes.isEmpty { bytes.append(0x0A) }
      bytes += line.prefix(most)
    }

    var text: String {
      String(decoding: bytes.prefix(most), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
}
