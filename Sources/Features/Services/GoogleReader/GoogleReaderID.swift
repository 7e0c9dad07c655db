import Basics
import Formats
import Foundation
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
      guard digits.utf8.count <= 16, digits.utf8.allSatisfy({ $0.hexDigit != nil }),
        let number = UInt64(digits, radix: 16)
      else { return nil }
      self.number = number
    } else if text.utf8.first == UInt8(ascii: "-") {
      guard let number = Int64(text) else { return nil }
      self.number = UInt64(bitPattern: number)
    } else if text.utf8.allSatisfy(\.isASCIIDigit),
      let number = UInt64(text)
    {
      self.number = number
    } else {
      return nil
    }
  }

  /// In decimal.
  var remoteID: RemoteID { RemoteID(String(number)) }

  static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// Ids of items, stored as one text: each by its distance from the one before it, since ids of one refresh are near each
/// other.
struct GoogleReaderIDs: Equatable, Sendable {
  var set: Set<GoogleReaderID> = []
}

extension GoogleReaderIDs: Codable {
  init(from decoder: any Decoder) throws {
    var last: UInt64 = 0
    for part in try decoder.singleValueContainer().decode(String.self).split(exactly: ",") {
      guard let distance = UInt64(part, radix: 36) else { break }
      last &+= distance
      set.insert(GoogleReaderID(number: last))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var last: UInt64 = 0
    var text = ""
    for id in set.sorted() {
      if !text.isEmpty { text += "," }
      text += String(id.number - last, radix: 36)
      last = id.number
    }
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// What the next part needs.
struct GoogleReaderCursor: ServiceCursor {
  /// A list of ids in the middle of which the last part ended.
  struct List: Codable, Equatable, Sendable {
    var ids = GoogleReaderIDs()
    var continuation: String?
    /// How many ids the pages had.
    var count = 0
    /// The last ids of the page before, which the next one repeats where its place is a number.
    var end = GoogleReaderIDs()
    /// Whether these are really all.
    var isComplete = true
  }

  /// The unread items whose messages have come.
  var known = GoogleReaderIDs()
  var starred = GoogleReaderIDs()
  /// When the starred ids were last read, by this machine's clock, in seconds since 1970; nil: never.
  var stars: Double?
  /// The list of unread ids, while it is read.
  var unreadList: List?
  /// The whole list of unread ids, while the items of some are still to come.
  var unread: List?
  /// The list of starred ids, while it is read; before its first page it is empty.
  var starredList: List?

  init() {}

  /// Whether a poll is to read the starred ids, with these unread ones. Who stars an item elsewhere mostly reads it there
  /// too: so a change of the unread ids is a reason, and else they are read now and then.
  func areStarsDue(_ unread: Set<GoogleReaderID>, at now: Date) -> Bool {
    guard let stars else { return true }
    let passed = now.timeIntervalSince1970 - stars
    return unread != known.set || passed >= Limits.starredSeconds || passed < 0
  }
}
