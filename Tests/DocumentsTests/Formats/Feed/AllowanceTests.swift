import Basics
import Foundation
import Testing

@testable import Formats

/// The result of any document is bounded by its size.
@Suite struct AllowanceTests {
  private func bytes(_ feed: ParsedFeed) -> Int {
    feed.entries.reduce(0) { sum, entry in
      sum + (entry.id?.utf8.count ?? 0) + (entry.link?.utf8.count ?? 0) + (entry.title?.raw.utf8.count ?? 0)
        + (entry.content?.raw.utf8.count ?? 0) + (entry.summary?.raw.utf8.count ?? 0)
        + entry.attachments.reduce(0) { $0 + $1.url.utf8.count }
    }
  }

  /// - Returns: the feed that was read from it.
  @discardableResult
  private func checkGrowth(
    _ document: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ParsedFeed {
    let feed = try readFeed(document, sourceLocation: sourceLocation)
    let allowance = Allowance(documentBytes: document.utf8.count)
    #expect(bytes(feed) <= allowance.limit + Limits.bodyBytes, sourceLocation: sourceLocation)
    return feed
  }

  @Test func aLongBaseIsNotPutInFrontOfEveryLink() throws {
    let base = "http://a.example/" + String(repeating: "x", count: 500_000) + "/"
    let items = (0..<500).map { "<item><link>\($0)</link></item>" }.joined()
    let feed = try readFeed("<rss xml:base='\(base)'><channel>\(items)</channel></rss>")
    #expect(feed.entries.count == 500)
    #expect(feed.entries.first?.link == "http://host.example/dir/0")
  }

  @Test func aBaseOfAnyLengthCostsNoMoreThanTheAllowance() throws {
    let base = "http://a.example/" + String(repeating: "x", count: Limits.baseBytes - 100) + "/"
    let items = String(repeating: "<item><link>a</link></item>", count: 45_000)
    let feed = try checkGrowth("<rss xml:base='\(base)'><channel>\(items)</channel></rss>")
    #expect(feed.problems.contains { $0.message.contains("far more than its size") })
    #expect(feed.entries.count > 1000)
    #expect(!feed.isComplete)
  }

  @Test func aFragmentsLinksCostNoMoreThanTheAllowance() {
    let base = "http://a.example/" + String(repeating: "x", count: 2000) + "/"
    let fragment = String(repeating: "<a href=a>", count: 40_000)
    let allowance = Allowance(documentBytes: fragment.utf8.count)
    let text = FragmentLinks.resolved(fragment, against: base, allowance: allowance)
    #expect(text.utf8.count <= allowance.limit + 2 * fragment.utf8.count)
    #expect(allowance.isSpent)
  }

  @Test func entitiesCostNoMoreThanTheAllowance() throws {
    let value = String(repeating: "v", count: 1000)
    for use in [
      "<title>x</title><description>\(String(repeating: "&a;", count: 120_000))</description>",
      "<title>x</title><link href='\(String(repeating: "&a;", count: 120_000))'/>",
    ] {
      try checkGrowth(
        "<!DOCTYPE rss [<!ENTITY a '\(value)'>]><rss><channel><item>\(use)</item></channel></rss>")
    }
  }

  @Test func defaultAttributesOfADocumentTypeAreIgnored() throws {
    let value = String(repeating: "v", count: 10_000)
    let feed = try readFeed(
      """
      <!DOCTYPE feed [<!ATTLIST p title CDATA "\(value)">]><feed xmlns="http://www.w3.org/2005/Atom"><entry>\
      <content type="xhtml"><div>\(String(repeating: "<p>x</p>", count: 1000))</div></content></entry></feed>
      """)
    #expect(feed.entries.first?.content?.raw == String(repeating: "<p>x</p>", count: 1000))
  }

  @Test func oneItemHoldsNoMoreValuesThanFit() {
    let zeros = "[" + String(repeating: "0,", count: 1_000_000) + "0]"
    let page = try? NativeFeedReader.read(Data(#"{"list": [{"id": 1}, {"id": 2, "x": \#(zeros)}]}"#.utf8))
    #expect(page?.items.count == 1)
    #expect(page?.isComplete == false)
  }

  @Test func aHundredThousandSmallItemsAreWithinIt() throws {
    let items = (0..<100_000).map { "{\"id\":\($0),\"title\":\"x\"}" }.joined(separator: ",")
    let page = try NativeFeedReader.read(Data("{\"list\":[\(items)]}".utf8))
    #expect(page.items.count == 100_000)
    #expect(page.isComplete)
  }

  @Test func feedsOfOneFolderShareTheNamesOfTheFoldersAroundIt() throws {
    let folders = String(repeating: "<outline text='F'>", count: 90)
    let feeds = (0..<50_000).map { "<outline xmlUrl='a\($0)'/>" }.joined()
    let ends = String(repeating: "</outline>", count: 90)
    let document = try OPML.read(Data("<opml><body>\(folders)\(feeds)\(ends)</body></opml>".utf8))
    #expect(document.feeds.count == 50_000)
    #expect(document.feeds.allSatisfy { $0.folders.count == 90 })
    #expect(document.problems.isEmpty)
  }

  @Test func foldersInFoldersCostNoMoreThanTheAllowance() throws {
    let folders = String(repeating: "<outline text='F'>", count: 90)
    let feeds = (0..<50_000).map { "<outline text='G'><outline xmlUrl='a\($0)'/></outline>" }.joined()
    let document = try OPML.read(Data("<opml><body>\(folders)\(feeds)".utf8))
    #expect(document.feeds.count > 10_000)
    #expect(document.feeds.count < 50_000)
    #expect(document.problems.contains { $0.message.contains("far more than its size") })
  }

  @Test func argumentsOfTextsFillNoMoreThanABody() {
    let format = String(repeating: "%1$@", count: 20_000)
    let filled = LocalizedFormat.fill(format, [String(repeating: "é", count: 50_000)])
    #expect(filled.utf8.count <= Limits.bodyBytes)
    #expect(filled.allSatisfy { $0 == "é" })
  }

  @Test func marksOfCDATAInsideEachOtherAreRemovedInOneGo() {
    let count = 30_000
    let nested =
      String(repeating: "<![CD", count: count) + "<![CDATA[" + String(repeating: "ATA[", count: count)
    #expect(shownText("<p>a" + nested + "b</p>") == "ab")
    #expect(shownText("<p><![CDATA[a]]> b</p>") == "a b")
  }

  @Test func anEndedPollEndsTheReading() throws {
    let items = (0..<20_000).map { "<item><guid>\($0)</guid></item>" }.joined()
    let document = Data("<rss><channel>\(items)</channel></rss>".utf8)
    let allowance = Allowance(documentBytes: document.count)
    allowance.cancel()
    let reading = FeedReader.read(
      document, charset: nil, mediaType: nil, address: "http://a.example/", allowance: allowance)
    guard case .notAFeed = reading else {
      Issue.record("it was read")
      return
    }
  }

  @Test func namesAndAddressesHaveALength() throws {
    let long = String(repeating: "long ", count: 100_000)
    let item = try readItem(
      "<title>\(long)</title><author>\(long)</author><category>\(long)</category><link>http://a.example/\(long)</link>"
    )
    #expect((item.title?.raw.utf8.count ?? 0) <= Limits.titleBytes)
    #expect((item.author?.raw.utf8.count ?? 0) <= Limits.nameBytes)
    #expect(item.tags.allSatisfy { $0.utf8.count <= Limits.nameBytes })
    #expect(item.link == nil)
  }

  private static let manyAttributes = (0..<30_000).map { "a\($0)='' " }.joined()

  @Test(arguments: [
    "<p title='>' \(manyAttributes)/>", "<p \(manyAttributes)/>", "<!-- <p a=' --><p \(manyAttributes)/>",
    "<![CDATA[<p a=']]><p \(manyAttributes)/>", "<?x <p a=' ?><p \(manyAttributes)/>",
  ])
  func aFeedWithSuchATagIsReadToItsEnd(tag: String) throws {
    let feed = try readFeed(
      "<rss><channel><item><guid>1</guid>\(tag)</item><item><guid>2</guid></item></channel></rss>")
    #expect(feed.entries.map(\.id) == ["1", "2"])
    #expect(feed.isComplete)
    #expect(feed.problems.contains { $0.message.contains("attribute") })
  }
}
