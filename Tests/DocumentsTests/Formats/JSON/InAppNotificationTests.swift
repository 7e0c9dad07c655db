import Basics
import Foundation
import Testing

@testable import Formats

@Suite struct InAppNotificationReaderTests {
  private func reading(_ text: String) throws -> InAppNotificationReader.Reading {
    InAppNotificationReader.read(try #require(try JSONReader.parse(text).object))
  }

  private func notification(_ text: String) throws -> InAppNotification {
    let reading = try reading(text)
    #expect(reading.problems == [], "\(text)")
    return try #require(reading.notification)
  }

  private let epoch = Date(timeIntervalSince1970: 1_472_418_633)

  @Test func theAgreedShapeIsRead() throws {
    let notification = try notification(
      #"""
      {"id": 1, "type": 1, "epoch": "2016-08-29T02:40:33+0530", "expiry": 30, "channel": "math", "poster": "https://e.org/p.png",
       "actiondata": {"translations": {"en": {"title": "T", "msg": "M"}, "hi": {"title": "ट", "msg": "म"}}}}
      """#)
    #expect(notification.id == .integer(DecimalInteger(1)))
    #expect(notification.kind() == .downtime)
    #expect(notification.epoch == epoch)
    #expect(notification.expiry == .minutes(30))
    #expect(notification.channel == "math")
    #expect(notification.poster == "https://e.org/p.png")
    #expect(
      notification.texts == [
        LocalizedText(language: "en", title: "T", body: "M"),
        LocalizedText(language: "hi", title: "ट", body: "म"),
      ])
    #expect(notification.isCancellable)
    #expect(notification.unknown.members == [])
  }

  @Test(arguments: [
    #"{"notificationid": "0", "type": "general", "relative": "2", "expiry": "30", "data": {"translations": {"en": {"title": "T", "msg": "M"}}}}"#,
    #"{"id": 0, "notificationtype": "general", "relativetime": 2.0, "expiry": 30, "translations": {"en": {"title": "T", "msg": "M"}}}"#,
    #"{"id": "0", "type": "4", "relativetime": "2", "expiry": 30, "fields": [{"language": "en", "title": "T", "msg": "M"}]}"#,
    #"{"id": 0, "type": 4, "epoch": "", "relative": 2, "expiry": 30, "actiondata": {"fields": [{"language": "en", "title": "T", "msg": "M"}]}}"#,
    #"{"id": 0, "actiontype": "others", "relative": 2, "relativetime": "", "expiry": "30", "translations": "{\"en\": {\"title\": \"T\", \"msg\": \"M\"}}"}"#,
    #"{"id": 0, "notificationid": "", "type": "cancellable", "notificationtype": "others", "relative": 2, "expiry": 30, "language": "en", "title": "T", "msg": "M"}"#,
    #"{"id": 0, "type": 4, "channel": "", "poster": null, "relative": 2, "expiry": 30, "actiondata": "{\"translations\": {\"en\": {\"title\": \"T\", \"msg\": \"M\"}}}"}"#,
  ])
  func everyDraftReadsAlike(text: String) throws {
    let notification = try notification(text)
    #expect(notification.id == .integer(DecimalInteger(0)))
    #expect(notification.kind() == .others)
    #expect(notification.relativeHours == 2)
    #expect(notification.epoch == nil)
    #expect(notification.expiry == .minutes(30))
    #expect(notification.texts == [LocalizedText(language: "en", title: "T", body: "M")])
    #expect(notification.channel == nil)
    #expect(notification.poster == nil)
  }

  @Test(arguments: [
    (#""type": 1"#, InAppNotification.Kind.downtime), (#""type": 2"#, .greetings),
    (#""type": 3"#, .nonDisplay),
    (#""type": 4"#, .others), (#""type": "2""#, .greetings), (#""type": 77"#, .others),
    (#""channel": "x""#, .others),
    (#""type": "general""#, .others), (#""type": "festive""#, .greetings),
    (#""type": "downtime""#, .downtime),
    (#""type": "others""#, .others), (#""type": "enable-feature""#, .enableFeature),
    (#""type": "disable-feature""#, .disableFeature), (#""notificationtype": "Festive""#, .greetings),
    (#""type": 3, "actiontype": "enable-feature""#, .enableFeature),
    (#""notificationtype": "general", "actiontype": "disable_feature""#, .disableFeature),
    (#""type": "cancellable", "notificationtype": "downtime""#, .downtime),
    (#""type": 3, "actiondata": {"actiontype": "disable-feature"}"#, .disableFeature),
  ])
  func everyTypeHasItsKind(fields: String, kind: InAppNotification.Kind) throws {
    #expect(try notification("{\"id\": 1, \(fields)}").kind() == kind)
  }

  @Test func aSourceMayGiveNumbersItsOwnKinds() throws {
    let notification = try notification(#"{"id": 1, "type": 1}"#)
    #expect(notification.kind(numbers: [1: .greetings]) == .greetings)
    #expect(notification.kind(numbers: [2: .greetings]) == .downtime)
    #expect(InAppNotification.Kind(word: "non-display") == .nonDisplay)
    #expect(InAppNotification.Kind(word: "something") == nil)
  }

  @Test(arguments: [
    (#""type": "non-cancellable""#, false), (#""type": "cancellable""#, true), (#""type": 1"#, true),
  ])
  func onlyNonCancellableOnesCannotBeDismissed(field: String, isCancellable: Bool) throws {
    #expect(try notification("{\"id\": 1, \(field)}").isCancellable == isCancellable)
  }

  @Test(arguments: [
    (#""expiry": "34646millis""#, InAppNotification.Expiry.millisecondsAfterArrival(34646)),
    (#""expiry": "34646 millis""#, .millisecondsAfterArrival(34646)), (#""expiry": 0"#, .minutes(0)),
    (#""expiry": 0.5"#, .minutes(0.5)), (#""expiry": "1440""#, .minutes(1440)),
    (#""expires": "1970-01-12T13:46:40Z", "expiry": 30"#, .at(Date(timeIntervalSince1970: 1_000_000))),
  ])
  func expiriesAreRead(field: String, expiry: InAppNotification.Expiry) throws {
    #expect(try notification("{\"id\": 1, \(field)}").expiry == expiry)
  }

  @Test(arguments: [
    (#""type": "wrong""#, ["$.type"]), (#""type": []"#, ["$.type"]), (#""epoch": "2016-08-29""#, ["$.epoch"]),
    (#""epoch": 1472418633"#, ["$.epoch"]), (#""epoch": "2016-02-30T00:00:00Z""#, ["$.epoch"]),
    (#""expires": "soon""#, ["$.expires"]), (#""expires": "2016-08-29T02:40:33""#, ["$.expires"]),
    (#""expiry": -1"#, ["$.expiry"]), (#""expiry": "soon""#, ["$.expiry"]),
    (#""expiry": "millis""#, ["$.expiry"]),
    (#""expiry": "-5millis""#, ["$.expiry"]), (#""expiry": 1e300"#, ["$.expiry"]),
    (#""relativetime": -1"#, ["$.relativetime"]), (#""relative": "x""#, ["$.relative"]),
    (#""epoch": "2016-08-29T02:40:33+0530", "relativetime": 2"#, ["$.relativetime"]),
    (#""channel": 5, "poster": {}"#, ["$.channel", "$.poster"]), (#""translations": 7"#, ["$.translations"]),
    (#""translations": "not json""#, ["$.translations"]),
    (
      #""translations": {"en": 5, "hi": {"title": "T", "msg": []}}"#,
      ["$.translations.en", "$.translations.hi.msg"]
    ),
    (
      #""actiondata": {"fields": [7, {"language": 1, "title": "kept"}]}"#,
      ["$.actiondata.fields[0]", "$.actiondata.fields[1].language"]
    ),
  ])
  func whatAFieldCannotBeIsReportedAtItsPath(fields: String, paths: [String]) throws {
    let reading = try reading("{\"id\": 1, \"title\": \"kept\", \(fields)}")
    #expect(reading.problems.map(\.at) == paths)
    let notification = try #require(reading.notification)
    #expect(notification.texts.contains { $0.title == "kept" })
  }

  @Test func anEpochHasPrecedenceOverARelativeTime() throws {
    let reading = try reading(#"{"id": 1, "epoch": "2016-08-29T02:40:33+05:30", "relativetime": 2}"#)
    #expect(reading.notification?.epoch == epoch)
    #expect(reading.notification?.relativeHours == nil)
  }

  @Test(arguments: [
    "{}", #"{"id": null}"#, #"{"id": ""}"#, #"{"id": true}"#, #"{"id": 1.5}"#, #"{"notificationid": {}}"#,
  ])
  func withoutAnIdThereIsNoNotification(text: String) throws {
    let reading = try reading(text)
    #expect(reading.notification == nil)
    #expect(reading.problems.count == 1)
  }

  @Test func unknownKeysAreKept() throws {
    let notification = try notification(
      #"{"id": 1, "campaign": {"b": 1, "a": 2}, "actiondata": {"title": "T", "deeplink": "x"}, "z": null}"#)
    #expect(
      JSONValue.object(notification.unknown).serialized()
        == #"{"campaign":{"b":1,"a":2},"z":null,"actiondata":{"deeplink":"x"}}"#)
  }

  @Test(arguments: [
    (#""dark-mode""#, ["dark-mode"]), (#"["a", "b", 1, ""]"#, ["a", "b"]),
    (#"{"feature": "a", "until": 5}"#, ["a"]),
    (#"{"features": ["a", "b"]}"#, ["a", "b"]), (#"{"name": "a"}"#, ["a"]),
    (#"{"dark-mode": {"level": 2}}"#, ["dark-mode"]),
    (#"{"actiontype": "enable-feature", "x": true}"#, ["x"]), ("{}", []), ("7", []), ("null", []),
  ])
  func freeFormDataNamesFeatures(data: String, names: [String]) throws {
    let reading = try reading("{\"id\": 1, \"type\": \"enable-feature\", \"data\": \(data)}")
    #expect(reading.notification?.featureNames == names)
    #expect(reading.problems == [])
  }

  @Test func cutOrMutatedNoneTraps() throws {
    let text =
      #"{"id":1,"type":"x","epoch":"2016-08-29T02:40:33+0530","expiry":"3millis","translations":"{\"en\":1}"}"#
    let original = try #require(try JSONReader.parse(text).object)
    let values: [JSONValue] = [
      .null, .bool(true), .number("-1e999"), .string(""), .string("é"), .array([.null]), .object(original),
    ]
    for member in original.members {
      for value in values {
        var object = original
        object[member.key] = value
        _ = InAppNotificationReader.read(object)
      }
    }
  }
}

@Suite struct InAppVisibilityTests {
  private let arrival = Date(timeIntervalSince1970: 1_000_000)
  private let installation = Date(timeIntervalSince1970: 900_000)

  private func notification(
    epoch: Double? = nil, hours: Double? = nil, expiry: InAppNotification.Expiry? = nil
  ) -> InAppNotification {
    var notification = InAppNotification(id: .integer(DecimalInteger(1)))
    notification.epoch = epoch.map { Date(timeIntervalSince1970: $0) }
    notification.relativeHours = hours
    notification.expiry = expiry
    return notification
  }

  /// The start and the end, in seconds since 1970.
  @Test(
    arguments: [
      (nil, nil, nil, nil, nil),
      (1_000_500, nil, InAppNotification.Expiry.minutes(30), 1_000_500, 1_002_300),
      (1_000_500, nil, nil, 1_000_500, nil), (990_000, nil, .minutes(1), 990_000, 990_060),
      (nil, nil, .minutes(30), nil, 1_001_800), (nil, nil, .millisecondsAfterArrival(34_000), nil, 1_000_034),
      (1_000_010, nil, .millisecondsAfterArrival(34_000), 1_000_010, 1_000_034),
      (nil, 2, nil, 907_200, nil), (nil, 2, .minutes(10), 907_200, 1_000_600),
      (nil, 2, .at(Date(timeIntervalSince1970: 1_000_500)), 907_200, 1_000_500),
      (nil, 100, .minutes(10), 1_260_000, 1_260_600), (nil, nil, .minutes(0), nil, 1_000_000),
    ] as [(Double?, Double?, InAppNotification.Expiry?, Double?, Double?)])
  func fromAndUntil(
    epoch: Double?, hours: Double?, expiry: InAppNotification.Expiry?, from: Double?, until: Double?
  ) {
    let visibility = notification(epoch: epoch, hours: hours, expiry: expiry)
      .visibility(arrival: arrival, installation: installation)
    #expect(visibility.from?.timeIntervalSince1970 == from)
    #expect(visibility.until?.timeIntervalSince1970 == until)
  }

  @Test(
    arguments: [
      (1_000_499, false), (1_000_500, true), (1_000_501, true), (1_002_299, true), (1_002_300, false),
      (1_002_301, false),
    ] as [(Double, Bool)])
  func itShowsFromItsEpochAndNotAtItsExpiry(now: Double, isVisible: Bool) {
    let visibility = notification(epoch: 1_000_500, expiry: .minutes(30))
      .visibility(arrival: arrival, installation: installation)
    #expect(visibility.contains(Date(timeIntervalSince1970: now)) == isVisible)
  }

  @Test func nothingSaidIsAlwaysVisible() {
    let visibility = notification().visibility(arrival: arrival, installation: installation)
    #expect(visibility.contains(.distantPast))
    #expect(visibility.contains(.distantFuture))
  }
}

@Suite struct LanguageChoiceTests {
  @Test(arguments: [
    ("hi", ["en", "hi", "default"], "hi"), ("en-GB", ["default", "en", "en-GB"], "en-GB"),
    ("en-GB", ["default", "en"], "en"), ("en", ["en-GB", "default"], "default"),
    ("en", ["en-GB", "hi"], "en-GB"),
    ("fr", ["hi", "default", "en"], "default"), ("fr", ["hi", "en"], "hi"),
    ("zh_CN.UTF-8", ["en", "zh-cn"], "zh-cn"),
    ("zh_CN.UTF-8", ["en", "zh"], "zh"), ("zh-Hant-TW", ["zh", "zh-Hant"], "zh-Hant"),
    ("C", ["c", "en"], "c"),
    ("C.UTF-8", ["fr", "default"], "default"), ("", ["fr", "de"], "fr"), ("HI", ["en", "hi"], "hi"),
    ("pt_BR", ["pt", "pt-PT"], "pt"), ("de-x-old", ["x", "de"], "de"), ("ca@valencia", ["es", "ca"], "ca"),
    ("zh-CN", ["en", "zh-Hans"], "zh-Hans"), ("zh_TW.UTF-8", ["en", "zh-Hans", "zh-Hant"], "zh-Hant"),
    ("zh-TW", ["zh", "zh-Hant"], "zh"), ("zh-HK", ["default", "zh-Hans"], "default"),
    ("zh", ["en", "zh-Hans"], "zh-Hans"),
  ])
  func exactThenBaseThenDefaultThenFirst(language: String, tags: [String], chosen: String) {
    #expect(LanguageChoice.index(for: language, in: tags).map { tags[$0] } == chosen)
  }

  @Test func withoutTextsThereIsNoChoice() { #expect(LanguageChoice.index(for: "en", in: []) == nil) }

  @Test func theApplicationsNameIsFilledIn() {
    let text = LocalizedText(language: "en", title: "On {{%s}}: {{%s}}", body: "{{ %s }} {%s} %s")
    #expect(
      text.naming(application: "red{{%s}}dot")
        == LocalizedText(language: "en", title: "On red{{%s}}dot: red{{%s}}dot", body: "{{ %s }} {%s} %s"))
  }
}
