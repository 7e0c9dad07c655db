package import Basics
import Foundation

/// Reads in-app notifications in the documented form, and in the forms of early drafts of the format:
///
/// `{"id": 1, "type": 1, "relativetime": 2, "epoch": "…", "expiry": 30, "actiondata": {…}}`
///
/// Drafts have numbers as strings, empty strings for absent values, `notificationid`, `relative`, `data`,
/// `translations` at the top level or inside `actiondata`, `fields`, `notificationtype`, `actiontype`, and
/// `cancellable` or `non-cancellable` as the type.
package enum InAppNotificationReader {
  package struct Reading: Sendable {
    /// The notification, or `nil` if it has no id.
    package var notification: InAppNotification?
    /// The fields with invalid values, by path; the other fields were read.
    package var problems: [FormatProblem]
  }

  /// The keys of a notification.
  static let keys: Set<String> = [
    "id", "notificationid", "type", "notificationtype", "actiontype", "cancellable", "epoch", "expiry",
    "expires",
    "relativetime", "relative", "actiondata", "data", "translations", "fields", "title", "msg", "language",
    "channel", "poster",
  ]
  /// The keys of the object in `actiondata`.
  static let keysOfData: Set<String> = [
    "translations", "fields", "title", "msg", "language", "channel", "poster", "notificationtype",
    "actiontype",
    "feature", "features", "name",
  ]

  /// The words for the kind in drafts that only mean that a notification is shown.
  private static let displayWords: Set<String> = ["display", "displayed", "show", "message", "notification"]

  /// Reads a notification from its JSON object.
  ///
  /// - Parameter path: the path of the object in its document, for problems.
  package static func read(_ object: JSONObject, at path: String = "$") -> Reading {
    var top = JSONFields(object, at: path, lenient: true)
    guard let id = id(&top) else { return Reading(notification: nil, problems: top.problems) }
    var notification = InAppNotification(id: id)
    let data = data(&top)
    var inner = JSONFields(data?.value.object ?? JSONObject(), at: "", lenient: true)

    readTypes(&top, &inner, into: &notification)
    readTimes(&top, into: &notification)
    notification.channel = top.text("channel") ?? inner.text("channel")
    notification.poster = top.text("poster") ?? inner.text("poster")
    let mayName = notification.kind().isDisplayed
    readTexts(&top, into: &notification)
    // A feature's data is free-form: its `title` isn't text to show.
    if mayName { readTexts(&inner, into: &notification) }

    notification.unknown = unknown(object, keys)
    if let data {
      let others = data.value.object.map { unknown($0, keysOfData) }
      if !mayName || others?.members != [] { notification.data = data.value }
      if mayName, let others, !others.members.isEmpty { notification.unknown[data.key] = .object(others) }
    }
    if !inner.problems.isEmpty, let data {
      top.adopt(inner.problems.under(JSONPath.key(data.key, under: path)))
    }
    return Reading(notification: notification, problems: top.problems)
  }

  /// Returns the id, or reports why there is none.
  private static func id(_ top: inout JSONFields) -> NativeID? {
    let key = top.value("id") == nil && top.value("notificationid") != nil ? "notificationid" : "id"
    guard let value = top.value(key) else {
      top.report("id", "is missing; a notification needs an integer id")
      return nil
    }
    if let number = value.numeric(orText: true), let id = NativeID(number), case .integer = id { return id }
    guard let id = NativeID(value) else {
      top.reportMismatch(key, expected: "an integer")
      return nil
    }
    // Strings are allowed for other items of a native feed, so this one is used too.
    top.reportMismatch(key, expected: "an integer")
    return id
  }

  /// Returns `actiondata` or `data` with its key. The object may be written as a JSON string.
  private static func data(_ top: inout JSONFields) -> (key: String, value: JSONValue)? {
    for key in ["actiondata", "data"] {
      guard let value = top.value(key) else { continue }
      if let json = value.text, json.utf8.first == UInt8(ascii: "{"), let inner = try? JSONReader.parse(json)
      {
        return (key, inner)
      }
      return (key, value)
    }
    return nil
  }

  /// Reads the kind, and whether the notification can be dismissed.
  private static func readTypes(
    _ top: inout JSONFields, _ inner: inout JSONFields, into notification: inout InAppNotification
  ) {
    var words: [InAppNotification.Kind] = []
    func read(_ key: String, _ fields: inout JSONFields) {
      guard let value = fields.value(key) else { return }
      if let number = value.numeric(orText: true)?.integer {
        if notification.typeNumber == nil { notification.typeNumber = number }
      } else if let word = value.text, ["cancellable", "non-cancellable"].contains(word.lowercased()) {
        notification.isCancellable = word.lowercased() == "cancellable"
      } else if let word = value.text, displayWords.contains(word.lowercased()) {
        // A notification is shown by default.
      } else if let word = value.text, let kind = InAppNotification.Kind(word: word) {
        words.append(kind)
      } else {
        let kinds = "general, festive, downtime, others, enable-feature, disable-feature"
        fields.report(
          key, "must be a number, cancellable, non-cancellable, or one of \(kinds), not \(value.kindInWords)")
      }
    }
    read("type", &top)
    read("notificationtype", &top)
    read("actiontype", &top)
    // Without a data object these keys are absent.
    read("notificationtype", &inner)
    read("actiontype", &inner)
    if let cancellable = top.bool("cancellable") { notification.isCancellable = cancellable }
    // A kind that is never shown has precedence.
    notification.typeWord =
      words.first { $0 == .enableFeature || $0 == .disableFeature } ?? words.first { !$0.isDisplayed }
      ?? words.first
  }

  /// Reads the time from which the notification is shown, and its expiry.
  private static func readTimes(_ top: inout JSONFields, into notification: inout InAppNotification) {
    if let text = top.text("epoch") {
      if let reading = ISOInstant.read(text) {
        notification.epoch = reading.date
        if !reading.hasOffset { top.report("epoch", "has no offset from UTC; read as UTC") }
      } else {
        top.report("epoch", "must be a time like 2016-08-29T02:40:33+0530")
      }
    }
    let key = top.value("relativetime") == nil && top.value("relative") != nil ? "relative" : "relativetime"
    if let hours = top.number(key, in: 0...1e7, "hours after installation, a number from 0") {
      if notification.epoch == nil {
        notification.relativeHours = hours
      } else {
        top.report(key, "cannot be used together with epoch; ignored")
      }
    }
    let length = expiry(&top)
    notification.expiry = end(&top).map { .at($0) } ?? length
  }

  /// Returns the time in `expires`, a key of plain messages that takes precedence over `expiry`.
  private static func end(_ top: inout JSONFields) -> Date? {
    guard let text = top.text("expires") else { return nil }
    guard let reading = ISOInstant.read(text) else {
      top.report("expires", "must be a time like 2016-08-29T02:40:33+0530")
      return nil
    }
    if !reading.hasOffset { top.report("expires", "has no offset from UTC; read as UTC") }
    return reading.date
  }

  /// Returns the duration in `expiry`.
  private static func expiry(_ top: inout JSONFields) -> InAppNotification.Expiry? {
    guard let value = top.value("expiry") else { return nil }
    if let minutes = value.numeric(orText: true)?.double, (0...Limits.inAppMinutes).contains(minutes) {
      return .minutes(minutes)
    }
    if let text = value.text?.lowercased(), text.hasSuffix("millis"),
      let milliseconds = JSONValue.string(
        String(text.dropLast("millis".count)).trimmingSuffix { $0 == " " }
      ).numeric(orText: true)?.double,
      (0...Limits.inAppMinutes * 60_000).contains(milliseconds)
    {
      return .millisecondsAfterArrival(milliseconds)
    }
    top.reportMismatch("expiry", expected: "minutes from 0, or milliseconds like \"34646millis\"")
    return nil
  }

  /// Reads the titles and bodies in all languages.
  private static func readTexts(_ fields: inout JSONFields, into notification: inout InAppNotification) {
    var problems: [FormatProblem] = []
    for key in ["translations", "fields"] {
      guard let value = fields.value(key) else { continue }
      TranslationsReader.read(
        value, at: JSONPath.key(key, under: fields.path), into: &notification.texts, problems: &problems)
    }
    let title = fields.text("title") ?? ""
    let body = fields.text("msg") ?? ""
    let language = fields.text("language") ?? "default"
    if !title.isEmpty || !body.isEmpty, !notification.texts.contains(where: { $0.language == language }) {
      notification.texts.append(LocalizedText(language: language, title: title, body: body))
    }
    fields.adopt(problems)
  }

  /// Returns the members whose keys are not among the known ones.
  private static func unknown(_ object: JSONObject, _ known: Set<String>) -> JSONObject {
    if object.members.allSatisfy({ known.contains($0.key) }) { return JSONObject() }
    return JSONObject(object.members.filter { !known.contains($0.key) })
  }
}

extension String {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    var end = endIndex
    while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
    return String(self[..<end])
  }
}
