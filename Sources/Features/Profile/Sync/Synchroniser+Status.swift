import Basics
import Formats
import Foundation
import Messages
import Platform
import Settings
import Storage
import Sync
import Words

/// What `reddot sync status` prints, from the database alone.
extension Synchroniser {
  /// - Throws: `SyncFailure.notBegun`, or `StoreFailure`.
  package func statusLines(json: Bool) throws -> [String] {
    let name = name(try place())
    guard let progress = try profile.store.sync.progress() else { throw SyncFailure.notBegun }
    if json { return [SafeOutput.json(try status(progress, at: name))] }
    return [headline(progress, at: name)] + machineLines(progress) + (try sourceLines())
  }

  // MARK: - Sources

  /// A source that other machines follow and this one doesn't.
  struct NotFollowed {
    var name: String
    var kind: String
    var address: String
    var why: String
  }

  func notFollowed() throws(StoreFailure) -> [NotFollowed] {
    guard profile.settings.sync.followsSources else { return [] }
    let following = SourceFollowing(profile)
    return try profile.store.sync.sources().compactMap { source in
      guard source.source == nil, let kind = source.kind, let address = source.address else { return nil }
      let name = source.name ?? address
      let (safeName, safeAddress) = (SafeOutput.line(name), SafeOutput.line(address))
      let why =
        if SourceKind(rawValue: kind)?.row.isService ?? true {
          "it needs a token; reddot add \(SafeOutput.line(kind)) --name \(ShellWord.quoted(safeName))"
        } else if !source.isFollowedByItself {
          "it needs a password; reddot add \(ShellWord.quoted(safeAddress)) --name \(ShellWord.quoted(safeName))"
        } else if source.isDeclined {
          "taken out of the settings; reddot add \(ShellWord.quoted(safeAddress)) follows it"
        } else if let problem = following.problem(of: source) {
          "another machine gives it with a value that can't be used here: \(SafeOutput.line(problem))"
        } else {
          "reddot add \(ShellWord.quoted(safeAddress)) follows it"
        }
      return NotFollowed(name: name, kind: kind, address: address, why: why)
    }
  }

  private func sourceLines() throws(StoreFailure) -> [String] {
    let missing = try notFollowed().map { source in
      let isService = SourceKind(rawValue: source.kind)?.row.isService ?? true
      let name = SafeOutput.line(source.name) + (isService ? " (\(SafeOutput.line(source.kind)))" : "")
      return "Not followed here: \(name): \(source.why)"
    }
    let names = Dictionary(profile.sources.map { ($0.id, $0.name) }) { first, _ in first }
    let alone: [String] = try profile.store.sync.sources().compactMap { source in
      guard source.isRemoved, let id = source.source, let name = names[id] else { return nil }
      let shown = SafeOutput.line(name)
      let machine = source.removedBy.map { SafeOutput.line($0) } ?? "this machine"
      return
        "Followed here by config.toml alone: \(shown), which \(machine) removed; reddot remove \(ShellWord.quoted(shown)) takes it out"
    }
    return missing + alone
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

  /// "1 day", "3 hours", "5 minutes": the nearest, since what was heard is a while ago.
  private static func words(_ duration: Duration) -> String {
    let minutes = Int((duration / .seconds(60)).rounded())
    let hours = (minutes + 30) / 60
    let (count, unit) =
      hours >= 24 ? ((minutes + 720) / 1440, "day") : hours >= 1 ? (hours, "hour") : (minutes, "minute")
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }

  /// Today the time, else the day.
  private func shortTime(_ date: Date) -> String {
    let clock = profile.environment.clock()
    let (time, today) = (WallTime(date, in: clock), WallTime(profile.environment.now(), in: clock))
    if time.date == today.date { return time.clock }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let year = time.date.year == today.date.year ? "" : " \(time.date.year)"
    return "\(time.date.day) \(months[time.date.month - 1])\(year)"
  }

  // MARK: - JSON

  private func status(_ progress: SyncProgress, at name: String) throws(StoreFailure) -> JSONValue {
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
    let missing = try notFollowed().map { source in
      object([
        ("name", .string(source.name)), ("kind", .string(source.kind)), ("address", .string(source.address)),
        ("why", .string(source.why)),
      ])
    }
    return object([
      ("machine", .string(machine)), ("place", .string(name)), ("last", MessageJSON.date(progress.last)),
      ("waiting", .number(String(progress.waiting))), ("since", MessageJSON.date(progress.waitingSince)),
      ("error", MessageJSON.text(progress.failure)), ("machines", .array(machines)),
      ("not_followed", .array(missing)),
    ])
  }
}
