package import Basics
package import Formats
import Foundation
import Markup
package import Messages

/// Converts the entries of a web feed into messages.
package enum WebFeedMessages {
  /// Converts the entries of a feed. The messages are oldest first, while feeds list their newest entry first. If the
  /// allowance (the memory limit of the document) is spent before all messages are made, the oldest are left out.
  ///
  /// - Parameter feed: its entries are freed while messages are made, if there is no other reference to them.
  package static func messages(
    of feed: consuming ParsedFeed, allowance: Allowance? = nil
  ) -> [IncomingMessage] {
    let language = feed.language
    // In RSS, this is the editor of the feed, who may not have written an entry.
    let author = feed.format.isOfItsAuthor ? feed.author.map(line)?.cut(toBytes: Limits.nameBytes) : nil
    var entries = ParsedEntries()
    swap(&entries, &feed.entries)
    // If the document's allowance is not given, this is about the allowance of a document of the entries' size.
    let allowance = allowance ?? Allowance(documentBytes: entries.reduce(0) { $0 + $1.textBytes })
    var messages: [IncomingMessage] = []
    messages.reserveCapacity(entries.count)
    (consume entries).forEachBlock { block in
      // Converting markup to plain text is most of the work, and entries do not depend on each other.
      let parts = Parallel.map(count: block.count, inPartsOf: 256, unless: { allowance.isSpent }) { place in
        message(block[place], language: language, author: author, allowance)
      }
      for part in parts { messages += part.compactMap(\.self) }
    }
    messages.reverse()
    return messages
  }

  /// Returns the messages of one section of a large feed, oldest first, or `nil` if the allowance is spent.
  static func messages(ofSection feed: ParsedFeed, _ allowance: Allowance) -> [IncomingMessage]? {
    let author = feed.format.isOfItsAuthor ? feed.author.map(line)?.cut(toBytes: Limits.nameBytes) : nil
    var messages: [IncomingMessage] = []
    messages.reserveCapacity(feed.entries.count)
    for entry in feed.entries.reversed() {
      if let message = message(entry, language: feed.language, author: author, allowance) {
        messages.append(message)
      }
      if allowance.isSpent { return nil }
    }
    return messages
  }

  /// Returns the message of an entry, or `nil` if the entry is empty.
  private static func message(
    _ entry: ParsedEntry, language: String?, author: String?, _ allowance: Allowance
  ) -> IncomingMessage? {
    if entry.isEmpty { return nil }
    let body = entry.content ?? entry.summary
    let title = entry.title.map(line) ?? ""
    var message = IncomingMessage(
      remoteID: RemoteID(entry.id ?? entry.link ?? ""), kind: .feed, title: title)
    message.url = entry.link
    switch body?.kind {
    case .html: message.setBody(html: body?.standalone(allowance) ?? "")
    case .text: message.body = body?.raw.cut(toBytes: 2 * Limits.bodyBytes) ?? ""
    case nil: break
    }
    message.author = entry.author.map(line)
    if message.author?.isEmpty == true { message.author = nil }
    // A document of many short entries repeats a long name only as often as its size allows.
    if message.author == nil, let author, allowance.spend(author.utf8.count) { message.author = author }
    message.published = entry.published ?? entry.updated
    message.updated = entry.updated
    message.traits = entry.traits
    message.tags = entry.tags
    message.language = entry.language ?? language
    if !entry.attachments.isEmpty {
      var extras = MessageExtras()
      extras.actions = entry.attachments.map { attachment in
        let description = attachment.description.map(line) ?? ""
        return MessageAction(
          label: description.isEmpty ? attachment.label : description.cut(toBytes: Limits.nameBytes),
          url: attachment.url)
      }
      let enclosures = entry.attachments.compactMap { attachment in
        attachment.enclosure.map { facts in
          Enclosure(url: attachment.url, type: facts.type, length: facts.length, duration: facts.duration)
        }
      }
      extras.enclosures = enclosures.isEmpty ? nil : enclosures
      message.extras = extras
    }
    if message.title.isEmpty {
      message.traits.insert(.lacksTitle)
      message.title = beginning(of: message.body)
    }
    if entry.id == nil, entry.link == nil {
      message.remoteID = MadeID.of(message)
      message.formerTitle = title
    }
    message.remoteID = short(message.remoteID.text)
    message.keepWithinLimits()
    // The address of the comments is added after the title is set: it must not become the title of an empty message.
    if let comments = entry.comments {
      message.extras = message.extras ?? MessageExtras()
      message.extras?.actions.append(MessageAction(label: "comments", url: comments))
    }
    // This is done last, because an id that is a link stays as it is written.
    message.changeAddresses(unescaped)
    allowance.spend(message.textBytes)
    return message
  }

  /// Returns an address without double escapes: `&amp;` is never part of an address.
  static func unescaped(_ address: String) -> String {
    guard address.utf8.contains(UInt8(ascii: "&")) else { return address }
    return address.replacingBytes("&amp;", with: "&").replacingBytes("&#38;", with: "&")
  }

  /// Returns the id, or its digest if the id is too long for a key of the database.
  private static func short(_ id: String) -> RemoteID {
    id.utf8.count <= Limits.remoteIDBytes ? RemoteID(id) : RemoteID.digest(of: id)
  }

  /// Returns a title or a name as one line of plain text.
  static func line(_ text: FeedText) -> String {
    switch text.kind {
    case .text: oneLine(text.raw)
    case .html: oneLine(Document.text(ofHTML: text.raw, base: nil))
    }
  }

  /// Replaces line ends and other white space by single spaces, if the text has control characters.
  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 32 }) else { return text }
    return text.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
  }

  /// Returns a replacement for a missing title: the first line, cut at a word.
  static func beginning(of body: String) -> String {
    let line = body.prefix { !$0.isNewline }
    guard line.count > 100 else { return String(line) }
    let cut = line.prefix(100)
    return String(cut[..<(cut.lastIndex(of: " ") ?? cut.endIndex)]) + "…"
  }
}

extension IncomingMessage {
  /// Changes all URLs of the message.
  fileprivate mutating func changeAddresses(_ change: (String) -> String) {
    url = url.map(change)
    guard var extras else { return }
    for index in extras.actions.indices { extras.actions[index].url = change(extras.actions[index].url) }
    extras.enclosures = extras.enclosures?.map {
      Enclosure(url: change($0.url), type: $0.type, length: $0.length, duration: $0.duration)
    }
    self.extras = extras
  }
}

extension ParsedEntry {
  /// The traits of the entry except for `lacksTitle`, which is known only once the markup of the title is resolved.
  fileprivate var traits: EntryTraits {
    var traits: EntryTraits = id == nil || isIDLink ? .lacksID : []
    if isUpdatedDay { traits.insert(.isUpdatedDay) }
    if published == nil, updated != nil { traits.insert(.lacksPublished) }
    if published == nil ? isUpdatedDay : isPublishedDay { traits.insert(.isPublishedDay) }
    return traits
  }

  fileprivate var textBytes: Int {
    (title?.raw.utf8.count ?? 0) + (summary?.raw.utf8.count ?? 0) + (content?.raw.utf8.count ?? 0)
  }
}
