import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

@Suite struct SearchTests {
  let store: Store
  let source: SourceID

  init() throws { (store, source) = try Store.following() }

  private func add(_ texts: String...) throws {
    try store.poll(source, texts.enumerated().map { message("\($1)-\($0)", $1) })
  }

  @Test(arguments: [
    // text, words, whether it is found
    ("消息中心今天更新了", "消息", true), ("消息中心今天更新了", "中心", true), ("消息中心今天更新了", "今天", true),
    ("消息中心今天更新了", "心今", true), ("消息中心今天更新了", "息", true), ("消息中心今天更新了", "中今", false),
    ("消息中心今天更新了", "更新了吗", false), ("iPhone版がリリースされました", "リリース", true),
    ("iPhone版がリリースされました", "iphone", true), ("iPhone版がリリースされました", "版が", true),
    ("東京都の天気", "京都", true), ("서울에서 만나요", "울에", true), ("ﾃｽﾄです", "ｽﾄ", true),
    ("ﾃﾞｰﾀﾍﾞｰｽ更新", "データベース", true), ("データベース更新", "ﾃﾞｰﾀ", true), ("ﾃﾞｰﾀ", "テータ", false),
    ("ﾊﾟﾝ屋", "パン", true), ("ﾊﾞﾝ屋", "パン", false), ("カラス", "ガラス", false), ("ガラス", "カラス", false),
    ("か\u{3099}くせい", "がく", true), ("がくせい", "か\u{3099}く", true),
    ("第３回ＡＢＣ大会", "ABC", true),
    ("第３回ＡＢＣ大会", "3", true), ("第3回", "３回", true),
    ("การประชุมพรุ่งนี้เลื่อน", "ประชุม", true), ("การประชุมพรุ่งนี้เลื่อน", "พรุ่งนี้", true),
    ("การประชุมพรุ่งนี้เลื่อน", "ประชม", false), ("ກອງປະຊຸມມື້ອື່ນ", "ປະຊຸມ", true), ("ការប្រជុំថ្ងៃស្អែក", "ប្រជុំ", true),
    ("မနက်ဖြန်အစည်းအဝေး", "အစည်း", true), ("မနက်ဖြန်အစည်းအဝေး", "အဝေး", true),
    ("新闻 \u{2F00} \u{20000}\u{20001}字", "\u{20001}字", true),
  ])
  func wordsInsideSentencesWithoutSpacesAreFound(text: String, words: String, isFound: Bool) throws {
    try add(text)
    #expect(try store.titles(search: words) == (isFound ? [text] : []))
  }

  @Test(arguments: [
    ("The quick brown fox", "quick fox", true), ("The quick brown fox", "fox quick", true),
    ("The quick brown fox", "qui", true), ("The quick brown fox", "qui fox", false),
    ("The quick brown fox", "qui ", false), ("The quick brown fox", "\"quick brown\"", true),
    ("The quick brown fox", "\"brown quick\"", false), ("The quick brown fox", "\"quick bro", true),
    ("The quick brown fox", "quick -brown", false), ("The quick brown fox", "quick -red", true),
    ("The quick brown fox", "quick -\"brown fox\"", false),
    ("The quick brown fox", "quick -\"fox brown\"", true),
    ("The quick brown fox", "QUICK", true), ("Crème brûlée", "creme brulee", true),
    ("Creme brulee", "crème", true), ("state-of-the-art", "of-the", true),
    ("state of play", "state-of", true),
    ("C++ and C#", "c++", true), ("it's", "it's", true), ("5°", "-5", false), ("x", "x", true),
    ("xy", "x", true),
    ("don't panic", "NOT panic", false), ("rock AND roll", "AND roll", true), ("NEAR miss", "NEAR", true),
    ("Ünïcödé", "unicode", true), ("Straße", "stra", true), ("Привет мир", "прив", true),
    ("Straße und Maß", "STRASSE", true),
    ("Strasse", "straße", true), ("Ёлка стоит", "елка", true), ("елка", "Ёлка", true), ("Łódź", "lodz", true),
    ("Smørrebrød", "smorrebrod", true), ("Ærø", "aero", true), ("Αθήνα ΟΔΟΣ", "αθηνα οδος", true),
    ("İstanbul ve ısı", "istanbul isi", true), ("Tiếng Việt", "tieng viet", true), ("שָׁלוֹם", "שלום", true),
    ("مُحَمَّد", "محمد", true), ("أخبار", "اخبار", true), ("हिन्दी समाचार", "हिन्दी", true), ("हिन्दी समाचार", "हन", false),
    ("ज़रूर", "जरूर", true), ("cafe\u{301}", "café", true), ("ﬁne", "fine", true),
  ])
  func wordsPhrasesPrefixesAndExclusions(text: String, words: String, isFound: Bool) throws {
    try add(text)
    #expect(try store.titles(search: words) == (isFound ? [text] : []))
  }

