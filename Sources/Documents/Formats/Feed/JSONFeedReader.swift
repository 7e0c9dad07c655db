import Basics
import Foundation

/// Reads JSON Feed 1.0 and 1.1 (jsonfeed.org), one item at a time.
enum JSONFeedReader {
  /// Reads the feed in a JSON document.
  ///
  /// - Parameters:
  ///   - problem: a problem that was found when the bytes were decoded.
  ///   - address: the URL of the document.
  static func read(_ bytes: Data, problem: String?, address: String, allowance: Allowance) -> FeedReading {
    let isArray = bytes.first { !$0.isXMLSpace } == UInt8(ascii: "[")
    var draft = JSONFeedDraft(address: address, isArray: isArray, allowance: allowance)
    if let problem { draft.report(problem) }
    do throws(JSONFailure) {
      try JSONReader.walk(bytes, streaming: "items", allowance: allowance) { draft.read($0) }
    } catch {
      draft.broken(error)
    }
    return draft.finish()
  }
}

/// A feed while its JSON is read.
private struct JSONFeedDraft {

  private let address: String
  /// Whether the document is an array instead of an object.
  private let isArray: Bool
  private let allowance: Allowance
  private var feed = ParsedFeed(format: .jsonFeed11)
  private var problems: [FormatProblem] = []
  /// The number of items that were left out and whose problems are not reported, since there are too many.
  private var notKept = 0
  private var version: String?
  /// The value of `home_page_url`.
  private var homePage: String?
  /// Whether the document has an array `items`.
  private var hasItems = false
  /// The keys of the document that were read.
  private var keys: Set<String> = []
  /// The names in `author` of JSON Feed 1.0, and in `authors`, which replaces it since 1.1.
  private var (author, authors): (FeedText?, FeedText?) = (nil, nil)
  /// The error at which reading stopped, or `nil` if there was none.
  private var failure: JSONFailure?

  init(address: String, isArray: Bool, allowance: Allowance) {
    self.allowance = allowance
    self.address = address
    self.isArray = isArray
  }

  /// Adds a problem, or only counts the items that it leaves out if there are too many problems.
  mutating func report(
    _ message: @autoclosure () -> String, at place: @autoclosure () -> String = "", leftOut: Int = 0
  ) {
    if problems.count < Limits.jsonFeedProblems {
      problems.append(FormatProblem(at: place(), message: message(), leftOut: leftOut))
    } else {
      notKept += leftOut
    }
  }

  /// Records that the JSON is invalid and cannot be read further.
  mutating func broken(_ failure: JSONFailure) {
    self.failure = failure
    // This is added even beyond the limit of problems, since it explains why the rest is missing.
    problems.append(failure.problem)
  }

  /// Reads a member or an item of the document.
  mutating func read(_ step: JSONWalkStep) {
    switch step {
    case .member(let key, let value): member(key, value)
    case .arrayBegins:
      hasItems = true
      feed.entries = []
    case .element(let index, let value):
      let path = "$.items[\(index)]"
      guard let object = value.object else {
        report("must be an object, not \(value.kindInWords)", at: path, leftOut: 1)
        return
      }
      guard allowance.spend(Limits.itemBytes) else { return }
      var item = JSONFeedItem(object, at: path)
      feed.entries.append(item.entry())
      for problem in item.fields.problems { report(problem.message, at: problem.at) }
    }
  }

  private mutating func member(_ key: String, _ value: JSONValue) {
    keys.insert(key)
    switch key {
    case "version": version = value.text
    case "title":
      feed.title = value.spelled.flatMap { $0.isEmpty ? nil : JSONFeedItem.title($0) }
    case "home_page_url": homePage = value.text.flatMap { $0.isEmpty ? nil : $0 }
    case "language": feed.language = value.text.flatMap(LanguageTag.checked)
    case "expired": feed.isExpired = value.bool ?? false
    case "authors": authors = JSONFeedItem.names(value)
    case "author": author = JSONFeedItem.names(value)
    default: break
    }
  }

  /// Returns the absolute URL of a link, or `nil` if it is a script, is too long, or the allowance is spent.
  private func resolved(_ reference: String, against base: String) -> String? {
    guard reference.utf8.count <= Limits.addressBytes, !LinkReference.isScript(reference) else { return nil }
    let address = LinkReference.resolve(page: reference, against: base)
    return address.utf8.count <= Limits.addressBytes && allowance.spend(address.utf8.count) ? address : nil
  }

