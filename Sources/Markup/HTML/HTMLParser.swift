import CXML2
import HTML

/// Runs libxml2's HTML parser over a text and tells a sink what it meets. SAX, not a tree of its own:
/// no recursion whatever the nesting, and nothing is kept but what the sink keeps.
enum HTMLParser {
  /// - Parameter isFragment: whether `html`, `head` and `body` are only met where they are written.
  static func parse(_ source: Substring, into sink: any HTMLSink, isFragment: Bool = false) {
    LibXML.initialize()
    let written = Array(source.utf8)
    let bytes = HTMLPreparation.prepared(written.withUnsafeBufferPointer(TagRepair.repaired) ?? written)
    guard let context = htmlNewParserCtxt() else { return }
    defer { htmlFreeParserCtxt(context) }
    guard let sax = context.pointee.sax else { return }
    sax.pointee = xmlSAXHandler()
    sax.pointee.startElement = { data, name, attributes in
      guard let sink = HTMLParser.sink(data), let name else { return }
      sink.open(String(cString: name), HTMLAttributes(pointers: attributes))
    }
    sax.pointee.endElement = { data, _ in HTMLParser.sink(data)?.close() }
    sax.pointee.characters = { data, text, length in
      guard let text, length > 0 else { return }
      HTMLParser.sink(data)?.text(UnsafeBufferPointer(start: text, count: Int(length)))
    }
    sax.pointee.cdataBlock = sax.pointee.characters
    sax.pointee.ignorableWhitespace = sax.pointee.characters
    sink.stop = { xmlStopParser(context) }
    let target = Target(sink)
    context.pointee.userData = Unmanaged.passUnretained(target).toOpaque()
    var options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue
      | HTML_PARSE_IGNORE_ENC.rawValue
    if isFragment { options |= HTML_PARSE_NOIMPLIED.rawValue }
    withExtendedLifetime(target) {
      bytes.withUnsafeBytes { buffer in
        // The string is UTF-8, whatever the document says that it is.
        let text = buffer.assumingMemoryBound(to: CChar.self).baseAddress
        let document = htmlCtxtReadMemory(context, text, Int32(buffer.count), nil, "UTF-8", Int32(options))
        xmlFreeDoc(document)
      }
    }
    sink.stop = {}
  }

  /// One pointer for C, whatever the sink is.
  private final class Target {
    let sink: any HTMLSink

    init(_ sink: any HTMLSink) { self.sink = sink }
  }

  private static func sink(_ data: UnsafeMutableRawPointer?) -> (any HTMLSink)? {
    data.map { Unmanaged<Target>.fromOpaque($0).takeUnretainedValue().sink }
  }
}
