import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

/// A child process polls, marks and undoes, and is killed at a random moment of its processor time, so that it gets
/// equally far on any machine. At any moment the next start finds a consistent store and continues from its cursor.
@Suite(.serialized, .timeLimit(.minutes(HangLimit.minutes))) struct CrashTests {
  private static let kills = 60

  @Test func noKillLosesOrRepeatsAMessage() async throws {
    let directory = try Directory()
    let path = directory.database
    var generator = SeededRandom(seed: ProcessInfo.processInfo.processIdentifier)
    var progress: [Int] = []
    for kill in 0..<Self.kills {
      // The first kills happen while the file and its tables are created.
      let delay = Int.random(in: 1...(kill < 10 ? 4_000 : 30_000), using: &generator)
      await #expect(processExitsWith: .signal(SIGPROF)) {
        [path = path as String, delay = delay as Int, kill = kill as Int] in
        try CountingServer.endProcess(after: delay)
        try CountingServer.poll(path: path, seed: kill)
      }
      let store = try Store(path: path, now: noon)
      try store.expectConsistent("after kill \(kill), \(delay) microseconds of processor time in")
      progress.append(try CountingServer.expectNothingLostOrRepeated(store))
      if kill % 10 == 9 { #expect(try store.check.compareSearchIndex() == []) }
      // The lock of the killed process is released.
      if let source = try store.sources.statuses().first?.source.id {
        #expect(try store.tryLock(.poll(source)) != nil)
      }
      // Every second time the next start has to recover the log.
      if kill % 2 == 0 { try store.close() }
    }
    #expect(progress == progress.sorted(), "nothing stored goes away")
    #expect((progress.last ?? 0) > 0)
  }
}

/// Message n has remote id n; a poll returns those after the cursor.
enum CountingServer {
  /// Ends this process after that many microseconds of processor time by a signal without a handler, as suddenly as
  /// SIGKILL.
  static func endProcess(after microseconds: Int) throws {
    var alarm = itimerval(
      it_interval: timeval(), it_value: timeval(tv_sec: 0, tv_usec: .init(microseconds)))
    let clock = __itimer_which_t(ITIMER_PROF.rawValue)
    try #require(setitimer(clock, &alarm, nil) == 0)
  }

  static func poll(path: String, seed: Int) throws {
    var generator = SeededRandom(seed: seed)
    let store = try Store(path: path, now: noon)
    let source = try store.follow(configured("counting", kind: .native))[0]
    let lock = try #require(try store.tryLock(.poll(source)))
    while true {
      let cursor = try store.polls.position(of: source).cursor.flatMap { Int($0.text) } ?? 0
      let last = cursor + Int.random(in: 1...300, using: &generator)
      try store.poll(
        source, (cursor + 1...last).map { message("\($0)", body: "message number \($0)") }, cursor: "\(last)")
      switch Int.random(in: 0...5, using: &generator) {
      case 0: try store.acts.perform(.readAll(InboxQuery()), at: noon)
      case 1: _ = try store.acts.undo(at: noon)
      case 2: try store.acts.markSeen(.all)
      case 3: try store.acts.perform(.star((1...50).map { MessageID(Int64(cursor + $0)) }), at: noon)
      case 4: try store.acts.perform(.dismiss([MessageID(Int64(last))]), at: noon)
      default: break
      }
      withExtendedLifetime(lock) {}
    }
  }

  /// - Returns: the number of messages so far.
  static func expectNothingLostOrRepeated(_ store: Store) throws -> Int {
    guard let status = try store.sources.statuses().first else { return 0 }
    let cursor = try store.polls.position(of: status.source.id).cursor.flatMap { Int($0.text) } ?? 0
    let stored = try store.read { db in
      let query = try db.prepared("SELECT message_id, remote_id FROM detail ORDER BY message_id")
      var rows: [String] = []
      try query.forEach { rows.append("\(query.int(0))=\(query.text(1))") }
      return rows
    }
    #expect(stored == (0..<cursor).map { "\($0 + 1)=\($0 + 1)" })
    let attempts = try store.polls.attempts(of: status.source.id, limit: 1)
    #expect((cursor > 0) == !attempts.isEmpty)
    return cursor
  }
}
