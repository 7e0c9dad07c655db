import Foundation
import Messages
import Profile
import Storage
import Sync
import TerminalHarness

/// Measures synchronisation over a folder: an action of the user, a start, a sync without changes, and very many
/// changes at the same time.
struct SyncBenchmark {
  var workshop: Workshop

  /// - Parameter count: the number of messages, and of the changes that are sent and merged.
  func run(_ count: Int, into table: inout ResultTable) throws {
    let goals = count == 1_000_000
    let filled = try fill(count)
    let alone = try SyncedMachine("alone", workshop, filled, syncs: false)
    let laptop = try SyncedMachine("laptop", workshop, filled)
    let place = workshop.folder.appending(path: "place").path
    note("setting up a machine with \(filled.label)")
    let begun = try laptop.run("init", place)
    table.add("a machine set up, \(filled.label)", Self.words(begun.cost))
    let key = try laptop.key()

    try compareStarts(alone, laptop, into: &table)
    try compareActs(alone, laptop, into: &table)
    try measureObject(laptop, place, into: &table)
    try measureNothingNew(laptop, place, key, into: &table)
    try measureIdling(laptop, isLong: goals, into: &table)
    try compareReadAll(alone, laptop, goals, into: &table)
    alone.remove()

    let sending = try laptop.run("now")
    table.add(
      "all of that sent, \(filled.label)", Self.words(sending.cost))
    laptop.remove()
    for (name, database) in [("that has the messages", filled), ("that has none yet", nil)] {
      let joining = try SyncedMachine("new", workshop, database)
      let run = try joining.run("join", place, key.text)
      table.add(
        "a new machine \(name), all read elsewhere, \(filled.label)",
        Self.words(run.cost), goal: goals ? "≤ 15 s" : "")
      joining.remove()
    }
    try measureMerging(filled, count, goals, into: &table)
  }

  private static func words(_ cost: ProcessRun.Cost) -> String {
    "\(text(cost.wall.milliseconds)), CPU \(text(cost.cpu.milliseconds)), \(cost.peakMiB)"
  }

  private static func digits(_ count: Int) -> String {
    count.formatted(.number.locale(Locale(identifier: "en_US")))
  }

