import Foundation

/// Results and their targets, as a Markdown table.
struct ResultTable {
  private var rows: [(what: String, figure: String, goal: String)] = []

  mutating func add(_ what: String, _ figure: String, goal: String = "") {
    rows.append((what, figure, goal))
    note("\(what): \(figure)")
  }

  var markdown: String {
    let lines = rows.map { "| \($0.what) | \($0.figure) | \($0.goal) |" }
    return (["| | measured | to reach |", "|---|---|---|"] + lines).joined(separator: "\n")
  }
}

/// Times of repeated measurements, in milliseconds.
struct Times {
  private(set) var values: [Double] = []

  mutating func add(_ duration: Duration) { values.append(duration.milliseconds) }

  func percentile(_ share: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  var median: Double { percentile(0.5) }
}

extension Duration {
  var milliseconds: Double {
    Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
  }
}

/// Returns `12.3 ms` or `1.24 s`.
func text(_ milliseconds: Double) -> String {
  if milliseconds >= 1000 { return String(format: "%.2f s", milliseconds / 1000) }
  return String(format: milliseconds < 10 ? "%.2f ms" : "%.1f ms", milliseconds)
}
