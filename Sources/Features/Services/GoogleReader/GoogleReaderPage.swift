import Basics
import Formats
import Foundation
import Messages

/// A page of items with their bodies.
struct GoogleReaderPage: Sendable {
  /// An item as a message, with its id and whether it is starred.
  struct Item: Sendable {
    var id: GoogleReaderID
    var isStarred: Bool
    var message: IncomingMessage
  }

  private let list: LargeList<Item>

  init(_ document: Data, _ allowance: Allowance, isFreshRSS: Bool) throws(ServiceFailure) {
    list = try LargeList(
      "items", of: document, orElse: "a response without items of a Google Reader API", allowance,
      { GoogleReaderItem.read($0, at: $1, isFreshRSS: isFreshRSS) }, { $0.item(allowance) })
  }

  var items: [Item] { list.elements }
  var problems: [FormatProblem] { list.problems }
}

/// An item as the server returns it.
struct GoogleReaderItem: Sendable {
  private var id: GoogleReaderID
  private var isStarred = false
  private var title: String?
  private var author: String?
  private var url: String?
  private var content: String?
  private var published: Date?
  private var tags: [String] = []
  private var feed: String?
  private var enclosures: [Enclosure] = []

  private init(_ id: GoogleReaderID) { self.id = id }

  /// - Returns: `nil` if there is no usable id. A value of a wrong type is a problem, and is treated as missing.
  static func read(_ value: JSONValue, at path: String, isFreshRSS: Bool) -> (
    GoogleReaderItem?, [FormatProblem]
  ) {
    guard let object = value.object else {
      return (nil, [FormatProblem(at: path, message: "must be an object, not \(value.kindInWords)")])
    }
    var fields = JSONFields(object, at: path, lenient: true)
    guard let text = fields.textOrNumber("id"), let id = GoogleReaderID(text) else {
      if fields.value("id") == nil {
        fields.report("id", "is missing")
      } else if fields.problems.isEmpty {
        fields.reportMismatch("id", expected: "an item's id")
      }
      return (nil, fields.problems)
    }
    var item = GoogleReaderItem(id)
    item.title = fields.text("title")
    item.author = fields.text("author")
    item.published = fields.epoch("published")
    item.url = address("canonical", &fields) ?? address("alternate", &fields)
    for key in ["content", "summary"] where item.content == nil {
      guard var inner = fields.inner(key) else { continue }
      item.content = inner.text("content")
      fields.adopt(inner.problems)
    }
    if var origin = fields.inner("origin") {
      item.feed = origin.text("title")
      fields.adopt(origin.problems)
    }
    item.take((fields.elements("categories") ?? []).compactMap(\.text))
    item.enclosures = (fields.elements("enclosure") ?? []).prefix(Limits.actions).compactMap(enclosure)
    if isFreshRSS {
      item.title = item.title.map(FreshRSSText.title)
      item.author = item.author.map(FreshRSSText.title)
      item.feed = item.feed.map(FreshRSSText.name)
    }
    return (item, fields.problems)
  }

  /// Returns the first usable URL in a list of links.
  private static func address(_ key: String, _ fields: inout JSONFields) -> String? {
    (fields.elements(key) ?? []).lazy.compactMap { ServiceText.address($0.object?["href"]?.text) }.first
  }

  private static func enclosure(_ value: JSONValue) -> Enclosure? {
    guard let object = value.object, let url = ServiceText.address((object["href"] ?? object["url"])?.text)
    else {
      return nil
    }
    let length = object["length"]?.numeric(orText: true)?.integer
    return Enclosure(
      url: url, type: object["type"]?.text.flatMap { $0.isEmpty ? nil : $0 },
      length: length.flatMap { $0 > 0 ? $0 : nil })
  }

  /// Reads the item's states, its folder and labels, and the keywords of its feed.
  private mutating func take(_ categories: [String]) {
    var labels: [String?] = []
    for category in categories {
      guard let own = GoogleReaderTag.own(category) else {
        if !category.hasPrefix("feed/") { labels.append(category) }
        continue
      }
      if own == "state/com.google/starred" { isStarred = true }
      if own.hasPrefix("label/") { labels.append(String(own.dropFirst("label/".count))) }
    }
    tags = ServiceText.tags(labels)
  }

  /// Converts the item to a message.
  func item(_ allowance: Allowance) -> GoogleReaderPage.Item {
    var message = IncomingMessage(
      service: id.remoteID.text, title: title ?? "", html: content ?? "", url: url)
    message.author = author.map(ServiceText.oneLine)
    message.channel = feed.map(ServiceText.oneLine)
    message.published = published
    message.tags = tags
    message.attach(enclosures)
    message.keepWithinLimits()
    allowance.spend(message.textBytes)
    return GoogleReaderPage.Item(id: id, isStarred: isStarred, message: message)
  }
}

/// Decodes text of FreshRSS, which writes some characters full-width in this API because old clients took them for
/// markup or paths.
enum FreshRSSText {
  /// Decodes a title or the name of an author.
  static func title(_ text: String) -> String { mapped(text, "＆＜＞", "&<>") }

  /// Decodes the name of a feed, in which more characters are written full-width.
  static func name(_ text: String) -> String { mapped(text, "＆＜＞？＼／，；", "&<>?\\/,;") }

  /// Replaces full-width characters by the narrow ones at the same position.
  private static func mapped(_ text: String, _ wide: String, _ narrow: String) -> String {
    guard text.unicodeScalars.contains(where: { (0xFF00...0xFF5E).contains($0.value) }) else { return text }
    let map = Dictionary(uniqueKeysWithValues: zip(wide.unicodeScalars, narrow.unicodeScalars))
    return String(String.UnicodeScalarView(text.unicodeScalars.map { map[$0] ?? $0 }))
  }
}
