import Basics
package import Foundation
import Platform
package import PostgreSQL
import Synchronization

/// A hub's store in PostgreSQL, which several hubs may share. One thread writes, some read, and one listens for writes
/// of other hubs. Each has a separate connection, which it reopens if it is lost.
package final class PostgreSQLHub: HubStoring {
  private let alarm: Alarm
  private let readers: DatabaseThreads
  private let writer: DatabaseThreads
  private let writing: HubDatabaseWriting
  private let listener: HubDatabaseListener
  /// The database's time at the last query, in milliseconds since 1970, and the instant of that query.
  private let clock: Mutex<(time: Int64, at: ContinuousClock.Instant)>

  /// - Parameter time: the current time of the database.
  static func start(_ options: HubDatabaseOptions, time: Int64) throws(POSIXError) -> PostgreSQLHub {
    let hub = try PostgreSQLHub(options, time: time)
    hub.readers.start(options.connections, name: "hub reads")
    hub.writer.start(1, name: "hub writes")
    hub.listener.start()
    return hub
  }

  private init(_ options: HubDatabaseOptions, time: Int64) throws(POSIXError) {
    alarm = try Alarm()
    readers = DatabaseThreads(options, alarm: alarm)
    writer = DatabaseThreads(options, alarm: alarm)
    listener = HubDatabaseListener(options, alarm: alarm)
    writing = HubDatabaseWriting(listener)
    clock = Mutex((time: time, at: ContinuousClock.now))
  }

  deinit {
    alarm.ring()
    readers.end()
    writer.end()
  }

  package func observe(_ body: @escaping @Sendable ([FeedName: Int64]) -> Void) { listener.observe(body) }

  package var load: StoreLoad { writing.queue.load }

  package var awayReason: String? { readers.reason ?? writer.reason }

  /// Returns the time of the database, whatever this machine's clock shows. It is never ahead of the database's clock,
  /// since a response takes a moment to arrive.
  package func now() -> Date {
    let (time, at) = clock.withLock { $0 }
    return Date(stored: time).addingTimeInterval((ContinuousClock.now - at) / .seconds(1))
  }

  package func perform(_ work: HubWork, now: Date) async throws(HubFailure) -> PublishAnswer {
    try await writing.queue.perform(work, now: now) {
      writer.enqueue(
        DatabaseThreads.Job { [writing] in
          writing.writeAll($0)
        } fail: { [writing] in
          writing.fail($0)
        })
    }
  }

  // MARK: Statements

  package func reading<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws(HubFailure) -> Value { try await readers.perform(body) }

  package func changing<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws(HubFailure) -> Value { try await readers.perform { try $0.transaction("", body) } }

  /// Runs a transaction that assigns ids, on a reading thread: the thread that writes items is busy while
  /// many clients publish.
  package func writing<Value: Sendable>(
    notifies: Bool, _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws(HubFailure) -> Value {
    try await readers.perform { connection in
      let value = try connection.begin(PostgreSQLConnection.givingIDs, body)
      do throws(PostgreSQLFailure) {
        try connection.commit(notifies: notifies)
      } catch {
        // It is unknown whether it is done; repeated, it could have another result.
        if case .lost = error { throw HubFailure.storeAway }
        throw error
      }
      return value
    }
  }

  package func advance(now: Date) async throws(HubFailure) -> Bool {
    let (hasDue, time) = try await reading { (try $0.hasDue(now: now), try $0.time()) }
    clock.withLock { $0 = (time, ContinuousClock.now) }
    if hasDue { _ = try await perform(.due, now: now) }
    return listener.readNews()
  }
}
