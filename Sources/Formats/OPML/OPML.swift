package import Foundation

/// A list of feeds as OPML 2.0 subscription lists have it (opml.org/spec2.opml).
package struct OPMLDocument: Hashable, Sendable {
  package struct Feed: Hashable, Sendable {
    /// `xmlUrl`.
    package var url: String
    package var title: String
    /// `htmlUrl`.
    package var page: String?
    /// The folders it lies in, outermost first.
    package var folders: [String]

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
  /// False where the end of the document did not come, so that more feeds may have followed.
  package var isComplete = true

  package init(title: String? = nil, feeds: [Feed] = []) {
    self.title = title
    self.feeds = feeds
  }
}

/// Why bytes are no OPML, named for people as in `FeedReading.notAFeed`.
package struct OPMLFailure: Error, Hashable, Sendable {
  package var found: String
}

package enum OPML {
  /// Reads subscription lists; broken ones as far as they can be read. Feeds listed twice come once.
  package static func read(_ bytes: Data) throws(OPMLFailure) -> OPMLDocument {
    if let found = ForeignDocument.name(ofBinary: bytes) { throw OPMLFailure(found: found) }
    let decoded = DecodedText(bytes, charset: nil)
    let result: Result<OPMLDocument, OPMLFailure> = decoded.bytes.withUnsafeBytes {
      let bytes = $0.bindMemory(to: UInt8.self)
      return read(UnsafeBufferPointer(rebasing: bytes[XMLDeclaration.end(bytes)...]).trimmed)
    }
    return try result.get()
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<OPMLDocument, OPMLFailure> {
    guard !bytes.isEmpty else { return .failure(OPMLFailure(found: "an empty document")) }
    var body = bytes
    if let end = MarkupGuard.firstMonstrousTag(body, isXML: true) {
      body = UnsafeBufferPointer(rebasing: body[..<end])
    }
    var sink = OPMLSink()
    let ending = XMLStream(body, sink: sink).run()
    var problems: [FormatProblem] = []
    if let failure = ending.failure {
      problems = [FormatProblem(at: String(failure.line), message: "not well-formed XML: \(failure.message)")]
      if !ending.isComplete {
        sink = OPMLSink(isRepaired: true)
        let repair = XMLRepair(body, entities: ending.entities)
        _ = repair.output.withUnsafeBufferPointer {
          XMLStream($0, sink: sink, recovering: repair.wrappers, entities: ending.entities).run()
        }
      }
    }
    guard sink.isOPML else {
      let isText = bytes.first != UInt8(ascii: "<")
      return .failure(OPMLFailure(found: isText ? "plain text" : ForeignDocument.name(ofRoot: sink.root)))
    }
    sink.document.isComplete = sink.isComplete
    sink.document.problems = problems + (sink.isComplete ? [] : [.breaksOff])
    return .success(sink.document)
  }

  /// Writes a subscription list; feeds of one folder stand together, where the first of them was.
  package static func write(_ document: OPMLDocument) -> Data {
    var writer = OPMLWriter()
    return Data(writer.write(document).utf8)
  }
}
