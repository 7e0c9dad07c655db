import Basics
import Foundation

/// A token of a hub: `rdh_NUMBER_SECRET`, in which the secret is 32 random bytes in base64url (RFC 4648, section 5), 43
/// characters. Only its digest is stored.
package struct HubToken: Sendable {
  /// The number in the store, greater than 0.
  package let number: Int
  /// SHA-256 of the whole text, 32 bytes.
  package let hash: [UInt8]

  /// Parses a token, or returns `nil` for text of another form.
  package init?(_ text: String) {
    let parts = text.split(onBytes: "_", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "rdh", parts[2].utf8.count == 43, let number = Int(parts[1]),
      number > 0, String(number) == parts[1]
    else { return nil }
    self.number = number
    hash = SHA256.digest(text)
  }

  /// Returns the text of a new token, to be shown once.
  ///
  /// - Parameter secret: 32 random bytes.
  package static func make(number: Int, secret: [UInt8]) -> String {
    let text = Data(secret).base64EncodedString().replacingBytes("+", with: "-").replacingBytes(
      "/", with: "_")
    return "rdh_\(number)_\(text.prefix { $0 != "=" })"
  }

  /// Whether the digests are equal, in a time that doesn't depend on the first difference.
  package func matches(_ stored: [UInt8]) -> Bool {
    hash.isEqualInConstantTime(to: stored)
  }

  /// Returns the token in the value of an `Authorization` field: a Bearer token, or the password of Basic
  /// (RFC 6750, RFC 7617). Returns an empty string for other values.
  package static func sent(in authorization: String) -> String {
    let words = authorization.split(onBytes: " ", maxSplits: 1)
    guard words.count == 2 else { return "" }
    switch words[0].lowercased() {
    case "bearer": return String(words[1])
    case "basic":
      guard let bytes = Data(base64Encoded: String(words[1])), let colon = bytes.firstIndex(of: 0x3A) else {
        return ""
      }
      return String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    default: return ""
    }
  }
}
