import Basics

/// Hears of other programs' notices on the session bus, beside the notification daemon or in its place. For one thread.
package final class NoticeListener {
  private let connection: BusConnection
  private let now: () -> Duration
  /// Beside the daemon; nil in its place.
  private var monitored: MonitoredNotices?
  /// In the daemon's place; nil beside it.
  private var server: NoticeServer?

  /// - Parameters:
  ///   - owning: takes the daemon's name where nobody has it.
  ///   - now: a clock that never goes back.
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

  /// - Returns: false where another program has the name.
  private static func own(_ connection: BusConnection) throws(BusFailure) -> Bool {
    // 1: another one may take it; 4: it isn't waited for.
    let answer = try connection.callBus("RequestName", [.string(DesktopNotifications.name), .uint32(1 | 4)])
    return answer.body.first?.number == 1
  }

  package var descriptor: Int32 { connection.descriptor }
  package var isDaemon: Bool { server != nil }

  /// When `events` has something to say though nothing comes.
  package var nextDue: Duration? { monitored?.nextDue }

  /// Whether something has come that `events` hasn't given yet.
  package var hasWaiting: Bool { connection.hasWaiting }

  /// What has come; it waits for nothing.
  ///
  /// - Parameter limit: the messages of the bus that are read at most.
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
      // The next call throws it again: what came before counts.
      if events.isEmpty { throw error }
    }
    return events + (monitored?.overdue(at: now()) ?? [])
  }

  /// At the end: what was shown, and whose answer hasn't come.
  package func remaining() -> [ProgramNoticeEvent] { monitored?.overdue(at: .seconds(Int64.max)) ?? [] }

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
