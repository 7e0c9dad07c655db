import Basics
import Formats
import Platform
import Profile
import Settings
import Words

/// The options of `reddot publisher apns make`, which take precedence over a file's values.
///
/// Numbers stay as typed: an invalid one is refused with Apple's name of the key, like a wrong type in a file.
struct APNsDraft: Hashable, Sendable {
  /// The whole alert as one string; excludes its parts.
  var alert: String?
  var title: String?
  var subtitle: String?
  var body: String?
  var launchImage: String?
  var titleLocKey: String?
  var titleLocArgs: [String] = []
  var subtitleLocKey: String?
  var subtitleLocArgs: [String] = []
  var actionLocKey: String?
  var action: String?
  var locKey: String?
  var locArgs: [String] = []
  var summaryArg: String?
  var summaryArgCount: String?
  var badge: String?
  var sound: String?
  var isCritical = false
  var volume: String?
  var isContentAvailable = false
  var category: String?
  var threadID: String?
  var isMutableContent = false
  var targetContentID: String?
  var interruptionLevel: String?
  var relevanceScore: String?
  var filterCriteria: String?
  var urlArgs: [String] = []
  var attributesType: String?
  /// The attributes, as JSON.
  var attributes: String?
  var event: String?
  var timestamp: String?
  /// The content state, as JSON.
  var contentState: String?
  var staleDate: String?
  var dismissalDate: String?
  var asksForToken = false
  /// The further keys, each as `key=json`.
  var extra: [String] = []

  init() {}

  /// Whether no option was given.
  var isEmpty: Bool { self == APNsDraft() }

  /// Whether the alert is given both as one string and in parts.
  var saysAlertTwice: Bool { alert != nil && !alertParts.isEmpty }

  /// An option with an invalid value.
  struct Refusal: UserFacingError, Hashable {
    var sentence: String
  }

  /// Returns the payload as one line of JSON, with a file's values as the base; `-` is standard input.
  func payload(overFile path: String?) throws -> String {
    guard let path else { return try payload() }
    let bytes = try GivenFile.read(path)
    let base: JSONValue
    do throws(JSONFailure) {
      base = try JSONReader.parse(bytes)
    } catch {
      throw GivenFile.Failure(name: GivenFile.name(of: path), error)
    }
    return try payload(over: base)
  }

  /// Returns the payload as one line of JSON.
  ///
  /// - Parameter base: the values of a file; each option replaces one key.
  /// - Throws: `APNsRefusal` or `Refusal`.
  func payload(over base: JSONValue = .object(JSONObject())) throws -> String {
    guard let base = base.object else { throw APNsRefusal.notAnObject(found: base.kindInWords) }
    let request = try request(over: base)
    let payload = try APNsPayload.making(from: .object(request))
    // Escapes for the terminal count too, since the printed text will be sent.
    let text = SafeOutput.json(try JSONReader.parse(payload.encoded(limit: .max)))
    let limit = APNsPayload.sizeLimit
    guard text.utf8.count <= limit else {
      throw APNsRefusal.tooLarge(bytes: text.utf8.count, limit: limit)
    }
    return text
  }

  private var alertParts: [(String, JSONValue)] {
    var parts: [(String, JSONValue)] = []
    func add(_ key: String, _ text: String?) { if let text { parts.append((key, .string(text))) } }
    func add(_ key: String, _ texts: [String]) {
      if !texts.isEmpty { parts.append((key, .array(texts.map(JSONValue.string)))) }
    }
    add("title", title)
    add("subtitle", subtitle)
    add("body", body)
    add("launch-image", launchImage)
    add("title-loc-key", titleLocKey)
    add("title-loc-args", titleLocArgs)
    add("subtitle-loc-key", subtitleLocKey)
    add("subtitle-loc-args", subtitleLocArgs)
    add("action", action)
    add("action-loc-key", actionLocKey)
    add("loc-key", locKey)
    add("loc-args", locArgs)
    add("summary-arg", summaryArg)
    if let summaryArgCount { parts.append(("summary-arg-count", number(summaryArgCount))) }
    return parts
  }

  private func request(over base: JSONObject) throws(Refusal) -> JSONObject {
    var request = base
    func set(_ key: String, _ value: JSONValue?) { if let value { request[key] = value } }
    set("alert", alert(over: base["alert"]))
    set("badge", badge.map(number))
    set("sound", sound(over: base["sound"]))
    set("content-available", isContentAvailable ? .integer(1) : nil)
    set("category", category.map(JSONValue.string))
    set("thread-id", threadID.map(JSONValue.string))
    set("mutable-content", isMutableContent ? .integer(1) : nil)
    set("target-content-id", targetContentID.map(JSONValue.string))
    set("interruption-level", interruptionLevel.map(JSONValue.string))
    set("relevance-score", relevanceScore.map(number))
    set("filter-criteria", filterCriteria.map(JSONValue.string))
    set("url-args", urlArgs.isEmpty ? nil : .array(urlArgs.map(JSONValue.string)))
    set("attributes-type", attributesType.map(JSONValue.string))
    if let attributes { set("attributes", try json(attributes, "attributes")) }
    set("event", event.map(JSONValue.string))
    set("timestamp", timestamp.map(number))
    if let contentState { set("content-state", try json(contentState, "content-state")) }
    set("stale-date", staleDate.map(number))
    set("dismissal-date", dismissalDate.map(number))
    set("input-push-token", asksForToken ? .integer(1) : nil)
    if !extra.isEmpty {
      // A file's extra of a wrong type is kept, and refused later by its name.
      guard var object = (base["extra"] ?? .object(JSONObject())).object else { return request }
      for pair in extra {
        let parts = pair.split(onBytes: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
          throw Refusal(sentence: "extra must be KEY=JSON, such as acme='\"chat\"', not \(pair)")
        }
        object[String(parts[0])] = try json(String(parts[1]), "extra \(parts[0])")
      }
      request["extra"] = .object(object)
    }
    return request
  }

  private func alert(over base: JSONValue?) -> JSONValue? {
    if let alert { return .string(alert) }
    let parts = alertParts
    guard !parts.isEmpty else { return nil }
    var object: JSONObject
    switch base {
    case nil: object = JSONObject()
    case .object(let given)?: object = given
    case .string(let text)?: object = JSONObject(pairs: [("body", .string(text))])
    case .null?, .bool?, .number?, .array?: return nil
    }
    for (key, value) in parts { object[key] = value }
    return .object(object)
  }

  private func sound(over base: JSONValue?) -> JSONValue? {
    guard isCritical || volume != nil else { return sound.map(JSONValue.string) }
    var object = base?.object ?? JSONObject()
    if isCritical { object["critical"] = .integer(1) }
    if let name = sound ?? base?.text { object["name"] = .string(name) }
    if let volume { object["volume"] = number(volume) }
    return .object(object)
  }

  private func number(_ text: String) -> JSONValue {
    // Any other text stays a string: it is refused later, with the key's name.
    if let value = try? JSONReader.parse(text), case .number = value { return value }
    return .string(text)
  }

  private func json(_ text: String, _ name: String) throws(Refusal) -> JSONValue {
    do throws(JSONFailure) {
      return try JSONReader.parse(text)
    } catch {
      throw Refusal(sentence: "\(name) must be JSON, with quotes around a string: \(error.reason)")
    }
  }
}

extension APNsRefusal: UserFacingError {
  var sentence: String { description }
}
