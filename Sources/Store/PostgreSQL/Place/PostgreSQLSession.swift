import Basics
import Foundation
import Platform
import Sync

/// The connections of a ``PostgreSQLPlace``, and the list of objects that it last read.
struct PostgreSQLSession {
  let address: PostgreSQLAddress
  let place: String
  let times: PostgreSQLPlace.Times
  let closing: Alarm
  /// The connection for statements, or `nil` if it isn't open yet or was lost.
  private var verbs: PostgreSQLConnection?
  /// The connection that receives notifications of new objects, or `nil` if there is none.
  private var listening: PostgreSQLConnection?
  /// The time at which the next listening connection is opened if there is none. Until then no notifications are
  /// received.
  private var listensAgain = ContinuousClock.now
  /// The objects in the list that was last read, or `nil` if it has not been read yet. `changed` compares with them.
  private var known: Set<ObjectName>?

  init(address: PostgreSQLAddress, place: String, times: PostgreSQLPlace.Times, closing: Alarm) {
    (self.address, self.place, self.times, self.closing) = (address, place, times, closing)
  }

  // MARK: Verbs

  /// The condition for the row of an object. Row security shows a role only its own rows; the condition on `person` is
  /// for a superuser, who is exempt.
  private static let own = "person = current_user AND device = $1 AND first = $2 AND last = $3"

  private static func parameters(_ name: ObjectName) -> [PostgreSQLParameter] {
    [.bytes(name.device.bytes), .number(name.seqs.lowerBound), .number(name.seqs.upperBound)]
  }

  mutating func list() throws(PlaceFailure) -> [ObjectName] {
    let names = try names()
    known = Set(names)
    return names
  }

  private mutating func names() throws(PlaceFailure) -> [ObjectName] {
    let rows = try ask(
      "SELECT device, first, last FROM reddot_sync WHERE person = current_user LIMIT \(Limits.placeObjects + 1)"
    )
    guard rows.count <= Limits.placeObjects else {
      throw .broken(place: place, reason: "it has more than \(Limits.placeObjects) objects")
    }
    return rows.compactMap(Self.name)
  }

  /// Returns `nil` for a row that isn't that of an object.
  private static func name(_ row: PostgreSQLRow) -> ObjectName? {
    guard let device = row.bytes(0).flatMap({ DeviceID(bytes: $0) }), let first = row.number(1),
      let last = row.number(2)
    else { return nil }
    return first >= 0 && first <= last ? ObjectName(device: device, seqs: first...last) : nil
  }

  /// Returns an object. A body that is too long for an object is cut to a size that no key can decrypt.
  mutating func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    try ask(
      "SELECT substr(body, 1, \(Limits.placeObjectBytes + 1)) FROM reddot_sync WHERE \(Self.own)",
      Self.parameters(name)
    ).first?.bytes(0)
  }

  /// The statement that inserts an object. The server responds only when it is on the disk, even if the server's
  /// settings specify otherwise.
  private static let insertion = """
    WITH made AS (
      INSERT INTO reddot_sync (device, first, last, body) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING true
    ) SELECT pg_notify('reddot_sync', ''), CASE current_setting('synchronous_commit') WHEN 'off' THEN
      set_config('synchronous_commit', 'on', true) END FROM made
    """

  mutating func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    let rows = try ask(Self.insertion, Self.parameters(name) + [.bytes(bytes)])
    if rows.isEmpty {
      guard let there = try get(name) else {
        throw .broken(place: place, reason: "an object was taken out while it was put")
      }
      guard there == bytes else { return .anotherIsThere }
    }
    // An object that this connection has stored isn't new to it.
    known?.insert(name)
    return .done
  }

  mutating func delete(_ name: ObjectName) throws(PlaceFailure) {
    _ = try ask("DELETE FROM reddot_sync WHERE \(Self.own)", Self.parameters(name))
    known?.remove(name)
  }

  /// Executes one statement. If the connection is lost, it is executed once more; executing any of the
  /// statements twice does no harm.
  private mutating func ask(
    _ statement: String, _ parameters: [PostgreSQLParameter] = [], isRepeated: Bool = false
  ) throws(PlaceFailure) -> [PostgreSQLRow] {
    if closing.hasRung { throw .closed }
    var connection = verbs
    // After a failure the connection is dropped, since a response may still arrive.
    verbs = nil
    do throws(PostgreSQLFailure) {
      let open = if let connection { connection } else { try connect() }
      connection = open
      let rows = try open.ask(statement, parameters)
      verbs = open
      return rows
    } catch {
      switch error {
      case .lost where !isRepeated: return try ask(statement, parameters, isRepeated: true)
      case .refused: verbs = connection
      case _: break
      }
      throw error.failure(of: place)
    }
  }

  private func connect() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    try PostgreSQLConnection(address, connecting: times.connecting, silence: times.silence, closing: closing)
  }

  // MARK: Changes

  mutating func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    let end = ContinuousClock.now + .seconds(min(max(seconds, 0), Int(UInt32.max)))
    while true {
      // This is done before the list is read, so that nothing is missed in between.
      if seconds > 0 { listen() }
      if try Set(names()) != known { return true }
      if ContinuousClock.now >= end { return false }
      guard try wait(until: listening == nil ? min(end, listensAgain) : end, input) else { return false }
    }
  }

  /// Makes sure that a connection receives notifications of new objects. If it can't be opened, sets the time
  /// at which the next attempt is made and the list is read.
  private mutating func listen() {
    if let listening {
      if listening.readNotifications() != nil { return }
      self.listening = nil
      listensAgain = ContinuousClock.now + times.listeningAgain
    }
    guard ContinuousClock.now >= listensAgain else { return }
    do throws(PostgreSQLFailure) {
      let made = try connect()
      _ = try made.ask("LISTEN reddot_sync")
      // A pooler passes each statement to any of its connections, whose notifications reach no client.
      let process = try made.ask("SELECT pg_backend_pid()").first?.number(0)
      if process == Int64(made.serverProcess) {
        listening = made
        return
      }
    } catch {
      // A connection that the server ended is no sign that it cannot notify.
      if case .lost = error {
        listensAgain = ContinuousClock.now + times.listeningAgain
        return
      }
    }
    listensAgain = ContinuousClock.now + times.looking
  }

  /// - Returns: `false` if there is input, or `true` if the list of objects must be read: after a
  ///   notification, or at the end of the time.
  private func wait(until end: ContinuousClock.Instant, _ input: Int32?) throws(PlaceFailure) -> Bool {
    var states = [closing.descriptor, input ?? -1, listening?.descriptor ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard Descriptors.wait(for: &states, until: end) else { return true }
    if states[0].revents != 0 { throw .closed }
    return states[1].revents == 0
  }
}
