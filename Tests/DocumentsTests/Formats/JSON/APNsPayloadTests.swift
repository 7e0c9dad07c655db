import Basics
import Foundation
import Testing

@testable import Formats

@Suite struct APNsMakingTests {
  private func made(_ request: String) throws -> String {
    try APNsPayload.making(from: try JSONReader.parse(request)).encoded()
  }

  @Test(arguments: [
    (#"{"alert": "Hi"}"#, #"{"aps":{"alert":"Hi"}}"#), ("{}", #"{"aps":{}}"#),
    (#"{"badge": 0}"#, #"{"aps":{"badge":0}}"#),
    (
      #"{"extra": {"z": 1, "a": {"y": null, "b": [1.0]}}, "category": "C", "content-available": true, "sound": "s.aiff", "badge": 3, "alert": "A"}"#,
      #"{"aps":{"alert":"A","badge":3,"sound":"s.aiff","content-available":1,"category":"C"},"z":1,"a":{"y":null,"b":[1.0]}}"#
    ),
    (
      #"{"content-available": 1, "mutable-content": 0}"#,
      #"{"aps":{"content-available":1,"mutable-content":0}}"#
    ),
    (#"{"content-available": false}"#, #"{"aps":{"content-available":0}}"#),
    (
      #"{"relevance-score": 0, "interruption-level": "time-sensitive", "target-content-id": "w", "mutable-content": 1, "thread-id": "t"}"#,
      #"{"aps":{"thread-id":"t","mutable-content":1,"target-content-id":"w","interruption-level":"time-sensitive","relevance-score":0}}"#
    ),
    (
      #"{"alert": {"loc-args": ["1"], "loc-key": "K", "action-loc-key": null, "title-loc-args": null, "title-loc-key": null, "body": "b", "title": "t"}}"#,
      #"{"aps":{"alert":{"title":"t","body":"b","title-loc-key":null,"title-loc-args":null,"action-loc-key":null,"loc-key":"K","loc-args":["1"]}}}"#
    ),
    (
      #"{"alert": {"subtitle-loc-args": [], "subtitle-loc-key": "k", "launch-image": "l.png", "subtitle": "s"}}"#,
      #"{"aps":{"alert":{"subtitle":"s","launch-image":"l.png","subtitle-loc-key":"k","subtitle-loc-args":[]}}}"#
    ),
    (
      #"{"sound": {"volume": 0.5, "name": "n", "critical": true}}"#,
      #"{"aps":{"sound":{"critical":1,"name":"n","volume":0.5}}}"#
    ),
    (#"{"sound": {"critical": 0, "volume": 0}}"#, #"{"aps":{"sound":{"critical":0,"volume":0}}}"#),
    (#"{"extra": {"url": "https://e.org/a/b"}}"#, #"{"aps":{},"url":"https://e.org/a/b"}"#),
    (
      #"{"url-args": ["a", "b"], "alert": {"action": "View", "summary-arg-count": 3, "summary-arg": "Mina"}}"#,
      #"{"aps":{"alert":{"action":"View","summary-arg":"Mina","summary-arg-count":3},"url-args":["a","b"]}}"#
    ),
    (
      #"{"event": "start", "attributes": {"z": 1, "a": 2}, "attributes-type": "Delivery", "input-push-token": 1}"#,
      #"{"aps":{"attributes-type":"Delivery","attributes":{"z":1,"a":2},"event":"start","input-push-token":1}}"#
    ),
    (
      #"{"event": "update", "timestamp": 1, "content-state": {"b": 1}, "stale-date": 2, "dismissal-date": 3, "filter-criteria": "f"}"#,
      #"{"aps":{"filter-criteria":"f","event":"update","timestamp":1,"content-state":{"b":1},"stale-date":2,"dismissal-date":3}}"#
    ),
  ])
  func aRequestBecomesThisPayload(request: String, payload: String) throws {
    #expect(try made(request) == payload)
  }

  @Test(arguments: [
    ("[]", APNsRefusal.notAnObject(found: "an array")),
    (#"{"alert": 5}"#, .invalid(key: "alert", expected: "a string or an object", found: "the number 5")),
    (#"{"badge": "1"}"#, .invalid(key: "badge", expected: "an integer from 0", found: "a string")),
    (#"{"badge": -1}"#, .invalid(key: "badge", expected: "an integer from 0", found: "the number -1")),
    (#"{"badge": 1.5}"#, .invalid(key: "badge", expected: "an integer from 0", found: "the number 1.5")),
    (#"{"badge": null}"#, .invalid(key: "badge", expected: "an integer from 0", found: "null")),
    (#"{"sound": true}"#, .invalid(key: "sound", expected: "a string or an object", found: "true")),
    (
      #"{"sound": {"volume": 2}}"#,
      .invalid(key: "sound.volume", expected: "a number from 0 to 1", found: "the number 2")
    ),
    (
      #"{"content-available": 2}"#,
      .invalid(key: "content-available", expected: "1, 0, true or false", found: "the number 2")
    ),
    (#"{"category": []}"#, .invalid(key: "category", expected: "a string", found: "an array")),
    (
      #"{"alert": {"loc-args": ["a", 1]}}"#,
      .invalid(key: "alert.loc-args[1]", expected: "a string", found: "the number 1")
    ),
    (#"{"alert": {"loc-key": null}}"#, .invalid(key: "alert.loc-key", expected: "a string", found: "null")),
    (
      #"{"alert": {"title-loc-key": 1}}"#,
      .invalid(key: "alert.title-loc-key", expected: "a string or null", found: "the number 1")
    ),
    (
      #"{"interruption-level": "loud"}"#,
      .invalid(
        key: "interruption-level", expected: "passive, active, time-sensitive or critical", found: "a string")
    ),
    (
      #"{"relevance-score": 1.01}"#,
      .invalid(key: "relevance-score", expected: "a number from 0 to 1", found: "the number 1.01")
    ),
    (#"{"attributes": "x"}"#, .invalid(key: "attributes", expected: "an object", found: "a string")),
    (#"{"url-args": [1]}"#, .invalid(key: "url-args[0]", expected: "a string", found: "the number 1")),
    (
      #"{"input-push-token": "x"}"#,
      .invalid(key: "input-push-token", expected: "1, 0, true or false", found: "a string")
    ),
    (
      #"{"alert": {"summary-arg-count": "2"}}"#,
      .invalid(key: "alert.summary-arg-count", expected: "an integer from 0", found: "a string")
    ),
    (#"{"extra": []}"#, .invalid(key: "extra", expected: "an object", found: "an array")),
    (#"{"extra": {"aps": {}}}"#, .reservedKey("aps")), (#"{"aps": {}}"#, .unknownKey("aps")),
    (#"{"alerts": "x"}"#, .unknownKey("alerts")), (#"{"alert": {"text": "x"}}"#, .unknownKey("alert.text")),
  ])
  func whatIsRefusedIsNamed(request: String, refusal: APNsRefusal) throws {
    #expect(throws: refusal) { try made(request) }
  }

  /// `{"aps":{"alert":""}}` has 20 bytes; é has two.
  @Test(arguments: [(4075, 4095), (4076, 4096)])
  func upTo4096BytesAreCarried(length: Int, size: Int) throws {
    #expect(try made("{\"alert\": \"\(String(repeating: "x", count: length))\"}").utf8.count == size)
  }

  @Test func oneByteMoreIsRefusedWithTheirNumber() throws {
    #expect(throws: APNsRefusal.tooLarge(bytes: 4097, limit: 4096)) {
      try made("{\"alert\": \"\(String(repeating: "x", count: 4077))\"}")
    }
    #expect(throws: APNsRefusal.tooLarge(bytes: 4098, limit: 4096)) {
      try made("{\"alert\": \"\(String(repeating: "é", count: 2039))\"}")
    }
    var payload = APNsPayload()
    payload.alert = .text(String(repeating: "x", count: 4077))
    #expect(try payload.encoded(limit: 5120).utf8.count == 4097)
  }

  @Test func whatIsSetInCodeIsCheckedToo() throws {
    var payload = APNsPayload()
    payload.badge = -1
    #expect(throws: APNsRefusal.self) { try payload.encoded() }
    payload = APNsPayload()
    payload.relevanceScore = .nan
    #expect(throws: APNsRefusal.self) { try payload.encoded() }
    payload = APNsPayload()
    payload.extra["aps"] = .null
    #expect(throws: APNsRefusal.reservedKey("aps")) { try payload.encoded() }
    payload.extra = JSONObject()
    payload.extra["when"] = .string("1970-01-01T00:00:00Z")
    #expect(try payload.encoded() == #"{"aps":{},"when":"1970-01-01T00:00:00Z"}"#)
  }
}

@Suite struct APNsReadingTests {
  private func reading(_ text: String) throws -> APNsPayload.Reading {
    APNsPayload.read(try #require(try JSONReader.parse(text).object))
  }

  @Test(arguments: [
    #"{"aps":{"alert":"Hi","badge":0,"sound":"default","content-available":1,"category":"C"},"z":1,"a":[null]}"#,
    #"{"aps":{"alert":{"title":"t","subtitle":"s","body":"b","launch-image":"l","title-loc-key":null,"title-loc-args":["a"],"subtitle-loc-key":"k","subtitle-loc-args":[],"action-loc-key":"A","loc-key":"K","loc-args":["1","2"]}}}"#,
    #"{"aps":{"sound":{"critical":1,"name":"n","volume":0.25},"thread-id":"t","mutable-content":1,"target-content-id":"w","interruption-level":"critical","relevance-score":0.5,"filter-criteria":"f","url-args":["u"],"attributes-type":"X","attributes":{},"event":"end","timestamp":1,"content-state":{},"stale-date":2,"dismissal-date":3,"input-push-token":1,"new":2}}"#,
    #"{"aps":{"alert":{"action":"View","summary-arg":"Mina","summary-arg-count":2},"content-available":0,"mutable-content":0}}"#,
  ])
  func whatIsReadIsWrittenBackTheSame(text: String) throws {
    let reading = try reading(text)
    #expect(reading.problems == [])
    #expect(try reading.payload.encoded() == text)
  }

  @Test(arguments: [
    (#"{"aps": {"badge": "3", "alert": "kept"}}"#, ["$.aps.badge"]),
    (#"{"aps": {"sound": 1, "alert": "kept"}}"#, ["$.aps.sound"]),
    (#"{"aps": {"alert": "kept", "content-available": "1"}}"#, ["$.aps.content-available"]),
    (
      #"{"aps": {"alert": "kept", "relevance-score": 7, "interruption-level": 3}}"#,
      ["$.aps.relevance-score", "$.aps.interruption-level"]
    ),
  ])
  func aWrongKeyIsReportedAndTheOthersAreKept(text: String, paths: [String]) throws {
    let reading = try reading(text)
    #expect(reading.payload.alert == .text("kept"))
    #expect(reading.problems.map(\.at) == paths)
  }

  @Test(arguments: ["{}", #"{"aps": 5}"#, #"{"aps": null}"#])
  func withoutApsThereIsAProblem(text: String) throws {
    #expect(try reading(text).problems.map(\.at) == ["$.aps"])
  }

  @Test(arguments: [
    (#"{"content-available": 1}"#, true), (#"{"content-available": 1, "badge": 0}"#, false),
    (#"{"content-available": 1, "sound": "s"}"#, false), (#"{"content-available": 1, "alert": "a"}"#, false),
    (#"{"content-available": 0}"#, false), ("{}", false),
    (#"{"content-available": 1, "category": "c"}"#, true),
  ])
  func silentMeansContentAvailableAlone(aps: String, isSilent: Bool) throws {
    #expect(try reading("{\"aps\": \(aps)}").payload.isSilent == isSilent)
  }

  @Test func aDocumentsSizeIsItsBytesWithoutTheWhiteSpaceAround() throws {
    let document = try APNsPayload.document(Data("\n {\"aps\": {\"alert\": \"é\", \"colour\": 1}}\n".utf8))
    #expect(document.size == 37)
    #expect(
      document.problems == [FormatProblem(at: "$.aps.colour", message: "is not a key that Apple documents")])
  }

  @Test func aDocumentThatIsTooLargeSaysHowLarge() throws {
    let text = "{\"aps\":{\"alert\":\"\(String(repeating: "x", count: 4077))\"}}"
    let document = try APNsPayload.document(Data(text.utf8))
    #expect(document.problems.map(\.message) == ["the payload has 4097 bytes; at most 4096 are allowed"])
    #expect(throws: JSONFailure.self) { try APNsPayload.document(Data("[]".utf8)) }
  }
}

@Suite struct APNsDisplayTests {
  private func catalog() throws -> LocalizedStringsCatalog {
    var catalog = LocalizedStringsCatalog()
    catalog.add(
      try LocalizableStrings.read(Data("GREET = \"Hello %@\"; ONLY_EN = \"English\"; VIEW = \"View\";".utf8)),
      language: "en")
    catalog.add(try LocalizableStrings.read(Data("GREET = \"你好，%@\";".utf8)), language: "zh")
    catalog.add(try LocalizableStrings.read(Data("GREET = \"您好，%@\";".utf8)), language: "zh_Hant")
    return catalog
  }

  private func display(_ alert: String, _ language: String) throws -> APNsDisplay {
    let object = try #require(try JSONReader.parse("{\"aps\": {\"alert\": \(alert)}}").object)
    return APNsPayload.read(object).payload.display(strings: try catalog(), language: language)
  }

  @Test(arguments: [
    (#"{"loc-key": "GREET", "loc-args": ["A"]}"#, "en", "Hello A"),
    (#"{"loc-key": "GREET", "loc-args": ["A"]}"#, "zh-CN", "你好，A"),
    (#"{"loc-key": "GREET", "loc-args": ["A"]}"#, "zh-Hant-TW", "您好，A"),
    (#"{"loc-key": "GREET", "loc-args": ["A"]}"#, "fr", "Hello A"),
    (#"{"loc-key": "ONLY_EN"}"#, "zh", "English"),
    (#"{"loc-key": "NONE %@", "loc-args": ["x"]}"#, "zh", "NONE x"),
    (#"{"loc-key": "GREET"}"#, "en", "Hello "), (#"{"body": "100 %@", "loc-key": "GREET"}"#, "en", "100 %@"),
    (#""plain %@""#, "en", "plain %@"), ("{}", "en", ""),
    (#"{"loc-key": "GREET", "loc-args": [7]}"#, "en", "Hello 7"),
  ])
  func theBodyComesFromItsTextOrItsKey(alert: String, language: String, body: String) throws {
    #expect(try display(alert, language).body == body)
  }

  @Test func titlesSubtitlesAndTheButtonAreLocalisedToo() throws {
    let alert =
      #"{"title-loc-key": "GREET", "title-loc-args": ["T"], "subtitle-loc-key": "GREET", "subtitle-loc-args": ["S"], "action-loc-key": "VIEW", "title": null}"#
    #expect(
      try display(alert, "en")
        == APNsDisplay(title: "Hello T", subtitle: "Hello S", body: "", actionLabel: "View"))
  }
}
