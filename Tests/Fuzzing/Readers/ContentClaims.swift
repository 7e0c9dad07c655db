import Basics
import Foundation
import Messages
import Sync

@testable import Storage

/// Messages from other machines: bounded, identical to the requested message, and the same after writing and reading.
enum ContentClaims {
  static func check(_ bytes: Data) throws(Violation) {
    // A document names its message by an id, which this machine knows by its key only.
    let id = (try? JSONSerialization.jsonObject(with: bytes) as? [String: Any])?["remote_id"] as? String
    let key = Act.Target.key(ofRemoteID: id ?? "")
    guard let (message, isUnread, question) = MessageContent.message([UInt8](bytes), key: key) else { return }
    try claim(message.remoteID.text.utf8.count <= Limits.remoteIDBytes, "an id is too long")
    try claim((1...5).contains(message.priority.rawValue), "priority is \(message.priority)")
    try claimBounded(message.title.utf8.count + message.body.utf8.count, by: bytes.count, "text")
    guard let written = try? MessageContent.bytes(of: message, question, isUnread: isUnread) else { return }
    guard let (again, isStillUnread, sameQuestion) = MessageContent.message(written, key: key) else {
      throw Violation(description: "what was written doesn't read")
    }
    try claimEqual(isStillUnread, isUnread, "whether it was unread")
    try claimEqual(sameQuestion, question, "the question of a program")
    guard written.count <= Limits.contentBytes, again.extras?.cut == message.extras?.cut else { return }
    try claimEqual(again, message, "a message written and read")
  }
}
