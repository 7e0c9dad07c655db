import Basics
import CPQ
import Foundation
package import Platform

/// A connection to a server, using libpq's functions that don't block the thread longer than the given times. Only the
/// system's look-up of a host name has its own timeouts.
///
/// After a failure other than `refused` it can no longer be used.
package final class PostgreSQLConnection {
  private let handle: OpaquePointer
  private let silence: Duration
  private let closing: Alarm

  /// - Parameters:
  ///   - connecting: the maximum time to connect.
  ///   - silence: the maximum time without progress of a response.
  ///   - settings: settings of libpq, which have precedence over the address.
  ///   - closing: ends all waits.
  package init(
    _ address: PostgreSQLAddress, connecting: Duration = Limits.databaseConnecting,
    silence: Duration = Limits.databaseSilence, settings: [(name: String, value: String)] = [], closing: Alarm
  ) throws(PostgreSQLFailure) {
    let parameters =
      [
        // The address has precedence over these, except over the last ones.
        ("fallback_application_name", "reddot"),
        // Without keepalives, a connection that only listens would not notice for hours that the network is gone.
        ("keepalives_idle", "60"), ("keepalives_interval", "15"), ("keepalives_count", "4"),
        ("dbname", address.text), ("client_encoding", "UTF8"),
      ] + settings.map { ($0.name, $0.value) }
    let made = Self.withPointers(parameters.map(\.0)) { names in
      Self.withPointers(parameters.map(\.1)) { values in PQconnectStartParams(names, values, 1) }
    }
    guard let made else { throw .notConnected("there is no memory for a connection") }
    (handle, self.silence, self.closing) = (made, silence, closing)
    // The server's notices must not reach our standard error, whose last line is the reason of our end.
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    try dial(until: ContinuousClock.now + connecting, connecting)
  }

  deinit { PQfinish(handle) }

  /// Waits until the connection is established.
  private func dial(until end: ContinuousClock.Instant, _ time: Duration) throws(PostgreSQLFailure) {
    guard PQstatus(handle) != CONNECTION_BAD else { throw .notConnected(reason) }
    var events = POLLOUT
    while true {
      guard try wait(for: events, until: end) else { throw .silent(time) }
      switch PQconnectPoll(handle) {
      case PGRES_POLLING_OK:
        guard PQsetnonblocking(handle, 1) == 0 else { throw .notConnected(reason) }
        return
      case PGRES_POLLING_READING: events = POLLIN
      case PGRES_POLLING_WRITING: events = POLLOUT
      case _: throw PQconnectionUsedPassword(handle) == 1 ? .notAdmitted(reason) : .notConnected(reason)
      }
    }
  }

  private var reason: String { PostgreSQLFailure.reason(String(cString: PQerrorMessage(handle))) }

  /// The process id of the server when the connection was opened. Behind a pooler, another process may execute the
  /// statements.
  package var serverProcess: Int32 { PQbackendPID(handle) }

  /// Whether the connection is encrypted.
  package var hasTLS: Bool { PQsslInUse(handle) == 1 }

  /// Whether the server, or a pooler in front of it, is reached through a socket or the machine's own address.
  package var isOfThisMachine: Bool {
    func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
    let address = text(PQhostaddr(handle))
    return text(PQhost(handle)).hasPrefix("/") || address.hasPrefix("127.") || address == "::1"
  }

  /// The connection's descriptor, which becomes readable when the server sends something.
  package var descriptor: Int32 { PQsocket(handle) }

  // MARK: Statements

  /// Executes one statement, and returns its rows.
  package func ask(
    _ statement: String, _ parameters: [PostgreSQLParameter] = []
  ) throws(PostgreSQLFailure) -> [PostgreSQLRow] {
    try ask(isSent: send(statement, parameters))
  }

  /// Executes statements without parameters, separated by semicolons. Their results are dropped.
  package func run(_ statements: String) throws(PostgreSQLFailure) {
    _ = try ask(isSent: PQsendQuery(handle, statements) == 1)
  }

  private func ask(isSent: Bool) throws(PostgreSQLFailure) -> [PostgreSQLRow] {
    guard isSent else { throw .lost(reason) }
    try flush()
    var rows: [PostgreSQLRow] = []
    var failure: PostgreSQLFailure?
    while true {
      while PQisBusy(handle) != 0 { try receive() }
      guard let result = PQgetResult(handle) else { break }
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK: rows += Self.rows(of: result)
      case PGRES_COMMAND_OK: continue
      case _:
        let found = Self.failure(of: result)
        // Only the connection's end can follow, for which the reason is known.
        if case .lost = found { throw found }
        failure = failure ?? found
      }
    }
    if PQstatus(handle) == CONNECTION_BAD { throw .lost(reason) }
    if let failure { throw failure }
    return rows
  }

  private func send(_ statement: String, _ parameters: [PostgreSQLParameter]) -> Bool {
    let values = parameters.map(\.binary)
    // One more byte is needed: the address of no bytes would be null, which means NULL.
    let all = values.reduce(into: []) { $0 += $1 ?? [] } + [0]
    return all.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        var place = buffer.baseAddress
        var pointers: [UnsafePointer<CChar>?] = []
        for value in values {
          pointers.append(value == nil ? nil : place)
          place = place?.advanced(by: value?.count ?? 0)
        }
        return PQsendQueryParams(
          handle, statement, Int32(values.count), parameters.map(\.type), pointers,
          values.map { Int32(clamping: $0?.count ?? 0) }, values.map { _ in 1 }, 1) == 1
      }
    }
  }

  private static func rows(of result: OpaquePointer) -> [PostgreSQLRow] {
    (0..<PQntuples(result)).map { row in
      PostgreSQLRow(
        values: (0..<PQnfields(result)).map { column in
          guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else {
            return nil
          }
          return Array(
            UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column))))
        })
    }
  }

  private static func failure(of result: OpaquePointer) -> PostgreSQLFailure {
    func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
    let reason = PostgreSQLFailure.reason(
      field(reddot_pq_message) ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? "")
    // Without a state, the connection itself failed.
    guard let state = field(reddot_pq_sqlstate), !PostgreSQLFailure.isEnd(state: state) else {
      return .lost(reason)
    }
    return .refused(state: state, reason: reason)
  }

  /// Reads the messages that the server sends without a request.
  ///
  /// - Returns: the process ids of the server processes that sent notifications, or `nil` if the connection is lost.
  package func readNotifications() -> [Int32]? {
    guard PQconsumeInput(handle) == 1 else { return nil }
    var processes: [Int32] = []
    while let notification = PQnotifies(handle) {
      processes.append(notification.pointee.be_pid)
      PQfreemem(notification)
    }
    return PQstatus(handle) == CONNECTION_BAD ? nil : processes
  }

  // MARK: Bytes

  private func flush() throws(PostgreSQLFailure) {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1: break
      case _: throw .lost(reason)
      }
      // The server may be waiting for us to read.
      try move(POLLIN | POLLOUT)
    }
  }

  private func receive() throws(PostgreSQLFailure) { try move(POLLIN) }

  /// Waits until the descriptor is ready, for at most `silence`, and reads what has arrived.
  private func move(_ events: Int32) throws(PostgreSQLFailure) {
    guard try wait(for: events, until: ContinuousClock.now + silence) else { throw .silent(silence) }
    guard PQconsumeInput(handle) == 1 else { throw .lost(reason) }
  }

  /// - Returns: `false` if the time has passed.
  private func wait(for events: Int32, until end: ContinuousClock.Instant) throws(PostgreSQLFailure) -> Bool {
    var states = [
      pollfd(fd: closing.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
    ]
    guard Descriptors.wait(for: &states, until: end) else { return false }
    if states[0].revents != 0 { throw .closed }
    return true
  }

  /// Calls the body with the strings as C strings, followed by a null pointer.
  private static func withPointers<Value>(
    _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Value
  ) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
  }
}
