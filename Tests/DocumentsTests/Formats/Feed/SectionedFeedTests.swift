import Basics
import Foundation
import TestBasics
import Testing

@testable import Formats

/// A feed that is read in sections equals the feed that is read as a whole.
@Suite struct SectionedFeedTests {
  private static let address = "http://host.example/dir/feed.xml"

  /// Returns the feed, read in sections, or `nil` if it has to be read as a whole.
  private func sectioned(_ data: Data, size: Int, charset: String? = nil) -> ParsedFeed? {
    let document = FeedDocument(data, charset: charset, mediaType: nil, address: Self.address)
    let allowance = Allowance(documentBytes: data.count)
    guard let sections = document.sections(of: size, from: 0, allowance) else { return nil }
    var feed = sections.head
    var problems: [[FormatProblem]] = []
    // The sections are taken from the last to the first.
    var entries: [[ParsedEntry]] = []
    for section in (0..<sections.count).reversed() {
      guard let part = sections.read(section, allowance) else { return nil }
      entries.append(Array(part.entries))
      problems.append(part.problems)
    }
    for part in entries.reversed() { for entry in part { feed.entries.append(entry) } }
    feed.problems += problems.reversed().joined()
    feed.problems = Array(feed.problems.prefix(Limits.feedProblems))
    return feed
  }

  private func whole(_ data: Data, charset: String? = nil) -> ParsedFeed? {
    let reading = FeedReader.read(data, charset: charset, mediaType: nil, address: Self.address)
    guard case .feed(let feed) = reading else { return nil }
    return feed
  }

  private static let cut: [String] = [
    """
    <?xml version="1.0"?>
    <!DOCTYPE rss [<!ENTITY who "Ann">]>
    <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title>
    <link>http://site.example/</link><ttl>60</ttl><pubDate>never</pubDate>
    <item><guid>3</guid><title>&who;</title><pubDate>not a date</pubDate>
    <description><![CDATA[</item><item> <a href="/x">x</a>]]></description></item>
    <!-- <item> -->
    <item><guid>2</guid><dc:creator>B</dc:creator><enclosure url="/a.mp3" type="audio/mpeg"/></item>
    text between
    <item><link>/relative</link><description a="&gt;">a &amp; b</description></item>
    <?php <item> ?><item/><item rdf="1" />
    </channel ></rss>
    <!-- made in 3 ms -->
    """,
    """
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="http://www.w3.org/1999/xhtml" xml:base="http://b.example/" \
    xml:lang="de"><title>T</title><author><name>Ann</name></author><link href="/site"/><entry xml:base="/e/"><id>1</id>\
    <link href="p"/><content type="xhtml"><x:div><x:p>x<x:br/></x:p></x:div></content></entry><entry><id>2</id><source>\
    <entry><id>no</id></entry></source></entry><entry><id>3</id><updated>soon</updated></entry></feed>
    """,
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel \
    rdf:about="http://a.example/"><title>T</title><link>http://a.example/</link></channel><item \
    rdf:about="http://a.example/1"><title>1</title></item><item rdf:about="http://a.example/2"><title>2</title></item></rdf:RDF>
    """,
    "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:entry><a:id>1</a:id></a:entry><a:ENTRY><a:id>2</a:id></a:ENTRY></a:feed>",
  ]

  @Test(arguments: cut, [1, 150, 1 << 20])
  func sectionsHaveTheEntriesAndProblemsOfTheWhole(document: String, size: Int) throws {
    let data = Data(document.utf8)
    let expected = try #require(whole(data))
    let feed = try #require(sectioned(data, size: size))
    #expect(feed.entries == expected.entries)
    #expect(feed == expected)
  }

  @Test func anotherCharsetIsDecodedFirst() throws {
    let text =
      "<rss><channel><title>é</title><item><guid>1</guid></item><item><title>ü</title></item></channel></rss>"
    let data = try #require(text.data(using: .isoLatin1))
    #expect(sectioned(data, size: 1, charset: "iso-8859-1") == whole(data, charset: "iso-8859-1"))
  }

  /// If entries are not separate, the feed can be read only as a whole.
  @Test(arguments: [
    "<rss><channel><item><guid>1</guid></item><title>T</title></channel></rss>",
    "<rss><channel><item><guid>1</guid></item><ttl>5</ttl><item><guid>2</guid></item></channel></rss>",
    "<rss><channel><item><guid>1</guid></item></channel><channel><item/></channel></rss>",
    "<rss><channel><item><guid>1</guid></item></channel></rss>more",
    "<rss><channel><item><guid>1</guid></item></channel></rss><!-- a -- b -->",
    "<rss><channel><title>T</title></channel></rss>", "<item><guid>1</guid></item>",
    "<rss><channel><item><guid>1</guid></item></other></rss>",
    "<rss><channel><item a='1></item></channel></rss>", "<html><body><entry/></body></html>",
    "{\"items\": []}", "",
  ])
  func otherDocumentsAreReadAsAWhole(document: String) {
    #expect(sectioned(Data(document.utf8), size: 1) == nil)
  }

  @Test func aBrokenSectionSaysSo() {
    let text = "<rss><channel><item><guid>1</guid></item><item><b></item></b><item/></channel></rss>"
    #expect(sectioned(Data(text.utf8), size: 1) == nil)
    #expect(sectioned(Data("<rss><channel><item>a & b</item></channel></rss>".utf8), size: 1) == nil)
  }

  @Test(arguments: cut)
  func aDocumentThatWasCutOffIsNeverReadInSections(document: String) {
    let data = Data(document.utf8)
    for length in 0..<data.count {
      guard let feed = sectioned(data.prefix(length), size: 1) else { continue }
      // Only white space or a comment after the end was missing.
      #expect(feed == whole(data.prefix(length)), "\(length)")
      #expect(feed.isComplete)
    }
  }

  @Test(arguments: cut)
  func mutatedDocumentsAreReadTheSameOrAsAWhole(document: String) {
    var random = SeededRandom(seed: 7)
    let bytes = Array(document.utf8)
    var same = 0
    for _ in 0..<400 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<mutated.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: mutated[place] = bytes[Int.random(in: 0..<bytes.count, using: &random)]
        case 1: mutated.remove(at: place)
        case _: mutated.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      guard let feed = sectioned(Data(mutated), size: 1) else { continue }
      same += 1
      #expect(feed == whole(Data(mutated)), "\(String(decoding: mutated, as: UTF8.self))")
    }
    #expect(same > 10)
  }

  @Test func publishedFeedsAreReadTheSameOrAsAWhole() throws {
    guard let folder = Corpora.find("feeds") else { return }
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "xml" {
      let data = try Data(contentsOf: file)
      guard let feed = sectioned(data, size: 1) else { continue }
      count += 1
      #expect(feed == whole(data), "\(file.lastPathComponent)")
    }
    #expect(count > 100)
  }
}
