import Basics
import Foundation
import Platform
import PostgreSQL

/// A fixed number of threads, each with a separate connection, which it reopens if it is lost. Tasks wait for them, and
/// block none of the threads that tasks share.
final class DatabaseThreads: Sendable {
  /// The state of the connection after a job.
  enum Ending {
    case done
    /// The connection can no longer be used.
    case lost
    /// The connection can no longer be used, and the job must be repeated.
    case again
  }

  struct Job: Sendable {
    let run: @Sendable (PostgreSQLConnection) -> Ending
    /// Called instead of `run` if there is no connection.
    let fail: @Sendable (HubFailure) -> Void
  }

  private static let stackBytes = 1 << 20

  private let options: HubDatabaseOptions
  /// The alarm that ends all waits for the server.
  private let alarm: Alarm
  private let condition = NSCondition()
  // Accessed only while `condition` is locked.
  nonisolated(unsafe) private var jobs: [Job] = []
  nonisolated(unsafe) private var connected = 0
  /// Whether the store is unavailable, so that new jobs fail immediately.
  nonisolated(unsafe) private var isAway = false
  nonisolated(unsafe) private var lastReason: String?

  /// - Parameter alarm: rings at the end, before `end` is called.
  init(_ options: HubDatabaseOptions, alarm: Alarm) { (self.options, self.alarm) = (options, alarm) }

  func start(_ count: Int, name: String) {
    for _ in 0..<count {
      let thread = Thread { [self] in
        Thread.current.name = name
        work()
      }
      thread.stackSize = Self.stackBytes
      thread.start()
    }
  }

  /// The reason why the last attempt to connect failed.
  var reason: String? { condition.withLock { lastReason } }

  /// Fails all waiting jobs, after the alarm has rung.
  func end() { failAll() }

  /// Queues a job, or fails it immediately if the store is unavailable or too many jobs wait.
  func enqueue(_ job: Job) {
    condition.lock()
    let failure: HubFailure? =
      isAway || alarm.hasRung ? .storeAway : jobs.count >= Limits.hubReadsWaiting ? .busy : nil
    if failure == nil {
      jobs.append(job)
      condition.broadcast()
    }
    condition.unlock()
    if let failure { job.fail(failure) }
  }

  /// Queries the database. The query changes nothing, or has the same effect if it is done twice: if the connection is
  /// lost, it is repeated once on another one.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws(HubFailure) -> Value {
    let isRepeated = Flag()
    let outcome = await withCheckedContinuation {
      (answer: CheckedContinuation<Result<Value, HubFailure>, Never>) in
      enqueue(
        Job { connection in
          do {
            answer.resume(returning: .success(try body(connection)))
            return .done
          } catch let failure as HubFailure {
            answer.resume(returning: .failure(failure))
            return .done
          } catch let failure as PostgreSQLFailure where failure.keepsConnection {
            answer.resume(returning: .failure(failure.hubFailure))
            return .done
          } catch PostgreSQLFailure.lost where isRepeated.set() {
            return .again
          } catch {
            answer.resume(returning: .failure(.storeAway))
            return .lost
          }
        } fail: {
          answer.resume(returning: .failure($0))
        })
    }
    return try outcome.get()
  }

  // MARK: Threads

  private func work() {
    var connection: PostgreSQLConnection?
    var delay = Limits.hubReconnecting
    var again: Job?
    while true {
      guard let open = connection ?? connect() else {
        again?.fail(.storeAway)
        again = nil
        guard wait(delay) else { return }
        delay = min(delay * 2, Limits.hubReconnectingLatest)
        continue
      }
      (connection, delay) = (open, Limits.hubReconnecting)
      guard let job = again ?? nextJob() else { return }
      again = nil
      switch job.run(open) {
      case .done: continue
      case .lost: break
      case .again: again = job
      }
      connection = nil
      condition.withLock { connected -= 1 }
    }
  }

  private func connect() -> PostgreSQLConnection? {
    do throws(PostgreSQLFailure) {
      let connection = try options.connect(closing: alarm)
      condition.withLock { (connected, isAway, lastReason) = (connected + 1, false, nil) }
      return connection
    } catch {
      let isLast = condition.withLock {
        lastReason = error.reason
        return connected == 0
      }
      if isLast { failAll() }
      return nil
    }
  }

  /// Fails all waiting jobs, and all new ones until there is a connection.
  private func failAll() {
    let failed = condition.withLock {
      isAway = true
      condition.broadcast()
      defer { jobs = [] }
      return jobs
    }
    for job in failed { job.fail(.storeAway) }
  }

  /// Waits for this time. A part of it is random, so that not all hubs return at the same time.
  ///
  /// - Returns: `false` at the end.
  private func wait(_ time: Duration) -> Bool {
    var states = [pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0)]
    return !Descriptors.wait(
      for: &states, until: ContinuousClock.now + time * Double.random(in: 0.5...1))
  }

  /// Waits for a job, or returns `nil` at the end.
  private func nextJob() -> Job? {
    condition.lock()
    defer { condition.unlock() }
    while jobs.isEmpty, !alarm.hasRung { condition.wait() }
    return jobs.isEmpty ? nil : jobs.removeFirst()
  }

  /// A flag that is set once.
  private final class Flag: Sendable {
    nonisolated(unsafe) private var isSet = false

    /// Sets the flag; only one thread at a time may call it.
    ///
    /// - Returns: whether it wasn't set before.
    func set() -> Bool {
      defer { isSet = true }
      return !isSet
    }
  }
}

extension PostgreSQLFailure {
  /// Whether only the statement failed, so that the connection can still be used. If the server no longer
  /// accepts writes, the connection is closed, and another server is looked for.
  var keepsConnection: Bool {
    if case .refused(let state, _) = self { return state != "25006" }
    return false
  }

  /// Whether the same statement may succeed a moment later: a lock wasn't available in time, a statement took
  /// too long, or there was a deadlock.
  var isPassing: Bool {
    if case .refused(let state, _) = self { return ["55P03", "57014", "40001", "40P01"].contains(state) }
    return false
  }

  /// The failure for a publisher, which never contains the database's message.
  var hubFailure: HubFailure {
    if isPassing { return .busy }
    if case .refused("53100", _) = self { return .noSpace }
    return .storeAway
  }
}
