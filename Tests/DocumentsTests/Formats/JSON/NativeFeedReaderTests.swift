import Basics
import Foundation
import Testing

@testable import Formats

@Suite struct NativeFeedReaderTests {
  private func page(_ text: String) throws -> NativePage { try NativeFeedReader.read(Data(text.utf8)) }

  private func ids(_ page: NativePage) -> [String] { page.items.map(\.id.text) }

  @Test func everyFieldOfAPlainMessageIsRead() throws {
    let page = try page(
      """
      {"title": "Team news", "list": [{"id": 17, "title": "T", "body": "B", "html": "<p>B</p>", "url": "https://e.org/",
        "time": "2026-11-20T09:00:00Z", "author": "A", "priority": 4, "tags": ["x", "y"], "channel": "math", "group": "exams",
        "expires": "2026-11-21T09:00:00+01:00", "actions": [{"label": "Open", "url": "https://e.org/a"}, {"url": "u"}]}],
       "has_more": true, "last_id": 17}
      """)
    var item = PlainItem(id: .integer(DecimalInteger(17)))
    item.title = "T"
    item.body = "B"
    item.html = "<p>B</p>"
    item.url = "https://e.org/"
    item.time = Date(timeIntervalSince1970: 1_795_165_200)
    item.author = "A"
    item.priority = 4
    item.tags = ["x", "y"]
    item.channel = "math"
    item.group = "exams"
    item.expires = Date(timeIntervalSince1970: 1_795_248_000)
    item.actions = [.init(label: "Open", url: "https://e.org/a"), .init(label: "u", url: "u")]
    #expect(page.items == [.plain(item)])
    #expect(page.title == "Team news")
    #expect(page.hasMore)
    #expect(page.lastID == DecimalInteger(17))
    #expect(page.isComplete)
    #expect(page.problems == [])
    #expect(page.unknownKeys == [])
  }

