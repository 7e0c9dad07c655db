import PostgreSQL
import Synchronization

/// Writes waiting requests, batch by batch, on the single writing thread.
final class HubDatabaseWriting: Sendable {
  let queue = HubQueue()
  private let listener: HubDatabaseListener
  /// The batch that is written again once there is a connection.
  private let unwritten = Mutex<(batch: [HubQueue.Waiting], isRepeated: Bool)>(([], false))

  init(_ listener: HubDatabaseListener) { self.listener = listener }

  /// Writes all waiting requests, batch by batch.
  func writeAll(_ connection: PostgreSQLConnection) -> DatabaseThreads.Ending {
    listener.setWriter(connection.serverProcess)
    while case let (batch, isRepeated) = next(), !batch.isEmpty {
      guard write(batch, connection, isRepeated: isRepeated) else { return .again }
    }
    return .done
  }

  /// Refuses all waiting requests if there is no connection.
  func fail(_ failure: HubFailure) {
    while case let (batch, _) = next(), !batch.isEmpty { answer(batch, failure) }
  }

  /// Returns the batch that must be written again, or the next one of the queue.
  private func next() -> (batch: [HubQueue.Waiting], isRepeated: Bool) {
    let unwritten = unwritten.withLock { unwritten in
      defer { unwritten = ([], false) }
      return unwritten
    }
    return unwritten.batch.isEmpty ? (queue.nextBatch(), false) : unwritten
  }

  private func answer(_ batch: [HubQueue.Waiting], _ failure: HubFailure) {
    for waiting in batch { waiting.resume(.failure(failure)) }
  }

  /// The failure of an attempt in which no request got a response.
  private enum Failed: Error {
    /// Nothing is stored.
    case before(PostgreSQLFailure)
    /// The commit got no response, so its outcome is unknown.
    case unknown
  }

  /// Writes a batch and responds to all its requests, or keeps them in `unwritten`.
  ///
  /// - Parameter isRepeated: whether this is the second attempt, which is the last one.
  /// - Returns: `false` if the connection is lost.
  private func write(
    _ batch: [HubQueue.Waiting], _ connection: PostgreSQLConnection, isRepeated: Bool
  ) -> Bool {
    do throws(Failed) {
      try write(batch, connection)
      return true
    } catch .unknown {
      answer(batch, .storeAway)
      return false
    } catch .before(let failure) where !failure.keepsConnection {
      if isRepeated {
        answer(batch, .storeAway)
      } else {
        unwritten.withLock { $0 = (batch, true) }
      }
      return false
    } catch .before(let failure) where failure.isPassing {
      // The lock may be held by a hub that hangs, whose transaction the database ends after 5 s.
      if !isRepeated { return write(batch, connection, isRepeated: true) }
      answer(batch, failure.hubFailure)
      return true
    } catch .before(let failure) where batch.count == 1 {
      answer(batch, failure.hubFailure)
      return true
    } catch {
      // One of them may be the cause, so each is written separately, and only that one fails.
      for (place, waiting) in batch.enumerated() where !write([waiting], connection, isRepeated: false) {
        let rest = batch[(place + 1)...]
        unwritten.withLock { $0.batch += rest }
        return false
      }
      return true
    }
  }

  /// Writes a batch and responds to all its requests, or throws without any response.
  private func write(
    _ batch: [HubQueue.Waiting], _ connection: PostgreSQLConnection
  ) throws(Failed) {
    let start = ContinuousClock.now
    let outcomes: [HubQueue.Outcome]
    let lastIDs: [FeedName: Int64]
    do {
      (outcomes, lastIDs) = try connection.begin(PostgreSQLConnection.givingIDs) {
        try $0.perform(batch.map { ($0.work, $0.now) })
      }
    } catch { throw .before(error as? PostgreSQLFailure ?? .closed) }
    do throws(PostgreSQLFailure) {
      try connection.commit(notifies: !lastIDs.isEmpty)
    } catch {
      guard error.keepsConnection else { throw .unknown }
      throw .before(error)
    }
    queue.didWrite(batch, in: ContinuousClock.now - start)
    listener.report(lastIDs)
    for (waiting, outcome) in zip(batch, outcomes) { waiting.resume(outcome) }
  }
}
