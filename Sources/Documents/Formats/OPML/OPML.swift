package import Basics
package import Foundation

/// The feeds of an OPML 2.0 subscription list (opml.org/spec2.opml).
package struct OPMLDocument: Hashable, Sendable {
  /// A feed of the list.
  package struct Feed: Hashable, Sendable {
    /// The feed's URL, `xmlUrl`.
    package var url: String
    package var title: String
    /// The URL of the website, `htmlUrl`.
    package var page: String?
    /// The folders that contain the feed, outermost first.
    package var folders: [String]
    /// Other folders that contain the feed too, each in the form of `folders`.
    package var alsoIn: [[String]] = []

    package init(url: String, title: String, page: String? = nil, folders: [String] = []) {
      self.url = url
      self.title = title
      self.page = page
      self.folders = folders
    }
  }

  package var title: String?
  /// The feeds in document order.
  package var feeds: [Feed]
  package var problems: [FormatProblem] = []
  /// Whether all feeds were read. Otherwise some are left out, or may be missing since the document was cut off.
  package var isComplete = true

  package init(title: String? = nil, feeds: [Feed] = []) {
    self.title = title
    self.feeds = feeds
  }
}

/// The reason why bytes are not a subscription list: the kind of document found instead, as in `FeedReading.notAFeed`.
package struct OPMLFailure: Error, Hashable, Sendable {
  package var found: String
}

/// Reads and writes subscription lists.
package enum OPML {
  /// Reads a subscription list, or a list of URLs, one per line. The readable part of a broken list is used. A feed
  /// that is listed twice is returned once, with both folders.
  package static func read(_ bytes: Data) throws(OPMLFailure) -> OPMLDocument {
    if let found = SniffedType.name(ofBinary: bytes) { throw OPMLFailure(found: found) }
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
      if let list = addresses(bytes) { return .success(list) }
      let isText = bytes.first != UInt8(ascii: "<")
      return .failure(OPMLFailure(found: isText ? "plain text" : SniffedType.name(ofRoot: sink.root)))
    }
    sink.document.isComplete = sink.isComplete && sink.leftOut.isEmpty && !allowance.isSpent
    sink.document.problems = problems + sink.leftOut
    if allowance.isSpent {
      sink.document.problems.append(FormatProblem(at: "", message: allowance.sentence))
    } else if !sink.isComplete {
      sink.document.problems.append(.breaksOff)
    }
    return .success(sink.document)
  }

  /// Reads a list of URLs, one per line, as some programs write it. Returns `nil` if there is any other line.
  private static func addresses(_ bytes: UnsafeBufferPointer<UInt8>) -> OPMLDocument? {
    guard let first = bytes.first, first.isASCIILetter || first == UInt8(ascii: "#") else { return nil }
    var document = OPMLDocument()
    var seen: Set<String> = []
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = String(String(decoding: line, as: UTF8.self).trimmingXMLSpace)
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard LinkReference.isWebAddress(text), text.utf8.count <= Limits.addressBytes,
        !text.utf8.contains(where: \.isXMLSpace)
      else { return nil }
      if seen.insert(text).inserted { document.feeds.append(OPMLDocument.Feed(url: text, title: text)) }
    }
    return document.feeds.isEmpty ? nil : document
  }

  /// Writes a subscription list. The feeds of a folder are written together, in the position of the first. A feed is
  /// written into each of its folders.
  package static func write(_ document: OPMLDocument) -> Data {
    var writer = OPMLWriter()
    return Data(writer.write(document).utf8)
  }
}