  /// Creates a database that no other benchmark has changed.
  private func fill(_ count: Int) throws -> FilledDatabase {
    for ending in ["", "-wal", "-shm"] {
      let path = workshop.folder.appending(path: "\(count).sqlite\(ending)").path
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
    note("filling a database with \(count) messages")
    return try workshop.fill(count)
  }

  // MARK: - With and without, in turn

  private func compareStarts(
    _ alone: SyncedMachine, _ laptop: SyncedMachine, into table: inout ResultTable
  ) throws {
    let newest = laptop.database.newest
    var (without, with) = (Times(), Times())
    func start(_ machine: SyncedMachine) throws -> Duration {
      let terminal = try PseudoTerminal(columns: 120, rows: 40)
      let start = ContinuousClock.now
      try InboxBenchmark(workshop: workshop).launch(machine.database, in: terminal)
      guard let end = terminal.time(ofText: newest) else { throw MissingList(text: newest) }
      terminal.send("q")
      _ = try terminal.waitForExit()
      return end - start
    }
    for _ in 0..<25 {
      without.add(try start(alone))
      with.add(try start(laptop))
    }
    add("start to first list", laptop, without.median, with.median, goal: "≤ +0.3 ms", into: &table)
  }

  private func add(
    _ what: String, _ machine: SyncedMachine, _ without: Double, _ with: Double, goal: String,
    into table: inout ResultTable
  ) {
    table.add(
      "\(what), \(machine.database.label), without and with synchronisation",
      "\(text(without)), \(text(with)): \(String(format: "%+.2f ms", with - without))", goal: goal)
  }

  private func compareActs(
    _ alone: SyncedMachine, _ laptop: SyncedMachine, into table: inout ResultTable
  ) throws {
    let stores = try [alone, laptop].map { try Store(path: $0.database.path, now: Date()) }
    var times = [Times(), Times()]
    for number in 1...500 {
      for (index, store) in stores.enumerated() {
        let start = ContinuousClock.now
        try store.acts.perform(.read([unread(number, laptop)]), at: Date())
        times[index].add(ContinuousClock.now - start)
      }
    }
    add("an act", laptop, times[0].median, times[1].median, goal: "≤ +0.1 ms", into: &table)
    for store in stores { try store.close() }
    _ = try laptop.run("now")
  }

  /// Returns the id of an unread message of a machine. A higher number means an older message: the newest
  /// ones are unread, since only the first ones were stored as read.
  private func unread(_ number: Int, _ machine: SyncedMachine) -> MessageID {
    MessageID(Int64(machine.database.messages - number))
  }

  private func compareReadAll(
    _ alone: SyncedMachine, _ laptop: SyncedMachine, _ goals: Bool, into table: inout ResultTable
  ) throws {
    let times = try [alone, laptop].map { machine in
      let store = try Store(path: machine.database.path, now: Date())
      let start = ContinuousClock.now
      try store.acts.perform(.readAll(InboxQuery()), at: Date())
      let time = ContinuousClock.now - start
      try store.close()
      return time.milliseconds
    }
    table.add(
      "marking all read with synchronisation, \(laptop.database.label), to without it",
      "\(String(format: "%.2f", times[1] / times[0])): \(text(times[1])) to \(text(times[0]))",
      goal: goals ? "≤ 1.7" : "")
  }

  // MARK: - A synchronisation

  private func measureObject(
    _ laptop: SyncedMachine, _ place: String, into table: inout ResultTable
  ) throws {
    let store = try Store(path: laptop.database.path, now: Date())
    let before = try Set(FolderPlace(path: place).list())
    for number in 1001...1050 {
      let ids = [unread(number, laptop)]
      try store.acts.perform(number % 3 == 0 ? .dismiss(ids) : .read(ids), at: Date())
    }
    try store.close()
    _ = try laptop.run("now")
    let folder = try FolderPlace(path: place)
    let new = try folder.list().filter { !before.contains($0) }
    let bytes = try new.reduce(0) { $0 + (try folder.get($1)?.count ?? 0) }
    table.add("50 acts, sent", "\(Self.digits(bytes)) bytes in \(new.count) object", goal: "≤ 3 KiB")
  }

  private func measureNothingNew(
    _ laptop: SyncedMachine, _ place: String, _ key: SyncKey, into table: inout ResultTable
  ) throws {
    let store = try Store(path: laptop.database.path, now: Date())
    var times = Times()
    for _ in 0..<50 {
      let folder = try FolderPlace(path: place)
      let start = Self.processorTime
      let outcome = try Synchronisation(
        store, folder, called: place, key, machine: "laptop", program: "benchmark", now: { Date() }
      ).run()
      times.add(Self.processorTime - start)
      if outcome != Synchronisation.Outcome() { note("something was new: \(outcome)") }
    }
    try store.close()
    table.add(
      "a synchronisation without news over a folder, \(laptop.database.label): CPU", text(times.median),
      goal: "≤ 5 ms")
  }

  /// The processor time of all threads of this process.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private func measureIdling(
    _ laptop: SyncedMachine, isLong: Bool, into table: inout ResultTable
  ) throws {
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    try InboxBenchmark(workshop: workshop).launch(laptop.database, in: terminal)
    try terminal.wait(forText: "Message \(laptop.database.messages - 1):")
    // Seen messages are sent a minute later: here all messages.
    if isLong { terminal.readUntilQuiet(for: 90_000) }
    try InboxBenchmark.addIdling(
      in: terminal, "\(laptop.database.label), synchronised over a folder", isLong: isLong, into: &table)
    terminal.send("q")
    _ = try terminal.waitForExit()
  }

