import Foundation
import Limits

/// Texts in header fields that aren't ASCII: `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=` (RFC 2047), in UTF-8 only.
enum EncodedWords {
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "?")) else { return text }
    let word = #/=\?[Uu][Tt][Ff]-8\?([BbQq])\?([^? ]*)\?=(?: +(?==\?))?/#.matchingSemantics(.unicodeScalar)
    return text.replacing(word) { match in
      let bytes = match.1.lowercased() == "b" ? Data(base64Encoded: String(match.2)) : quoted(match.2)
      return bytes.flatMap { String(validating: $0, as: UTF8.self) } ?? String(match.0)
    }
  }

  private static func quoted(_ text: Substring) -> Data? {
    text.replacing(exactly: "%", with: "%25").replacing(exactly: "_", with: " ").replacing(
      exactly: "=", with: "%"
    )
    .removingPercentEncoding
    .map { Data($0.utf8) }
  }
}
