package import Basics
import Formats
package import Foundation

/// Reads items from publishers. They are checked with the reader of the native feed: any problem is a failure with its
/// path, so that no reader has it later (page "Hub").
package struct PublicationReader: Sendable {
  /// The time from which spans such as `30m` count.
  package var now: Date
  /// The author of items that contain none, or `nil` for no author.
  package var author: String?
  /// Whether unknown keys are accepted.
  package var isLenient: Bool

  package init(now: Date, author: String? = nil, isLenient: Bool = false) {
    self.now = now
    self.author = author
    self.isLenient = isLenient
  }

  /// The items of one request.
  package struct Reading: Hashable, Sendable {
    package var publications: [Publication]
    /// Whether the items were sent as an array, so that the response is one too.
    package var isList: Bool
    /// A sentence for the publisher about a probable error in the request, or `nil`.
    package var note: String?
    /// The problems of elements that could not be read.
    package var problems: [FormatProblem] = []

    package init(publications: [Publication], isList: Bool) {
      (self.publications, self.isList) = (publications, isList)
    }
  }

  // MARK: JSON

  /// Reads an item, or an array of 1 to 100.
  package func json(_ bytes: Data) throws(HubFailure) -> Reading {
    let value: JSONValue
    do {
      value = try JSONReader.parse(bytes)
    } catch {
      throw HubFailure(.invalidItem, "is not JSON: \(error)", at: "$")
    }
    switch value {
    case .object(let object):
      guard bytes.count <= Limits.hubItemBytes else {
        throw .tooLarge("an item", limit: Limits.hubItemBytes)
      }
      return Reading(publications: [try item(object, at: "$")], isList: false)
    case .array(let elements):
      guard (1...Limits.hubRequestItems).contains(elements.count) else {
        throw HubFailure(
          .invalidItem, "must have 1 to \(Limits.hubRequestItems) items, not \(elements.count)", at: "$")
      }
      var publications: [Publication] = []
      for (index, element) in elements.enumerated() {
        guard let object = element.object else {
          throw HubFailure(.invalidItem, "must be an object, not \(element.kindInWords)", at: "$[\(index)]")
        }
        publications.append(try item(object, at: "$[\(index)]"))
      }
      return Reading(publications: publications, isList: true)
    default:
      throw HubFailure(
        .invalidItem, "must be an object or an array of objects, not \(value.kindInWords)", at: "$")
    }
  }

  // MARK: A text with query items

  /// Reads the bytes as the body of a plain message; the query and the header fields contain the rest.
  ///
  /// - Parameter items: the decoded fields `title key url priority tags channel group author expires not_before news
  ///   done`, each once; see `MessageFields` for those of the header.
  package func form(_ bytes: Data, _ items: [(name: String, value: String)]) throws(HubFailure) -> Reading {
    guard bytes.count <= Limits.hubItemBytes else { throw .tooLarge("an item", limit: Limits.hubItemBytes) }
    guard let body = String(validating: bytes, as: UTF8.self) else {
      throw HubFailure(.invalidItem, "is not text in UTF-8", at: "body")
    }
    var object = JSONObject()
    for (name, value) in items {
      guard object[name] == nil else { throw HubFailure(.badRequest, "is given twice", at: name) }
      switch name {
      case "title", "key", "url", "channel", "group", "author", "expires": object[name] = .string(value)
      case "not_before":
        // ntfy also has other forms, for example seconds since 1970.
        object[name] = .string((try? NtfyHook(now: now).delay(value, at: name)) ?? value)
      case "priority":
        guard let priority = MessageFields.priority(value) else {
          throw HubFailure(.invalidItem, "must be 1 to 5", at: name)
        }
        object[name] = .integer(priority)
      case "tags": object[name] = .array(MessageFields.tags(value).map { JSONValue.string($0) })
      case "news", "done":
        guard let flag = ["": true, "true": true, "1": true, "false": false, "0": false][value] else {
          throw HubFailure(.invalidItem, "must be true or false", at: name)
        }
        object[name] = .bool(flag)
      default:
        if !isLenient { throw HubFailure(.unknownKey, "is not known; lenient=1 leaves it out", at: name) }
      }
    }
    if !body.isEmpty { object["body"] = .string(body) }
    var reading = Reading(publications: [try item(object, at: "$")], isList: false)
    if let first = body.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      (try? JSONReader.parse(body)) != nil
    {
      reading.note = "stored as text; for JSON, send Content-Type: application/json"
    }
    return reading
  }

  /// Returns the valid items of a webhook's delivery, and the problems of the others. Throws if no item is
  /// valid and there are problems.
  ///
  /// - Parameter problems: the problems of elements that could not be read.
  package func hook(
    _ items: [HookItem], _ problems: [FormatProblem] = []
  ) throws(HubFailure) -> (publications: [Publication], problems: [FormatProblem]) {
    var (publications, problems): ([Publication], [FormatProblem]) = ([], problems)
    for given in items {
      do throws(HubFailure) {
        var publication = try item(given.objectWithWords, at: given.place)
        publication.succession = given.succession
        publications.append(publication)
      } catch {
        problems.append(FormatProblem(at: error.at ?? given.place, message: error.message))
      }
    }
    let rest = problems.count - Limits.hubDocumentProblems
    if rest > 0 {
      problems.removeLast(rest)
      problems.append(FormatProblem(at: "", message: "and \(rest) more problems"))
    }
    guard publications.isEmpty, let first = problems.first else { return (publications, problems) }
    var failure = HubFailure(.invalidItem, first.message, at: first.at)
    if problems.count > 1 { failure.problems = problems }
    throw failure
  }

  // MARK: One item

  /// Checks an item, and converts it to the form in which it is stored.
  private func item(_ given: JSONObject, at path: String) throws(HubFailure) -> Publication {
    var object = given
    for key in ["id", "notificationid", "apns-id"] where object[key] != nil {
      throw HubFailure(
        .invalidItem, "must not be given: the hub gives an id at each change; use key to identify the item",
        at: JSONPath.key(key, under: path))
    }
    if let place = Self.nul(.object(object), at: path) {
      throw HubFailure(.invalidItem, "has the character U+0000", at: place)
    }
    let notBefore = try moment("not_before", in: &object, at: path)
    object["not_before"] = nil
    var end = try moment("expires", in: &object, at: path)

    let (judged, unknown) = try judge(object, at: path)
    var ownTime = Publication.OwnTime.none
    let marks: HubMarks? = if case .published(let marks, _) = judged { marks } else { nil }
    if marks?.key?.hasPrefix("#") == true {
      throw HubFailure(
        .invalidItem, "must not begin with #, like keys that the hub creates", at: path + ".key")
    }
    var strangers = unknown
    switch judged.withoutMarks {
    case .plain(let item):
      try check(item, at: path)
      if item.time == nil { ownTime = marks?.isNews == true ? .each : .first }
      if item.author == nil, let author {
        object["author"] = .string(author)
      }
    case .inApp(let notification):
      if let poster = notification.poster, !OpenableAddress.isOne(poster) {
        throw Self.notOpenable(path + ".poster")
      }
      strangers += notification.unknown.members.map(\.key)
      end = end ?? Self.end(of: notification, from: now)
    case .apns, .published: object["expires"] = nil
    }
    if let notBefore, let end, notBefore >= end {
      throw HubFailure(
        .invalidItem, "must be before its end, which is \(ISOInstant.text(end))", at: path + ".not_before")
    }
    if !isLenient, let key = strangers.first {
      throw HubFailure(
        .unknownKey, "is not known; lenient=1 lets it through", at: JSONPath.key(key, under: path))
    }
    object["key"] = nil
    let body = JSONValue.object(object).serialized()
    guard body.utf8.count <= Limits.hubItemBytes else {
      throw .tooLarge("an item", limit: Limits.hubItemBytes)
    }
    let isLater = notBefore.map { $0 > now } ?? false
    return Publication(
      key: marks?.key, body: body, expires: end, notBefore: isLater ? notBefore : nil, ownTime: ownTime)
  }

  /// Rejects an item that no list could show, and URLs that no reader may open.
  private func check(_ item: PlainItem, at path: String) throws(HubFailure) {
    let words = [item.title, item.body, item.html].compactMap(\.self)
    guard words.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
      throw HubFailure(.invalidItem, "has neither a title nor a body", at: path)
    }
    if let url = item.url, !OpenableAddress.isOne(url) { throw Self.notOpenable(path + ".url") }
    for (index, action) in item.actions.enumerated() where !OpenableAddress.isOne(action.url) {
      throw Self.notOpenable("\(path).actions[\(index)].url")
    }
  }

  private static func notOpenable(_ path: String) -> HubFailure {
    HubFailure(.invalidItem, "must be an address of http, https or mailto", at: path)
  }

  /// Checks an item with the reader of the native feed. Throws at any problem.
  private func judge(
    _ object: JSONObject, at path: String
  ) throws(HubFailure) -> (item: NativeItem, unknown: [String]) {
    var (problems, unknown): ([FormatProblem], [String]) = ([], [])
    var numbered = object
    numbered["id"] = .integer(1)
    let item = NativeItemReader.read(numbered, problems: &problems) { unknown.append($0) }
    guard let item, problems.isEmpty else {
      let first = problems.first ?? FormatProblem(at: "", message: "cannot be read")
      let more = problems.count > 1 ? " (and \(problems.count - 1) more problems)" : ""
      throw HubFailure(.invalidItem, first.message + more, at: path + first.at)
    }
    return (item, unknown)
  }

  /// Returns the time that a key of the item contains. A span is added to now, and replaced by the resulting
  /// time.
  private func moment(
    _ key: String, in object: inout JSONObject, at path: String
  ) throws(HubFailure) -> Date? {
    guard let value = object[key] else { return nil }
    if value.isNull {
      object[key] = nil
      return nil
    }
    guard let text = value.text, let moment = Span.moment(text, from: now) else {
      throw HubFailure(
        .invalidItem, "must be a time like 2026-11-20T09:00:00Z, or a span like 30m, 2h or 7d",
        at: "\(path).\(key)")
    }
    if Span.seconds(text) != nil { object[key] = .string(ISOInstant.text(moment)) }
    return moment
  }

  /// Returns the end of a notification's validity, or `nil` if only the reader's machine can know it.
  private static func end(of notification: InAppNotification, from now: Date) -> Date? {
    guard notification.relativeHours == nil else { return nil }
    return notification.visibility(arrival: now, installation: now).until
  }

  /// Returns the path of the first string or key with U+0000, which not every database can store.
  private static func nul(_ value: JSONValue, at path: String) -> String? {
    switch value {
    case .null, .bool, .number: return nil
    case .string(let text): return text.utf8.contains(0) ? path : nil
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let place = nul(element, at: JSONPath.index(index, under: path)) { return place }
      }
    case .object(let object):
      for member in object.members {
        let place = JSONPath.key(member.key, under: path)
        if member.key.utf8.contains(0) { return place }
        if let found = nul(member.value, at: place) { return found }
      }
    }
    return nil
  }
}
