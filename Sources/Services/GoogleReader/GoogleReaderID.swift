import Formats
import Foundation
import Limits
import Messages

/// The number of an item, unsigned in 64 bits, in any of its three spellings: decimal (old clients' also signed),
/// 16 hexadecimal digits, or those with `tag:google.com,2005:reader/item/` before them.
struct GoogleReaderID: Hashable, Comparable, Sendable {
  let number: UInt64

  private static let prefix = "tag:google.com,2005:reader/item/"

  init(number: UInt64) { self.number = number }

  init?(_ text: String) {
    if text.hasPrefix(Self.prefix) {
      let digits = text.dropFirst(Self.prefix.count)
      guard digits.utf8.count <= 16, digits.utf8.allSatisfy(Self.isHexDigit),
        let number = UInt64(digits, radix: 16)
      else { return nil }
      self.number = number
    } else if text.utf8.first == UInt8(ascii: "-") {
      guard let number = Int64(text) else { return nil }
      self.number = UInt64(bitPattern: number)
    } else if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = UInt64(text)
    {
      self.number = number
    } else {
      return nil
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    case _: false
    }
  }

  /// In decimal.
  var remoteID: RemoteID { RemoteID(String(number)) }

  static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// What the next poll needs.
struct GoogleReaderCursor: Equatable {
  /// The unread items whose messages have come.
  var known: Set<GoogleReaderID> = []
  var starred: Set<GoogleReaderID> = []
  /// When the starred ids were last read, by this machine's clock; nil: never.
  var starsAt: Date?

  init() {}

  init(_ cursor: Cursor?) {
    guard let cursor, let object = (try? JSONReader.parse(cursor.text))?.object else { return }
    known = Self.ids(object["known"]?.text ?? "")
    starred = Self.ids(object["starred"]?.text ?? "")
    starsAt = object["stars"]?.double.map(Date.init(timeIntervalSince1970:))
  }

  /// Whether a poll is to read the starred ids, with these unread ones. Who stars an item elsewhere mostly reads it there
  /// too: so a change of the unread ids is a reason, and else they are read now and then.
  func areStarsDue(_ unread: Set<GoogleReaderID>, at now: Date) -> Bool {
    guard let starsAt else { return true }
    return unread != known || now.timeIntervalSince(starsAt) >= Limits.starredSeconds || now < starsAt
  }

  var stored: Cursor {
    var object = JSONObject()
    object["known"] = .string(Self.text(known))
    object["starred"] = .string(Self.text(starred))
    object["stars"] = starsAt.map { .double($0.timeIntervalSince1970.rounded(.down)) }
    return Cursor(JSONValue.object(object).serialized())
  }

  // Each by its distance from the one before it: ids of one refresh are near each other.

  private static func text(_ ids: Set<GoogleReaderID>) -> String {
    var last: UInt64 = 0
    var text = ""
    for id in ids.sorted() {
      if !text.isEmpty { text += "," }
      text += String(id.number - last, radix: 36)
      last = id.number
    }
    return text
  }

  private static func ids(_ text: String) -> Set<GoogleReaderID> {
    var last: UInt64 = 0
    var ids: Set<GoogleReaderID> = []
    for part in text.split(separator: ",") {
      guard let distance = UInt64(part, radix: 36) else { return ids }
      last &+= distance
      ids.insert(GoogleReaderID(number: last))
    }
    return ids
  }
}
