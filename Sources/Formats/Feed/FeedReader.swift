package import Foundation

/// Reads web feeds of every format that section 6 names.
package enum FeedReader {
  /// What the bytes are, whatever they are called. Total: no bytes make it fail, and it fetches nothing.
  ///
  /// - Parameters:
  ///   - charset: From the HTTP Content-Type.
  ///   - mediaType: From there too; only names what came where the bytes do not say.
  ///   - address: Where the document came from (its Content-Location, if it has one): the base of its links.
  package static func read(
    _ bytes: Data, charset: String?, mediaType: String?, address: String
  ) -> FeedReading {
    if let found = ForeignDocument.name(ofBinary: bytes) { return .notAFeed(found: found) }
    let decoded = DecodedText(bytes, charset: charset)
    guard let first = decoded.bytes.first(where: { !$0.isXMLSpace }) else {
      return .notAFeed(found: "an empty document")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      return JSONFeedReader.read(decoded.bytes, problem: decoded.problem, address: address)
    }
    return decoded.bytes.withUnsafeBytes {
      markup($0.bindMemory(to: UInt8.self), problem: decoded.problem, mediaType: mediaType, address: address)
    }
  }

  private static func markup(
    _ bytes: UnsafeBufferPointer<UInt8>, problem: String?, mediaType: String?, address: String
  ) -> FeedReading {
    let start = MarkupStart(bytes)
    switch start.kind {
    case .xml:
      return document(bytes, from: start.offset, problem: problem, address: address)
    case .embeddedFeed:
      let note = problem ?? "the document begins with text that belongs to no feed"
      return document(bytes, from: start.offset, problem: note, address: address)
    case .html:
      return PageReader.read(bytes, address: address)
    case .text:
      let isHTML = mediaType?.lowercased().hasPrefix("text/html") == true
      return isHTML ? PageReader.read(bytes, address: address) : .notAFeed(found: "plain text")
    }
  }

  private static func document(
    _ bytes: UnsafeBufferPointer<UInt8>, from offset: Int, problem: String?, address: String
  ) -> FeedReading {
    let linesBefore = bytes[..<offset].reduce(into: 0) { if $1 == UInt8(ascii: "\n") { $0 += 1 } }
    var problems = problem.map { [FormatProblem(at: "", message: $0)] } ?? []
    var body = UnsafeBufferPointer(rebasing: bytes[offset...])
    if let end = MarkupGuard.firstMonstrousTag(body, isXML: true) {
      body = UnsafeBufferPointer(rebasing: body[..<end])
      problems.append(
        FormatProblem(
          at: "", message: "what follows a tag of over \(MarkupGuard.attributeLimit) attributes was not read")
      )
    }

    var (result, ending) = run(body, address: address, repairing: nil)
    if let failure = ending.failure {
      problems.append(
        FormatProblem(
          at: String(failure.line + linesBefore), message: "not well-formed XML: \(failure.message)"))
      // What follows the root element does not matter.
      if !ending.isComplete, result.foreignRoot == nil {
        // What came so far may be large: it goes before it is read once more.
        result = FeedBuilder(address: address, isRepaired: true)
        (result, ending) = run(body, address: address, repairing: ending.entities)
      }
    }
    guard result.hasRoot else {
      if result.foreignRoot?.lowercased() == "html" { return PageReader.read(bytes, address: address) }
      return .notAFeed(found: ForeignDocument.name(ofRoot: result.foreignRoot))
    }
    var feed = result.finish()
    feed.isWellFormed = problems.isEmpty
    feed.problems = problems + feed.problems.map { $0.movedDown(by: linesBefore) }
    if !feed.isComplete { feed.problems.append(.breaksOff) }
    return .feed(feed)
  }

  /// A strict run or, with the entities that it found declared, one over the repaired bytes.
  private static func run(
    _ bytes: UnsafeBufferPointer<UInt8>, address: String, repairing entities: XMLEntities?
  ) -> (builder: FeedBuilder, ending: XMLStream.Ending) {
    let builder = FeedBuilder(address: address, isRepaired: entities != nil)
    defer { builder.stream = nil }
    guard let entities else {
      let stream = XMLStream(bytes, sink: builder)
      builder.stream = stream
      return (builder, stream.run())
    }
    let repair = XMLRepair(bytes, entities: entities)
    return repair.output.withUnsafeBufferPointer {
      let stream = XMLStream($0, sink: builder, recovering: repair.wrappers, entities: entities)
      builder.stream = stream
      return (builder, stream.run())
    }
  }
}

extension FormatProblem {
  fileprivate func movedDown(by lines: Int) -> FormatProblem {
    guard let line = Int(at) else { return self }
    return FormatProblem(at: String(line + lines), message: message)
  }
}
