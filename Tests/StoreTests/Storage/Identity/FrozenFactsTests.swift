import Foundation
import Testing

@testable import Messages

/// Hashes of facts are stored: other values would not match the stored messages.
@Suite struct FrozenFactsTests {
  private func reading(_ change: (inout IncomingMessage) -> Void = { _ in }) -> EntryReading {
    var entry = IncomingMessage(
      remoteID: RemoteID("tag:blog.example,2026:1"), kind: .feed, title: "“Quotes” – and Größe",
      body: "A text\u{A0}of some   words")
    entry.url = "https://www.blog.example/2026/post.html?id=1&utm_medium=rss&t=1234567890#top"
    entry.published = Date(timeIntervalSince1970: 1_800_000_000)
    change(&entry)
    var reader = EntryReader()
    return reader.read(entry, as: entry.remoteID)
  }

  @Test func theFactsOfAnEntryNeverChange() {
    let facts = reading().facts
    #expect(
      [facts.words, facts.time?.stored, facts.title, facts.text, facts.page, facts.name] == [
        1_104_673_094_190_537_050, 7_200_000_000, -4_978_556_243_900_811_120, 6_746_910_928_119_813_274,
        4_028_377_900_400_304_351, -6_756_352_184_128_566_340,
      ])
    #expect(reading().worldwideID == 7_434_812_018_679_608_902)
  }

  @Test func theKeysOfAnEntryNeverChange() {
    let source = SourceID(7)
    #expect(
      reading().facts.keys(in: source) == [
        5_647_271_477_614_324_262, -1_493_803_095_698_601_861, 3_001_637_472_191_843_832,
        8_192_984_141_366_601_605, 5_587_107_688_473_371_948,
      ])
    #expect(
      EntryFacts.shared(page: 1, worldwideID: 2) == [-551_947_709_376_428_726, -2_303_084_136_711_657_779])
    let bare = reading { ($0.title, $0.url, $0.published) = ("", nil, nil) }.facts
    #expect(bare.keys(in: source) == [5_297_734_844_317_039_718, 8_528_828_196_691_860_147])
  }

  @Test func theIDOfAnEntryWhoseIDIsInDoubtNeverChanges() {
    let id = RemoteID("17").apart(reading().facts, from: [])
    #expect(id.text == "17|ac6d2edab4e97ffd")
    #expect(id.isApart(from: RemoteID("17")) && !id.isApart(from: RemoteID("1")))
    #expect(id.undoubted == RemoteID("17"))
    let other = RemoteID("17").apart(reading().facts, from: [id])
    #expect(other != id && other.isApart(from: RemoteID("17")))
  }

  @Test(
    arguments: [
      ("http://blog.example:80/a/", "https://www.BLOG.example/a"),
      ("https://blog.example/a?sid=1&b=2", "https://blog.example/a?b=2"),
      ("https://blog.example/a?_=123456789", "https://blog.example/a"),
      ("https://blog.example/a?fbclid=x&TOKEN=y", "https://blog.example/a"),
    ])
  func addressesOfOnePageAreOne(one: String, other: String) {
    #expect(EntryReader.page(one) != nil)
    #expect(EntryReader.page(one) == EntryReader.page(other))
  }

  @Test(
    arguments: [
      ("https://blog.example/a?id=17", "https://blog.example/a?id=18"),
      ("https://blog.example/a#17", "https://blog.example/a#18"),
      ("https://blog.example/a?t=12345678", "https://blog.example/a"),
      ("https://blog.example/A", "https://blog.example/a"),
    ])
  func queriesAndFragmentsCount(one: String, other: String) {
    #expect(EntryReader.page(one) != EntryReader.page(other))
  }

  @Test(arguments: [
    "https://blog.example/", "http://www.blog.example", "ftp://blog.example/a", "", "https://",
  ])
  func firstPagesAndOtherAddressesNameNothing(_ address: String) {
    #expect(EntryReader.page(address) == nil)
  }

  @Test func aPageKeepsItsNameWhenItMoves() {
    let names = [
      "https://a.example/2026/post.html?x=1", "https://b.example/post.php?x=1", "https://a.example/post?x=1",
    ]
    .map { PageAddress($0)?.nameHash }
    #expect(names[0] != nil && names[0] == names[1] && names[1] == names[2])
    #expect(PageAddress("https://a.example/ab")?.nameHash == nil)
  }

  @Test func allWhiteSpaceIsTheSame() {
    let scalars = (0...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
    let spaces = scalars.filter { $0.properties.isWhitespace || (0x1C...0x1F).contains($0.value) }
    let found = scalars.filter { $0.value < 0x3100 && ComparedText.text("a\($0)b") == "a b" }
    #expect(Set(spaces) == Set(found))
  }

  @Test func typographyIsNoOtherText() {
    #expect(ComparedText.text("„a“ ‘b’ – c\u{A0}\n d") == "\"a\" 'b' - c d")
    #expect(ComparedText.text("e\u{301}") == "\u{E9}")
    #expect(ComparedText.text(" \n\u{A0}") == nil)
    var scratch: [UInt8] = []
    let titles = ["STRASSE", "Straße", "strasse"].map {
      ComparedText.hash($0, isFolded: true, &scratch)?.hash
    }
    #expect(titles[0] == titles[1] && titles[1] == titles[2])
  }

  /// Text is composed in parts; wherever a part ends, the result is the same as in one part.
  @Test(arguments: ["Việt Nam đã đổi ", "한국어와 ", "हिन्दी ऩ ", "ガギグ", "Ǘ", "aẹ̀"])
  func aLongTextIsComposedAsAShortOneIs(words: String) {
    let long = String(repeating: words, count: 3000)
    for length in 0..<12 {
      let text = String(repeating: "x", count: length) + long
      let composed = ComparedText.text(text.decomposedStringWithCanonicalMapping)
      #expect(composed == ComparedText.text(text.precomposedStringWithCanonicalMapping))
      #expect(
        composed?.utf8.elementsEqual(
          text.precomposedStringWithCanonicalMapping.utf8.dropLast(words.last == " " ? 1 : 0)) == true)
    }
  }

  @Test func daysAreThoseThatWereWritten() {
    func time(_ seconds: Double, _ traits: EntryTraits) -> EntryTime? {
      EntryTime(published: Date(timeIntervalSince1970: seconds), updated: nil, traits)
    }
    let day = 20_000.0 * 86_400
    for offset in [-11.0, 0, 5.5, 12] {
      #expect(time(day - offset * 3600, .isPublishedDay)?.day == 20_000)
    }
    #expect(time(day, [])?.moment != nil && time(day, .isPublishedDay)?.moment == nil)
    #expect(time(day, .lacksPublished)?.isPublished == false)
    #expect(time(.infinity, []) != nil && time(-1e300, .isPublishedDay) != nil)
  }
}
