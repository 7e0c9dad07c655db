import Basics
import Foundation
import Messages
import QuerySamples
import Testing

@testable import Queries

/// Each field with messages that have the requested value, another one, or none.
@Suite struct FieldTests {
  static let now = Date(timeIntervalSince1970: 1_795_262_400)  // 2026-11-21T12:00Z

  static let full: Facts = {
    var content = IncomingMessage(
      remoteID: RemoteID("tag:example.org,2026:1"), kind: .feed, title: "Build failed again")
    content.body = "The café's build-server stopped.\nSee 東京都 and don't retry: code 42"
    content.html = "<p>…</p>"
    content.url = "https://News.Example.org/2026/Post-1.PDF?x=1"
    content.author = "Ada Lovelace"
    content.priority = Priority(4)
    content.tags = ["CI", "re build"]
    content.channel = "General"
    content.language = "en-GB"
    content.rank = .pinned
    var extras = MessageExtras()
    extras.actions = [MessageAction(label: "Open", url: "https://example.org")]
    extras.enclosures = [Enclosure(url: "https://example.org/a.mp3")]
    extras.poster = "https://example.org/a.png"
    content.extras = extras
    var facts = Facts(content)
    facts.id = MessageID(7)
    facts.sourceNames = ["ci", "Build server"]
    facts.folder = "Dev/Swift"
    facts.kinds.append("github")
    facts.states.formUnion([.unread, .starred, .new, .done])
    facts.time = now.addingTimeInterval(-3 * 3600)
    facts.rules = ["ci noise"]
    return facts
  }()

  static let empty = Facts()

  private func matches(_ text: String, _ facts: Facts) throws -> Bool {
    let zone = try #require(ZoneClock(named: "Europe/Berlin"))
    return try Query.parse(text, .strict).get()
      .matches(facts, tokenizer: PlainTokenizer(), now: Self.now, zone: zone)
  }

  static let found: [String] = [
    "", "build", "BUILD", "failed again", "\"build failed\"", "cafe", "Café", "lovelace", "fail*",
    "build-server",
    "\"build server\"", "東京", "京都", "\"東 京\"", "don't", "\"don t\"", "42", "4*", "\"see 東\"*",
    "/build.*AGAIN/", "/^See/", "/retry: code 42$/", "/caf.'s/", "/CAFÉ/", "/Ada L/c", "/^ada lovelace$/",
    "title:build", "title:nothing,again", "body:build", "author:ada", "title:/^b/", "author:\"ada lovelace\"",
    "source:CI", "source:\"build server\"", "source:build*", "source:*SER*", "source:/^build/", "source:x,ci",
    "folder:dev/swift", "folder:Dev/*", "tag:ci", "tag:\"re build\"", "tag:re*", "tag:*", "kind:feed",
    "kind:git*",
    "lang:en-gb", "lang:en*", "channel:general", "site:example.org", "site:news.example.org", "site:ORG",
    "site:*.org", "site:news.*", "from:ada", "from:example.org", "from:lovel*", "from:news.ex*",
    "priority>=4", "priority>3", "priority<=4", "priority<5", "priority<urgent", "priority:high",
    "priority:4",
    "priority=high", "priority:low,high", "is:unread", "is:starred", "is:pinned", "is:new", "is:done",
    "is:read,unread", "is:waiting,done",
    "has:link", "has:actions", "has:picture", "has:html", "has:tag", "has:enclosure", "has:link has:html",
    "before:2026-11-22", "before:2026-11-21T10:01", "after:2026-11-21T10:00", "after:2026-11-21",
    "after:2026",
    "date:2026-11-21", "date:2026-11", "date:2026", "date:2026-11-21T10:00", "date:2026-11-01..2026-11-21",
    "date:..today", "date:yesterday..", "date:today", "after:today", "older:2h", "newer:4h", "newer:1d",
    "newer:1w", "newer:1mo", "newer:1y", "older:179min", "url:example.ORG/2026", "url:post-1.pdf",
    "url:/\\.pdf/",
    "url:\"?x=1\"", "id:7", "id:\"tag:example.org,2026:1\"", "id:1,7", "rule:\"CI noise\"", "rule:ci*",
    "in:all",
    "-title:retry", "NOT is:hidden", "build OR nothing", "(nothing OR build) ci OR 42",
  ]

