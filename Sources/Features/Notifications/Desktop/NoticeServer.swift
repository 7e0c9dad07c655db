import Basics
import Messages

/// A notification daemon that stores notifications but does not show them, for sessions without a daemon.
struct NoticeServer {
  /// The result of a call to the daemon.
  struct Outcome {
    /// The messages to be sent as a response.
    var messages: [BusMessage]
    var events: [ProgramNoticeEvent] = []
  }

  private let bus: String
  /// The name of the responding connection on the bus.
  private let daemon: String
  private let version: String
  private var last: UInt32 = 0
  private var stacks = NoticeStacks()

  init(bus: String, daemon: String, version: String) {
    (self.bus, self.daemon, self.version) = (bus, daemon, version)
  }

  /// Handles a call.
  ///
  /// - Parameter call: a call to this connection.
  mutating func answer(_ call: BusMessage) -> Outcome {
    var outcome = outcome(of: call)
    if call.wantsNoAnswer { outcome.messages.removeAll { $0.kind != .signal } }
    return outcome
  }

  private mutating func outcome(of call: BusMessage) -> Outcome {
    // The interface is optional.
    switch (call.interface ?? DesktopNotifications.name, call.member) {
    case (DesktopNotifications.name, "Notify"): return notify(call)
    case (DesktopNotifications.name, "CloseNotification"): return close(call)
    case (DesktopNotifications.name, "GetCapabilities"):
      return Outcome(
        messages: [.answer(call, [.strings(["body", "body-hyperlinks", "body-markup", "persistence"])])])
    case (DesktopNotifications.name, "GetServerInformation"):
      return Outcome(messages: [.answer(call, ["reddot", "reddot", version, "1.2"].map(BusValue.string))])
    case ("org.freedesktop.DBus.Peer", "Ping"): return Outcome(messages: [.answer(call)])
    case _:
      return Outcome(messages: [
        .failure(BusConnection.bus + ".Error.UnknownMethod", "this method is not known", of: call)
      ])
    }
  }

  private mutating func notify(_ call: BusMessage) -> Outcome {
    guard let notice = ProgramNotice(call.body) else { return Outcome(messages: [Self.invalid(call)]) }
    if notice.replaces > last {
      // The id is from an earlier daemon, and the program still uses it.
      last = notice.replaces
    } else if notice.replaces == 0 {
      last = last == .max ? 1 : last + 1
    }
    let number = notice.replaces == 0 ? last : notice.replaces
    let id = stacks.id(of: notice, MonitoredNotices.id(bus: bus, daemon: daemon, number), bus: bus)
    return Outcome(
      messages: [.answer(call, [.uint32(number)])], events: notice.isKept ? [.shown(notice, id)] : [])
  }

  private func close(_ call: BusMessage) -> Outcome {
    guard let number = call.body.first?.number, number > 0, number <= last else {
      return Outcome(messages: [Self.invalid(call)])
    }
    let signal = BusMessage.signal(
      "NotificationClosed", of: DesktopNotifications.name, at: DesktopNotifications.path,
      [.uint32(number), .uint32(3)])
    return Outcome(
      messages: [.answer(call), signal],
      events: [.closed(stacks.id(ofClosed: MonitoredNotices.id(bus: bus, daemon: daemon, number)))])
  }

  private static func invalid(_ call: BusMessage) -> BusMessage {
    .failure(BusConnection.bus + ".Error.InvalidArgs", "the arguments are not those of this method", of: call)
  }
}
