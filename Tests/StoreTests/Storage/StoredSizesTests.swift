import Basics
import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct StoredSizesTests {
  let store: Store
  let source: SourceID

  init() throws { (store, source) = try Store.following() }

  private func stored(_ sent: IncomingMessage) throws -> IncomingMessage {
    try store.poll(source, [sent])
    return try #require(try store.messages.find(sent.remoteID.fitting, of: source)).content
  }

  @Test func whatFitsIsKeptAsItCame() throws {
    var sent = message(
      String(repeating: "i", count: Limits.remoteIDBytes),
      String(repeating: "👩‍👩‍👧", count: Limits.titleCharacters / 2),
      body: String(repeating: "b", count: Limits.bodyBytes))
    sent.title = String(repeating: "é", count: Limits.titleCharacters)
    sent.html = String(repeating: "h", count: Limits.bodyBytes)
    sent.url = "https://example.org/" + String(repeating: "u", count: Limits.addressBytes - 20)
    sent.author = String(repeating: "a", count: Limits.nameCharacters)
    sent.tags = (0..<Limits.tags).map { "\($0)" }
    sent.extras = MessageExtras()
    sent.extras?.unknownKeys = String(repeating: "k", count: Limits.unknownKeysBytes)
    #expect(try stored(sent) == sent)
  }

  private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

  /// One part of the extras that exceeds its size, and nothing else.
  private static let tooLarge: [(part: MessagePart, change: @Sendable (inout MessageExtras) -> Void)] = [
    (
      .actions,
      { $0.actions = [MessageAction(label: long(Limits.nameCharacters + 1), url: "https://a.example")] }
    ),
    (.actions, { $0.actions = [MessageAction(label: "a", url: long(Limits.addressBytes + 1))] }),
    (
      .actions,
      { $0.actions = (0...Limits.actions).map { MessageAction(label: "\($0)", url: "https://a.example") } }
    ),
    (
      .actions,
      {
        $0.enclosures = [Enclosure(url: long(Limits.addressBytes + 1), type: nil, length: nil, duration: nil)]
      }
    ),
    (
      .actions,
      {
        $0.enclosures = [
          Enclosure(url: "u", type: long(Limits.nameCharacters + 1), length: nil, duration: nil)
        ]
      }
    ),
    (
      .translations,
      { $0.translations = [LocalizedText(language: long(Limits.nameCharacters + 1), title: "", body: "")] }
    ),
    (
      .translations,
      { $0.translations = [LocalizedText(language: "de", title: long(Limits.titleCharacters + 1), body: "")] }
    ),
    (
      .translations,
      { $0.translations = [LocalizedText(language: "de", title: "", body: long(Limits.bodyBytes + 1))] }
    ),
    (
      .translations,
      {
        $0.translations = (0...Limits.translationBytes / Limits.bodyBytes).map {
          LocalizedText(language: "l\($0)", title: "", body: long(Limits.bodyBytes))
        }
      }
    ),
    (.poster, { $0.poster = long(Limits.addressBytes + 1) }),
    (.data, { $0.unknownKeys = long(Limits.unknownKeysBytes + 1) }),
    (.category, { $0.category = long(Limits.nameCharacters + 1) }),
    (.sound, { $0.sound = long(Limits.nameCharacters + 1) }),
    (.group, { $0.group = long(Limits.nameCharacters + 1) }),
  ]

  @Test(arguments: tooLarge.indices) func onePartOfTheExtrasThatIsTooLargeIsNoticed(_ index: Int) throws {
    var sent = message("m", "Title")
    var extras = MessageExtras()
    Self.tooLarge[index].change(&extras)
    sent.extras = extras
    let kept = try stored(sent)
    #expect(kept.extras?.cut == [Self.tooLarge[index].part])
    // A message that arrives again unchanged is unchanged, although its stored form is different.
    #expect(try store.poll(source, [sent]).updated == 0)
  }

  @Test func extrasThatFitAreKeptAsTheyCame() throws {
    func long(_ count: Int) -> String { Self.long(count) }
    var sent = message("m", "Title")
    var extras = MessageExtras()
    extras.actions = (0..<Limits.actions).map {
      MessageAction(label: long(Limits.nameCharacters), url: "\($0)" + long(Limits.addressBytes - 2))
    }
    extras.enclosures = [
      Enclosure(url: long(Limits.addressBytes), type: long(Limits.nameCharacters), length: 1, duration: 2)
    ]
    extras.translations = (0..<Limits.translationBytes / Limits.bodyBytes).map {
      LocalizedText(
        language: "l\($0)" + long(Limits.nameCharacters - 2), title: long(Limits.titleCharacters),
        body: long(Limits.bodyBytes))
    }
    extras.poster = long(Limits.addressBytes)
    extras.group = long(Limits.nameCharacters)
    sent.extras = extras
    #expect(try stored(sent).extras == extras)
    #expect(try store.poll(source, [sent]).updated == 0)
  }

  @Test func eachPartIsCutAndSaysSo() throws {
    func long(_ count: Int) -> String { String(repeating: "ab", count: count) }
    var sent = message(long(Limits.remoteIDBytes), long(1_000_000), body: long(Limits.bodyBytes))
    sent.html = long(Limits.bodyBytes)
    sent.url = "https://example.org/" + long(Limits.addressBytes)
    sent.author = long(Limits.nameCharacters)
    sent.tags = (0...Limits.tags).map { "\($0)" }
    var extras = MessageExtras()
    extras.actions = [
      MessageAction(label: long(Limits.nameCharacters), url: "https://a.example"),
      MessageAction(label: "b", url: long(Limits.addressBytes)),
    ]
    extras.translations = (0...Limits.translations).map {
      LocalizedText(language: "l\($0)", title: long(1000), body: long(100_000))
    }
    extras.poster = long(Limits.addressBytes)
    extras.unknownKeys = long(Limits.unknownKeysBytes)
    extras.category = long(Limits.nameCharacters)
    extras.sound = long(Limits.nameCharacters)
    extras.group = long(Limits.nameCharacters)
    sent.extras = extras
    let kept = try stored(sent)
    #expect(kept.title.count == Limits.titleCharacters)
    #expect(kept.body.utf8.count == Limits.bodyBytes && kept.html?.utf8.count == Limits.bodyBytes)
    #expect(kept.url == nil && kept.author?.count == Limits.nameCharacters)
    #expect(kept.tags.count == Limits.tags)
    #expect(kept.remoteID.text.utf8.count <= Limits.remoteIDBytes)
    let parts = try #require(kept.extras)
    #expect(parts.actions.map(\.url) == ["https://a.example"])
    #expect(parts.translations.count == Limits.translations)
    #expect(parts.translations.reduce(0) { $0 + $1.body.utf8.count } <= Limits.translationBytes)
    #expect(parts.poster == nil && parts.unknownKeys == nil)
    #expect(
      parts.cut == [
        .id, .title, .body, .html, .url, .author, .tags, .actions, .translations, .poster, .category, .sound,
        .data, .group,
      ])
    // The message is unchanged, regardless of how much of it was cut.
    #expect(try store.poll(source, [sent]) == RecordedPoll())
    try store.expectConsistent()
    #expect(try store.check.compareSearchIndex() == [])
  }

  /// A field that is added later without a size would be stored whole, which would not be noticed without this test.
  @Test func noTextOfAMessageIsStoredWhole() throws {
    let long = Self.long(200_000)
    var extras = MessageExtras(pane: nil)
    let request = ActionRequest(method: "POST", headers: [long: long], body: long)
    extras.actions = [
      MessageAction(label: long, url: "https://a.example"),
      MessageAction(label: "b", url: "https://a.example", request: request),
      MessageAction(label: "c", url: "", upstream: long),
    ]
    extras.enclosures = [Enclosure(url: "https://a.example", type: long)]
    extras.translations = [LocalizedText(language: long, title: long, body: "")]
    (extras.poster, extras.unknownKeys, extras.category, extras.sound) = (long, long, long, long)
    (extras.group, extras.occasion, extras.handle, extras.format) = (long, long, long, .markdown)
    extras.cut = [.title]
    let unset = Mirror(reflecting: extras).children.compactMap { label, value in
      Mirror(reflecting: value).children.isEmpty ? label : nil
    }
    #expect(unset == ["pane"], "these need a size, and a value here")

    var sent = message("m", long)
    let rows = MessageField.rows
    for row in rows where row.type == .text { row.write(&sent, .text(long)) }
    for row in rows where row.type == .texts { row.write(&sent, .texts([long])) }
    sent.extras = extras
    let kept = try stored(sent)
    for row in rows where ![.body, .html].contains(row.field) {
      switch row.read(kept) {
      case .text(let text)?: #expect(text.utf8.count <= 8192, "\(row.field)")
      case .texts(let texts)?: #expect(texts.allSatisfy { $0.utf8.count <= 8192 })
      default: break
      }
    }
    #expect(try JSONEncoder().encode(kept.extras).count < 20_000)
    #expect(kept.extras?.actions.count == 1)
    // The rest of a message's properties: its id, its kind, whether a program asks or waits, and the rest that is not stored.
    let fields = Set(Mirror(reflecting: sent).children.compactMap(\.label))
    #expect(fields.count == rows.count - 2 + 7, "a new property needs a row")
  }

  /// A title of 60 MB, as one character or as many.
  @Test(arguments: ["ab", "e\u{301}", "👩‍👩‍👧‍👦", "\u{301}"])
  func noCharacterIsCutInTwoUnlessItIsLargerThanAKilobyte(piece: String) throws {
    var sent = message("1", "x" + String(repeating: piece, count: 1_000_000))
    sent.body = "y" + String(repeating: piece, count: 1_000_000)
    let kept = try stored(sent)
    #expect(
      kept.title.utf8.count <= 16 * Limits.titleCharacters && kept.title.count <= Limits.titleCharacters)
    #expect(kept.body.utf8.count <= Limits.bodyBytes && kept.body.utf8.count > Limits.bodyBytes - 1024)
    if piece != "\u{301}" {
      #expect(
        sent.title.hasPrefix(kept.title) && kept.title.last == Character(piece == "ab" ? "b" : piece)
          || kept.title.last == "a")
    }
  }

  @Test func idsWithTheSameBeginningStayApart() throws {
    let beginning = String(repeating: "i", count: 10_000)
    let sent = ["a", "b"].map { message(beginning + $0, "Title \($0)") }
    #expect(try store.poll(source, sent).new == 2)
    #expect(try store.poll(source, sent) == RecordedPoll())
  }

  @Test func whatAFailureQuotesIsCut() throws {
    let long = String(repeating: "q", count: 100_000)
    let failures: [FetchFailure] = [
      .notAFeed(found: long, alternates: Array(repeating: long, count: 1000)),
      .malformed(line: 3, reason: long), .status(500, reason: long),
    ]
    for failure in failures {
      var state = PollState()
      state.lastFailure = failure
      state.failures = 1
      try store.polls.record(
        .failed(failure, PollHints()), for: source, attempt: .periodic, start: noon, end: noon, state: state)
      let kept = try #require(try store.status(source).state.lastFailure)
      #expect("\(kept)".utf8.count < 12_000 && "\(kept)".contains("qqq"))
      #expect(try store.polls.attempts(of: source, limit: 1).first?.result == .failed(kept))
    }
    let problems = Array(repeating: FormatProblem(at: long, message: long), count: 200)
    try store.poll(source, []) {
      $0.problems = problems
      $0.title = long
      $0.link = long
    }
    let attempt = try #require(try store.polls.attempts(of: source, limit: 1).first)
    #expect(attempt.problems.count == 100)
    #expect(attempt.problems.dropLast().allSatisfy { $0.message.count == Limits.quotedCharacters })
    #expect(attempt.problems.last?.message == "and 101 more problems")
    #expect(try store.status(source).title?.count == Limits.titleCharacters)
  }

  @Test func onePollSwitchesABoundedNumberOfFeatures() throws {
    let changes = (0..<100_000).map { number in
      FeatureNotice(remoteID: RemoteID("\(number)"), names: ["f\(number)"], isEnabled: true)
    }
    let recorded = try store.poll(source, []) { $0.features = changes }
    #expect(recorded.features.count == Limits.featuresPerPoll)
    let attempt = try #require(try store.polls.attempts(of: source, limit: 1).first)
    #expect(attempt.problems.first?.message.contains("more than \(Limits.featuresPerPoll) features") == true)
  }
}
