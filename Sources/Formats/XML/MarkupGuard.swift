/// Limits on markup that would cost libxml2 quadratic time: it compares the attributes of a tag pair by pair.
enum MarkupGuard {
  static let attributeLimit = 512
  private static let shortTag = 4096

  /// Where the first tag with more attributes than any honest one starts; nil where there is none.
  static func firstMonstrousTag(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var position = 0
    while let open = bytes.index(of: UInt8(ascii: "<"), from: position) {
      position = open + 1
      // Comments, CDATA and processing instructions have no attributes.
      if position < bytes.count, bytes[position] == UInt8(ascii: "!") || bytes[position] == UInt8(ascii: "?")
      {
        continue
      }
      let close = bytes.index(of: UInt8(ascii: ">"), from: position) ?? bytes.count
      if close - open > shortTag {
        let signs = bytes[open..<close].reduce(into: 0) { if $1 == UInt8(ascii: "=") { $0 += 1 } }
        let spaces = bytes[open..<close].reduce(into: 0) { if $1.isXMLSpace { $0 += 1 } }
        if min(signs, spaces) > attributeLimit { return open }
      }
    }
    return nil
  }
}
