import Foundation
import Messages

/// What tells which stored message a delivered one is.
protocol Matchable {
  var remoteID: RemoteID { get }
  /// The ids that earlier versions gave it, the newest form first.
  var formerIDs: [RemoteID] { get }
  var kind: MessageKind { get }
  var title: String { get }
  var url: String? { get }
  var published: Date? { get }
  /// Of the occasion that it reports.
  var occasionHash: Int64? { get }
  /// Of its `EntryWords`; only in this process.
  var wordsHash: Int { get }
  /// Of everything but the id.
  func contentHash() throws -> Int64
}

extension IncomingMessage: Matchable {
  var occasionHash: Int64? { extras?.occasion.map(ContentHash.of) }
  var wordsHash: Int { EntryWords(self).hashValue }
  func contentHash() throws -> Int64 { ContentHash.of(self, extras: try extrasText(isHashed: true)) }

  /// Its extras as JSON in UTF-8; nil where there are none.
  ///
  /// - Parameter isHashed: the text is hashed and not stored: the data on enclosures was added later, and earlier messages
  ///   must not count as changed.
  func extrasText(isHashed: Bool = false) throws -> [UInt8]? {
    guard var extras, !extras.isEmpty else { return nil }
    if isHashed { extras.enclosures = nil }
    return try StoredJSON.bytes(of: extras)
  }
}

/// All that is kept of a message that is read once to be matched, and again to be stored.
struct SurveyedMessage: Matchable {
  let remoteID: RemoteID
  let formerIDs: [RemoteID]
  let kind: MessageKind
  let title: String
  let url: String?
  let published: Date?
  let occasionHash: Int64?
  let wordsHash: Int
  private let hash: Int64

  init(_ message: IncomingMessage) throws {
    remoteID = message.remoteID
    formerIDs = message.formerIDs
    kind = message.kind
    title = message.title
    url = message.url
    published = message.published
    occasionHash = message.occasionHash
    wordsHash = message.wordsHash
    hash = try message.contentHash()
  }

  func contentHash() -> Int64 { hash }
}