  @Test func onlyTheListIsRequired() throws {
    let page = try page(#"{"list": []}"#)
    #expect(page.items == [])
    #expect(page.title == nil)
    #expect(!page.hasMore)
    #expect(page.newestID == nil)
  }

  @Test(arguments: [
    ("{}", NativeFeedFailure.noList(found: nil)), (#"{"list": {"id": 1}}"#, .noList(found: "an object")),
    (#"{"list": null}"#, .noList(found: "null")),
    ("[]", .notJSON(JSONFailure(line: 1, column: 1, reason: .unexpected("\"[\"", expected: "an object")))),
    ("", .notJSON(JSONFailure(line: 1, column: 1, reason: .empty))),
    (
      "<html>", .notJSON(JSONFailure(line: 1, column: 1, reason: .unexpected("\"<\"", expected: "an object")))
    ),
  ])
  func otherDocumentsThanNativeFeedsAreRefused(text: String, failure: NativeFeedFailure) {
    #expect(throws: failure) { try page(text) }
  }

  @Test func aBadItemIsReportedAndItsNeighboursAreKept() throws {
    let page = try page(
      #"{"list": [{"id": 1}, 7, {"title": "no id"}, {"id": null}, {"id": ""}, {"id": [1]}, {"id": "b"}]}"#
    )
    #expect(ids(page) == ["1", "b"])
    #expect(
      page.problems.map(\.at) == [
        "$.list[1]", "$.list[2].id", "$.list[3].id", "$.list[4].id", "$.list[5].id",
      ])
  }

  @Test func anItemThatIsNotJSONEndsThePage() throws {
    let page = try page("{\"list\": [{\"id\": 1},\n{\"id\": },\n{\"id\": 3}], \"has_more\": true}")
    #expect(ids(page) == ["1"])
    #expect(!page.isComplete && !page.hasMore)
    #expect(
      page.problems.map { "\($0.at): \($0.message)" } == [
        "2: from here on the document was not read: \"}\" where a value is expected, column 8"
      ])
  }

  @Test func aBadFieldIsReportedAndTheOthersAreKept() throws {
    let page = try page(
      #"""
      {"list": [{"id": 1, "title": 5, "body": "B", "time": "yesterday", "priority": 9, "tags": ["a", 1], "url": null,
        "actions": [{"label": "x"}], "expires": "2026-02-30T00:00:00Z"}]}
      """#)
    var item = PlainItem(id: .integer(DecimalInteger(1)))
    item.body = "B"
    item.tags = ["a"]
    #expect(page.items == [.plain(item)])
    #expect(
      page.problems.map(\.at)
        == ["title", "time", "priority", "tags[1]", "actions[0]", "expires"].map { "$.list[0].\($0)" })
    #expect(page.problems.first?.message == "must be a string, not the number 5")
  }

  @Test func theYearOneIsNoDate() throws {
    let page = try page(
      #"""
      {"list": [{"id": 1, "body": "A", "time": "2026-11-20T09:00:00Z"},
        {"id": 2, "body": "B", "time": "0001-01-01T00:00:00Z", "expires": "0001-01-01T00:00:00Z"},
        {"id": 3, "body": "C", "expires": "2026-11-20T09:00:00Z"}]}
      """#)
    #expect(page.problems.isEmpty)
    let items = page.items.compactMap { if case .plain(let item) = $0 { item } else { nil } }
    #expect(items.map { $0.time != nil } == [true, false, false])
    #expect(items.map { $0.expires != nil } == [false, false, true])
  }

  @Test func unknownKeysAreNamedOnce() throws {
    let page = try page(
      #"{"version": 1, "list": [{"id": 1, "x": 1}, {"id": 2, "x": 2, "y": 3}], "version": 2}"#)
    #expect(page.unknownKeys == ["$.version", "$.list[*].x", "$.list[*].y"])
    #expect(page.problems == [])
  }

  @Test(arguments: [
    ("[{\"id\": 3}, {\"id\": 20}, {\"id\": 9}]", "20"),
    (
      "[{\"id\": 99999999999999999999999}, {\"id\": 100000000000000000000000}, {\"id\": 5}]",
      "100000000000000000000000"
    ),
    ("[{\"id\": \"z\"}, {\"id\": \"a\"}]", "a"), ("[{\"id\": 7}, {\"id\": \"a\"}, {\"id\": 3}]", "3"),
    ("[{\"id\": -3}, {\"id\": -20}]", "-3"), ("[{\"id\": 3}, {\"id\": 8, \"aps\": 1}]", "8"),
    ("[{\"id\": 1e2}, {\"id\": 7.0}]", "100"),
  ])
  func theNewestIdIsTheGreatestIntegerOrTheLastString(list: String, newest: String) throws {
    #expect(try page("{\"list\": \(list)}").newestID?.text == newest)
  }

  @Test func anItemThatWasSkippedStillMovesTheCursor() throws {
    let page = try page(
      #"{"list": [{"id": 1}, {"id": 2.5, "notificationid": 9}, {"id": 12, "aps": {}, "x": 1}]}"#)
    #expect(page.newestID?.text == "12")
  }

  @Test func aCutAnswerYieldsWhatWasCompleteAndSaysSo() throws {
    let page = try page("{\"title\": \"T\", \"list\": [\n{\"id\": 1},\n{\"id\": 2},\n{\"id\": 3, \"ti")
    #expect(ids(page) == ["1", "2"])
    #expect(!page.isComplete)
    #expect(page.problems.map(\.at) == ["4"])
  }

  @Test func cutAtAnyLengthItNeverInventsAnItem() throws {
    let text =
      #"{"title": "T", "list": [{"id": 1, "title": "é"}, {"id": 2, "aps": {"alert": "x"}}], "has_more": true}"#
    for length in 0..<text.utf8.count {
      do throws(NativeFeedFailure) {
        let page = try NativeFeedReader.read(Data(text.utf8.prefix(length)))
        #expect(!page.isComplete)
        #expect(["", "1", "1,2"].contains(ids(page).joined(separator: ",")))
      } catch {
        guard case .notJSON(let failure) = error else {
          Issue.record("\(length): \(error)")
          continue
        }
        #expect(failure.isCutOff)
      }
    }
  }

  @Test(arguments: [
    (#"{"id": 1, "aps": {"alert": "x"}}"#, "apns"), (#"{"apns-id": "u", "aps": {}}"#, "apns"),
    (#"{"id": 1, "type": 1, "expiry": 30, "actiondata": {}}"#, "inapp"),
    (#"{"notificationid": "1"}"#, "inapp"),
    (#"{"id": 1, "fields": []}"#, "inapp"), (#"{"id": 1, "title": "x", "type": "news"}"#, "plain"),
    (#"{"id": 1, "body": "x", "data": {}}"#, "plain"), (#"{"id": 1}"#, "plain"),
    (#"{"id": 1, "title": "x", "epoch": "2026-01-01T00:00:00Z"}"#, "inapp"),
  ])
  func anItemsKeysSayWhatItIs(item: String, shape: String) throws {
    let page = try page("{\"list\": [\(item)]}")
    let found =
      switch page.items.first {
      case .plain: "plain"
      case .inApp: "inapp"
      case .apns: "apns"
      case .published: "published"
      case nil: "nothing"
      }
    #expect(found == shape)
  }

  /// An item of any shape may have a hub's keys, which don't belong to the shape.
  @Test(arguments: [
    #"{"id": 7, "key": "disk", "news": true, "done": false, "title": "x"}"#,
    #"{"id": 7, "key": "disk", "news": true, "type": 1, "translations": {"en": {"title": "x"}}}"#,
    #"{"id": 7, "key": "disk", "news": true, "aps": {"alert": "x"}}"#,
  ])
  func anItemOfAHubHasAKey(item: String) throws {
    let page = try page("{\"list\": [\(item)]}")
    guard case .published(let marks, let inner)? = page.items.first else {
      Issue.record("no item")
      return
    }
    #expect(marks.key == "disk" && marks.isNews && !marks.isDone)
    #expect(page.items[0].messageID == "disk")
    #expect(page.newestID == .integer(DecimalInteger(7)))
    #expect(page.unknownKeys.isEmpty && page.problems.isEmpty)
    if case .apns(_, let payload) = inner { #expect(payload.extra.members.isEmpty) }
    if case .inApp(let notification) = inner { #expect(notification.unknown.members.isEmpty) }
  }

  @Test(arguments: [
    (#""key": 7"#, ".key", "must be a string of 1 to 200 bytes, not the number 7"),
    (#""key": """#, ".key", "must be a string of 1 to 200 bytes, not one of 0 bytes"),
    (#""news": "yes""#, ".news", "must be true or false, not a string"),
    (#""done": 1"#, ".done", "must be true or false, not the number 1"),
  ])
  func aBadKeyOfAHubIsNamedAndTheItemStays(member: String, at: String, message: String) throws {
    let page = try page("{\"list\": [{\"id\": 7, \"title\": \"x\", \(member)}]}")
    #expect(page.items.map(\.messageID) == ["7"])
    #expect(page.problems == [FormatProblem(at: "$.list[0]\(at)", message: message)])
  }

  @Test func anAPNsItemsIdIsNotAKeyOfItsPayload() throws {
    let page = try page(#"{"list": [{"apns-id": "u", "aps": {"badge": 0}, "id": null, "k": 1}]}"#)
    guard case .apns(let id, let payload)? = page.items.first else {
      Issue.record("no payload")
      return
    }
    #expect(id == .text("u"))
    #expect(payload.badge == 0)
    #expect(payload.extra.members.map(\.key) == ["id", "k"])
  }

  @Test func problemsOfAllShapesCarryTheirPath() throws {
    let page = try page(
      #"{"list": [{"id": 1, "aps": {"badge": "x"}}, {"id": 2, "actiondata": {"translations": {"en": 5}}, "expiry": []}]}"#
    )
    #expect(page.items.count == 2)
    #expect(
      Set(page.problems.map(\.at)) == [
        "$.list[0].aps.badge", "$.list[1].actiondata.translations.en", "$.list[1].expiry",
      ])
  }

  @Test func problemsWithoutEndAreCounted() throws {
    let list = (0..<250).map { _ in "7" }.joined(separator: ",")
    let page = try page("{\"list\": [\(list)]}")
    #expect(page.problems.count == 101)
    #expect(page.problems.last?.message == "and 150 more problems")
  }

  @Test func aRepeatedListReplacesTheEarlier() throws {
    #expect(ids(try page(#"{"list": [{"id": 5}], "list": [{"id": 1}]}"#)) == ["1"])
    #expect(throws: NativeFeedFailure.noList(found: "null")) {
      try page(#"{"list": [{"id": 5}], "list": null}"#)
    }
  }

  @Test func noMutationTraps() {
    let original = Array(
      #"""
      {"title": "T", "list": [{"id": 1, "time": "2026-11-20T09:00:00.5+0530", "tags": ["a"]}, {"id": "x", "epoch":
      "2016-08-29T02:40:33+0530", "expiry": "34646millis", "actiondata": {"translations": {"en": {"title": "a", "msg": "b"}}},
      "fields": [{"language": "hi", "title": "t"}]}, {"id": 2, "aps": {"alert": {"loc-args": ["a"], "loc-key": "k"}, "badge": 1}}],
      "has_more": false, "last_id": 7}
      """#.utf8)
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    func next() -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state >> 33)
    }
    for _ in 0..<3_000 {
      var bytes = original
      for _ in 0...(next() % 4) { bytes[next() % bytes.count] = original[next() % original.count] }
      guard let feed = try? NativeFeedReader.read(Data(bytes)) else { continue }
      #expect(feed.items.count <= 3)
    }
  }
}

@Suite struct DecimalIntegerTests {
  @Test(arguments: [
    ("1", "2"), ("9", "10"), ("-10", "-9"), ("-1", "0"), ("-1", "1"), ("0", "1"),
    ("99999999999999999999", "100000000000000000000"), ("9223372036854775807", "9223372036854775808"),
  ])
  func integersCompareByTheirValue(less: String, greater: String) throws {
    let (a, b) = (try #require(DecimalInteger(less)), try #require(DecimalInteger(greater)))
    #expect(a < b)
    #expect(!(b < a))
    #expect(!(a < a))
  }

  @Test(arguments: [("007", "7"), ("-0", "0"), ("000", "0"), ("-05", "-5")])
  func leadingZerosDoNotCount(spelled: String, text: String) {
    #expect(DecimalInteger(spelled)?.text == text)
  }

  @Test(arguments: ["", "-", "1.5", "1e3", "+1", "٣", "0x1", " 1"])
  func onlyDigitsAreAnInteger(spelled: String) { #expect(DecimalInteger(spelled) == nil) }
}
