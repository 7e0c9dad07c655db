/// HTML fragments as plain text.
package enum HTMLText {
  /// Longer fragments are read up to here; no message is a book.
  private static let limit = 1 << 20

  /// A fragment as a terminal shows it: blocks on their own lines, list items with "- " or their number,
  /// cells of a row side by side, images as their alternative text, links as their text; scripts, styles and
  /// comments left out, character references resolved once, white space collapsed. Not sanitised.
  package static func plain(_ fragment: String) -> String {
    var fragment = fragment
    return fragment.withUTF8 { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes.prefix(limit))
      let hasMarkup = bytes.index(of: UInt8(ascii: "<"), from: 0) != nil
      let hasReferences = bytes.index(of: UInt8(ascii: "&"), from: 0) != nil
      if !hasMarkup {
        var writer = PlainTextWriter(capacity: bytes.count)
        if hasReferences {
          var decoded: [UInt8] = []
          decoded.reserveCapacity(bytes.count)
          CharacterReferences.decode(bytes, for: .text, into: &decoded)
          decoded.withUnsafeBufferPointer { writer.write($0) }
        } else {
          if isTidy(bytes) { return nil }
          writer.write(bytes)
        }
        return writer.finish()
      }
      // Inside markup that was escaped whole, CDATA is text with its marks on.
      if bytes.index(of: "<![CDATA[", from: 0) != nil { return plain(withoutCDATAMarks(bytes)) }
      let sink = PlainTextSink(capacity: bytes.count)
      if hasReferences {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        CharacterReferences.decode(bytes, for: .markup, into: &decoded)
        decoded.withUnsafeBufferPointer { HTMLStream(sink: sink).run($0) }
      } else {
        HTMLStream(sink: sink).run(bytes)
      }
      return sink.writer.finish()
    } ?? fragment
  }

  private static func withoutCDATAMarks(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      if bytes.hasSequence("<![CDATA[", at: position) {
        position += 9
      } else if bytes.hasSequence("]]>", at: position) {
        position += 3
      } else {
        output.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Nothing to collapse: most titles.
  private static func isTidy(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var wasSpace = true
    for byte in bytes {
      if byte == 0x20 {
        if wasSpace { return false }
        wasSpace = true
      } else {
        // Also U+00A0 and every other character that begins with its byte: the writer judges those.
        if byte < 0x20 || byte == 0xC2 { return false }
        wasSpace = false
      }
    }
    return !wasSpace && bytes.count < limit
  }
}
