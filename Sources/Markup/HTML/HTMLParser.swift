import CXML2
import Screen

/// Runs libxml2's HTML parser over a text and tells a builder what it meets. SAX, not a tree: no
/// recursion whatever the nesting, and nothing is kept but what is shown.
enum HTMLParser {
  private static let isReady: Void = xmlInitParser()

  static func parse(_ source: Substring, into builder: HTMLBuilder) {
    _ = isReady
    let bytes = HTMLPreparation.prepared(Array(source.utf8))
    guard let context = htmlNewParserCtxt() else { return }
    defer { htmlFreeParserCtxt(context) }
    guard let sax = context.pointee.sax else { return }
    sax.pointee = xmlSAXHandler()
    sax.pointee.startElement = { data, name, attributes in
      guard let builder = HTMLParser.builder(data), let name else { return }
      builder.open(String(cString: name), HTMLAttributes(pointers: attributes))
    }
    sax.pointee.endElement = { data, _ in HTMLParser.builder(data)?.close() }
    sax.pointee.characters = { data, text, length in HTMLParser.builder(data)?.text(text, length) }
    sax.pointee.cdataBlock = sax.pointee.characters
    sax.pointee.ignorableWhitespace = sax.pointee.characters
    builder.stop = { xmlStopParser(context) }
    context.pointee.userData = Unmanaged.passUnretained(builder).toOpaque()
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue
      | HTML_PARSE_IGNORE_ENC.rawValue
    withExtendedLifetime(builder) {
      bytes.withUnsafeBytes { buffer in
        // The string is UTF-8, whatever the document says that it is.
        let text = buffer.assumingMemoryBound(to: CChar.self).baseAddress
        let document = htmlCtxtReadMemory(context, text, Int32(buffer.count), nil, "UTF-8", Int32(options))
        xmlFreeDoc(document)
      }
    }
    builder.stop = {}
  }

  private static func builder(_ data: UnsafeMutableRawPointer?) -> HTMLBuilder? {
    data.map { Unmanaged<HTMLBuilder>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// The attributes of the element that is being opened; only good while it is.
struct HTMLAttributes {
  let pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

  subscript(name: String) -> String? {
    guard let pointers else { return nil }
    var index = 0
    while let key = pointers[index] {
      if xmlStrEqual(key, name) == 1 { return pointers[index + 1].map { String(cString: $0) } ?? "" }
      index += 2
    }
    return nil
  }

  var isEmpty: Bool { pointers == nil }

  /// Mails hide a preview text this way; a reader would see it twice.
  var areHiding: Bool {
    guard !isEmpty else { return false }
    if self["hidden"] != nil { return true }
    guard let style = self["style"] else { return false }
    let bare = style.lowercased().filter { $0 != " " }
    return bare.contains("display:none") || bare.contains("visibility:hidden")
  }

  var alignment: Table.Alignment? {
    let said = self["align"]?.lowercased() ?? self["style"].map { $0.lowercased().filter { $0 != " " } } ?? ""
    if said == "right" || said.contains("text-align:right") { return .right }
    if said == "center" || said.contains("text-align:center") { return .center }
    return nil
  }
}
