import Basics
import Foundation
import Messages

@testable import Notifications

/// D-Bus: any bytes are a message, the beginning of one, or broken; a message is a part of them, and can be sent.
enum BusClaims {
  static func check(_ bytes: Data) throws(Violation) {
    var rest = Array(bytes)
    var notices = MonitoredNotices(bus: "bus")
    while true {
      guard case .message(let message, let length) = BusMessage.read(rest) else { return }
      try claim(
        length >= 16 && min(length, Limits.busMessageBytes) <= rest.count,
        "a message of \(length) bytes in \(rest.count)")
      if let message {
        _ = DesktopNotifications.event(message)
        for case .shown(let notice, let id) in notices.read(message, at: .zero) {
          let stored = notice.message(id)
          try claimBounded(stored.title.utf8.count + stored.body.utf8.count, by: length, "a notice")
        }
        try claimBounded(message.bytes.count, by: length, "a message")
        guard case .message = BusMessage.read(message.bytes) else {
          throw Violation(description: "what was read cannot be sent: \(message)")
        }
      }
      rest.removeFirst(min(length, rest.count))
    }
  }
}
