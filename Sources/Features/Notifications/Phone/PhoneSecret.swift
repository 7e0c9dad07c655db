import Basics
import Foundation
import Messages
import Services

/// The action of a button in a notification on the phone.
enum PhoneAct: Hashable, Sendable {
  case read
  /// Snoozes the messages for an hour.
  case later
  /// Gives the answer with this number, from 1, to the question of a program.
  case answer(Int)

  /// The name of the action in the text that a button sends.
  var name: String {
    switch self {
    case .read: "read"
    case .later: "later"
    case .answer(let number): "answer\(number)"
    }
  }

  init?(name: some StringProtocol) {
    let answers = (1...ProgramQuestion.mostAnswers).map(PhoneAct.answer)
    guard let act = ([.read, .later] + answers).first(where: { $0.name == name }) else { return nil }
    self = act
  }

  /// The time, in seconds, for which the button works after its notification was sent.
  var validity: TimeInterval {
    switch self {
    case .read, .later: 86_400
    case .answer: 600
    }
  }
}

/// A button that was pressed on the phone.
struct PhonePress: Hashable, Sendable {
  /// The id of the notification on the phone.
  var sequence: String
  var act: PhoneAct
  /// The time at which the notification was sent, in seconds since 1970.
  var sent: Int
  /// The signature of the other three properties with the key of the database.
  var signature: [UInt8]

  var sentAt: Date { Date(timeIntervalSince1970: Double(sent)) }

  /// The reason why a message on the topic of the buttons is ignored.
  enum Refusal: Error, Hashable, Sendable {
    case malformed
    /// Another database signed the message, or it is forged.
    case unsigned
    /// The time in which the button works has passed.
    case late
  }
}

/// The names and signatures for a phone, which are derived from the secret of the database. The server sees them, but
/// learns neither the secret nor the ids of messages.
struct PhoneSecret: Sendable {
  /// The keys that are derived from the secret: for the ids of notifications, for the signatures of buttons,
  /// and for the name of the topic.
  private let ids: [UInt8]
  private let buttons: [UInt8]
  private let topic: [UInt8]

  init(_ secret: [UInt8]) {
    func key(_ use: String) -> [UInt8] { HMAC.sha256(use.utf8Span.span.bytes, key: secret) }
    ids = key("reddot phone ids")
    buttons = key("reddot phone buttons")
    topic = key("reddot phone topic")
  }

  /// Returns the id of a message's notification. Its replacements have the same id.
  func sequence(of message: Message) -> String {
    id("message \(message.source.rawValue) \(message.content.remoteID.text)")
  }

  /// Returns the id of a notification of several messages.
  func sequence(of notice: NoticeID) -> String { id("notice \(notice.rawValue)") }

  private func id(_ text: String) -> String {
    Self.text(HMAC.sha256(text.utf8Span.span.bytes, key: ids).prefix(18))
  }

  /// The name of the topic that the buttons publish to.
  var buttonTopic: String { "reddot-" + topic.prefix(16).hex }

  /// Returns the text that a button sends.
  func text(of act: PhoneAct, _ sequence: String, sent: Date) -> String {
    let signed = Self.signed(sequence, act, Int(sent.timeIntervalSince1970.rounded(.down)))
    return signed + "." + Self.text(signature(of: signed)[...])
  }

  private static func signed(_ sequence: String, _ act: PhoneAct, _ sent: Int) -> String {
    "\(sequence).\(act.name).\(sent)"
  }

  private func signature(of text: String) -> [UInt8] {
    HMAC.sha256(text.utf8Span.span.bytes, key: buttons)
  }

  /// Reads a string on the topic of the buttons, which a button may have sent.
  func press(_ text: String, at now: Date) throws(PhonePress.Refusal) -> PhonePress {
    let parts =
      text.utf8.count <= Limits.phonePressBytes
      ? text.split(onBytes: ".", omittingEmptySubsequences: false) : []
    guard parts.count == 4, NtfyPhone.isTopic(String(parts[0])),
      let act = PhoneAct(name: parts[1]),
      let sent = Int(parts[2]), sent >= 0, let signature = Self.bytes(String(parts[3]))
    else { throw .malformed }
    let signed = Self.signed(String(parts[0]), act, sent)
    guard signed == parts[0...2].joined(separator: "."),
      signature.isEqualInConstantTime(to: self.signature(of: signed))
    else { throw .unsigned }
    guard abs(now.timeIntervalSince1970 - Double(sent)) <= act.validity else { throw .late }
    return PhonePress(sequence: String(parts[0]), act: act, sent: sent, signature: signature)
  }

  /// Returns Base64 for URLs (RFC 4648 section 5), without padding.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacingBytes("+", with: "-").replacingBytes("/", with: "_")
      .replacingBytes("=", with: "")
  }

  /// Returns the bytes of a signature, or `nil` if the text isn't one.
  private static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 43, NtfyPhone.isTopic(text) else { return nil }
    let padded = text.replacingBytes("-", with: "+").replacingBytes("_", with: "/") + "="
    guard let bytes = Data(base64Encoded: padded), bytes.count == 32 else { return nil }
    return Array(bytes)
  }
}
