import Foundation
import Messages
import Platform

/// Measures a hub's responses to readers: the pages of a large feed, and one item that very many readers wait for. The
/// hub stores everything in one file, and runs on the same processors as the benchmark.
struct HubBenchmark {
  var workshop: Workshop
  var program: String

  /// - Parameter isWhole: whether to use as many items and readers as the goals specify.
  func run(isWhole: Bool, into table: inout ResultTable) throws {
    let token = try ServedHub.makeFeed(program, in: workshop)
    try measurePages(isWhole ? 500_000 : 50_000, token, goals: isWhole, into: &table)
    try measureWaiting(isWhole ? 20_000 : 2_000, token, goals: isWhole, into: &table)
  }

  // MARK: Pages

  private func measurePages(
    _ count: Int, _ token: String, goals: Bool, into table: inout ResultTable
  ) throws {
    let hub = try ServedHub(program, in: workshop, token: token)
    defer { hub.stop() }
    let connection = try hub.connect()
    let feed = "a hub's feed of \(Self.digits(count)) items"
    note("publishing \(count) items")
    let start = ContinuousClock.now
    for first in stride(from: 0, to: count, by: 100) {
      let items = (first..<first + 100).map { index in
        let message = Workshop.message(index)
        return
          "{\"title\": \"\(message.title)\", \"body\": \"\(message.body)\", \"url\": \"\(message.url ?? "")\"}"
      }
      let answer = try connection.ask(
        "POST", "/v1/feeds/ops", ["Content-Type: application/json"],
        body: "[\(items.joined(separator: ","))]")
      try Self.check(answer, 200)
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    table.add("\(feed), published in hundreds", String(format: "%.0f items/s", Double(count) / seconds))

    let tip = try connection.ask("GET", "/v1/feeds/ops?since_id=\(count)")
    try Self.check(tip, 200)
    guard let tag = tip.field("etag"), tip.text.hasSuffix("\"last_id\":\(count)}") else {
      throw HubBenchmarkFailure(description: "another page: \(tip.text)")
    }
    for (what, target, fields, status, goal) in [
      ("nothing new: 304", "?since_id=\(count)", ["If-None-Match: \(tag)"], 304, "≤ 1 ms"),
      ("the first page", "", [], 200, "≤ 5 ms"),
      ("a page of the last 100", "?since_id=\(count - 100)", [], 200, "≤ 10 ms"),
    ] {
      var times = Times()
      for _ in 0..<200 {
        let start = ContinuousClock.now
        let answer = try connection.ask("GET", "/v1/feeds/ops\(target)", fields)
        times.add(ContinuousClock.now - start)
        try Self.check(answer, status)
      }
      table.add(
        "\(what), \(feed)", "p50 \(text(times.median)), p99 \(text(times.percentile(0.99)))",
        goal: goals ? "p50 \(goal)" : "")
    }
  }

  // MARK: Waiting readers

  private func measureWaiting(
    _ wanted: Int, _ token: String, goals: Bool, into table: inout ResultTable
  ) throws {
    // Each of the two processes has some open files besides its connections.
    let spare = 300
    let limit = OpenFiles.raise(to: wanted + spare) ?? wanted + spare
    let count = min(wanted, limit - spare)
    if count < wanted { note("only \(limit) files may be open at once here") }
    let hub = try ServedHub(program, in: workshop, token: token)
    defer { hub.stop() }
    let publisher = try hub.connect()
    // Programs on the hub's machine need no token for metrics.
    let metrics = try HubConnection(port: hub.port, token: nil)
    var last = try Self.lastID(try publisher.ask("GET", "/v1/feeds/ops?since_id=1&limit=1"))
    let before = hub.memory.resident
    let readers = try (0..<count).map { _ in try hub.connect() }
    var slowest = Duration.zero
    var (each, processor) = (0.0, 0)
    for round in 0..<3 {
      note("\(count) readers wait, round \(round + 1)")
      for reader in readers { try reader.send("GET", "/v1/feeds/ops?since_id=\(last)&wait=300") }
      while try Self.waiting(metrics) < count { usleep(50_000) }
      if round == 0 { each = Double(hub.memory.resident - before) / Double(count) }
      let ticks = hub.processorTicks
      let start = ContinuousClock.now
      try Self.check(try publisher.ask("POST", "/v1/feeds/ops?title=News", body: "text"), 201)
      let answers = try readers.map { try $0.answer() }
      slowest = max(slowest, ContinuousClock.now - start)
      processor = max(processor, hub.processorTicks - ticks)
      for answer in answers where answer.status != 200 || !answer.text.contains("\"title\":\"News\"") {
        throw HubBenchmarkFailure(description: "one has no news: \(answer.text)")
      }
      last += 1
    }
    let left = try Self.waiting(metrics)
    let who = "\(Self.digits(count)) readers who wait at one hub"
    table.add(
      "\(who): from a publication to the last one's answer, the slowest of 3",
      "\(text(slowest.milliseconds)), CPU of the hub \(text(Double(processor) * 10))",
      goal: goals ? "≤ 3 s" : "")
    table.add("\(who): left behind", "\(left)", goal: "0")
    table.add(
      "\(who): memory for each", String(format: "%.1f KiB", each), goal: goals ? "≤ 25 KiB" : "")
    table.add(
      "\(who): the hub's memory without them and at its peak",
      String(format: "%.0f MiB, %.0f MiB", Double(before) / 1024, Double(hub.memory.peak) / 1024))
  }

  /// Returns the number of waiting readers, from the hub's metrics.
  private static func waiting(_ connection: HubConnection) throws -> Int {
    let answer = try connection.ask("GET", "/metrics")
    try check(answer, 200)
    return answer.text.firstMatch(of: #/reddot_hub_waiting (\d+)/#).flatMap { Int($0.1) } ?? 0
  }

  private static func lastID(_ answer: HubConnection.Answer) throws -> Int {
    try check(answer, 200)
    return answer.text.firstMatch(of: #/"last_id":(\d+)\}$/#).flatMap { Int($0.1) } ?? 0
  }

  /// Throws if a response does not have the expected status.
  private static func check(_ answer: HubConnection.Answer, _ status: Int) throws {
    if answer.status != status { throw HubBenchmarkFailure(description: "\(answer.head)\n\(answer.text)") }
  }

  /// Returns a number with commas: 500,000.
  private static func digits(_ count: Int) -> String {
    count.formatted(.number.locale(Locale(identifier: "en_US")))
  }
}
