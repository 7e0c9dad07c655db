internal import CXML2

/// One run of libxml2's HTML SAX parser over UTF-8 bytes, without a tree, network access or recursion.
package final class HTMLStream {
  /// The kind of the bytes, which decides how they are repaired before parsing.
  package enum Reading: Sendable {
    /// A page, parsed as in browsers.
    case page
    /// A page for a reader in which scripts run: `noscript` is empty (HTML, "The noscript element").
    case scriptedPage
    /// A fragment, parsed like a page but without implied `html`, `head` and `body`.
    case fragment
  }

  private let sink: any HTMLSink
  private let reading: Reading
  private var isStopped = false
  private var context: htmlParserCtxtPtr?

  package init(sink: any HTMLSink, reading: Reading) {
    self.sink = sink
    self.reading = reading
  }

  /// Repairs the tags of the bytes, then parses them and sends the events to the sink.
  package func run(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let repaired = TagRepair.repaired(bytes, isScripted: reading == .scriptedPage) {
      repaired.withUnsafeBufferPointer { prepare($0) }
    } else {
      prepare(bytes)
    }
  }

  /// Replaces character references that libxml2 would misread, then parses the bytes.
  private func prepare(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let prepared = HTMLPreparation.prepared(bytes) {
      prepared.withUnsafeBufferPointer { parse($0) }
    } else {
      parse(bytes)
    }
  }

  /// Parses the bytes with libxml2.
  private func parse(_ bytes: UnsafeBufferPointer<UInt8>) {
    LibXML.initialize()
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    var handler = Self.makeHandler()
    let me = Unmanaged.passUnretained(self).toOpaque()
    let made = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      htmlCreatePushParserCtxt(&handler, me, $0, Int32(bytes.count), nil, XML_CHAR_ENCODING_UTF8)
    }
    guard let made else { return }
    context = made
    defer {
      htmlFreeParserCtxt(made)
      context = nil
    }
    var options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
    if reading == .fragment { options |= HTML_PARSE_NOIMPLIED.rawValue }
    _ = htmlCtxtUseOptions(made, Int32(options))
    // This is the pull parser on the push context's input, since the push parser stops after the first root element,
    // and fragments have several.
    _ = htmlParseDocument(made)
  }

  /// Ends the run after the current event.
  private func stop() {
    isStopped = true
    if let context { xmlStopParser(context) }
  }

  private static func makeHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.startElement = { me, name, cells in
      guard let me, let name else { return }
      HTMLStream.with(me) { stream in
        stream.sink.startElement(name, HTMLAttributes(cells: cells))
        // libxml2 searches all open elements for every end tag.
        if stream.sink.isFull { stream.stop() }
      }
    }
    handler.endElement = { me, name in
      guard let me, let name else { return }
      HTMLStream.with(me) { $0.sink.endElement(name) }
    }
    handler.characters = { me, text, length in
      guard let me, let text else { return }
      HTMLStream.with(me) { $0.sink.characters(UnsafeBufferPointer(start: text, count: Int(length))) }
    }
    handler.cdataBlock = handler.characters
    handler.ignorableWhitespace = handler.characters
    return handler
  }

  /// Calls `body` with the stream that a callback's pointer means, unless the stream's run has ended. It
  /// needs no reference counting, since `run` holds a reference.
  @inline(__always)
  private static func with(_ pointer: UnsafeMutableRawPointer, _ body: (HTMLStream) -> Void) {
    Unmanaged<HTMLStream>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
      if !$0.isStopped { body($0) }
    }
  }
}