  @Test(arguments: found)
  func itIsFound(_ text: String) throws {
    #expect(try matches(text, Self.full))
    if !text.isEmpty { #expect(try !matches("-(\(text))", Self.full)) }
  }

  static let notFound: [String] = [
    "buil", "fail", "\"failed build\"", "\"again the\"", "uild*", "京東", "/BUILD/c", "/^failed/", "/see$/",
    "title:retry",
    "body:failed", "author:build", "source:build", "source:server", "folder:dev", "folder:swift", "tag:build",
    "tag:c",
    "kind:native", "lang:en", "channel:gen", "site:xample.org", "site:example", "site:s.example.org",
    "from:build",
    "priority>4", "priority<4", "priority:5", "is:read", "is:dismissed", "is:snoozed", "is:hidden",
    "is:expired", "is:waiting", "-is:done",
    "before:2026-11-21", "before:2026-11-21T10:00", "after:2026-11-21T10:01", "after:2026-11-22",
    "date:2026-11-20",
    "date:yesterday", "date:..2026-11-20", "date:2026-11-22..", "before:today", "older:181min", "older:1d",
    "older:3h",
    "newer:2h", "url:example.com", "url:/^post/", "id:8", "id:07", "id:\"TAG:example.org,2026:1\"", "rule:ci",
    "-in:all",
    "nothing", "build -failed", "-build", "nothing OR -build",
  ]

  @Test(arguments: notFound)
  func itIsNotFound(_ text: String) throws {
    #expect(try !matches(text, Self.full))
    #expect(try matches("-(\(text))", Self.full))
  }

  /// If a message lacks a field, no test of the field matches, and every negated one does.
  @Test(arguments: [
    "source:*", "folder:*", "tag:*", "kind:*", "lang:*", "channel:*", "site:*", "rule:*", "url:/./", "id:1",
    "author:/./", "from:a", "from:/^/", "author:/^/", "date:..", "after:2000", "before:2100", "older:0min",
    "newer:9y",
    "has:link,actions,picture,html,tag,enclosure", "is:unread", "url:\"\\\\\"",
  ])
  func aMissingValueMatchesNoFieldAndEachNegatedOne(_ text: String) throws {
    #expect(try !matches(text, Self.empty))
    #expect(try matches("-\(text)", Self.empty))
  }

  @Test func idsAreComparedByteByByte() throws {
    var facts = Facts()
    facts.remoteID = RemoteID("e\u{301}")
    #expect(try matches("id:e\u{301}", facts))
    #expect(try !matches("id:é", facts))
  }

  @Test func starsDoNotMultiply() throws {
    var facts = Facts()
    facts.tags = [String(repeating: "a", count: 200)]
    let stars = String(repeating: "a*", count: 60)
    #expect(try !matches("tag:\(stars)b", facts))
    #expect(try matches("tag:\(stars)a", facts))
  }

  static let hosts: [(String, String?)] = [
    ("https://Example.org/a", "example.org"), ("http://u:p@a.b:80?q", "a.b"), ("ftp://[::1]:21/x", "[::1]"),
    ("https://example.org.", "example.org"), ("mailto:a@b.c", nil), ("https:///x", nil), ("example.org", nil),
    ("https://a#b", "a"), ("://x", "x"), ("https://a@b@c/", "c"),
  ]

  @Test(arguments: hosts)
  func aLinkHasThisHost(_ link: String, host: String?) {
    var facts = Facts()
    facts.link = link
    #expect(facts.site == host)
  }

  // MARK: - Off the lists

  static let lifted: [(String, Facts.States)] = [
    ("build", []), ("is:dismissed", .dismissed), ("-is:snoozed", .snoozed), ("in:all", .outOfInbox),
    ("is:unread", []), ("is:hidden,expired OR a", [.hidden, .expired]), ("-(a in:all)", .outOfInbox),
  ]

  @Test(arguments: lifted)
  func aQueryLiftsTheStatesThatItNames(_ text: String, states: Facts.States) throws {
    #expect(try Query.parse(text, .strict).get().liftedStates == states)
  }

  @Test func whatIsOffTheListsIsShownOnlyWhereTheQueryAsksForIt() throws {
    func shows(_ text: String, _ states: Facts.States) throws -> Bool {
      let query = try Query.parse(text, .strict).get()
      let matcher = QueryMatcher(query, tokenizer: PlainTokenizer(), now: Self.now, zone: .gmt)
      return matcher.shows(Facts(title: "a", states: states))
    }
    for state in [Facts.States.dismissed, .snoozed, .hidden, .expired] {
      #expect(try !shows("a", state))
      #expect(try shows("a in:all", state))
      #expect(try !shows("b in:all", state))
    }
    #expect(try shows("a", [.unread, .starred, .pinned, .new]))
    #expect(try shows("a is:dismissed", .dismissed))
    #expect(try !shows("a -is:dismissed", .dismissed))
    #expect(try !shows("a is:dismissed", [.dismissed, .snoozed]))
    #expect(try shows("is:dismissed OR is:snoozed", [.dismissed, .snoozed]))
  }
}

extension Facts {
  fileprivate init(title: String, states: States) {
    self.init(title: title)
    self.states = states
  }
}
