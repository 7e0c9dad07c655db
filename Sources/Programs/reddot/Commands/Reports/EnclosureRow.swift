import Formats
import Interface
import Messages
import Profile
import Words

/// An attachment of a message, for programs that fetch it.
struct EnclosureRow {
  var message: MessageID
  var enclosure: Enclosure
  /// The http or https URL of the attachment.
  var address: String

  static func rows(of message: Message) -> [EnclosureRow] {
    (message.content.extras?.enclosures ?? []).compactMap { enclosure in
      enclosure.webAddress.map { EnclosureRow(message: message.id, enclosure: enclosure, address: $0) }
    }
  }

  static var columns: [Column<EnclosureRow>] {
    [
      Column("message", json: { .number(String($0.message.rawValue)) }),
      Column("url", text: \.address, json: { .string($0.address) }),
      Column("type", json: { MessageJSON.text($0.enclosure.type) }),
      Column("length", json: { $0.enclosure.length.map(JSONValue.integer) ?? .null }),
      Column("duration", json: { $0.enclosure.duration.map(JSONValue.integer) ?? .null }),
    ]
  }
}
