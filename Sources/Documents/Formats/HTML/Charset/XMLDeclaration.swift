import Basics

/// The XML declaration at the start of a document (XML 1.0 section 2.8), in ASCII-compatible bytes.
package enum XMLDeclaration {
  /// Returns the length of the declaration in bytes, with leading white space, or 0 if there is none.
  package static func end(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let start = bytes.firstIndex { !$0.isXMLSpace } ?? 0
    let head = bytes[start..<min(bytes.count, start + Limits.xmlDeclarationBytes)]
    guard head.starts(with: Array("<?xml".utf8)), let close = head.firstIndex(of: UInt8(ascii: ">")) else {
      return 0
    }
    return close + 1
  }

  /// Returns the declared encoding, or `nil` if there is none.
  package static func encoding(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let head = UnsafeBufferPointer(rebasing: bytes[..<end(bytes)])
    guard let name = head.index(of: "encoding", from: 0),
      let open = head[name...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }),
      let close = head.index(of: head[open], from: open + 1)
    else { return nil }
    return String(decoding: head[(open + 1)..<close], as: UTF8.self)
  }
}
