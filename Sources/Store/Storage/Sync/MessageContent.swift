import Basics
import Foundation
import Messages
import Sync

/// A message as other machines get it, in JSON; what is absent is nil.
struct MessageContent: Codable {
  private var remoteID: String
  private var kind: String
  private var title: String?
  private var body: String?
  private var html: String?
  private var url: String?
  private var author: String?
  /// Milliseconds since 1970, as all times.
  private var published: Int64?
  private var updated: Int64?
  private var priority: Int?
  private var tags: [String]?
  private var channel: String?
  private var language: String?
  private var visibleFrom: Int64?
  private var expires: Int64?
  private var dismissable: Bool?
  private var standing: Int?
  private var extras: MessageExtras?
  /// Whether a starred message was unread.
  private var unread: Bool?

  private enum CodingKeys: String, CodingKey {
    case remoteID = "remote_id"
    case kind, title, body, html, url, author, published, updated, priority, tags, channel, language
    case visibleFrom = "visible_from"
    case expires, dismissable, standing, extras, unread
  }

  private init(_ message: IncomingMessage, isUnread: Bool) {
    unread = isUnread ? true : nil
    remoteID = message.remoteID.text
    kind = message.kind.rawValue
    title = message.title
    body = message.body.isEmpty ? nil : message.body
    (html, url, author) = (message.html, message.url, message.author)
    (published, updated) = (message.published?.milliseconds, message.updated?.milliseconds)
    priority = message.priority == .normal ? nil : message.priority.rawValue
    tags = message.tags.isEmpty ? nil : message.tags
    (channel, language) = (message.channel, message.language)
    (visibleFrom, expires) = (message.visibleFrom?.milliseconds, message.expires?.milliseconds)
    dismissable = message.isDismissable ? nil : false
    standing = message.standing == .normal ? nil : message.standing.rawValue
    extras = message.extras
    // It is of this machine alone.
    extras?.pane = nil
    if extras?.isEmpty == true { extras = nil }
  }

  /// What doesn't fit is left out, the HTML and a picture that it holds first, then most of the text, then what few messages have.
  ///
  /// - Returns: nil where that isn't enough.
  static func bytes(of message: IncomingMessage, isUnread: Bool = false) throws -> [UInt8]? {
    var message = message
    let cuts: [(inout IncomingMessage) -> Void] = [
      { _ in },
      {
        $0.html = nil
        $0.isCut(.html)
        if $0.extras?.poster.map(PictureData.isAddress) == true {
          $0.extras?.poster = nil
          $0.isCut(.poster)
        }
      },
      {
        $0.body = $0.body.prefix(bytes: Limits.contentBytes / 4)
        $0.isCut(.body)
      },
      {
        $0.body = ""
        $0.extras = nil
        $0.isCut(.body)
      },
    ]
    for cut in cuts {
      cut(&message)
      let bytes = try StoredJSON.bytes(MessageContent(message, isUnread: isUnread))
      if bytes.count <= Limits.contentBytes { return bytes }
    }
    return nil
  }

  /// - Parameter key: what the message is called.
  /// - Returns: nil for what cannot be read, or is another message.
  static func message(_ bytes: [UInt8], key: UInt64) -> (message: IncomingMessage, isUnread: Bool)? {
    guard bytes.count <= Limits.contentBytes,
      let content = try? JSONDecoder().decode(MessageContent.self, from: Data(bytes)),
      let kind = MessageKind(rawValue: content.kind),
      content.remoteID.utf8.count <= Limits.remoteIDBytes,
      Act.Target.key(ofRemoteID: content.remoteID) == key
    else { return nil }
    var message = IncomingMessage(
      remoteID: RemoteID(content.remoteID), kind: kind, title: content.title ?? "", body: content.body ?? "")
    (message.html, message.url, message.author) = (content.html, content.url, content.author)
    message.published = date(content.published)
    message.updated = date(content.updated)
    message.priority = content.priority.map { Priority($0) } ?? .normal
    message.tags = content.tags ?? []
    (message.channel, message.language) = (content.channel, content.language)
    message.visibleFrom = date(content.visibleFrom)
    message.expires = date(content.expires)
    message.isDismissable = content.dismissable ?? true
    message.standing = content.standing.flatMap(Standing.init) ?? .normal
    message.extras = content.extras
    message.extras?.pane = nil
    return (message, content.unread ?? false)
  }

  private static func date(_ milliseconds: Int64?) -> Date? {
    milliseconds.flatMap { Limits.contentTimes.contains($0) ? Date(milliseconds: $0) : nil }
  }
}

extension IncomingMessage {
  fileprivate mutating func isCut(_ part: MessagePart) {
    var extras = extras ?? MessageExtras()
    let parts = Set(extras.cut ?? []).union([part])
    extras.cut = MessagePart.allCases.filter(parts.contains)
    self.extras = extras
  }
}
