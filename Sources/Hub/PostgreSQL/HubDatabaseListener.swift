import Basics
import Foundation
import Platform
import PostgreSQL
import Synchronization

/// Receives notifications of other hubs' writes to the database, on a separate thread, and passes new ids to its
/// observer, including those of this hub.
final class HubDatabaseListener: Sendable {
  private struct State {
    var observer: @Sendable ([FeedName: Int64]) -> Void = { _ in }
    /// The greatest id of each feed that was passed to the observer.
    var known: [FeedName: Int64] = [:]
    /// Whether something may have changed since the last check.
    var hasNews = true
    /// The process id of the server process that serves the writing connection. Notifications from it contain
    /// nothing new.
    var writer: Int32 = 0
  }

  private let options: HubDatabaseOptions
  private let alarm: Alarm
  private let state = Mutex(State())

  init(_ options: HubDatabaseOptions, alarm: Alarm) { (self.options, self.alarm) = (options, alarm) }

  func observe(_ body: @escaping @Sendable ([FeedName: Int64]) -> Void) {
    state.withLock { $0.observer = body }
  }

  /// Sets the process id of the server process that serves the writing connection.
  func setWriter(_ process: Int32) { state.withLock { $0.writer = process } }

  /// - Returns: whether something may have changed since the last call.
  func readNews() -> Bool {
    state.withLock { state in
      defer { state.hasNews = false }
      return state.hasNews
    }
  }

  /// Passes ids to the observer that were assigned by this hub or found in the database.
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
        do {
          let connection = try options.connect(closing: alarm)
          delay = Limits.hubReconnecting
          try listen(connection)
        } catch {
          // Others notice and report that the store is unavailable; this only waits for its return.
          var states = [pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0)]
          _ = Descriptors.wait(for: &states, until: ContinuousClock.now + delay)
          delay = min(delay * 2, Limits.hubReconnectingLatest)
        }
      }
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Listens until the connection is lost.
  private func listen(_ connection: PostgreSQLConnection) throws {
    try connection.run("LISTEN \(PostgreSQLConnection.channel)")
    // A pooler passes each statement to any of its connections, whose notifications reach no client.
    let process = try connection.ask("SELECT pg_backend_pid()").first?.number(0)
    let isHeard = process == Int64(connection.serverProcess)
    let pause = isHeard ? Limits.hubLooking : Limits.hubLookingBehindPooler
    // This covers changes from before it listened.
    var isNews = true
    var isLooking = true
    while true {
      if isNews { state.withLock { $0.hasNews = true } }
      if isLooking { try look(connection) }
      var states = [alarm.descriptor, connection.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let came = Descriptors.wait(for: &states, until: ContinuousClock.now + pause)
      if states[0].revents != 0 { throw PostgreSQLFailure.closed }
      guard let processes = connection.readNotifications() else { throw PostgreSQLFailure.lost("") }
      let writer = state.withLock { $0.writer }
      let hasOthers = processes.contains { $0 != writer }
      (isNews, isLooking) = (hasOthers || !isHeard, hasOthers || !came)
    }
  }

  /// Reads the last ids of all feeds, and reports new ones.
  private func look(_ connection: PostgreSQLConnection) throws {
    let feeds = try connection.feeds(counting: false)
    report(Dictionary(feeds.map { ($0.name, $0.lastID) }) { $1 })
  }
}
