import Basics
package import Messages

/// An event of other programs' notifications.
package enum ProgramNoticeEvent: Hashable, Sendable {
  /// A notification was shown or replaced. The id is unique; a replaced notification keeps it.
  case shown(ProgramNotice, RemoteID)
  /// The user or the program closed the notification.
  case closed(RemoteID)
  /// The name of the daemon has another owner, or none.
  case ownerChanged(isOwned: Bool)
}

/// Other programs' notifications as a monitor receives them: calls, their responses with the ids, and signals of
/// closing.
package struct MonitoredNotices {
  private struct Call: Hashable {
    var sender: String
    var serial: UInt32
  }

  /// The id of the bus. Ids of notifications are unique only within one daemon on one bus.
  private let bus: String
  /// The calls without a response, each with the time until which the response is awaited.
  private var waiting: [Call: (notice: ProgramNotice, due: Duration)] = [:]
  /// The calls in the order in which they were received. Some of them have a response by now and are no
  /// longer in `waiting`, but never the first one.
  private var order: [Call] = []
  private var stacks = NoticeStacks()

  /// The rules for the messages that the monitor needs. They use the daemon's own names, because a desktop may pass a
  /// notification on to another of its parts through the same interface.
  static let rules = [
    "type='method_call',destination='\(DesktopNotifications.name)',interface='\(DesktopNotifications.name)',member='Notify'",
    "type='method_return',sender='\(DesktopNotifications.name)'",
    "type='error',sender='\(DesktopNotifications.name)'",
    "type='signal',sender='\(DesktopNotifications.name)',interface='\(DesktopNotifications.name)',member='NotificationClosed'",
    "type='signal',sender='\(BusConnection.bus)',interface='\(BusConnection.bus)',member='NameOwnerChanged',arg0='\(DesktopNotifications.name)'",
  ]

  /// - Parameter bus: the unique id of the bus (`GetId`).
  package init(bus: String) { self.bus = bus }

  static func id(bus: String, daemon: String, _ number: UInt32) -> RemoteID {
    RemoteID("\(bus)/\(daemon)/\(number)")
  }

  /// Reads a message of the bus, and returns the events that result from it.
  ///
  /// - Parameter now: the time of a monotonic clock.
  package mutating func read(_ message: BusMessage, at now: Duration) -> [ProgramNoticeEvent] {
    switch message.kind {
    case .call: return called(message, at: now)
    case .answer:
      guard let notice = answered(message) else { return [] }
      guard let number = message.body.first?.number, let daemon = message.sender else { return [] }
      return [.shown(notice, stacks.id(of: notice, Self.id(bus: bus, daemon: daemon, number), bus: bus))]
    case .failure:
      // The daemon doesn't show it. The program then notifies in another way, or tries again.
      _ = answered(message)
      return []
    case .signal: return signalled(message)
    }
  }

  private mutating func called(_ message: BusMessage, at now: Duration) -> [ProgramNoticeEvent] {
    guard message.interface == DesktopNotifications.name, message.member == "Notify",
      let sender = message.sender, let notice = ProgramNotice(message.body), notice.isKept
    else { return [] }
    let call = Call(sender: sender, serial: message.serial)
    // Its id is never sent.
    if message.wantsNoAnswer { return [.shown(notice, stacks.id(of: notice, id(of: call), bus: bus))] }
    let events = waiting.count >= Limits.caughtCalls ? giveUpOldest() : []
    waiting[call] = (notice, now + Limits.caughtCallTime)
    order.append(call)
    return events
  }

  private func id(of call: Call) -> RemoteID { RemoteID("\(bus)/\(call.sender)#\(call.serial)") }

  private mutating func answered(_ message: BusMessage) -> ProgramNotice? {
    guard let sender = message.destination, let serial = message.answers else { return nil }
    defer { dropAnswered() }
    return waiting.removeValue(forKey: Call(sender: sender, serial: serial))?.notice
  }

  private func signalled(_ message: BusMessage) -> [ProgramNoticeEvent] {
    if message.interface == BusConnection.bus, message.member == "NameOwnerChanged",
      message.body.count > 2, message.body[0].text == DesktopNotifications.name
    {
      return [.ownerChanged(isOwned: message.body[2].text?.isEmpty == false)]
    }
    guard message.interface == DesktopNotifications.name, message.member == "NotificationClosed",
      let daemon = message.sender, message.body.count > 1, let number = message.body[0].number,
      // The user dismissed it, or the program withdrew it. An expired notification was not read.
      let reason = message.body[1].number, reason == 2 || reason == 3
    else { return [] }
    return [.closed(stacks.id(ofClosed: Self.id(bus: bus, daemon: daemon, number)))]
  }

  /// Gives up waiting for responses that haven't arrived in time, and returns an event `shown` for each of
  /// their notifications, as if the response had arrived.
  package mutating func overdue(at now: Duration) -> [ProgramNoticeEvent] {
    var events: [ProgramNoticeEvent] = []
    while let due = nextDue, due <= now { events += giveUpOldest() }
    return events
  }

  private mutating func giveUpOldest() -> [ProgramNoticeEvent] {
    guard let first = order.first, let notice = waiting.removeValue(forKey: first)?.notice else { return [] }
    dropAnswered()
    return [.shown(notice, stacks.id(of: notice, id(of: first), bus: bus))]
  }

  private mutating func dropAnswered() {
    order.removeFirst(order.prefix { waiting[$0] == nil }.count)
  }

  /// The earliest time at which `overdue` returns events, or `nil` if there are no waiting calls.
  package var nextDue: Duration? { order.first.flatMap { waiting[$0]?.due } }
}
