import Basics
import Foundation
import Testing

@testable import Formats

/// A document that was cut off anywhere is reported as incomplete.
@Suite struct CompletenessTests {
  private static let rss = """
    <?xml version="1.0"?><rss version="2.0"><channel><title>T</title><item><guid>1</guid><title>a &lt;b&gt; c</title>\
    <description><![CDATA[<p>x</rss></p>]]></description></item><item><guid>2</guid></item></channel></rss>
    """
  private static let atom = """
    <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>urn:1</id><content type="xhtml"><div \
    xmlns="http://www.w3.org/1999/xhtml"><p>x<br/></p></div></content></entry></feed>
    """
  private static let rdf = """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel \
    rdf:about="http://a.example/"><title>T</title></channel><item rdf:about="http://a.example/1"><title>1</title></item></rdf:RDF>
    """
  /// This document is not well-formed, but complete.
  private static let broken = """
    <rss><channel><title>a & b</title><item><guid>1</guid><description><p>one<p>two<br></description></item></channel></rss>
    """
  private static let json = """
    {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [{"id": "1", "content_text": "a ]}"}, {"id": "2"}], "expired": false}
    """

  @Test(arguments: [rss, atom, rdf, broken, json])
  func aFeedIsCompleteWithItsLastByteAndNotBefore(document: String) throws {
    let whole = Data(document.utf8)
    #expect(try readFeed(whole).isComplete)
    #expect(try readFeed(whole + Data("\n <!-- made in 3 ms -->".utf8)).isComplete)
    for length in 0..<whole.count {
      let reading = FeedReader.read(
        whole.prefix(length), charset: nil, mediaType: nil, address: "http://a.example/")
      guard case .feed(let feed) = reading else { continue }
      #expect(!feed.isComplete, "cut to \(length) bytes")
      #expect(feed.problems.contains { $0.message.contains("is cut off") }, "cut to \(length) bytes")
    }
  }

  @Test func elementsLeftOpenDoNotHideTheEnd() throws {
    let open = String(repeating: "<p>x", count: 400)
    let item = "<rss><channel><item><guid>1</guid><description>\(open)</description></item>"
    #expect(try readFeed(item + "</channel></rss>").isComplete)
    #expect(try !readFeed(item + "</channel>").isComplete)
  }

  @Test func aNativePageIsCompleteWithItsLastByteAndNotBefore() throws {
    let whole = Data(#"{"list": [{"id": 1, "title": "a"}, {"id": 2}], "has_more": false, "last_id": 2}"#.utf8)
    #expect(try NativeFeedReader.read(whole).isComplete)
    #expect(try NativeFeedReader.read(whole + Data("\n]".utf8)).isComplete)
    for length in 0..<whole.count {
      guard let page = try? NativeFeedReader.read(whole.prefix(length)) else { continue }
      #expect(!page.isComplete, "cut to \(length) bytes")
    }
  }

  @Test func aListOfFeedsIsCompleteWithItsLastByteAndNotBefore() throws {
    let whole = Data(
      "<opml version='2.0'><body><outline text='F'><outline xmlUrl='http://a.example/'/></outline></body></opml>"
        .utf8)
    #expect(try OPML.read(whole).isComplete)
    for length in 0..<whole.count {
      guard let document = try? OPML.read(whole.prefix(length)) else { continue }
      #expect(!document.isComplete, "cut to \(length) bytes")
      #expect(document.problems.contains { $0.message.contains("is cut off") }, "cut to \(length) bytes")
    }
  }

  /// The valid copy is kept.
  @Test func aCutControlFileIsInvalid() {
    let whole = Data(#"{"a": {"entry": "v", "views": {"v": {"file": "http://a.example/v"}}}, "b": {}}"#.utf8)
    for length in 0..<whole.count {
      #expect(throws: JSONFailure.self) { try ControlFileReader.read(whole.prefix(length)) }
    }
  }
}
