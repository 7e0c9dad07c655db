import Formats
import Interface
import Messages
import Profile
import Words

/// Prints a message's enclosures for programs that fetch them.
enum EnclosurePrinter {
  /// The addresses that may be opened, or an object for each with all its data. Absent values are null.
  static func lines(_ message: Message, json: Bool) -> [String] {
    (message.content.extras?.enclosures ?? []).compactMap { enclosure in
      guard let address = enclosure.webAddress else { return nil }
      guard json else { return SafeOutput.line(address) }
      func number(_ value: Int?) -> JSONValue { value.map { .number(String($0)) } ?? .null }
      return SafeOutput.json(
        .object(
          JSONObject([
            .init(key: "message", value: .number(String(message.id.rawValue))),
            .init(key: "url", value: .string(address)),
            .init(key: "type", value: MessageJSON.text(enclosure.type)),
            .init(key: "length", value: number(enclosure.length)),
            .init(key: "duration", value: number(enclosure.duration)),
          ])))
    }
  }
}
