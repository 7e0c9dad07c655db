import Basics
import Foundation
import Messages

/// The data by which a delivered message is matched with a stored one.
protocol Matchable {
  var remoteID: RemoteID { get }
  var formerIDs: [RemoteID] { get }
  var kind: MessageKind { get }
  var title: String { get }
  var url: String? { get }
  var published: Date? { get }
  var time: EntryTime? { get }
  /// Whether the message's document contained no id for it.
  var lacksID: Bool { get }
  /// The event that the message reports, for example the date of the last comment of a thread.
  var occasion: String? { get }
  /// The text by which it is compared with messages of other sources, or `nil` if no other source has its page or its
  /// id.
  var comparedBody: String? { get }
  /// Returns the facts by which it is compared, as the entry with this id.
  func reading(as id: RemoteID, _ reader: inout EntryReader) -> EntryReading
  /// Returns the hash of everything except the id.
  func contentHash() throws -> Int64
  /// The message itself, if its content is in memory.
  var whole: IncomingMessage? { get }
}

extension IncomingMessage: Matchable {
  var time: EntryTime? { EntryTime(published: published, updated: updated, traits) }
  var lacksID: Bool { traits.contains(.lacksID) }
  var occasion: String? { extras?.occasion?.prefix(characters: Limits.nameCharacters) }
  var comparedBody: String? { body }
  var whole: IncomingMessage? { self }
  func reading(as id: RemoteID, _ reader: inout EntryReader) -> EntryReading { reader.read(self, as: id) }
  func contentHash() throws -> Int64 { ContentHash.of(self, extras: try extrasText(isHashed: true)) }

  /// Returns the extras as JSON in UTF-8, or `nil` if there are none.
  ///
  /// - Parameter isHashed: whether the text is hashed instead of stored. It then lacks the data on
  ///   enclosures, which was added later: earlier messages must not count as changed.
  func extrasText(isHashed: Bool = false) throws -> [UInt8]? {
    guard var extras, !extras.isEmpty else { return nil }
    if isHashed { extras.enclosures = nil }
    return try StoredJSON.bytes(of: extras)
  }
}

/// The data that is kept of a message that is read once to be matched, and again to be stored.
struct SurveyedMessage: Matchable {
  let remoteID: RemoteID
  let formerIDs: [RemoteID]
  let kind: MessageKind
  let title: String
  let url: String?
  let published: Date?
  let time: EntryTime?
  let lacksID: Bool
  let occasion: String?
  let reading: EntryReading
  /// The compared text, set once another source is known to have the page or the id.
  var comparedBody: String?
  private let hash: Int64

  /// Keeps neither the title nor the URL of a feed's entry, which is matched by the hashes in `reading`.
  init(_ message: IncomingMessage, _ reader: inout EntryReader) throws {
    let isEntry = message.kind == .feed
    remoteID = message.remoteID
    formerIDs = message.formerIDs
    kind = message.kind
    title = isEntry ? "" : message.title
    url = isEntry ? nil : message.url
    published = message.published
    time = message.time
    lacksID = message.lacksID
    occasion = message.occasion
    reading = reader.read(message, as: message.remoteID.fitting)
    hash = try message.contentHash()
  }

  var whole: IncomingMessage? { nil }

  func reading(as id: RemoteID, _ reader: inout EntryReader) -> EntryReading { reading }

  func contentHash() -> Int64 { hash }
}
