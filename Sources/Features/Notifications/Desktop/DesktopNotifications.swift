import Basics
import Messages

/// The desktop's notification daemon: `org.freedesktop.Notifications` (Desktop Notifications Specification 1.2).
///
/// A daemon tells of buttons and closing only to the connection that showed a notice, so this one is kept.
package final class DesktopNotifications {
  package enum Event: Hashable, Sendable {
    /// By the id that the daemon gave.
    case pressed(UInt32, NoticeButton)
    case closed(UInt32)
    /// Another daemon runs now, or none: the notices of the old one are gone.
    case daemonChanged
  }

  static let name = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"

  private let connection: BusConnection
  /// What the daemon can do.
  package let capabilities: Set<String>
  /// What the daemon says that it is.
  package let daemon: String
  /// The connection of the daemon: its ids are valid while it lives.
  package let owner: String

  /// Asks the daemon what it can do, which may start it.
  package init(_ connection: BusConnection) throws(BusFailure) {
    self.connection = connection
    for rule in [
      "type='signal',interface='\(Self.name)',path='\(Self.path)'",
      "type='signal',interface='\(BusConnection.bus)',member='NameOwnerChanged',arg0='\(Self.name)'",
    ] {
      try connection.callBus("AddMatch", [.string(rule)])
    }
    let information = try connection.call(Self.call("GetServerInformation")).body.compactMap(\.text)
    daemon = information.prefix(3).filter { !$0.isEmpty }.joined(separator: " ")
    capabilities = Set(try connection.call(Self.call("GetCapabilities")).body.first?.texts ?? [])
    owner = try connection.callBus("GetNameOwner", [.string(Self.name)]).body.first?.text ?? ""
  }

  private static func call(_ member: String, _ body: [BusValue] = []) -> BusMessage {
    .call(member, of: name, at: path, to: name, body)
  }

  package var descriptor: Int32 { connection.descriptor }
  package var hasWaiting: Bool { connection.hasWaiting }

  /// Whether it is a `NoticeServer`.
  package var isReddot: Bool { daemon.hasPrefix("reddot ") }

  /// Whether a notice of ours can be found again by its tag, though its id was lost.
  package var hasTags: Bool { daemon.hasPrefix("dunst") }

  /// - Parameter earlier: the id of the notice that it replaces.
  /// - Returns: the daemon's id.
  package func show(_ content: NoticeContent, replacing earlier: UInt32? = nil) throws(BusFailure) -> UInt32 {
    let answer = try connection.call(Self.call("Notify", arguments(content, replacing: earlier)))
    guard let id = answer.body.first?.number else { throw .broken }
    return id
  }

  func arguments(_ content: NoticeContent, replacing earlier: UInt32?) -> [BusValue] {
    let hasMarkup = capabilities.contains("body-markup")
    let body = content.body.joined(separator: "\n")
    var actions: [String] = []
    if capabilities.contains("actions") {
      if let open = content.buttons[.open] { actions += ["default", open] }
      for button in NoticeButton.allCases {
        if let label = content.buttons[button] { actions += [button.rawValue, label] }
      }
    }
    var hints: [(String, BusValue)] = [
      ("urgency", .byte(content.isUrgent ? 2 : 1)), ("category", .string("im.received")),
      ("desktop-entry", .string("reddot")),
    ]
    // The same tag replaces what is shown, even if the id was lost with the process that showed it.
    if hasTags { hints.append(("x-dunst-stack-tag", .string("reddot-\(content.id.rawValue)"))) }
    return [
      .string("reddot"), .uint32(earlier ?? 0), .string(""), .string(content.title),
      .string(hasMarkup ? body.markupEscaped : body), .strings(actions), .dictionary(hints),
      .int32(-1),
    ]
  }

  /// A notice that isn't there any more is closed already.
  package func close(_ id: UInt32) throws(BusFailure) {
    do {
      _ = try connection.call(Self.call("CloseNotification", [.uint32(id)]))
    } catch .failed {
      return
    }
  }

  /// The next event; nil if none came in that time.
  package func event(within time: Duration) throws(BusFailure) -> Event? {
    while let message = try connection.receive(within: hasWaiting ? .zero : time) {
      if let event = Self.event(message) { return event }
    }
    return nil
  }

  static func event(_ message: BusMessage) -> Event? {
    guard message.kind == .signal else { return nil }
    let id = message.body.first?.number
    switch (message.interface, message.member) {
    case (BusConnection.bus, "NameOwnerChanged"):
      return message.body.first?.text == name ? .daemonChanged : nil
    case (name, "NotificationClosed"): return id.map(Event.closed)
    case (name, "ActionInvoked"):
      guard let id, message.body.count > 1, let action = message.body[1].text else { return nil }
      return (action == "default" ? .open : NoticeButton(rawValue: action)).map { .pressed(id, $0) }
    case _: return nil
    }
  }
}
