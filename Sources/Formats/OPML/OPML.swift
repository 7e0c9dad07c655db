package import Foundation
import HTML
package import Limits

/// A list of feeds in an OPML 2.0 subscription list (opml.org/spec2.opml).
package struct OPMLDocument: Hashable, Sendable {
  package struct Feed: Hashable, Sendable {
    /// `xmlUrl`.
    package var url: String
    package var title: String
    /// `htmlUrl`.
    package var page: String?
    /// The folders that it is in, outermost first.
    package var folders: [String]
    /// Other folders that list it too, each as `folders`.
    package var alsoIn: [[String]] = []

    package init(url: String, title: String, page: String? = nil, folders: [String] = []) {
      self.url = url
      self.title = title
      self.page = page
      self.folders = folders
    }
  }

  package var title: String?
  /// In document order.
  package var feeds: [Feed]
  package var problems: [FormatProblem] = []
  /// False if the document was cut off, so that feeds may be missing.
  package var isComplete = true

  package init(title: String? = nil, feeds: [Feed] = []) {
    self.title = title
    self.feeds = feeds
  }
}

/// Why bytes aren't OPML, as text for a message as in `FeedReading.notAFeed`.
package struct OPMLFailure: Error, Hashable, Sendable {
  package var found: String
}

package enum OPML {
  /// Reads subscription lists; of broken ones the readable part. A feed that is listed twice is returned once, with
  /// both folders.
  package static func read(_ bytes: Data) throws(OPMLFailure) -> OPMLDocument {
    if let found = ForeignDocument.name(ofBinary: bytes) { throw OPMLFailure(found: found) }
    let decoded = DecodedText(bytes, charset: nil)
    let allowance = Allowance(documentBytes: bytes.count)
    let result: Result<OPMLDocument, OPMLFailure> = decoded.bytes.withUnsafeBytes {
      let bytes = $0.bindMemory(to: UInt8.self)
      return read(UnsafeBufferPointer(rebasing: bytes[XMLDeclaration.end(bytes)...]).trimmed, allowance)
    }
    return try result.get()
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ allowance: Allowance
  ) -> Result<OPMLDocument, OPMLFailure> {
    guard !bytes.isEmpty else { return .failure(OPMLFailure(found: "an empty document")) }
    var problems: [FormatProblem] = []
    var strict = bytes
    if let end = XMLTags.firstWithTooManyAttributes(bytes) {
      strict = UnsafeBufferPointer(rebasing: bytes[..<end])
      problems.append(.tooManyAttributes)
    }
    var sink = OPMLSink(allowance: allowance)
    let ending = XMLStream(strict, sink: sink, allowance: allowance).run()
    if let failure = ending.failure {
      if strict.count == bytes.count {
        problems.append(
          FormatProblem(at: String(failure.line), message: "not well-formed XML: \(failure.message)"))
      }
      if !ending.isComplete, !allowance.isSpent {
        sink = OPMLSink(allowance: allowance, isRepaired: true)
        XMLStream(XMLRepair(bytes, entities: ending.entities), sink: sink, allowance: allowance).run()
      }
    }
    guard sink.isOPML else {
      let isText = bytes.first != UInt8(ascii: "<")
      return .failure(OPMLFailure(found: isText ? "plain text" : ForeignDocument.name(ofRoot: sink.root)))
    }
    sink.document.isComplete = sink.isComplete
    sink.document.problems = problems + sink.leftOut
    if allowance.isSpent {
      sink.document.problems.append(FormatProblem(at: "", message: allowance.sentence))
    } else if !sink.isComplete {
      sink.document.problems.append(.breaksOff)
    }
    return .success(sink.document)
  }

  /// Writes a subscription list; the feeds of a folder are written together, in the position of the first. A feed is
  /// written into each of its folders.
  package static func write(_ document: OPMLDocument) -> Data {
    var writer = OPMLWriter()
    return Data(writer.write(document).utf8)
  }
}
