import Dates
import Formats
import Foundation
import Messages
import Platform
import Reports
import Settings
import Storage
import Sync
import Workspace

/// What `reddot sync status` prints, from the database alone.
extension Synchroniser {
  /// - Throws: `SyncFailure.notBegun`, or `StoreFailure`.
  package func statusLines(json: Bool) throws -> [String] {
    let name = name(try place())
    guard let progress = try workspace.store.sync.progress() else { throw SyncFailure.notBegun }
    if json { return [SafeOutput.json(status(progress, at: name))] }
    return [headline(progress, at: name)] + machineLines(progress)
  }

  private func headline(_ progress: SyncProgress, at name: String) -> String {
    let last = progress.last.map { "last synchronised \(shortTime($0))" } ?? "not synchronised yet"
    var waiting = "nothing waits"
    if progress.waiting > 0 {
      let since = progress.waitingSince.map { " since \(shortTime($0))" } ?? ""
      waiting = "\(ActCount.words(progress.waiting)) \(progress.waiting == 1 ? "waits" : "wait")\(since)"
    }
    let ending = progress.failure.map { ": \(SafeOutput.line($0))" } ?? "."
    return "\(SafeOutput.line(machine)): \(SafeOutput.line(name)), \(last); \(waiting)\(ending)"
  }

  private func machineLines(_ progress: SyncProgress) -> [String] {
    let machines = progress.machines
    let isBehind = !machines.isEmpty && machines.allSatisfy { $0.clockAhead >= Self.wrongClock }
    let rows = machines.map { machine in
      (
        name: SafeOutput.line(machine.name), heard: machine.heard.map(shortTime) ?? "",
        rest: ActCount.words(machine.acts)
          + (machine.missing == 0
            ? ""
            : ", \(ActCount.digits(machine.missing)) \(machine.missing == 1 ? "has" : "have") not arrived")
          + (isBehind || machine.clockAhead < Self.wrongClock
            ? "" : "; its clock is \(Self.words(machine.clockAhead)) ahead")
      )
    }
    let (names, times) = (rows.map(\.name.count).max() ?? 0, rows.map(\.heard.count).max() ?? 0)
    var lines = rows.map { row in
      "  " + row.name.padding(toLength: names, withPad: " ", startingAt: 0) + "   "
        + row.heard.padding(toLength: times, withPad: " ", startingAt: 0) + "   " + row.rest
    }
    if isBehind, let least = machines.map(\.clockAhead).min() {
      lines.append("this machine's clock is \(Self.words(least)) behind")
    }
    return lines
  }

  /// From here on a clock is wrong: objects are on their way for a while.
  private static let wrongClock = Duration.seconds(120)

  /// "1 day", "3 hours", "5 minutes".
  private static func words(_ duration: Duration) -> String {
    let minutes = Int(duration / .seconds(60))
    let (count, unit) =
      minutes >= 1440 ? (minutes / 1440, "day") : minutes >= 60 ? (minutes / 60, "hour") : (minutes, "minute")
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }

  /// Today the time, else the day.
  private func shortTime(_ date: Date) -> String {
    let clock = workspace.environment.clock()
    let (time, today) = (WallTime(date, in: clock), WallTime(workspace.environment.now(), in: clock))
    if time.date == today.date { return time.clock }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let year = time.date.year == today.date.year ? "" : " \(time.date.year)"
    return "\(time.date.day) \(months[time.date.month - 1])\(year)"
  }

  // MARK: - JSON

  private func status(_ progress: SyncProgress, at name: String) -> JSONValue {
    func object(_ members: [(String, JSONValue)]) -> JSONValue {
      .object(JSONObject(members.map { .init(key: $0.0, value: $0.1) }))
    }
    let machines = progress.machines.map { machine in
      object([
        ("name", .string(machine.name)),
        ("device", .string(machine.device.bytes.hex)),
        ("heard", MessageJSON.date(machine.heard)), ("acts", .number(String(machine.acts))),
        ("missing", .number(String(machine.missing))),
        ("clock_ahead", .number(String(Int(machine.clockAhead / .seconds(1))))),
      ])
    }
    return object([
      ("machine", .string(machine)), ("place", .string(name)), ("last", MessageJSON.date(progress.last)),
      ("waiting", .number(String(progress.waiting))), ("since", MessageJSON.date(progress.waitingSince)),
      ("error", MessageJSON.text(progress.failure)), ("machines", .array(machines)),
      ("not_followed", .array([])),
    ])
  }
}
