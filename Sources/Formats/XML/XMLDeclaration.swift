import HTML
import Limits

/// The XML declaration at the head of a document (XML 1.0 section 2.8), read from ASCII-compatible bytes.
enum XMLDeclaration {
  /// Its length in bytes with leading white space, 0 where there is none.
  static func end(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let start = bytes.firstIndex { !$0.isXMLSpace } ?? 0
    let head = bytes[start..<min(bytes.count, start + Limits.xmlDeclarationBytes)]
    guard head.starts(with: Array("<?xml".utf8)), let close = head.firstIndex(of: UInt8(ascii: ">")) else {
      return 0
    }
    return close + 1
  }

  /// What it says of the encoding.
  static func encoding(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let head = UnsafeBufferPointer(rebasing: bytes[..<end(bytes)])
    guard let name = head.index(of: "encoding", from: 0),
      let open = head[name...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }),
      let close = head.index(of: head[open], from: open + 1)
    else { return nil }
    return String(decoding: head[(open + 1)..<close], as: UTF8.self)
  }
}

extension UInt8 {
  /// White space of XML 1.0 production 3.
  var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  var isASCIILetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

  var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

  var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
