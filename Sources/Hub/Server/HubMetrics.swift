import Synchronization

/// The counters of a hub, in the text format 0.0.4 of Prometheus.
///
/// It does not use swift-metrics, which has one registry per process, created once, and nothing else here writes to it.
final class HubMetrics: Sendable {
  /// A counter or a sum with its labels.
  private struct Series: Hashable, Comparable {
    var name: String
    /// The labels, for example `feed="ops",state="stored"`.
    var labels: String

    static func < (a: Self, b: Self) -> Bool { (a.name, a.labels) < (b.name, b.labels) }
  }

  private let counters = Mutex<[Series: Int]>([:])
  private let requests = Mutex((count: 0, seconds: 0.0))

  /// Increases a counter.
  ///
  /// - Parameter labels: the labels, which are no longer than settings or names of feeds may be, and have few different
  ///   values.
  func count(_ name: String, _ labels: [(String, String)] = [], by number: Int = 1) {
    let text = labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
    counters.withLock { $0[Series(name: name, labels: text), default: 0] += number }
  }

  /// Counts a request, its failure if it was refused, and its duration.
  func count(_ line: HubLogLine) {
    count("requests_total", [("route", line.pattern), ("status", "\(line.status)")])
    if let code = line.code { count("refused_total", [("code", code)]) }
    // Requests that wait for a change would hide how long the others take.
    guard !line.isHeld else { return }
    requests.withLock { requests in
      requests.count += 1
      requests.seconds += line.duration / .seconds(1)
    }
  }

  /// The present state of the hub.
  struct State {
    var waiting: Int
    var lastID: Int64
    var isStoreAway: Bool
    var load: StoreLoad
    var scheduled: ScheduledItems?
  }

  private static let help: [String: String] = [
    "hook_total": "Deliveries to webhooks.", "published_total": "Items that were published.",
    "refused_total": "Requests that were refused.", "requests_total": "Requests.",
    "swept_total": "Items that a sweep ended or deleted.",
  ]

  /// Returns all metrics as text.
  func text(_ state: State) -> String {
    var lines: [String] = []
    func head(_ name: String, _ type: String, _ help: String) {
      lines += ["# HELP reddot_hub_\(name) \(help)", "# TYPE reddot_hub_\(name) \(type)"]
    }
    var last = ""
    for (series, number) in counters.withLock({ $0.sorted { $0.key < $1.key } }) {
      if series.name != last { head(series.name, "counter", Self.help[series.name] ?? series.name) }
      last = series.name
      let labels = series.labels.isEmpty ? "" : "{\(series.labels)}"
      lines.append("reddot_hub_\(series.name)\(labels) \(number)")
    }
    func summary(_ name: String, _ help: String, count: Int, sum: Double) {
      head(name, "summary", help)
      lines += ["reddot_hub_\(name)_sum \(sum)", "reddot_hub_\(name)_count \(count)"]
    }
    let requests = requests.withLock { $0 }
    summary(
      "request_seconds", "Time of requests, without those that wait for a change.", count: requests.count,
      sum: requests.seconds)
    summary(
      "commit_seconds", "Time of transactions that give ids.", count: state.load.batches,
      sum: state.load.commitSeconds)
    summary(
      "batch_items", "Requests of such a transaction.", count: state.load.batches,
      sum: Double(state.load.batchRequests))
    func gauge(_ name: String, _ help: String, _ value: String) {
      head(name, "gauge", help)
      lines.append("reddot_hub_\(name) \(value)")
    }
    gauge("queue_items", "Items that wait to be stored.", "\(state.load.queueItems)")
    gauge("waiting", "Readers for whom a page is held.", "\(state.waiting)")
    gauge("last_id", "The greatest id that this hub knows.", "\(state.lastID)")
    gauge("store_up", "Whether the store can be reached.", state.isStoreAway ? "0" : "1")
    if let scheduled = state.scheduled {
      gauge("scheduled", "Items whose time has not come.", "\(scheduled.count)")
      gauge(
        "oldest_due_seconds", "For how long the oldest item that is due waits.", "\(scheduled.overdueSeconds)"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
