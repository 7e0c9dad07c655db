import Formats
import Foundation
import Rounds
import Schedules

/// 10,000 schedule entries, and starts long ago.
struct ScheduleBenchmark {
  func run(into table: inout ResultTable) throws {
    let units = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"]
    let entries = (0..<10_000).map { index in
      """
      {"id": \(index), "type": 1, "data": {"start": "20\(10 + index % 16)/0\(1 + index % 9)/1\(index % 10) 19:00", \
      "interval": "\(units[index % units.count])", "translations": {"en": {"title": "T", "msg": "M"}}}}
      """
    }
    let bytes = Data("[\(entries.joined(separator: ","))]".utf8)
    let zone = TimeZone(identifier: "Europe/London") ?? .gmt
    let now = Date()
    var times = Times()
    for _ in 0..<5 {
      let start = ContinuousClock.now
      let file = try ScheduleFile.read(bytes)
      let round = ScheduleRound(application: "reddot", zone: zone, installed: now, missedBefore: { "\($0)" })
      if round.run(file, memory: .init(), at: now).next == nil { note("no next firing") }
      times.add(ContinuousClock.now - start)
    }
    table.add("10,000 schedule entries loaded, next firing known", text(times.median), goal: "≤ 100 ms")

    let file = try ScheduleFile.read(bytes)
    let far = now.addingTimeInterval(200 * 366 * 86400)
    var each = Times()
    for entry in file.entries {
      guard let schedule = entry.schedule else { continue }
      let start = ContinuousClock.now
      _ = Firings(Recurrence(schedule), zone: zone, reference: now).next(after: far)
      each.add(ContinuousClock.now - start)
    }
    table.add(
      "first firing after a date 200 years on, per entry",
      "p50 \(text(each.median)), slowest \(text(each.percentile(1)))", goal: "≤ 1 ms")
  }
}
