/// Limits on markup that would cost libxml2 quadratic time: it compares the attributes of a tag pair by pair.
enum MarkupGuard {
  static let attributeLimit = 512
  private static let shortTag = 4096

  /// Where the first tag with more attributes than any honest one starts; nil where there is none. CDATA
  /// holds no tags in XML; HTML knows none.
  static func firstMonstrousTag(_ bytes: UnsafeBufferPointer<UInt8>, isXML: Bool) -> Int? {
    var position = 0
    while let open = bytes.index(of: UInt8(ascii: "<"), from: position) {
      position = open + 1
      guard position < bytes.count, bytes[position].isASCIILetter || bytes[position] >= 0x80 else {
        if isXML, bytes.hasSequence("<![CDATA[", at: open) {
          guard let end = bytes.index(of: "]]>", from: open) else { return nil }
          position = end
        }
        continue
      }
      let close = bytes.index(of: UInt8(ascii: ">"), from: position) ?? bytes.count
      if close - open > shortTag, isMonstrous(bytes[open..<close]) { return open }
      // A tag that begins before this end cannot have more.
      position = close
    }
    return nil
  }

  private static func isMonstrous(_ tag: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var (signs, spaces) = (0, 0)
    for byte in tag {
      if byte == UInt8(ascii: "=") { signs += 1 }
      if byte.isXMLSpace { spaces += 1 }
    }
    return min(signs, spaces) > attributeLimit
  }
}