  // MARK: - Changes of another machine

  /// Measures merging one change for each message, as if another machine had made the changes one by one.
  private func measureMerging(
    _ filled: FilledDatabase, _ count: Int, _ goals: Bool, into table: inout ResultTable
  ) throws {
    let desktop = try SyncedMachine("desktop", workshop, filled)
    let place = workshop.folder.appending(path: "place-of-acts").path
    _ = try desktop.run("init", place)
    let (folder, key, device) = (try FolderPlace(path: place), try desktop.key(), DeviceID.random())
    let now = Date()
    let head = Payload.Head(
      written: Int64(now.timeIntervalSince1970 * 1000), machine: "server", program: "benchmark")
    let size = 100_000
    for first in stride(from: 0, to: count, by: size) {
      let acts = (first..<min(first + size, count)).map { number in
        let key = Act.Target.key(ofRemoteID: Workshop.message(number).remoteID.text)
        let group = Act.Group(
          source: WireUID(syncAs: "bench"), field: .read, value: .integer(1), targets: [.init(key: key)])
        let stamp = Stamp(milliseconds: head.written - Int64(count - number))
        return ActCodec.encode(Act(kind: .read, stamp: stamp, groups: [group]))
      }
      let name = ObjectName(device: device, seqs: Int64(first + 1)...Int64(first + acts.count))
      let object = try SealedObject.seal(Payload.encode(head, acts: acts), name: name, key: key)
      _ = try folder.put(folder.name(name, of: object), object)
    }
    let run = try desktop.run("now")
    table.add(
      "\(Self.digits(count)) single acts merged, \(filled.label)",
      Self.words(run.cost), goal: goals ? "≤ 10 s, ≤ 200 MiB" : "")
    let store = try Store(path: desktop.database.path, now: now)
    let left = try store.lists.snapshot(InboxQuery(isUnreadOnly: true), InboxWindow(after: 1)).rows.count
    if left > 0 { note("not all of them are read") }
    try store.close()
    desktop.remove()
  }
}

/// A machine of the benchmark: a separate database with its settings and encryption key.
private struct SyncedMachine {
  let database: FilledDatabase
  private let folder: URL
  private let program: String

  /// - Parameter filled: the database to copy, or `nil` for one without messages.
  init(_ name: String, _ workshop: Workshop, _ filled: FilledDatabase?, syncs: Bool = true) throws {
    folder = workshop.folder.appending(path: "machine-\(name)")
    program = workshop.program
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = FilledDatabase(
      path: folder.appending(path: "reddot.sqlite").path,
      settings: folder.appending(path: "config.toml").path,
      messages: filled?.messages ?? 0, sources: 1)
    let settings = try String(contentsOfFile: workshop.settings, encoding: .utf8)
    try Data((settings + (syncs ? "sync_as = \"bench\"\n[sync]\nname = \"\(name)\"\n" : "")).utf8).write(
      to: URL(filePath: database.settings))
    guard let filled else { return }
    for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: filled.path + ending) {
      try FileManager.default.copyItem(atPath: filled.path + ending, toPath: database.path + ending)
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Runs `reddot sync` with these words.
  func run(_ words: String...) throws -> ProcessRun {
    let output = folder.appending(path: "output").path
    let run = try ProcessRun(
      program, ["sync"] + words + ["--database", database.path, "--config", database.settings],
      environment: ["HOME": folder.path], output: output)
    guard run.end == .status(0) else {
      note(try String(contentsOfFile: output, encoding: .utf8))
      throw CocoaError(.executableLoad)
    }
    return run
  }

  func key() throws -> SyncKey {
    let text = try String(contentsOf: folder.appending(path: "sync.key"), encoding: .utf8)
    guard let key = SyncKey(fileText: text) else { throw CocoaError(.fileReadCorruptFile) }
    return key
  }
}
