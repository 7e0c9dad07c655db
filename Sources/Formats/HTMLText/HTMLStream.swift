import CXML2
import Foundation
import HTML
import Limits

/// What receives the events of an HTML document or fragment.
protocol HTMLSink: AnyObject {
  /// Names are lower case; the pointers are valid during the call.
  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes)
  func endElement(_ name: UnsafePointer<UInt8>)
  func characters(_ text: UnsafeBufferPointer<UInt8>)
}

/// The attributes of one start tag, valid only during the call that hands them over.
struct HTMLAttributes {
  fileprivate let cells: UnsafeMutablePointer<UnsafePointer<UInt8>?>?

  func text(_ name: StaticString) -> String? {
    guard let cells else { return nil }
    var index = 0
    while let key = cells[index] {
      if key.isName(name) { return cells[index + 1].map { String(cString: $0) } ?? "" }
      index += 2
    }
    return nil
  }
}

/// One run of libxml2's HTML SAX parser over UTF-8 bytes: no tree, nothing fetched.
final class HTMLStream {
  private let sink: any HTMLSink
  private var depth = 0
  private var isStopped = false
  private var context: htmlParserCtxtPtr?

  init(sink: any HTMLSink) { self.sink = sink }

  func run(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.count > Limits.harmlessMarkupBytes, let repaired = TagRepair.repaired(bytes) {
      repaired.withUnsafeBufferPointer { parse($0) }
    } else {
      parse(bytes)
    }
  }

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
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
    _ = htmlCtxtUseOptions(made, Int32(options))
    // The pull parser, over what the push context holds: the push parser ends with the first root element,
    // and fragments have several.
    _ = htmlParseDocument(made)
  }

  /// Ends the run after the current event.
  func stop() {
    isStopped = true
    if let context { xmlStopParser(context) }
  }

  private static func makeHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.startElement = { me, name, cells in
      guard let me, let name else { return }
      let stream = HTMLStream.from(me)
      guard !stream.isStopped else { return }
      stream.depth += 1
      stream.sink.startElement(name, HTMLAttributes(cells: cells))
      // Every end tag is looked up among all open elements.
      if stream.depth > Limits.openElementsOfText { stream.stop() }
    }
    handler.endElement = { me, name in
      guard let me, let name else { return }
      let stream = HTMLStream.from(me)
      guard !stream.isStopped else { return }
      stream.depth -= 1
      stream.sink.endElement(name)
    }
    handler.characters = { me, text, length in
      guard let me, let text else { return }
      let stream = HTMLStream.from(me)
      guard !stream.isStopped else { return }
      stream.sink.characters(UnsafeBufferPointer(start: text, count: Int(length)))
    }
    handler.cdataBlock = handler.characters
    handler.ignorableWhitespace = handler.characters
    return handler
  }

  private static func from(_ pointer: UnsafeMutableRawPointer) -> HTMLStream {
    Unmanaged<HTMLStream>.fromOpaque(pointer).takeUnretainedValue()
  }
}
