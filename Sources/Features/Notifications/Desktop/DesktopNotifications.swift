import Basics
import Messages

/// The desktop's notification daemon: `org.freedesktop.Notifications` (Desktop Notifications Specification 1.2).
///
/// A daemon reports buttons and closing only to the connection that showed a notification, so this connection is kept.
package final class DesktopNotifications {
  /// A signal of the daemon about one of its notifications, which is identified by the daemon's id.
  package enum Event: Hashable, Sendable {
    /// A button was pressed. The id is the daemon's.
    case pressed(UInt32, NoticeButton)
    /// The user chose an answer to a question: the daemon's id of the notification, and the number of the
    /// answer, from 1.
    case answered(UInt32, Int)
    case closed(UInt32)
    /// The daemon has exited or was replaced by another one, so its notifications have disappeared.
    case daemonChanged
  }

  static let name = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"

  private let connection: BusConnection
  /// The capabilities of the daemon.
  package let capabilities: Set<String>
  /// The name and version that the daemon reports.
  package let daemon: String
  /// The connection of the daemon; its ids are valid while the connection exists.
  package let owner: String

  /// Queries the daemon's capabilities, which may start it.
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

  /// Whether the daemon is a `NoticeServer`.
  package var isReddot: Bool { daemon.hasPrefix("reddot ") }

  /// Whether the daemon finds a notification again by its tag, after its id was lost.
  package var hasTags: Bool { daemon.hasPrefix("dunst") }

  /// Shows a notification.
  ///
  /// - Parameter earlier: the id of the notification that this one replaces.
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
      for (index, answer) in content.answers.enumerated() {
        actions += ["\(Self.answer)\(index + 1)", answer]
      }
      for button in NoticeButton.allCases {
        if let label = content.buttons[button] { actions += [button.rawValue, label] }
      }
    }
    var hints: [(String, BusValue)] = [
      ("urgency", .byte(content.isUrgent ? 2 : 1)), ("category", .string("im.received")),
      ("desktop-entry", .string("reddot")),
    ]
    // The same tag replaces the shown notification, even if the id was lost with the process that showed it.
    if hasTags { hints.append(("x-dunst-stack-tag", .string("reddot-\(content.id.rawValue)"))) }
    return [
      .string("reddot"), .uint32(earlier ?? 0), .string(""), .string(content.title),
      .string(hasMarkup ? body.markupEscaped : body), .strings(actions), .dictionary(hints),
      .int32(-1),
    ]
  }

  /// Closes a notification; succeeds if it no longer exists.
  package func close(_ id: UInt32) throws(BusFailure) {
    do {
      _ = try connection.call(Self.call("CloseNotification", [.uint32(id)]))
    } catch .failed {
      return
    }
  }

  /// Returns the next event, or `nil` if none arrived in that time.
  package func event(within time: Duration) throws(BusFailure) -> Event? {
    while let message = try connection.receive(within: hasWaiting ? .zero : time) {
      // Only signals of the daemon count, since any program can send such a signal.
      if message.interface == Self.name, message.sender != owner { continue }
      if let event = Self.event(message) { return event }
    }
    return nil
  }

  /// The beginning of the names of buttons for answers; the number of the answer follows.
  private static let answer = "answer-"

  static func event(_ message: BusMessage) -> Event? {
    guard message.kind == .signal else { return nil }
    let id = message.body.first?.number
    switch (message.interface, message.member) {
    case (BusConnection.bus, "NameOwnerChanged"):
      return message.body.first?.text == name ? .daemonChanged : nil
    case (name, "NotificationClosed"): return id.map(Event.closed)
    case (name, "ActionInvoked"):
      guard let id, message.body.count > 1, let action = message.body[1].text else { return nil }
      if action.hasPrefix(Self.answer), let number = Int(action.dropFirst(Self.answer.count)) {
        return .answered(id, number)
      }
      return (action == "default" ? .open : NoticeButton(rawValue: action)).map { .pressed(id, $0) }
    case _: return nil
    }
  }
}
