import Basics
import Formats
import Foundation
import Messages

/// The id of an item, an unsigned 64-bit number. It is written in decimal (possibly signed, for old clients), or as
/// `tag:google.com,2005:reader/item/` and up to 16 hexadecimal digits. The API also knows the 16 digits alone, which
/// are not read here.
struct GoogleReaderID: Hashable, Comparable, Sendable {
  let number: UInt64

  private static let prefix = "tag:google.com,2005:reader/item/"

  init(number: UInt64) { self.number = number }

  /// Parses an id, or returns `nil` if the text is in neither form.
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

/// A set of item ids, stored as one string. Each id is stored as the distance from the previous one, since the ids of
/// one refresh are close to each other.
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

/// The position in the lists of a Google Reader API, for the next part of a poll.
struct GoogleReaderCursor: ServiceCursor {
  /// A list of ids, of which perhaps only some pages were read so far.
  struct List: Codable, Equatable, Sendable {
    var ids = GoogleReaderIDs()
    /// The server's value for requesting the next page.
    var continuation: String?
    /// The number of ids in the pages so far.
    var count = 0
    /// The last ids of the previous page, if `continuation` is the number of an item: the next page is
    /// requested from a smaller number, so that it repeats these ids.
    var end = GoogleReaderIDs()
    /// Whether no id is known to be missing.
    var isComplete = true
  }

  /// The unread items whose messages were received.
  var known = GoogleReaderIDs()
  var starred = GoogleReaderIDs()
  /// The time when the starred ids were last read, by this machine's clock, in seconds since 1970, or `nil` if they
  /// were never read.
  var stars: Double?
  /// The list of unread ids, until all of its pages are read.
  var unreadList: List?
  /// The whole list of unread ids, while some items are still missing.
  var unread: List?
  /// The list of starred ids, until all of its pages are read; it is empty before its first page was read.
  var starredList: List?

  init() {}

  /// Whether a poll must read the starred ids.
  ///
  /// Users who star an item elsewhere usually also read it there. So they are read after a change of the unread ids,
  /// and otherwise occasionally.
  ///
  /// - Parameter unread: the unread ids in this poll.
  func areStarsDue(_ unread: Set<GoogleReaderID>, at now: Date) -> Bool {
    guard let stars else { return true }
    let passed = now.timeIntervalSince1970 - stars
    return unread != known.set || passed >= Limits.starredSeconds || passed < 0
  }
}
