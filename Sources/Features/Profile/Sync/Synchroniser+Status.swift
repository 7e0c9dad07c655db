import Basics
import Formats
import Foundation
import Messages
import Platform
import Screen
import Settings
import Storage
import Sync
import Words

/// The output of `reddot sync status`, from the database alone.
extension Synchroniser {
  /// Returns the lines of `reddot sync status`.
  ///
  /// - Throws: `SyncFailure.notBegun`, or `StoreFailure`.
  package func statusLines(json: Bool) throws -> [String] {
    let name = name(try place())
    guard let progress = try profile.store.sync.progress() else { throw SyncFailure.notBegun }
    if json { return [SafeOutput.json(try status(progress, at: name))] }
    return [headline(progress, at: name)] + machineLines(progress) + (try sourceLines())
  }

  // MARK: - Sources

  /// A source that other machines follow but this one doesn't.
  struct NotFollowed {
    var name: String
    var kind: String
    var address: String
    var why: String
  }

  /// Returns the sources that other machines follow but this one doesn't, each with the reason.
  func notFollowed() throws(StoreFailure) -> [NotFollowed] {
    guard profile.settings.sync.followsSources else { return [] }
    let following = SourceFollowing(profile)
    return try profile.store.sync.sources().compactMap { source in
      guard source.source == nil, let kind = source.kind, let address = source.address else { return nil }
      let name = source.name ?? address
      let (safeName, safeAddress) = (SafeOutput.line(name), SafeOutput.line(address))
      let why =
        if SourceKind(rawValue: kind)?.row.isService ?? true {
          "it needs a token; run reddot add \(SafeOutput.line(kind)) --name \(ShellWord.quoted(safeName))"
        } else if !source.isFollowedByItself {
          "it needs a password; run reddot add \(ShellWord.quoted(safeAddress)) --name \(ShellWord.quoted(safeName))"
        } else if source.isDeclined {
          "removed from the settings; run reddot add \(ShellWord.quoted(safeAddress)) to follow it"
        } else if let problem = following.problem(of: source) {
          "another machine sent it with a value that is invalid here: \(SafeOutput.line(problem))"
        } else {
          "run reddot add \(ShellWord.quoted(safeAddress)) to follow it"
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
        "Followed here by config.toml alone: \(shown), which \(machine) removed; run reddot remove \(ShellWord.quoted(shown)) to remove it here too"
    }
    return missing + alone
  }

  private func headline(_ progress: SyncProgress, at name: String) -> String {
    let last = progress.last.map { "last synchronised \(wallTime($0))" } ?? "not synchronised yet"
    var waiting = "nothing waits"
    if progress.waiting > 0 {
      let since = progress.waitingSince.map { " since \(wallTime($0))" } ?? ""
      waiting = "\(ActCount.words(progress.waiting)) \(progress.waiting == 1 ? "waits" : "wait")\(since)"
    }
    let ending = progress.failure.map { ": \(SafeOutput.line($0))" } ?? "."
    return "\(SafeOutput.line(machine)): \(SafeOutput.line(name)), \(last); \(waiting)\(ending)"
  }

  private func machineLines(_ progress: SyncProgress) -> [String] {
    let machines = progress.machines
    let isBehind = !machines.isEmpty && machines.allSatisfy { $0.clockAhead >= Self.wrongClock }
    let lines = Report(machines, columns(isBehind: isBehind)).lines().map { "  " + $0.plain }
    guard isBehind, let least = machines.map(\.clockAhead).min() else { return lines }
    return lines + ["this machine's clock is \(Self.words(least)) behind"]
  }

  /// - Parameter isBehind: whether the clock of this machine is wrong, and not those of the others.
  private func columns(isBehind: Bool) -> [Column<SyncProgress.Machine>] {
    [
      Column("name", filling: .always, gap: 3, text: \.name, json: { .string($0.name) }),
      Column("device", json: { .string($0.device.bytes.hex) }),
      Column(
        "heard", filling: .always, gap: 3, text: { $0.heard.map(wallTime) ?? "" },
        json: { MessageJSON.date($0.heard) }),
      Column("acts", gap: 0, text: { ActCount.words($0.acts) }, json: { .number(String($0.acts)) }),
      Column(
        "missing", gap: 0,
        text: {
          let verb = $0.missing == 1 ? "has" : "have"
          return $0.missing == 0 ? "" : ", \(ActCount.digits($0.missing)) \(verb) not arrived"
        }, json: { .number(String($0.missing)) }),
      Column(
        "clock_ahead",
        text: {
          isBehind || $0.clockAhead < Self.wrongClock
            ? "" : "; its clock is \(Self.words($0.clockAhead)) ahead"
        }, json: { .integer(Int($0.clockAhead / .seconds(1))) }),
    ]
  }

  /// The difference from which a clock counts as wrong. It is not small, since objects take a while to arrive.
  private static let wrongClock = Duration.seconds(120)

  /// Returns a duration in days, hours or minutes, such as "3 hours". It is rounded, since the last sync is a while
  /// ago.
  private static func words(_ duration: Duration) -> String {
    let minutes = Int((duration / .seconds(60)).rounded())
    let hours = (minutes + 30) / 60
    let (count, unit) =
      hours >= 24 ? ((minutes + 720) / 1440, "day") : hours >= 1 ? (hours, "hour") : (minutes, "minute")
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }

  private func wallTime(_ date: Date) -> String { profile.environment.wallTime(date) }

  // MARK: - JSON

  private func status(_ progress: SyncProgress, at name: String) throws(StoreFailure) -> JSONValue {
    func object(_ members: [(String, JSONValue)]) -> JSONValue {
      .object(JSONObject(members.map { .init(key: $0.0, value: $0.1) }))
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
      ("error", MessageJSON.text(progress.failure)),
      ("machines", .array(Report(progress.machines, columns(isBehind: false)).objects)),
      ("not_followed", .array(missing)),
    ])
  }
}
