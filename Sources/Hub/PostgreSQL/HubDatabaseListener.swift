import Basics
import Foundation
import Platform
import PostgreSQL
import Synchronization

/// Hears of what other hubs of the database wrote, on a thread of its own, and reports new ids, its own hub's too.
final class HubDatabaseListener: Sendable {
  private struct State {
    var observer: @Sendable ([FeedName: Int64]) -> Void = { _ in }
    /// The greatest ids that were reported.
    var known: [FeedName: Int64] = [:]
    /// Something may be other than at the last look.
    var hasNews = true
    /// The server's process for the connection that writes, whose own notifications say nothing new.
    var writer: Int32 = 0
  }

  private let options: HubDatabaseOptions
  private let alarm: Alarm
  private let state = Mutex(State())

  init(_ options: HubDatabaseOptions, alarm: Alarm) { (self.options, self.alarm) = (options, alarm) }

  func observe(_ body: @escaping @Sendable ([FeedName: Int64]) -> Void) {
    state.withLock { $0.observer = body }
  }

  func setWriter(_ process: Int32) { state.withLock { $0.writer = process } }

  /// - Returns: whether something may be other than at the last call.
  func readNews() -> Bool {
    state.withLock { state in
      defer { state.hasNews = false }
      return state.hasNews
    }
  }

  /// Ids that were given, or are found in the database.
  func report(_ lastIDs: [FeedName: Int64]) {
    let (observer, new) = state.withLock { state in
      let new = lastIDs.filter { $0.value > state.known[$0.key] ?? 0 }
      state.known.merge(new) { $1 }
      return (state.observer, new)
    }
    if !new.isEmpty { observer(new) }
  }

  func start() {
    let thread = Thread { [self] in
      Thread.current.name = "hub listens"
      var delay = Limits.hubReconnecting
      while !alarm.hasRung {
        do throws(PostgreSQLFailure) {
          let connection = try options.connect(closing: alarm)
          delay = Limits.hubReconnecting
          try listen(connection)
        } catch {
          // That the store is away others find and say; here is only waited for its return.
          var states = [pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0)]
          _ = Descriptors.wait(for: &states, until: ContinuousClock.now + delay)
          delay = min(delay * 2, Limits.hubReconnectingLatest)
        }
      }
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Until the connection is lost.
  private func listen(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) {
    try connection.run("LISTEN \(HubDatabaseTransaction.channel)")
    // A pooler gives each statement to any of its own connections, which hear for nobody.
    let process = try connection.ask("SELECT pg_backend_pid()").first?.number(0)
    let isHeard = process == Int64(connection.serverProcess)
    let pause = isHeard ? Limits.hubLooking : Limits.hubLookingBehindPooler
    // What was said before it listened.
    var isNews = true
    var isLooking = true
    while true {
      if isNews { state.withLock { $0.hasNews = true } }
      if isLooking { try look(connection) }
      var states = [alarm.descriptor, connection.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let came = Descriptors.wait(for: &states, until: ContinuousClock.now + pause)
      if states[0].revents != 0 { throw .closed }
      guard let processes = connection.readNotifications() else { throw .lost("") }
      let writer = state.withLock { $0.writer }
      let hasOthers = processes.contains { $0 != writer }
      (isNews, isLooking) = (hasOthers || !isHeard, hasOthers || !came)
    }
  }

  private func look(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) {
    let rows = try connection.ask("SELECT name, (SELECT max(id) FROM item WHERE feed = f.id) FROM feed f")
    var lastIDs: [FeedName: Int64] = [:]
    for row in rows {
      if let name = row.text(0).flatMap({ FeedName($0) }) { lastIDs[name] = row.number(1) ?? 0 }
    }
    report(lastIDs)
  }
}