  @Test func anyTextCanBeSearched() throws {
    try add("plain text")
    let pieces = [
      "\"", "*", "(", ")", "-", "+", "^", ":", "AND", "OR", "NOT", "NEAR(", "title:", "{a}", ",", "'", "\\",
      ";", "--",
      "a", "消", "é", "\u{0}", "\u{301}", "\u{1F680}", " ", "\n", "%", "_", "1", "\u{FFFD}", "-\"", "\"-",
      "%s", "plain",
    ]
    var generator = SeededRandom(seed: 3)
    for _ in 0..<1500 {
      let words = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }
      _ = try store.snapshot(InboxQuery(search: words.joined()))
    }
    for words in ["\u{1F680}", "\"\"", "- -", "\u{0}", "***"] {
      #expect(try store.titles(search: words) == ["plain text"], "nothing to look for is everything")
    }
    #expect(try store.titles(search: "  \n") == ["plain text"], "blank words list everything")
  }

  @Test func bodyAndAuthorAreSearchedAndHTMLIsNot() throws {
    var sent = message("a", "One", body: "deep inside")
    sent.author = "Grace Hopper"
    sent.html = "<p class='secret'>"
    try store.poll(source, [sent])
    #expect(try store.titles(search: "inside") == ["One"])
    #expect(try store.titles(search: "hopper") == ["One"])
    #expect(try store.titles(search: "one hopper inside") == ["One"])
    #expect(try store.titles(search: "secret") == [])
  }

  @Test func changedMessagesAreFoundByTheirNewWordsOnly() throws {
    try store.poll(source, [message("a", "apple 消息", body: "red", at: noon)])
    try store.poll(source, [message("a", "pear 中心", body: "green", at: noon)])
    for words in ["apple", "消息", "red"] { #expect(try store.titles(search: words) == []) }
    for words in ["pear", "中心", "green"] { #expect(try store.titles(search: words) == ["pear 中心"]) }
    #expect(try store.check.compareSearchIndex() == [])
  }

  @Test func onlyListedMessagesAreFoundWithinTheirScope() throws {
    let other = try store.follow(configured("news"), configured("other"))[1]
    try store.pollNothing(other)
    try store.poll(other, [message("x", "word there")])
    try add("word one", "word two", "word three")
    let rows = try store.snapshot(InboxQuery(scope: .source(source))).rows
    try store.acts.perform(.dismiss([rows[0].id]), at: noon)
    try store.acts.perform(.read([rows[1].id]), at: noon)
    try store.acts.perform(.star([rows[1].id]), at: noon)
    #expect(try Set(store.titles(search: "word")) == ["word there", "word one", "word two"])
    #expect(try store.titles(search: "word", .source(other)) == ["word there"])
    #expect(try store.titles(search: "word", .starred) == ["word two"])
    #expect(
      try Set(store.titles(InboxQuery(isUnreadOnly: true, search: "word"))) == ["word there", "word one"])
  }

  /// Enough messages that rare, medium and common words use different ways of search; with several
  /// sources, filled one after another, so that the order of arrival isn't the order of the list.
  @Test func everyPageOfEverySearchIsTheListFilteredByTheWords() throws {
    let folder = try #require(Folder("F"))
    let ids = try store.follow(
      configured("a") { $0.folder = folder }, configured("b"), configured("c") { $0.folder = folder })
    var generator = SeededRandom(seed: 11)
    for (number, id) in ids.enumerated() {
      try store.pollNothing(id)
      var sent: [IncomingMessage] = []
      for index in 0..<4000 {
        var words = ["common"]
        if index % 97 == 0 { words.append("rare") }
        if (1000..<3600).contains(index) { words.append("clumped") }
        if index % 3 == 0 { words.append("third") }
        words.append("pre\(index % 80)")
        var message = message("\(index)", words.joined(separator: " "))
        message.published =
          noon + -Double(index * 3 + number) - Double(Int.random(in: 0...40, using: &generator))
        if index % 500 == 0 { message.rank = .pinned }
        sent.append(message)
      }
      try store.poll(id, sent)
    }
    let all = try store.lists.snapshot(InboxQuery(), InboxWindow(after: 100_000)).rows
    try store.acts.perform(
      .read(all.filter { _ in Int.random(in: 0...3, using: &generator) > 0 }.map(\.id)), at: noon)
    try store.acts.perform(
      .star(all.filter { _ in Int.random(in: 0...9, using: &generator) == 0 }.map(\.id)), at: noon)
    let rows = try store.lists.snapshot(InboxQuery(), InboxWindow(after: 100_000)).rows
    let searches: [(String, (Set<Substring>) -> Bool)] = [
      ("common ", { _ in true }), ("rare ", { $0.contains("rare") }),
      ("clumped ", { $0.contains("clumped") }),
      ("third -clumped ", { _ in false }),
      ("third -clumped common ", { $0.contains("third") && !$0.contains("clumped") }),
      ("pre", { _ in true }), ("clumped pre", { $0.contains("clumped") }),
      ("rare pre", { $0.contains("rare") }),
      ("common pre7", { $0.contains { $0.hasPrefix("pre7") } }), ("none pre", { _ in false }),
    ]
    for (words, matches) in searches where words != "third -clumped " {
      for scope in [InboxQuery.Scope.all, .starred, .source(ids[1]), .folder(folder)] {
        for isUnreadOnly in [false, true] {
          let query = InboxQuery(scope: scope, isUnreadOnly: isUnreadOnly, search: words)
          let expected = rows.filter { row in
            let isInScope =
              switch scope {
              case .all: true
              case .starred: row.isStarred
              case .source(let id): row.source == id
              case .folder: row.source != ids[1]
              case .snoozed, .dismissed, .hidden, .waiting, .list: false
              }
            return isInScope && (row.isUnread || !isUnreadOnly)
              && matches(Set(row.title.split(separator: " ")))
          }
          let comment: Comment = "\(words) \(scope) \(isUnreadOnly)"
          let first = try store.lists.snapshot(query, InboxWindow(after: 50))
          #expect(first.rows == Array(expected.prefix(50)), comment)
          #expect(first.hasMoreAfter == (expected.count > 50), comment)
          let last = try store.lists.snapshot(query, InboxWindow(anchor: .end, before: 0, after: 30))
          #expect(last.rows == Array(expected.suffix(30)), comment)
          guard let middle = expected.dropFirst(expected.count / 2).first else { continue }
          let window = InboxWindow(anchor: .key(middle.key), before: 20, after: 20)
          let around = try store.lists.snapshot(query, window)
          let place = expected.count / 2
          #expect(
            around.rows == Array(expected[max(0, place - 20)..<min(expected.count, place + 20)]), comment)
        }
      }
    }
    #expect(try store.acts.perform(.readAll(InboxQuery(search: "rare ")), at: noon) > 0)
    #expect(try store.snapshot(InboxQuery(isUnreadOnly: true, search: "rare ")).rows.isEmpty)
    try store.expectConsistent()
  }

  @Test(arguments: [
    ("", ""), ("Plain", "Plain"), ("Grüße – “quoted” … €", "Grusse – “quoted” … €"), ("ПРИВЕТ", "привет"),
    ("مرحبا", "مرحبا"), ("\u{1F680}", "\u{1F680}"), ("a消息b", "a 消 息 b"), ("ไม่", " ไ ม ่"), ("ＡＢＣ", "abc"),
  ])
  func textIsIndexedWithoutAccentsAndInCharacters(text: String, indexed: String) {
    #expect(SearchText.indexed(text) == indexed)
  }

  @Test func theHashOfAContentIsFrozen() {
    var content = message("ignored", "Title", body: "A body of some length", at: noon)
    content.tags = ["a"]
    #expect(ContentHash.of(content, extras: nil) == -8_697_578_232_499_690_944)
    var other = content
    other.tags = ["a", ""]
    #expect(ContentHash.of(other, extras: nil) != ContentHash.of(content, extras: nil))
    other = content
    other.url = ""
    #expect(ContentHash.of(other, extras: nil) != ContentHash.of(content, extras: nil))
  }
}
