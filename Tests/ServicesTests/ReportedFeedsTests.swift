import Basics
import Foundation
import Markup
import Messages
import Services
import Storage
import TestBasics
import Testing

/// Feeds from public reports about the faults of other readers. They are not part of the project: they are in the
/// folder `REDDOT_CORPORA` or, if it is not set, in `reports/feeds` next to the project. The expectations of a user are
/// in each feed's `expect.txt`.
struct ReportedFeedsTests {
  private static let folder = Corpora.find("reports/feeds")

  private static let skipped: Comment = "skipped: no reports/feeds in REDDOT_CORPORA or ../shared/data"

  /// The reports that aren't about reading one document, by number: the subject and the tests that cover it.
  private static let others = [
    28: "OPML: OPMLTests",
    40: "several polls: FeedIdentityTests", 41: "several polls: FeedIdentityTests",
    43: "several polls: FeedIdentityTests", 44: "several polls: FeedIdentityTests",
    46: "several polls: FeedIdentityTests", 47: "cookies: CookieTests",
    48: "compression: ContentDecoderTests",
    49: "compression: ContentDecoderTests", 50: "transfers: LenientTests", 51: "HTTP: LenientTests",
    53: "marks: MarksTests", 54: "authorities: TrustTests", 55: "passwords: DigestTests",
    56: "discovery: FeedReaderTests, InspectorTests", 57: "servers: WebFeedAdapterTests",
  ]

  /// The expectations that are not met yet, by number, with the reasons.
  private static let known: [Int: Comment] = [
    1: "30 February is 1 March, as 31 June is 1 July in feedparser's published cases"
  ]

