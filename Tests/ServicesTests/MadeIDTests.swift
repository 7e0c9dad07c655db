import Foundation
import Messages
import Testing

@testable import Formats
@testable import Services

/// The ids of entries that have none, and the ids that earlier versions made of them. Both are stored: a value that
/// changes here makes every such message new.
struct MadeIDTests {
  private static let tenOClock = Date(timeIntervalSince1970: 1_795_860_000)

  private func message(_ change: (inout ParsedEntry) -> Void) throws -> IncomingMessage {
    var entry = ParsedEntry()
    change(&entry)
    var feed = ParsedFeed(format: .rss20)
    feed.entries = [entry]
    return try #require(WebFeedMessages.messages(of: feed).first)
  }

  private func message(
    _ title: String?, _ date: Date?, _ body: String?, isDay: Bool = false
  ) throws -> IncomingMessage {
    try message {
      $0.title = title.map { FeedText(.text, $0) }
      ($0.published, $0.isPublishedDay) = (date, isDay)
      $0.summary = body.map { FeedText(.text, $0) }
    }
  }

  private static let values: [(title: String?, time: String?, body: String?, digest: String)] = [
    (
      "“Café” – it’s here", "2026-11-28T10:00:00Z", "Say “yes” now.",
      "6074941451fe5b755d45d737ad02fe1061649cfc6c26393d56bd7f9e36ef9d95"
    ),
    (
      "“Café” – it’s here", "2026-11-28", "Say “yes” now.",
      "175db0edd8077a6d83fc783de300097f6f63241bd94595e802c4361100f3cc0e"
    ),
    (
      "“Café” – it’s here", nil, "Say “yes” now.",
      "60a0f71d204df5444c6b27fba11c04626a237c8cb7f070a461f8116581bdb377"
    ),
    (
      nil, "2026-11-28T10:00:00Z", "Only words",
      "35c0a45b8f90575e2499dc2b861f2342070ee06edbe18be077890c5a4efe1aff"
    ),
    (nil, "2026-11-28", "Only words", "31415013738e75451bcf7ffdfd77869258204368b6dd096da3173e918b09d603"),
    (nil, nil, "Only words", "8405963c24eac78b6c65c76f38891e969789a58c6ec673ee6dcbd41760d815f2"),
    (" \t", nil, nil, "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"),
  ]

  @Test(arguments: values)
  func anIDIsMadeOfTitleAndMomentElseDayElseText(
    title: String?, time: String?, body: String?, digest: String
  ) throws {
    let date = time.flatMap(FeedDate.parse)
    let made = try message {
      $0.title = title.map { FeedText(.text, $0) }
      $0.summary = body.map { FeedText(.text, $0) }
      $0.setPublished(date)
    }
    #expect(made.remoteID.text == "sha256:" + digest)
    // A date of an update replaces one of publication.
    let updated = try message {
      $0.title = title.map { FeedText(.text, $0) }
      $0.summary = body.map { FeedText(.text, $0) }
      $0.setUpdated(date)
    }
    #expect(updated.remoteID == made.remoteID)
  }

