package import Basics
package import Foundation

/// Reads web feeds in RSS, Atom, RDF and JSON Feed.
package enum FeedReader {
  /// Reads a document in the format that its bytes show. Never fails, and fetches nothing.
  ///
  /// - Parameters:
  ///   - charset: the charset of the HTTP Content-Type.
  ///   - mediaType: the Content-Type; used only to name the format if the bytes do not show it.
  ///   - address: the URL of the document (its Content-Location, if it has one), which is the base of its links.
  ///   - allowance: the limit on the total size of everything that is made from the document. The caller also
  ///     applies it to the messages that it makes.
  package static func read(
    _ bytes: Data, charset: String?, mediaType: String?, address: String, allowance: Allowance? = nil
  ) -> FeedReading {
    FeedDocument(bytes, charset: charset, mediaType: mediaType, address: address).read(allowance)
  }

  /// Reads an XML feed, first strictly, and if it is not well-formed again with repaired tags.
  ///
  /// - Parameters:
  ///   - offset: the position of the feed in the bytes, after its XML declaration.
  ///   - problem: a problem that was found when the bytes were decoded.
  static func document(
    _ bytes: UnsafeBufferPointer<UInt8>, from offset: Int, problem: String?, address: String,
    allowance: Allowance
  ) -> FeedReading {
    let linesBefore = bytes[..<offset].reduce(into: 0) { if $1 == UInt8(ascii: "\n") { $0 += 1 } }
    var problems = problem.map { [FormatProblem(at: "", message: $0)] } ?? []
    let body = UnsafeBufferPointer(rebasing: bytes[offset...])
    var strict = body
    if let end = XMLTags.firstWithTooManyAttributes(body) {
      // The strict run ends there; the repaired run leaves out the surplus attributes.
      strict = UnsafeBufferPointer(rebasing: body[..<end])
      problems.append(.tooManyAttributes)
    }

    var (result, ending) = run(strict, address: address, allowance: allowance, repairing: nil)
    if let failure = ending.failure {
      if strict.count == body.count {
        problems.append(
          FormatProblem(
            at: String(failure.line + linesBefore), message: "not well-formed XML: \(failure.message)"))
      }
      // Text after the root element is ignored.
      if !ending.isComplete, result.foreignRoot == nil, !allowance.isSpent {
        // The result so far may be large, so it is freed before the document is read again.
        result = FeedBuilder(address: address, allowance: allowance, isRepaired: true)
        (result, ending) = run(body, address: address, allowance: allowance, repairing: ending.entities)
      }
    }
    guard result.hasRoot else {
      if result.foreignRoot?.lowercased() == "html" { return PageReader.read(bytes, address: address) }
      return .notAFeed(found: SniffedType.name(ofRoot: result.foreignRoot))
    }
    var feed = result.finish()
    feed.problems = problems + feed.problems.map { $0.movedDown(by: linesBefore) }
    if !feed.isComplete, !allowance.isSpent { feed.problems.append(.breaksOff) }
    return .feed(feed)
  }

  /// Runs the strict parser if `entities` is `nil`. Otherwise runs the tolerant parser over repaired bytes,
  /// with the entities that the strict run found.
  private static func run(
    _ bytes: UnsafeBufferPointer<UInt8>, address: String, allowance: Allowance,
    repairing entities: XMLEntities?
  ) -> (builder: FeedBuilder, ending: XMLStream.Ending) {
    let builder = FeedBuilder(address: address, allowance: allowance, isRepaired: entities != nil)
    defer { builder.stream = nil }
    let stream =
      if let entities {
        XMLStream(XMLRepair(bytes, entities: entities), sink: builder, allowance: allowance)
      } else {
        XMLStream(bytes, sink: builder, allowance: allowance)
      }
    builder.stream = stream
    return (builder, stream.run())
  }
}

extension FormatProblem {
  /// Returns the problem with a line number that is higher by this number of lines.
  func movedDown(by lines: Int) -> FormatProblem {
    guard let line = Int(at) else { return self }
    return FormatProblem(at: String(line + lines), message: message, leftOut: leftOut)
  }
}