  /// Returns the feed, or the kind of the document if it is not a feed.
  mutating func finish() -> FeedReading {
    let isDeclared = version?.contains("jsonfeed.org/version/") == true
    guard isDeclared || hasItems && !keys.isDisjoint(with: ["home_page_url", "feed_url", "title"]) else {
      if let failure, !isArray, keys.isEmpty, !hasItems {
        return .notAFeed(
          found: "text that looks like JSON but is not (line \(failure.line): \(failure.reason))")
      }
      return .notAFeed(found: keys.contains("list") ? "JSON of a native feed" : "JSON of another kind")
    }
    if version?.hasSuffix("/1") == true { feed.format = .jsonFeed10 }
    feed.link = homePage.flatMap { resolved($0, against: address) }
    feed.author = authors ?? author
    let base = feed.link.flatMap { LinkReference.canBeBase($0) ? $0 : nil } ?? address
    for index in feed.entries.indices {
      var entry = feed.entries[index]
      entry.resolveLinks { resolved($0, against: base) }
      feed.entries[index] = entry
    }
    feed.setBase(base)
    feed.problems = problems
    if notKept > 0 { feed.problems[feed.problems.count - 1].leftOut += notKept }
    feed.isComplete = failure?.isBehindTheEnd ?? true
    if failure == nil, allowance.isSpent {
      feed.problems.append(FormatProblem(at: "", message: allowance.sentence))
    }
    return .feed(feed)
  }
}

private struct JSONFeedItem {
  private(set) var fields: JSONFields

  init(_ object: JSONObject, at path: String) { fields = JSONFields(object, at: path, lenient: true) }

  /// Returns the item as an entry of the feed.
  mutating func entry() -> ParsedEntry {
    var entry = ParsedEntry()
    // Ids are strings, but some publishers write numbers.
    entry.id = fields.textOrNumber("id").map { String($0.trimmingXMLSpace) }.flatMap { $0.isEmpty ? nil : $0 }
    entry.title = fields.textOrNumber("title").map(Self.title)
    let html = fields.text("content_html").map { FeedText(.html, $0) }
    let text = fields.text("content_text").map { FeedText(.text, $0) }
    entry.setText(
      full: FeedText.fuller(html, text), short: [fields.text("summary").map { FeedText(.text, $0) }])
    let page = fields.text("url")
    let external = fields.text("external_url")
    entry.link = page ?? external
    entry.setPublished(date("date_published"))
    entry.setUpdated(date("date_modified"))
    entry.author = fields.value("authors").flatMap(Self.names) ?? fields.value("author").flatMap(Self.names)
    entry.language = fields.text("language").flatMap(LanguageTag.checked)
    entry.tags = (fields.elements("tags") ?? []).prefix(Limits.tags).compactMap {
      $0.text?.cut(toBytes: Limits.nameBytes)
    }
    if page != nil, let external { attach(external, label: "external link", to: &entry) }
    for attachment in fields.elements("attachments") ?? [] { attach(attachment, to: &entry) }
    for key in ["image", "banner_image"] {
      if let image = fields.text(key) {
        attach(image, label: AttachmentLabel.of(image, title: nil, type: "image"), to: &entry)
      }
    }
    return entry
  }

  /// Returns the title in a JSON value. It should be plain text, but many publishers write HTML: character references
  /// are resolved once, and tags stay unchanged.
  static func title(_ text: String) -> FeedText {
    var title = text.cut(toBytes: Limits.titleBytes)
    let decoded = title.withUTF8 { bytes -> String? in
      RSSText.hasReference(bytes) ? RSSText.resolved(bytes) : nil
    }
    return FeedText(.text, decoded ?? title)
  }

  /// Returns the date of a key, or reports that it is not a date.
  private mutating func date(_ key: String) -> FeedDate? {
    guard let text = fields.textOrNumber(key) else { return nil }
    let date = FeedDate.parse(text)
    if date == nil { fields.reportMismatch(key, expected: "a date") }
    return date
  }

  /// Adds an element of `attachments` to an entry.
  private func attach(_ value: JSONValue, to entry: inout ParsedEntry) {
    guard let object = value.object, let url = object["url"]?.text, !url.isEmpty else { return }
    let type = object["mime_type"]?.text
    attach(
      url, label: AttachmentLabel.of(url, title: object["title"]?.text, type: type),
      EnclosureFacts(
        type: type, length: object["size_in_bytes"]?.spelled,
        duration: object["duration_in_seconds"]?.spelled), to: &entry)
  }

  /// Adds an attachment to an entry, unless the entry has too many or already has one with this URL.
  private func attach(
    _ url: String, label: String, _ enclosure: EnclosureFacts? = nil, to entry: inout ParsedEntry
  ) {
    guard entry.attachments.count < Limits.actions, url.utf8.count <= Limits.addressBytes,
      !entry.attachments.contains(where: { $0.url == url })
    else { return }
    entry.attachments.append(ParsedEntry.Attachment(label: label, url: url, enclosure: enclosure))
  }

  /// Returns the names in an `authors` array, an `author` object, or a plain name.
  static func names(_ value: JSONValue) -> FeedText? {
    AuthorName.list(
      (value.elements ?? [value]).compactMap { author in
        var name = author.text ?? author.object?["name"]?.text ?? ""
        return name.withUTF8 { TextCapture.title($0, base: nil) }.flatMap(AuthorName.named)
      })
  }
}

extension JSONValue {
  /// The value of a string, or a number as written.
  fileprivate var spelled: String? { if case .number(let spelled) = self { spelled } else { text } }
}
