import Foundation
import Limits

@testable import Notices

/// D-Bus: any bytes are a message, the beginning of one, or broken; a message is a part of them, and can be sent.
enum BusClaims {
  static func check(_ bytes: Data) throws(Violation) {
    var rest = Array(bytes)
    while true {
      guard case .message(let message, let length) = BusMessage.read(rest) else { return }
      try claim((16...rest.count).contains(length), "a message of \(length) bytes in \(rest.count)")
      if let message {
        _ = DesktopNotifications.event(message)
        try claimBounded(message.bytes.count, by: length, "a message")
        guard case .message = BusMessage.read(message.bytes) else {
          throw Violation(description: "what was read cannot be sent: \(message)")
        }
      }
      rest.removeFirst(length)
    }
  }
}
