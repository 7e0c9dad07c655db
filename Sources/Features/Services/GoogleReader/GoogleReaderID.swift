import Basics
import Formats
import Foundation
import Messages

/// The number of an item, unsigned in 64 bits. It has three spellings: decimal (also signed, from old clients), 16
/// hexadecimal digits, or those after `tag:google.com,2005:reader/item/`.
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

  /// The id in decimal.
  var remoteID: RemoteID { RemoteID(String(number)) }

  static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// Ids of items, stored as one string. Each is stored by its distance from the one before, since ids of one refresh are
/// close to each other.
struct GoogleReaderIDs: Equatable, Sendable {
  var set: Set<GoogleReaderID> = []
}

extension GoogleReaderIDs: Codable {
  init(from decoder: any Decoder) throws {
    var last: UInt64 = 0
    for part in try decoder.singleValueContainer().decode(String.self).split(onBytes: ",") {
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

/// The state for the next part.
struct GoogleReaderCursor: ServiceCursor {
  /// A list of ids that the last part did not finish.
  struct List: Codable, Equatable, Sendable {
    var ids = GoogleReaderIDs()
    var continuation: String?
    /// The number of ids in the pages so far.
    var count = 0
    /// The last ids of the page before, which the next one repeats if its position is a number.
    var end = GoogleReaderIDs()
    /// Whether these are really all ids.
    var isComplete = true
  }

  /// The unread items whose messages were received.
  var known = GoogleReaderIDs()
  var starred = GoogleReaderIDs()
  /// The time when the starred ids were last read, by this machine's clock, in seconds since 1970, or `nil` if never.
  var stars: Double?
  /// The list of unread ids, while it is read.
  var unreadList: List?
  /// The whole list of unread ids, while some items are still missing.
  var unread: List?
  /// The list of starred ids, while it is read; it is empty before its first page.
  var starredList: List?

  init() {}

  /// Whether a poll must read the starred ids, given these unread ones. Users who star an item elsewhere usually also
  /// read it there. So a change of the unread ids is a reason; otherwise they are read occasionally.
  func areStarsDue(_ unread: Set<GoogleReaderID>, at now: Date) -> Bool {
    guard let stars else { return true }
    let passed = now.timeIntervalSince1970 - stars
    return unread != known.set || passed >= Limits.starredSeconds || passed < 0
  }
}
