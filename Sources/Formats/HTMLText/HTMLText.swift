import HTML
import Limits

/// HTML fragments as plain text.
package enum HTMLText {
  /// The text of a fragment for a terminal: blocks on their own lines, list items with "- " or their number,
  /// cells of a row side by side, images as their alternative text, links as their text; scripts, styles and
  /// comments left out, character references resolved once, white space collapsed. Not sanitised.
  package static func plain(_ fragment: String) -> String {
    var fragment = fragment
    return fragment.withUTF8 { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes.prefix(Limits.bodyBytes))
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
      // In markup that was escaped as a whole, the marks of CDATA are still in the text.
      guard bytes.index(of: "<![CDATA[", from: 0) != nil else { return marked(bytes, hasReferences) }
      return withoutCDATAMarks(bytes).withUnsafeBufferPointer { marked($0, hasReferences) }
    } ?? fragment
  }

  private static func marked(_ bytes: UnsafeBufferPointer<UInt8>, _ hasReferences: Bool) -> String {
    let sink = PlainTextSink(capacity: bytes.count)
    if hasReferences {
      var decoded: [UInt8] = []
      decoded.reserveCapacity(bytes.count)
      CharacterReferences.decode(bytes, for: .markup, into: &decoded)
      decoded.withUnsafeBufferPointer { HTMLStream(sink: sink, reading: .text).run($0) }
    } else {
      HTMLStream(sink: sink, reading: .text).run(bytes)
    }
    return sink.writer.finish()
  }

  /// Removes the marks, also those that appear only when others between them are removed.
  private static func withoutCDATAMarks(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let (start, end) = (Array("<![CDATA[".utf8), Array("]]>".utf8))
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    for byte in bytes {
      output.append(byte)
      if byte == UInt8(ascii: "["), output.hasSuffix(start) { output.removeLast(start.count) }
      if byte == UInt8(ascii: ">"), output.hasSuffix(end) { output.removeLast(end.count) }
    }
    return output
  }

  /// Whether there is no white space to collapse, as in most titles.
  private static func isTidy(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var wasSpace = true
    for byte in bytes {
      if byte == 0x20 {
        if wasSpace { return false }
        wasSpace = true
      } else {
        // The byte also begins other characters than U+00A0: the writer checks those.
        if byte < 0x20 || byte == 0xC2 { return false }
        wasSpace = false
      }
    }
    return !wasSpace && bytes.count < Limits.bodyBytes
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool {
    count >= suffix.count && self[(count - suffix.count)...].elementsEqual(suffix)
  }
}
