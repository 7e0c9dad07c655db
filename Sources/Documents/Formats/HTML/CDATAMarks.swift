/// Removes CDATA marks that remain in the text of markup which was escaped as a whole.
package enum CDATAMarks {
  /// Returns the text without the marks, including marks that appear only after others between them are removed.
  package static func removed(from text: Substring) -> Substring {
    var text = text
    let output = text.withUTF8 { bytes -> [UInt8]? in
      guard bytes.index(of: "<![CDATA[", from: 0) != nil else { return nil }
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
    return output.map { Substring(decoding: $0, as: UTF8.self) } ?? text
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool {
    count >= suffix.count && self[(count - suffix.count)...].elementsEqual(suffix)
  }
}
