import Basics
import Foundation
import HTTP
import Messages
import StandIns
import TestBasics
import Testing

@testable import Services

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct GoogleReaderAdapterTests {
  private static let base = "https://reader.example/api/greader.php"
  private static let login = Credential.configured(.login, token: "secret", user: "ann", address: base)
  private static let known = Credential.configured(.login, token: "secret", user: "ann", address: base)?
    .loggedIn(auth: "ann/01ab")
  private static let api = base + "/reader/api/0/"
  private static let unread =
    api + "stream/items/ids?output=json&s=user%2F-%2Fstate%2Fcom.google%2Freading-list"
    + "&xt=user%2F-%2Fstate%2Fcom.google%2Fread&n=10000"
  private static let starred =
    api + "stream/items/ids?output=json&s=user%2F-%2Fstate%2Fcom.google%2Fstarred&n=10000"
  private static let contents = api + "stream/items/contents?output=json"

  private static let loggingIn = Exchange.ok(
    base + "/accounts/ClientLogin", "SID=ann/01ab\nLSID=null\nAuth=ann/01ab\n"
  ) { request in
    #expect(request.method == .post)
    #expect(request.body == .login)
    #expect(request.credential == login)
  }

  private static func ids(_ url: String, _ ids: [UInt64], more: String? = nil) -> Exchange {
    let refs = ids.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
    let next = more.map { ",\"continuation\":\"\($0)\"" } ?? ""
    return .ok(url, "{\"itemRefs\":[\(refs)]\(next)}") { #expect($0.credential == known) }
  }

  private static func form(_ text: String) -> @Sendable (TransportRequest) -> Void {
    { request in
      #expect(request.method == .post)
      #expect(request.credential == known)
      #expect(request.body == .bytes(Data(text.utf8), type: "application/x-www-form-urlencoded"))
    }
  }

  private func poll(
    _ exchanges: [Exchange], from cursor: Cursor? = nil, address: String = Self.base,
    credential: Credential? = Self.login
  ) async throws -> PollOutcome {
    try await ServicesTests.poll(
      source(address, .greader), from: PollPosition(cursor: cursor),
      context: PollContext(now: now, credential: credential), exchanges)
  }

  /// The published example, with the additions of FreshRSS and Miniflux.
  private static let example = #"""
    {"id":"tag:google.com,2005:reader/item/00058a3b5197197b","crawlTimeMsec":"1559362260113",
    "timestampUsec":"1559362260113787","published":1554845280,"title":"Q＆A ＜1＞","author":"A ＆ B",
    "summary":{"content":"\n<p>Found an old screenshot of NetNewsWire 1.0 for iPhone!</p>\n"},
    "canonical":[{"href":"https://nnw.ranchero.com/2019/04/09/canonical.html"}],
    "alternate":[{"href":"https://nnw.ranchero.com/2019/04/09/found-an-old.html"}],
    "enclosure":[{"href":"https://nnw.ranchero.com/a.mp3","type":"audio/mpeg","length":"123"},
    {"url":"https://nnw.ranchero.com/b.png","type":"image/png"}],
    "categories":["user/-/state/com.google/reading-list","user/-/label/Uncategorized",
    "user/7/state/com.google/starred","mac","feed/130"],
    "origin":{"streamId":"feed/130","title":"NetNewsWire， news／more","htmlUrl":"https://nnw.ranchero.com/"}}
    """#

  @Test func thePublishedItemIsReadWithAllItsFields() async throws {
    let id: UInt64 = 1_559_362_260_113_787
    let outcome = try await poll([
      Self.loggingIn, Self.ids(Self.unread, [id]), Self.ids(Self.starred, [id]),
      .ok(Self.api + "token", "tok en\n") { #expect($0.credential == Self.known) },
      .ok(
        Self.contents, "{\"items\":[\(Self.example)]}",
        check: Self.form("T=tok%20en&output=json&i=1559362260113787")),
    ])
    let content = try #require(outcome.content)
    #expect(content.problems == [])
    #expect(content.messages.count == 1)
    let message = try #require(content.messages.first)
    #expect(message.remoteID == RemoteID("1559362260113787"))
    #expect(message.kind == .service)
    #expect(message.title == "Q&A <1>")
    #expect(message.author == "A & B")
    #expect(message.body == "Found an old screenshot of NetNewsWire 1.0 for iPhone!")
    #expect(message.html?.contains("<p>Found") == true)
    #expect(message.url == "https://nnw.ranchero.com/2019/04/09/canonical.html")
    #expect(message.channel == "NetNewsWire, news/more")
    #expect(message.published == Date(timeIntervalSince1970: 1_554_845_280))
    #expect(message.tags == ["Uncategorized", "mac"])
    #expect(
      message.extras?.enclosures == [
        Enclosure(url: "https://nnw.ranchero.com/a.mp3", type: "audio/mpeg", length: 123),
        Enclosure(url: "https://nnw.ranchero.com/b.png", type: "image/png"),
      ])
    #expect(message.extras?.actions.map(\.label) == ["a.mp3", "b.png"])
    #expect(content.upstream?.open == [message.remoteID])
    #expect(content.upstream?.absence == .read)
    #expect(content.link == "https://reader.example/")
    #expect(
      content.upstream?.marks == [
        .init(message.remoteID, UpstreamMarks(isStarred: true)),
        .init(message.remoteID, UpstreamMarks(isRead: false, isStarred: true)),
      ])
    var cursor = GoogleReaderCursor()
    cursor.known.set = [GoogleReaderID(number: id)]
    cursor.starred = cursor.known
    cursor.stars = now.timeIntervalSince1970
    #expect(content.position.cursor == cursor.stored)
  }

  @Test func otherReadersTitlesAreKeptAsTheyAre() async throws {
    let base = "https://mini.example"
    let api = base + "/reader/api/0/"
    let ids = api + "stream/items/ids?output=json&s=user%2F-%2Fstate%2Fcom.google%2F"
    let outcome = try await poll(
      [
        .ok(base + "/accounts/ClientLogin", "Auth=ann/01ab\n"),
        .ok(
          ids + "reading-list&xt=user%2F-%2Fstate%2Fcom.google%2Fread&n=10000", #"{"itemRefs":[{"id":"5"}]}"#),
        .ok(ids + "starred&n=10000", #"{"itemRefs":null}"#), .ok(api + "token", "ann/01ab"),
        .ok(
          api + "stream/items/contents?output=json",
          #"{"items":[{"id":"tag:google.com,2005:reader/item/0000000000000005","title":"Q＆A","summary":{"content":"s"},"content":{"content":"c"}}]}"#
        ),
      ], address: base, credential: .configured(.login, token: "secret", user: "ann", address: base))
    #expect(outcome.content?.messages.map(\.title) == ["Q＆A"])
    #expect(outcome.content?.messages.map(\.body) == ["c"])
  }

  @Test func anIdlePollReadsTheUnreadIDsOnly() async throws {
    var cursor = GoogleReaderCursor()
    cursor.known.set = [GoogleReaderID(number: 5)]
    cursor.starred.set = [GoogleReaderID(number: 7)]
    cursor.stars = now.timeIntervalSince1970 - 3599
    let outcome = try await poll([Self.loggingIn, Self.ids(Self.unread, [5])], from: cursor.stored)
    let content = try #require(outcome.content)
    // Nothing is known about stars.
    #expect(content.upstream?.marks == [.init(RemoteID("5"), UpstreamMarks(isRead: false))])
    #expect(content.position.cursor == cursor.stored)
    let changed = try await poll(
      [Self.loggingIn, Self.ids(Self.unread, []), Self.ids(Self.starred, [5])], from: cursor.stored)
    #expect(
      changed.content?.upstream?.marks == [
        .init(RemoteID("5"), UpstreamMarks(isStarred: true)),
        .init(RemoteID("7"), UpstreamMarks(isStarred: false)),
      ])
  }

  @Test(arguments: [-3600.0, 1])
  func starredIDsAreReadAgainAfterAnHourAndWhenTheClockWasSetBack(_ seconds: Double) async throws {
    var cursor = GoogleReaderCursor()
    cursor.stars = now.timeIntervalSince1970 + seconds
    let outcome = try await poll(
      [Self.loggingIn, Self.ids(Self.unread, []), Self.ids(Self.starred, [])], from: cursor.stored)
    #expect(outcome.content != nil)
  }

  @Test func starsAreKnownFromTwoListsOfIDs() async throws {
    var cursor = GoogleReaderCursor()
    cursor.known.set = [GoogleReaderID(number: 5), GoogleReaderID(number: .max)]
    cursor.starred.set = [GoogleReaderID(number: 7), GoogleReaderID(number: 8)]
    let outcome = try await poll(
      [Self.loggingIn, Self.ids(Self.unread, [.max, 5]), Self.ids(Self.starred, [8])], from: cursor.stored)
    let content = try #require(outcome.content)
    #expect(content.messages.isEmpty)
    #expect(content.upstream?.open == [RemoteID("5"), RemoteID("18446744073709551615")])
    #expect(
      content.upstream?.marks == [
        .init(RemoteID("18446744073709551615"), UpstreamMarks(isRead: false)),
        .init(RemoteID("5"), UpstreamMarks(isRead: false)),
        .init(RemoteID("8"), UpstreamMarks(isStarred: true)),
        .init(RemoteID("7"), UpstreamMarks(isStarred: false)),
      ])
  }

  /// Another client may remove a star before a poll has seen it.
  @Test func aStarThatWasSetHereIsKnownToTheNextPoll() async {
    let act = OutgoingAct(
      id: OutgoingID(1), message: MessageID(1), remoteID: RemoteID("9"), mark: .starred(true), made: now)
    let exchanges: [Exchange] = [
      Self.loggingIn, .ok(Self.api + "token", "t"), .ok(Self.api + "edit-tag?output=json", "OK"),
      Self.ids(Self.unread, []), Self.ids(Self.starred, []), Self.ids(Self.unread, []),
      Self.ids(Self.starred, []),
    ]
    let marks = await ScriptedTransport.run(exchanges) { transport in
      let adapter = GoogleReaderAdapter(transport: transport)
      let (source, context) = (source(Self.base, .greader), PollContext(now: now, credential: Self.login))
      _ = await adapter.carry([act], adapter.client(source, context))
      let poll = ListPoll(service: adapter)
      let first = await poll.pollAll(source, position: PollPosition(), context: context)
      let second = await poll.pollAll(source, position: PollPosition(), context: context)
      return [first, second].map { $0.content?.upstream?.marks ?? [] }
    }
    #expect(marks == [[.init(RemoteID("9"), UpstreamMarks(isStarred: false))], []])
  }

  @Test func whatIsReadElsewhereIsNoLongerOpen() async throws {
    var cursor = GoogleReaderCursor()
    cursor.known.set = [GoogleReaderID(number: 5), GoogleReaderID(number: 6)]
    let outcome = try await poll(
      [Self.loggingIn, Self.ids(Self.unread, []), Self.ids(Self.starred, [])], from: cursor.stored)
    #expect(outcome.content?.upstream?.open == [])
    var read = GoogleReaderCursor()
    read.stars = now.timeIntervalSince1970
    #expect(outcome.content?.position.cursor == read.stored)
  }

  @Test(arguments: [
    ("[]", 200), ("", 200), ("{}", 200), ("<html>", 200), (#"{"itemRefs":7}"#, 200),
    (#"{"itemRefs":[{"id":"1"}"#, 200),
    ("Bad Request!", 400), ("Not Implemented!", 501), ("Service Unavailable!", 503), ("", 500),
  ])
  func nothingIsConcludedFromAnAnswerThatIsNoList(body: String, status: Int) async throws {
    let outcome = try await poll([Self.loggingIn, .ok(Self.unread, body, status: status)])
    #expect(outcome.failure != nil)
    if status >= 400, !body.isEmpty { #expect(outcome.failure == .status(status, reason: body)) }
  }

  @Test func aListWithABrokenIDIsNotComplete() async throws {
    var cursor = GoogleReaderCursor()
    cursor.known.set = [GoogleReaderID(number: 5)]
    let outcome = try await poll(
      [
        Self.loggingIn, .ok(Self.unread, #"{"itemRefs":[{"id":"5"},{"id":"x"},7,{"ix":1}]}"#),
        Self.ids(Self.starred, []),
      ], from: cursor.stored)
    #expect(outcome.content?.upstream?.open == nil)
    #expect(outcome.content?.problems.map(\.at) == [1, 2, 3].map { "$.itemRefs[\($0)]" })
  }

  @Test func whatIsBrokenIsAProblemAndTheRestIsKept() async throws {
    let outcome = try await poll([
      Self.loggingIn, Self.ids(Self.unread, [1, 2, 3]), Self.ids(Self.starred, []),
      .ok(Self.api + "token", "t"),
      .ok(
        Self.contents,
        #"{"items":[7,{"title":"a"},{"id":"x"},{"id":"3","title":7,"published":"soon","summary":{"content":"c"}},{"id":"9"}]}"#
      ),
    ])
    let content = try #require(outcome.content)
    // 9 was not requested.
    #expect(content.messages.map(\.remoteID.text) == ["3"])
    #expect(
      content.problems.map { "\($0.at): \($0.message)" } == [
        "$.items[0]: must be an object, not the number 7", "$.items[1].id: is missing",
        "$.items[2].id: must be an item's id, not a string",
        "$.items[3].title: must be a string, not the number 7",
        "$.items[3].published: must be an integer from 0 to 253402300799, not a string",
      ])
  }

  @Test func aLoginIsKeptAndMadeAnewOnce() async {
    let exchanges = [
      Self.loggingIn, Self.ids(Self.unread, []), Self.ids(Self.starred, []),
      // The second poll needs no login; then the password was changed.
      .ok(Self.unread, "Unauthorized!", status: 401), Self.loggingIn, Self.ids(Self.unread, []),
      Self.ids(Self.starred, []), .ok(Self.unread, "Unauthorized!", status: 401), Self.loggingIn,
      .ok(Self.unread, "Unauthorized!", status: 401),
    ]
    let outcomes = await ScriptedTransport.run(exchanges) { transport in
      let adapter = GoogleReaderAdapter(transport: transport)
      var outcomes: [PollOutcome] = []
      for _ in 0..<3 {
        outcomes.append(
          await ListPoll(service: adapter).pollAll(
            source(Self.base, .greader), position: PollPosition(),
            context: PollContext(now: now, credential: Self.login)))
      }
      return outcomes
    }
    #expect(outcomes[0].content != nil && outcomes[1].content != nil)
    #expect(outcomes[2].failure == .status(401, reason: "Unauthorized!"))
  }

  /// The user typed the address of the web page.
  @Test(arguments: [("", 404), ("<html>", 200)])
  func theAPIOfFreshRSSIsFoundBelowItsAddress(body: String, status: Int) async throws {
    let plain = "https://reader.example"
    let nowhere = Exchange.ok(plain + "/accounts/ClientLogin", body, status: status)
    let outcome = try await poll(
      [nowhere, Self.loggingIn, Self.ids(Self.unread, []), Self.ids(Self.starred, [])], address: plain)
    #expect(outcome.content?.upstream?.open == [])
    // If there is no API, the error is about the address that the user typed.
    let other = try await poll(
      [nowhere, .ok(Self.base + "/accounts/ClientLogin", "", status: 404)], address: plain)
    #expect(
      other.failure
        == (status == 404
          ? .status(404, reason: "Not Found")
          : .notAFeed(found: "no login of a Google Reader API", alternates: [])))
  }

  /// The web servers of FreshRSS redirect an unknown address to its page.
  @Test(arguments: [true, false])
  func theAPIOfFreshRSSIsFoundWhereItsAddressRedirects(isOwn: Bool) async throws {
    let plain = "https://reader.example"
    let target = (isOwn ? plain : "https://elsewhere.example") + "/p/i/?rid=1"
    let nowhere = Exchange.failing(plain + "/accounts/ClientLogin", .badRedirect(target))
    if isOwn {
      let outcome = try await poll(
        [nowhere, Self.loggingIn, Self.ids(Self.unread, []), Self.ids(Self.starred, [])], address: plain)
      #expect(outcome.content?.upstream?.open == [])
    } else {
      let outcome = try await poll([nowhere], address: plain)
      #expect(outcome.failure == .badRedirect(target))
    }
  }

  @Test func withoutANameAndAPasswordNothingIsSent() async throws {
    let outcome = try await poll([], credential: nil)
    #expect(outcome.failure == .credentials(reason: "a user and the API password are needed"))
    let wrong = try await poll([.ok(Self.base + "/accounts/ClientLogin", "[]")])
    #expect(wrong.failure == .notAFeed(found: "no login of a Google Reader API", alternates: []))
  }

  @Test func aSmallerListBetweenTwoPagesIsNotTakenAsWhole() async throws {
    let all = (1...10_060).map { UInt64($0) }.reversed()
    let first = Array(all.prefix(10_000))
    // A hundred were read before the second page, which begins at place 9950 of a shorter list.
    let second = Array(all.dropFirst(10_050))
    var cursor = GoogleReaderCursor()
    cursor.known.set = Set(all.map { GoogleReaderID(number: $0) })
    let outcome = try await poll(
      [
        Self.loggingIn, Self.ids(Self.unread, first, more: "10000"),
        Self.ids(Self.unread + "&c=9950", second),
        Self.ids(Self.starred, []),
      ], from: cursor.stored)
    #expect(outcome.content?.upstream?.open == nil)
    let third = Array(all.dropFirst(9_950))
    let whole = try await poll(
      [
        Self.loggingIn, Self.ids(Self.unread, first, more: "10000"), Self.ids(Self.unread + "&c=9950", third),
        Self.ids(Self.starred, []),
      ], from: cursor.stored)
    #expect(whole.content?.upstream?.open?.count == 10_060)
  }

  @Test(
    arguments: [
      ("1559362260113787", 1_559_362_260_113_787),
      ("tag:google.com,2005:reader/item/00058a3b5197197b", 1_559_362_260_113_787),
      ("tag:google.com,2005:reader/item/ffffffffffffffff", UInt64.max), ("-1", UInt64.max), ("0", 0),
      ("18446744073709551615", UInt64.max), ("18446744073709551616", nil), ("", nil), ("x", nil), ("+1", nil),
      ("tag:google.com,2005:reader/item/", nil), ("tag:google.com,2005:reader/item/00000000000000001", nil),
      ("tag:google.com,2005:reader/item/+1", nil), ("-9223372036854775808", 1 << 63), ("1.0", nil),
    ] as [(String, UInt64?)])
  func anIDIsTheSameInEachSpelling(text: String, number: UInt64?) {
    #expect(GoogleReaderID(text)?.number == number)
  }

  @Test func aCursorHoldsItsIDs() {
    var cursor = GoogleReaderCursor()
    #expect(GoogleReaderCursor(stored: cursor.stored) == cursor)
    cursor.known.set = Set([0, 1, 1_559_362_260_113_787, .max].map { GoogleReaderID(number: $0) })
    cursor.starred.set = [GoogleReaderID(number: 35)]
    #expect(GoogleReaderCursor(stored: cursor.stored) == cursor)
    #expect(
      GoogleReaderCursor(stored: Cursor(#"{"known":"5,!","starred":"","stars":5}"#)).known.set
        == [GoogleReaderID(number: 5)])
    #expect(GoogleReaderCursor(stored: Cursor("nonsense")) == GoogleReaderCursor())
    cursor.known.set = Set(
      (0..<100_000).map { GoogleReaderID(number: 1_559_362_260_113_787 + UInt64($0) * 900_000) })
    #expect(cursor.stored?.text.utf8.count ?? 0 < 600_000)
  }

  @Test func marksAreSentInBatchesWithOneTagEach() async {
    func act(_ id: Int64, _ mark: OutgoingMark) -> OutgoingAct {
      OutgoingAct(
        id: OutgoingID(id), message: MessageID(id), remoteID: RemoteID(String(id)), mark: mark, made: now)
    }
    let acts = [
      act(1, .read(true)), act(2, .read(false)), act(3, .starred(true)), act(4, .starred(false)),
      act(5, .read(true)),
    ]
    let edit = Self.api + "edit-tag?output=json"
    let exchanges: [Exchange] = [
      Self.loggingIn, .ok(Self.api + "token", "t"),
      .ok(edit, "OK", check: Self.form("T=t&output=json&i=1&i=5&a=user%2F-%2Fstate%2Fcom.google%2Fread")),
      .ok(edit, "OK", check: Self.form("T=t&output=json&i=2&r=user%2F-%2Fstate%2Fcom.google%2Fread")),
      .ok(edit, "OK", check: Self.form("T=t&output=json&i=3&a=user%2F-%2Fstate%2Fcom.google%2Fstarred")),
      .ok(edit, "[]", check: Self.form("T=t&output=json&i=4&r=user%2F-%2Fstate%2Fcom.google%2Fstarred")),
    ]
    let result = await ScriptedTransport.run(exchanges) { transport in
      let adapter = GoogleReaderAdapter(transport: transport)
      let context = PollContext(now: now, credential: Self.login)
      return await adapter.carry(acts, adapter.client(source(Self.base, .greader), context))
    }
    #expect(result.carried == Set([1, 2, 3, 5].map { OutgoingID($0) }))
    #expect(result.failure == .malformed(line: nil, reason: "the server did not confirm the change"))
  }

  @Test(arguments: [
    ("https://h/api/greader.php/reader/api/0/", "https://h/api/greader.php"), ("https://h/x", "https://h/x"),
    ("https://h/accounts/ClientLogin", "https://h"),
  ])
  func anAddressOfTheAPIIsThatOfItsServer(given: String, address: String) {
    #expect(GoogleReaderAdapter.address(of: given) == address)
  }

  /// 12,000 unread items come in parts.
  @Test(arguments: [true, false])
  func aLargeBacklogComesWholeAndInPortions(isFreshRSS: Bool) async throws {
    let clock = ServiceHistory.Clock()
    let conditions = StandInConditions { clock.now }
    let standIn: any ServiceStandIn
    if isFreshRSS {
      let fresh = FreshRSSStandIn(conditions)
      fresh.arrive(12_000)
      standIn = fresh
    } else {
      let mini = MinifluxReaderStandIn(conditions)
      mini.arrive(12_000)
      standIn = mini
    }
    let transport = StandInTransport(standIn)
    let adapter = GoogleReaderAdapter(transport: transport)
    let source = source(type(of: standIn).address(at: transport.origin), .greader)
    let credential = Credential.configured(
      .login, token: conditions.token, user: conditions.user, address: source.address)
    var position = PollPosition()
    var seen: [RemoteID: Int] = [:]
    var hasMore = true
    var parts = 0
    while hasMore, parts < 100 {
      clock.advance(1)
      let outcome = await ListPoll(service: adapter).poll(
        source, position: position, context: PollContext(now: clock.now, credential: credential))
      let content = try #require(outcome.content)
      #expect(content.messages.count <= Limits.googleReaderBatch)
      for message in content.messages { seen[message.remoteID, default: 0] += 1 }
      position = content.position
      position.isContinued = true
      hasMore = outcome.hints.hasMore
      parts += 1
      // Items that arrive in the meantime are for the next poll.
      standIn.arrive()
    }
    #expect(parts == 3 + 12_000 / Limits.googleReaderBatch)
    #expect(seen.count == 12_000)
    #expect(seen.values.allSatisfy { $0 == 1 })
  }
}

/// Bytes that no server sends.
struct FeedReaderPagesTests {
  private static let item = #"""
    {"items":[{"id":"tag:google.com,2005:reader/item/000000000000000a","title":"Q＆A","published":1554845280,
    "summary":{"content":"<p>a</p>"},"canonical":[{"href":"https://a.example/"}],"categories":["user/-/label/x","y"],
    "enclosure":[{"href":"https://a.example/b","length":"1"}],"origin":{"title":"o"}}]}
    """#
  private static let entry = #"""
    {"total":1,"entries":[{"id":8,"title":"t","url":"https://a.example/","content":"<p>a</p>","status":"unread",
    "starred":true,"published_at":"2016-12-12T16:15:19Z","tags":["x"],"enclosures":[{"url":"https://a.example/b"}],
    "feed":{"title":"f","category":{"title":"c"}}}]}
    """#
  private static let ids = #"{"itemRefs":[{"id":"1"},{"id":"-2"}],"continuation":"2"}"#

  /// Returns the number of messages or ids that were read, or `nil` if the bytes are refused.
  private static func read(_ bytes: Data, _ text: String) -> Int? {
    let allowance = Allowance(documentBytes: bytes.count)
    switch text {
    case item: return try? GoogleReaderPage(bytes, allowance, isFreshRSS: true).items.count
    case entry: return try? MinifluxPage(bytes, allowance).entries.count
    case _: return try? GoogleReaderIDPage(bytes).ids.count
    }
  }

  @Test(arguments: [item, entry, ids])
  func aPageThatIsCutOffIsRefused(text: String) {
    let bytes = Data(text.utf8)
    #expect((Self.read(bytes, text) ?? 0) > 0)
    for length in 0..<bytes.count { #expect(Self.read(bytes.prefix(length), text) == nil) }
  }

  @Test(arguments: [item, entry, ids])
  func mutatedBytesNeverTrap(text: String) {
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      var bytes = Data(text.utf8)
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      #expect((Self.read(bytes, text) ?? 0) <= 3)
    }
  }
}
