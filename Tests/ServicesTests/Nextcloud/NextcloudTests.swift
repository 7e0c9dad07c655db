import Basics
import Foundation
import HTTP
import Messages
import Services
import Testing

struct NextcloudTests {
  private static let base = "https://cloud.example/nc"
  private static let list = base + "/ocs/v2.php/apps/notifications/api/v2/notifications"

  private static func envelope(_ data: String) -> String {
    #"{"ocs":{"meta":{"status":"ok","statuscode":200,"message":null},"data":\#(data)}}"#
  }

  private static func item(_ id: Int, _ more: String = "") -> String {
    #"{"notification_id": \#(id), "app": "talk", "subject": "s\#(id)", "datetime": "2026-11-20T08:00:00+00:00"\#(more)}"#
  }

  private static func items(_ ids: [Int]) -> String {
    envelope("[\(ids.map { item($0) }.joined(separator: ","))]")
  }

  private func pollCloud(
    _ exchanges: [Exchange], _ position: PollPosition = PollPosition()
  ) async throws -> PollOutcome {
    try await poll(source(Self.base + "/", .nextcloud), from: position, exchanges)
  }

  private func carry(_ marks: [(id: String, mark: OutgoingMark)], _ exchanges: [Exchange]) async throws
    -> WriteBackResult
  {
    let acts = marks.enumerated().map { number, act in
      OutgoingAct(
        id: OutgoingID(Int64(number)), message: MessageID(1), remoteID: RemoteID(act.id), mark: act.mark,
        made: now)
    }
    return try await ScriptedTransport.run(exchanges) { transport in
      let adapters = SourceAdapters(transport: transport)
      return try #require(
        await adapters.carry(acts, of: source(Self.base, .nextcloud), context: PollContext(now: now)))
    }
  }

  /// The example of the endpoint's documentation.
  @Test func aNotificationIsReadWithAllItsFields() async throws {
    let answer = Self.envelope(
      """
      [{"notification_id":61,"app":"files_sharing","user":"admin","datetime":"2004-02-12T15:19:21+00:00",\
      "object_type":"remote_share","object_id":"13","subject":"You received admin@localhost as a remote share from test",\
      "subjectRich":"You received {share} as a remote share from {user}","subjectRichParameters":{"share":\
      {"type":"pending-federated-share","id":"1","name":"test"},"user":{"type":"user","id":"test1","name":"User One"}},\
      "message":"","messageRich":"","messageRichParameters":[],"link":"http://localhost/index.php/apps/files_sharing/pending",\
      "icon":"","shouldNotify":true,"actions":[{"label":"Accept",\
      "link":"https://cloud.example/ocs/v1.php/apps/files_sharing/api/v1/remote_shares/13","type":"POST","primary":true},\
      {"label":"Elsewhere","link":"https://other.example/","type":"DELETE"},\
      {"label":"Look","link":"https://other.example/look","type":"WEB"}]}]
      """)
    let outcome = try await pollCloud([
      .ok(Self.list, answer, ["ETag": "\"abc\""]) { request in
        #expect(request.headers.contains(HeaderField("OCS-APIRequest", "true")))
        #expect(request.headers.contains(HeaderField("Accept", "application/json")))
        #expect(request.etag == nil)
      }
    ])
    var message = IncomingMessage(
      remoteID: RemoteID("61"), kind: .service,
      title: "You received admin@localhost as a remote share from test")
    message.url = "http://localhost/index.php/apps/files_sharing/pending"
    message.author = "User One"
    message.published = Date(timeIntervalSince1970: 1_076_599_161)
    message.channel = "files_sharing"
    message.tags = ["files_sharing", "remote_share"]
    var extras = MessageExtras()
    extras.actions = [
      MessageAction(
        label: "Accept", url: "",
        upstream: "POST https://cloud.example/ocs/v1.php/apps/files_sharing/api/v1/remote_shares/13"),
      MessageAction(label: "Look", url: "https://other.example/look"),
    ]
    message.extras = extras
    let content = try #require(outcome.content)
    #expect(content.messages == [message] && content.problems == [])
    #expect(content.position == PollPosition(cursor: Cursor("[61]"), validators: Validators(etag: "\"abc\"")))
    #expect(content.upstream?.open == [RemoteID("61")] && content.upstream?.absence == .read)
  }

  @Test func oldestComesFirstAndSomeAreQuiet() async throws {
    let outcome = try await pollCloud([
      .ok(
        Self.list,
        Self.envelope(
          "[\(Self.item(9, #", "shouldNotify": false, "message": "m", "subjectRichParameters": [], "messageRichParameters": {"a": {"type": "user", "id": "ada"}}"#)), \(Self.item(7))]"
        ))
    ])
    let messages = try #require(outcome.content?.messages)
    #expect(messages.map(\.remoteID.text) == ["7", "9"])
    #expect(messages.map(\.tags) == [["talk"], ["talk"]])
    #expect(messages.map(\.isQuiet) == [false, true])
    #expect(messages[1].body == "m" && messages[1].author == "ada" && messages[1].extras == nil)
  }

  @Test(arguments: [("dnd", true), ("DND", true), ("online", false), ("", false)])
  func whoDoesNotWantToBeDisturbedIsToldOfNothing(status: String, isQuiet: Bool) async throws {
    let outcome = try await pollCloud([
      .ok(Self.list, Self.items([7]), ["X-Nextcloud-User-Status": status])
    ])
    #expect(outcome.content?.messages.map(\.isQuiet) == [isQuiet])
  }

  // MARK: Nothing new

  @Test func theSameTagIsNothingNewWithBothStatuses() async throws {
    let position = PollPosition(cursor: Cursor("[7]"), validators: Validators(etag: "\"abc\""))
    let asked: @Sendable (TransportRequest) -> Void = { #expect($0.etag == "\"abc\"") }
    let empty = try await pollCloud([.ok(Self.list, "", status: 304, check: asked)], position)
    #expect(empty.notModified == position)
    let repeated = try await pollCloud(
      [.ok(Self.list, Self.items([7]), ["ETag": "\"abc\""], check: asked)], position)
    #expect(repeated.notModified == position)
  }

  @Test func withoutAppsItIsAskedOnceAnHourAndNothingIsConcluded() async throws {
    let position = PollPosition(cursor: Cursor("[7]"), validators: Validators(etag: "\"abc\""))
    let outcome = try await pollCloud([.ok(Self.list, "", status: 204)], position)
    #expect(outcome.notModified == PollPosition(cursor: Cursor("[7]")))
    #expect(outcome.hints.minimumWait == .seconds(3600))
  }

  // MARK: Dismissed elsewhere

  @Test(
    arguments: [
      ("[3,2]", 200, [2, 3]), ("[2]", 200, [2]), ("[]", 200, []), ("[2,\"x\"]", 200, [2, 3]),
      ("{}", 200, [2, 3]), ("", 404, [2, 3]), ("", 500, [2, 3]),
    ] as [(String, Int, [Int])])
  func theServerIsAskedWhatIsStillThereBelowAFullList(there: String, status: Int, known: [Int]) async throws {
    let shown = Array((17...41).reversed())
    let outcome = try await pollCloud(
      [
        .ok(Self.list, Self.items(shown)),
        .ok(Self.list + "/exists", Self.envelope(there), status: status) { request in
          #expect(request.method == .post)
          #expect(request.body == .bytes(Data(#"{"ids":[3,2]}"#.utf8), type: "application/json"))
          #expect(request.headers.contains(HeaderField("OCS-APIRequest", "true")))
        },
      ], PollPosition(cursor: Cursor("2 3 40")))
    let content = try #require(outcome.content)
    #expect(content.upstream?.open == Set((known + shown).map { RemoteID("\($0)") }))
    #expect(
      content.position.cursor
        == Cursor("[" + (known + shown.reversed()).map(String.init).joined(separator: ",") + "]"))
    #expect(content.problems == [])
  }

  @Test func whatAFullListDoesNotShowMayStillBeThere() async throws {
    let known = PollPosition(cursor: Cursor("3 5 40 41"))
    let full = try await pollCloud(
      [
        .ok(Self.list, Self.items((17...41).filter { $0 != 40 }.reversed() + [4])),
        .ok(Self.list + "/exists", "", status: 405),
      ], known)
    let content = try #require(full.content)
    // 40 is missing among newer and older ones; 3 is below the oldest.
    let open = Set(([3, 4] + (17...41).filter { $0 != 40 }).map { RemoteID("\($0)") })
    #expect(content.upstream?.open == open)
    let short = try await pollCloud([.ok(Self.list, Self.items([41]))], content.position)
    #expect(short.content?.upstream?.open == [RemoteID("41")])
    #expect(short.content?.position.cursor == Cursor("[41]"))
  }

  @Test func anAnswerWithABrokenNotificationConcludesNothing() async throws {
    let outcome = try await pollCloud(
      [
        .ok(
          Self.list, Self.envelope("[3, {\"notification_id\": 0}, \(Self.item(8, #", "actions": 4"#))]"),
          ["ETag": "\"x\""])
      ],
      PollPosition(cursor: Cursor("5")))
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.remoteID.text) == ["8"])
    #expect(content.upstream?.open == [RemoteID("5"), RemoteID("8")])
    #expect(content.problems.count == 3)
    // The whole list is requested again.
    #expect(content.position == PollPosition(cursor: Cursor("[5,8]")))
  }

  // MARK: Failures

  @Test func aWrongPasswordIsNotTriedAgainForADay() async throws {
    let body =
      #"{"ocs":{"meta":{"status":"failure","statuscode":997,"message":"Current user is not logged in"},"data":[]}}"#
    let outcome = try await pollCloud([.ok(Self.list, body, status: 401)])
    #expect(outcome.failure == .status(401, reason: "Current user is not logged in"))
    #expect(outcome.hints.minimumWait == .seconds(Limits.longestMinimumWait))
  }

  @Test func aFailureInTheEnvelopeIsOne() async throws {
    let body = #"{"ocs":{"meta":{"status":"failure","statuscode":500,"message":"broken"},"data":[]}}"#
    #expect(try await pollCloud([.ok(Self.list, body)]).failure == .status(500, reason: "broken"))
    for body in ["", "<?xml version=\"1.0\"?><ocs/>", "[]", "{\"ocs\": 1}", Self.envelope("{}")] {
      #expect(try await pollCloud([.ok(Self.list, body)]).failure != nil)
    }
    let whole = Self.items([1, 2])
    for length in 0..<whole.utf8.count {
      #expect(try await pollCloud([.ok(Self.list, String(whole.prefix(length)))]).failure != nil)
    }
  }

  // MARK: Acts

  @Test func dismissingDeletesOneAndReadingNothing() async throws {
    let result = try await carry(
      [
        ("61", .done(true)), ("", .done(true)), ("0", .done(true)), ("x/y", .done(true)), ("62", .read(true)),
      ],
      [
        .ok(Self.list + "/61", Self.envelope("[]")) { request in
          #expect(request.method == .delete && request.body == nil)
          #expect(request.headers.contains(HeaderField("OCS-APIRequest", "true")))
        }
      ])
    #expect(result.carried.count == 5 && result.refused.isEmpty && result.failure == nil)
    #expect(SourceAdapters.facts(of: .nextcloud)?.writableMarks == [.done])
  }

  @Test func anActionIsSentToItsOwnServerOnly() async throws {
    let own = "https://cloud.example/ocs/v1.php/apps/files_sharing/api/v1/remote_shares/13"
    let result = try await carry(
      [
        ("61", .named("POST \(own)")), ("61", .named("POST https://other.example/")),
        ("61", .named("POST http://cloud.example/")), ("61", .named("TRACE \(own)")), ("61", .named("")),
      ],
      [
        .ok(own, "{}") {
          #expect($0.method == .post && $0.headers.contains(HeaderField("OCS-APIRequest", "true")))
        }
      ])
    #expect(result.carried.count == 5)
  }

  @Test func aFailureStopsAndTheRestWaits() async throws {
    let result = try await carry(
      [("1", .done(true)), ("2", .done(true)), ("3", .done(true))],
      [
        .ok(Self.list + "/1", Self.envelope("[]"), status: 404),
        .failing(Self.list + "/2", .timedOut(.waiting, seconds: 60)),
      ])
    #expect(result.carried == [OutgoingID(0)])
    #expect(result.failure == .timedOut(.waiting, seconds: 60))
  }
}