  @Test(arguments: [
    "\u{201C}Cafe\u{301}\u{201D} \u{2014} it\u{2018}s here", "\"Café\" -\u{A0}it's\n  here ",
    "„Café” \u{2013} it\u{2019}s\u{2028}here",
  ])
  func typographyDoesNotChangeAnID(title: String) throws {
    #expect(
      try message(title, Self.tenOClock, "Other").remoteID
        == message("“Café” – it’s here", Self.tenOClock, "Text").remoteID)
    #expect(
      try message(title, nil, " Say\u{A0}\"yes\"\n\nnow. ").remoteID
        == message("“Café” – it’s here", nil, "Say “yes” now.").remoteID)
  }

  @Test func anIDDiffersWithTitleMomentAndDayAndWithoutADateWithTheText() throws {
    let day = Date(timeIntervalSince1970: 1_795_824_000)
    let all = try [
      message("a", nil, "c"), message("b", nil, "c"), message("a", nil, "d"), message(nil, nil, "a"),
      message("a", Self.tenOClock, "c"), message("a", Self.tenOClock + 1, "c"), message("a", day, "c"),
      message("a", day, "c", isDay: true), message("a", day - 86_400, "c", isDay: true),
      message("A", Self.tenOClock, "c"),
    ]
    #expect(Set(all.map(\.remoteID)).count == all.count)
    // A moment is compared to the second.
    #expect(
      try message("a", Self.tenOClock + 0.75, "c").remoteID == message("a", Self.tenOClock, "d").remoteID)
  }

  @Test(arguments: [
    "2026-11-28", "2026-11-28T00:00:00+11:00", "2026-11-28T00:00:00-11:00", "28 Nov 2026 00:00 EST",
  ])
  func aDayIsTheWrittenOneInEveryZone(text: String) throws {
    let made = try message {
      $0.summary = FeedText(.text, "x")
      $0.setPublished(FeedDate.parse(text))
    }
    #expect(made.remoteID.text == "sha256:31415013738e75451bcf7ffdfd77869258204368b6dd096da3173e918b09d603")
  }

  @Test(
    arguments: [
      (
        "Title", 1_795_860_000, "33014aaad722e55f318b96729d6e2d1ba9d94dca849fe4ac0b9602ef5fcdc296",
        "3e200f8de6f9b69c5db05f04e4b00904b1d09926b979ce2ce40fe2411dffd951"
      ),
      (
        "Title", nil, "b51c7cfc77047ad40f58d9dd250bc742fd0c58ce2aea85f475e6a3d6a3cac5fd",
        "9bf0b29c15b21afd0018a2a1957f826fa60e3802b63758b650a43c548e59ef2e"
      ),
      (
        "Title", -1, "764e74d313649a2f341670fb4daef531899f9766f82a0d417b78e7bad5897848",
        "c6528cc79e6cc14632469dcff5ee3d9a39740e9496ceadc7a8ed39a6559e91a9"
      ),
      // The day was used with the title that was made from the text, but the moment without a title.
      (
        nil, 1_795_860_000, "5badbca2cd6944bc279069e9316a24fea499053e0d33abdf5154013b0e563842",
        "7340c2297754e5a22c666baaa8d1ebbb14f081769c3fda72400cb19ed1650a60"
      ),
    ] as [(String?, Double?, String, String)])
  func theIDsOfEarlierVersionsAreKnownTheNewestFormFirst(
    title: String?, seconds: Double?, newer: String, older: String
  ) throws {
    let made = try message(title, seconds.map(Date.init(timeIntervalSince1970:)), "Body")
    #expect(made.formerIDs.map(\.text) == ["sha256:" + newer, "sha256:" + older])
  }

  @Test func formerIDsHaveTheTitleWithItsLineEnds() throws {
    let made = try message("One\u{2028}two", nil, nil)
    #expect(made.title == "One two")
    #expect(
      made.formerIDs.map(\.text) == [
        "sha256:67469b1b79f8cb4c8bf56d22f271efcb44687a1e0b8a7d45b68b08e543352ed7",
        "sha256:d76d230ed1025ae4ca1313b35f0dba4a7441f98118a838f982b1f50ae2f2124a",
      ])
  }

  @Test func anEntryWithAFileWasKnownByItsTextBefore() throws {
    let made = try message {
      $0.title = FeedText(.text, "Title")
      $0.published = Self.tenOClock
      $0.summary = FeedText(.text, "Body")
      $0.attachments = [.init(label: "File", url: "http://h/f.mp3", enclosure: EnclosureFacts())]
    }
    #expect(made.remoteID.text == "http://h/f.mp3")
    #expect(
      made.formerIDs.map(\.text) == [
        "sha256:3e200f8de6f9b69c5db05f04e4b00904b1d09926b979ce2ce40fe2411dffd951"
      ])
  }

  @Test func entriesWithAnIDOrALinkHadNoOther() throws {
    let ones = try [
      message { $0.id = "1" }, message { $0.link = "http://h/1" },
      message {
        $0.id = "1"
        $0.title = FeedText(.text, "Title")
      },
    ]
    #expect(ones.allSatisfy { $0.formerIDs.isEmpty })
  }

  @Test(arguments: [1e300, -1e300, .infinity, -.infinity, .nan, 9.3e18, -62_135_596_801, 253_402_300_800])
  func noDateMakesItFail(seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds)
    for isDay in [false, true] {
      let made = try message("Title", date, "Body", isDay: isDay)
      #expect(made.remoteID.text.hasPrefix("sha256:"))
      #expect(made.formerIDs.count == 2)
    }
  }
}
