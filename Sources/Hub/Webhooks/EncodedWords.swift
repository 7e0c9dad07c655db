import Basics
import Formats
import Foundation

/// Decodes text in header fields that isn't ASCII: `=?UTF-8?B?…?=` and `=?ISO-8859-1?Q?…?=` (RFC 2047).
enum EncodedWords {
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "?")) else { return text }
    let word = #/=\?([^?* ]+)(?:\*[^? ]*)?\?([BbQq])\?([^? ]*)\?=(?: +(?==\?))?/#.matchingSemantics(
      .unicodeScalar)
    return text.replacing(word) { match in
      let isBase64 = match.2.lowercased() == "b"
      guard let bytes = isBase64 ? Data(base64Encoded: String(match.3)) : quoted(match.3) else {
        return String(match.0)
      }
      if match.1.lowercased() == "utf-8" {
        return String(validating: bytes, as: UTF8.self) ?? String(match.0)
      }
      return HTMLBytes.text(bytes, charset: String(match.1))
    }
  }

  /// Decodes `Caf=E9_au_lait`, or returns `nil` if digits of a byte are missing.
  private static func quoted(_ text: Substring) -> Data? {
    var (bytes, rest) = (Data(), text.utf8[...])
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "_"): bytes.append(0x20)
      case UInt8(ascii: "="):
        guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2
        else {
          return nil
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}
