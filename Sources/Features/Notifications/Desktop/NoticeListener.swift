import Basics

/// Receives other programs' notifications on the session bus, together with the notification daemon or in its place.
/// Only one thread may use it.
package final class NoticeListener {
  private let connection: BusConnection
  private let now: () -> Duration
  /// The calls to the daemon, or `nil` if this listener acts as the daemon.
  private var monitored: MonitoredNotices?
  /// The daemon's implementation, or `nil` if there is another daemon.
  private var server: NoticeServer?

  /// - Parameters:
  ///   - owning: whether to take the daemon's name if it has no owner.
  ///   - now: a monotonic clock.
  package init(
    address: String, owning: Bool, version: String, now: @escaping () -> Duration
  ) throws(BusFailure) {
    self.now = now
    connection = try BusConnection(address: address, now: now)
    let bus = try connection.callBus("GetId").body.first?.text ?? ""
    if owning, try Self.own(connection) {
      server = NoticeServer(bus: bus, daemon: connection.name, version: version)
    } else {
      do {
        try connection.becomeMonitor(MonitoredNotices.rules)
      } catch .failed(_, let text) {
        throw .refused(text)
      }
      monitored = MonitoredNotices(bus: bus)
    }
  }

  /// Requests the daemon's name on the bus.
  ///
  /// - Returns: `false` if another program has the name.
  private static func own(_ connection: BusConnection) throws(BusFailure) -> Bool {
    // 1: another program may take the name; 4: don't wait for it.
    let answer = try connection.callBus("RequestName", [.string(DesktopNotifications.name), .uint32(1 | 4)])
    return answer.body.first?.number == 1
  }

  package var descriptor: Int32 { connection.descriptor }
  package var isDaemon: Bool { server != nil }

  /// The time at which `events` has something to return even if nothing arrives.
  package var nextDue: Duration? { monitored?.nextDue }

  /// Whether something has arrived that `events` hasn't returned yet.
  package var hasWaiting: Bool { connection.hasWaiting }

  /// Returns the events that have arrived, without waiting.
  ///
  /// - Parameter limit: the maximum number of messages of the bus that are read.
  package func events(ofMessages limit: Int) throws(BusFailure) -> [ProgramNoticeEvent] {
    var events: [ProgramNoticeEvent] = []
    var read = 0
    do throws(BusFailure) {
      while read < limit, let message = try connection.receive(within: .zero) {
        read += 1
        if let heard = monitored?.read(message, at: now()) {
          events += heard
        } else {
          events += try serve(message)
        }
      }
    } catch {
      // The next call throws it again: earlier events are returned first.
      if events.isEmpty { throw error }
    }
    return events + (monitored?.overdue(at: now()) ?? [])
  }

  /// Returns the events of all notifications that still wait for a response. It is called when the connection
  /// ends, so that they are stored too.
  package func remaining() -> [ProgramNoticeEvent] { monitored?.overdue(at: .seconds(Int64.max)) ?? [] }

  /// Handles a message as the daemon, and returns the resulting events.
  private func serve(_ message: BusMessage) throws(BusFailure) -> [ProgramNoticeEvent] {
    switch message.kind {
    case .call:
      guard let outcome = server?.answer(message) else { return [] }
      for answer in outcome.messages { try connection.send(answer) }
      return outcome.events
    case .signal:
      let isReplaced =
        message.member == "NameLost" && message.sender == BusConnection.bus
        && message.body.first?.text == DesktopNotifications.name
      return isReplaced ? [.ownerChanged(isOwned: true)] : []
    case .answer, .failure: return []
    }
  }
}