  private static let checked = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 20, 21, 22, 23, 24, 26, 27, 29, 30, 31, 32, 33,
    34, 35,
    36, 37,
  ]

  private static func number(_ name: String) -> Int { Int(name.prefix(2)) ?? 0 }

  private func path(_ number: Int) throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: try #require(Self.folder).path)
    return try #require(Self.folder).appending(path: try #require(names.first { Self.number($0) == number }))
  }

  private func read(_ file: URL) throws -> Inspection {
    Inspector.inspect(
      try Data(contentsOf: file), kind: nil, address: "http://feed.example/feed.xml",
      context: PollContext(now: now))
  }

  private func read(_ number: Int, _ name: String = "feed.xml") throws -> Inspection {
    try read(path(number).appending(path: name))
  }

  @Test(.enabled(if: folder != nil, skipped)) func eachReportIsListed() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: try #require(Self.folder).path)
    let all = Set(Self.checked).union(Self.others.keys)
    #expect(Set(names.map(Self.number)).subtracting(all) == [])
    #expect(Set(Self.known.keys).subtracting(Self.checked) == [])
  }

  /// An expectation that is not met yet is a known issue, because it may be met later.
  @Test(.enabled(if: folder != nil, skipped), arguments: checked) func whatAPersonExpects(number: Int)
    async throws
  {
    guard let reason = Self.known[number] else { return try await expect(number) }
    await withKnownIssue(reason, isIntermittent: true) { try await expect(number) }
  }

  private func expect(_ number: Int) async throws {
    switch number {
    case 1:
      let lines = try String(contentsOf: path(1).appending(path: "expect.txt"), encoding: .utf8)
      let style = Date.ISO8601FormatStyle()
      let dates = lines.split(separator: "\n").map { line in
        try? style.parse(String(line.components(separatedBy: " => ").last ?? ""))
      }
      #expect(try read(1).messages.map(\.published) == dates)
    case 2:
      let messages = try read(2).messages
      #expect(messages.count == 7)
      #expect(messages.allSatisfy { $0.published == nil || $0.published?.timeIntervalSince1970 == 0 })
    case 3:
      #expect(
        try read(3).messages.map { $0.published?.ISO8601Format() } == [
          "2021-05-28T14:00:00Z", "2019-11-14T00:00:00Z", nil,
        ])
    case 4:
      #expect(try read(4).messages.map(\.url) == "abcdef".map { "https://site.example/\($0)" })
    case 5:
      let messages = try read(5).messages
      #expect(messages.map(\.url) == ["https://site.example/blog/p/", "https://site.example/deep/x"])
      #expect(messages[0].html?.contains("https://site.example/blog/post/more.html") == true)
      #expect(messages[1].html?.contains("https://site.example/deep/y") == true)
    case 6:
      let html = try read(6).messages.first?.html ?? ""
      for address in ["blog/swiftui/iphone.png", "blog/other/", "abs"] {
        #expect(html.contains("https://site.example/\(address)\""))
      }
    case 7: #expect(try read(7).messages.map(\.url) == ["http://feed.example/2022/04/19/seven/"])
    case 8:
      let inspection = try read(8)
      #expect(inspection.messages.map(\.title) == ["bad one", "good"])
      #expect(!inspection.problems.isEmpty)
    case 9:
      let messages = try read(9).messages
      #expect(messages.map(\.title) == ["D&D \"quoted\" in Québec \u{a0}now", "proc filters & fc-rDNS"])
      #expect(messages[0].url?.contains("&copy=3") == true)
    case 10:
      #expect(try read(10).messages.map(\.title) == ["Only a title", "only text", "ok"])
      #expect(try read(10).problems.map(\.message) == ["1 entry has neither text, link nor id"])
    case 11:
      let messages = try read(11).messages
      #expect(messages.prefix(2).map(\.body) == ["Examining it", "a <b> c"])
      #expect(messages.last?.url == "https://site.example/full")
    case 12:
      let files = try read(12).messages.map { $0.extras?.actions.map(\.url) ?? [] }
      #expect(
        files.flatMap { $0 }
          == ["a/WBD495.mp3", "b.mp3", "c.mp3", "d.mp3", "e.ogg", "e.mp3"].map {
            "https://cdn.example/\($0)"
          })
    case 13:
      let line = try String(contentsOf: path(13).appending(path: "expect.txt"), encoding: .utf8)
      #expect(
        try read(13).messages.map(\.title)
          == line.trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: " / "))
    case 14:
      let document = try String(contentsOf: path(14).appending(path: "feed.xml"), encoding: .utf8)
      let feed = try FollowedFeed()
      try await feed.poll([])
      #expect(try await feed.poll(document: document).new.count == 3)
      try feed.markAllRead()
      #expect(try await feed.poll(document: document) == FollowedFeed.Result())
      let next = item("Poll 4", link: "https://site.example/poll", day: 9)
      #expect(
        try await feed.poll(
          document: document.replacingOccurrences(of: "</channel>", with: next + "</channel>")
        ).new
          == ["Poll 4"])
    case 16:
      let message = try #require(try read(16).messages.first)
      #expect(message.url == "https://www.youtube.com/watch?v=abc123")
      #expect(message.body.hasPrefix("First line.\nSupport: https://patreon.example/x\n"))
      let offered = message.extras?.actions.map(\.url) ?? []
      #expect(offered == ["https://i1.ytimg.example/vi/abc123/hqdefault.jpg"])
    case 17:
      let inspection = try read(17)
      #expect(inspection.title == "Ann")
      #expect(inspection.messages.map(\.title) == ["Content warning: food", "2.mp4"])
      #expect(inspection.messages[0].extras?.actions.map(\.label) == ["A loaf on a table"])
    case 18:
      let message = try #require(try read(18).messages.first)
      #expect(message.author == "/u/somebody" && message.tags == ["r/swift"])
      #expect(message.body.contains("submitted by /u/somebody\n[link] [comments]"))
    case 20:
      #expect(try read(20).link == "https://site.example")
      #expect(try read(20).messages.map(\.url) == ["https://site.example/a"])
    case 21:
      let inspection = try read(21, "feed.json")
      #expect(inspection.messages.count == 6)
      #expect(inspection.messages.compactMap(\.author) == ["Ann Author", "Bo Writer", "Cy Penn", "Di"])
      #expect(inspection.problems.contains { $0.message.contains("null") })
    case 22:
      let messages = try read(22).messages
      #expect(messages.map(\.url) == ["https://story.example/", "https://story2.example/"])
      let offered = messages.flatMap { $0.extras?.actions ?? [] }
      #expect(
        offered == [1, 2].map { MessageAction(label: "comments", url: "https://news.example/item?id=\($0)") })
    case 23:
      let urls = try read(23).messages.map(\.url)
      #expect(
        urls.prefix(3) == [
          "https://site.example/one", "https://site.example/two?a=1&b=2", "https://site.example/three",
        ])
      #expect(urls[3] == "https://site.example/four")
      #expect(urls.last == .some(nil))
    case 24:
      let inspection = try read(24)
      #expect(inspection.title == "Sample" && inspection.link == "https://site.example/")
      let message = try #require(inspection.messages.first)
      #expect(message.title == "Article title" && message.body == "real words")
      #expect(message.author?.contains("Ann") == true)
    case 26: #expect(try read(26).messages.map(\.title) == ["cats", "encl", "after"])
    case 27:
      let titles = [
        "gb2312": "会议改到下午", "koi8": "Новости", "sjis": "会議は三時から", "twobom": "Größe",
        "utf16be-nobom": "Größe 会議", "utf16le": "Größe 会議", "mixed": "Größe",
      ]
      for (name, title) in titles { #expect(try read(27, "\(name).xml").messages.first?.title == title) }
      #expect(try read(27, "cp1251-as-utf8.xml").messages.count == 1)
    case 29: try await expectSearches()
    case 30...37: try expectText(number)
    case _: Issue.record("no expectation for \(number)")
    }
  }

  private func expectSearches() async throws {
    let feed = try FollowedFeed()
    try await feed.poll([])
    try await feed.poll(document: String(contentsOf: path(29).appending(path: "feed.xml"), encoding: .utf8))
    let searches = [
      "一篇": "g1", "是": "g1", "默想": "g3", "三時": "g4", "회의": "g5", "ประชุม": "g6", "creme": "g7", "ブログ": "g8",
      "الأخبار": "g9", "\"c++\"": "g10", "strasse": "g11", "straße": "g11", "istanbul": "g12", "don't": "g13",
      "naive": "g13",
    ]
    for (words, id) in searches {
      let found = try feed.store.lists.snapshot(InboxQuery(search: words), InboxWindow()).rows.map {
        try feed.store.messages.find($0.id)?.content.remoteID.text
      }
      #expect(found == [id], "\(words)")
    }
  }

  /// Returns the text of each message, and the addresses that the reader numbers.
  private func shown(_ number: Int, _ name: String = "feed.xml") throws -> [(text: String, links: [String])] {
    try read(number, name).messages.map { message in
      let document = Document.html(message.html ?? message.body, base: message.url)
      return (message.body, document.links.map(\.url))
    }
  }

  private func expectText(_ number: Int) throws {
    if number == 37 { return try expectArticles() }
    let shown = try shown(number)
    let texts = shown.map(\.text)
    let links = shown.map(\.links)
    switch number {
    case 30:
      #expect(
        links.prefix(6).map(\.first) == [
          "https://www.youtube.com/embed/lGL7RgHn5f0", "https://player.vimeo.example/video/76979871",
          "https://v.example/a.webm", "https://v.example/a.mp3", "https://v.example/x.pdf",
          "https://www.youtube.com/embed/zzz",
        ])
      #expect(links[7] == ["https://www.youtube.com/watch?v=mGENRKrdoGY", "https://www.youtube.com/embed/q"])
      #expect(links[8] == ["https://t.example/x", "https://tw.example/bo/status/1"])
      #expect(!texts.contains { $0.contains("support") })
    case 31:
      #expect(
        links == [
          ["https://i.example/real1.jpg"], ["https://i.example/real3.jpg"], ["https://i.example/real5.jpg"],
          ["https://i.example/real6.jpg"], [], [],
        ])
      #expect(
        texts == ["One", "Three", "Five", "Six", "Nine"].map { "[image: \($0)]" } + ["chart [image: Ten]"])
    case 32:
      #expect(
        texts.prefix(4) == [
          "E=mc², 10⁻³, xⁿ⁺¹, 2¹⁰ bytes, 1ˢᵗ, note¹", "H₂O, a_(i,j), log₁₀", "a/b and e⁻⁷ᵗ and √2 and x₁",
          "{\\displaystyle x^{2}}",
        ])
      #expect(texts[4].contains("~$100~") && texts[4].contains("new"))
      #expect(texts[5].contains(#"\(a_1 \le b\)"#) && texts[6] == "x^2 is")
    case 33:
      #expect(
        texts == [
          "def f(x):\n    if x:\n        return \"a  b\"", "line 1\nline 2\n  line 3",
          "let a = 1;\n  let b = 2;",
          "const x = 1;\n  y();", "one\n  two", String(repeating: "x", count: 200) + " end",
          "Use a b and <T> & t.", "  first\n\nlast", "a\u{A0}\u{A0}b\n\u{A0}\u{A0}indented by nbsp",
          "<div>&amp;</div>",
        ])
    case 34:
      #expect(texts[1] == "5. five\n9. nine\n10. ten\n3. three\n2. two\n1. one\na. x\nb. y")
      #expect(texts[4] == "Spoiler\nThe butler did it.")
      #expect(texts[5].contains("Name Age\nAnn 9"))
      #expect(texts[8] == "- [x] done\n- [ ] open")
      #expect(texts[9] == "first line\n\nsecond\nthird\nfourth\nfifth\nsixth")
    case 35:
      #expect(texts[0] == "Real start." && texts[1] == "text")
      #expect(links[2] == [] && links[3] == [])
      #expect(texts[3] == "Nice 😀 day :tada: end")
      #expect(!texts[4].contains("secret") && !texts[4].contains("tpl"))
      #expect(texts[7] == "Hello,\nsecond block")
      let hidden = try read(35, "hid.xml").messages
      #expect(hidden.map(\.title) == ["Real start of the letter.", "list"])
      #expect(hidden[1].body == "9. nine\n2¹⁰ bytes")
    case _:
      // The columns are those of the list, so the titles are unchanged here.
      let titles = try read(36).messages.map(\.title)
      #expect(titles.count == 7 && titles[4] == "tab here and newline many spaces")
    }
  }

  private func expectArticles() throws {
    let sentences = ["The council voted", "Members of the public", "The treasurer said", "In the end nine"]
    for (name, count) in [
      ("br", 4), ("comments", 2), ("cookie", 2), ("jsonld", 4), ("lead", 4), ("related", 4), ("sections", 4),
      ("table", 3),
    ] {
      let page = try Data(contentsOf: path(37).appending(path: "\(name).html"))
      let article = try ExtractedArticle(
        page: page, charset: nil, allowance: Allowance(documentBytes: page.count))
      let text = Document.html(article.html, base: nil).text
      #expect(sentences.filter(text.contains) == Array(sentences.prefix(count)), "\(name)")
      for other in ["cookies", "User 0", "teaser", "Home", "Privacy"] {
        #expect(!text.contains(other), "\(name): \(other)")
      }
    }
  }
}
