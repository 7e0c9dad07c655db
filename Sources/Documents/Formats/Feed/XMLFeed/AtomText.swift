import Basics
import Foundation

/// Reads Atom's text constructs (RFC 4287 sections 3.1 and 4.1.3, and Atom 0.3's `mode`).
enum AtomText {
  /// Returns the form in which the text of an element is written.
  ///
  /// - Parameters:
  ///   - isContent: whether it is the entry's content, which alone may have media types other than text and HTML.
  ///   - unknown: the form if the type is none of Atom's.
  static func form(
    type: String?, mode: String?, isContent: Bool, unknown: TextCapture.Form
  ) -> TextCapture.Form {
    if mode == "base64" { return .base64 }
    let type = (type ?? "text").lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    switch type {
    case "", "text", "text/plain": return .text
    case "html", "text/html": return .html
    case "xhtml", "application/xhtml+xml": return mode == "escaped" ? .html : .xhtml
    default: break
    }
    guard isContent else { return type.hasPrefix("application/") ? .encodedText : unknown }
    if type.hasSuffix("+xml") || type.hasSuffix("/xml") { return .xhtml }
    return type.hasPrefix("text/") || !type.contains("/") ? .text : .base64
  }

  /// Decodes Base64, or returns `nil` if the decoded bytes are not text. Content that isn't Base64 is used unchanged.
  static func decoded(base64: UnsafeBufferPointer<UInt8>, base: String?) -> FeedText? {
    guard base64.allSatisfy({ isBase64($0) }),
      let data = Data(base64Encoded: Data(base64), options: .ignoreUnknownCharacters), !data.isEmpty,
      base64.count >= 4
    else { return FeedText(.text, String(decoding: base64, as: UTF8.self)) }
    guard let text = String(data: data, encoding: .utf8) else { return nil }
    let isMarkup = data.withUnsafeBytes { RSSText.form(ofTitle: $0.bindMemory(to: UInt8.self)) != .text }
    return isMarkup ? FeedText(.html, text, base: base) : FeedText(.text, text)
  }

  /// Returns a title or a summary, decoded if it seems to be Base64, although no text type of Atom allows
  /// that. Other text is used unchanged.
  static func decoded(perhapsBase64 text: UnsafeBufferPointer<UInt8>, base: String?) -> FeedText? {
    if text.count.isMultiple(of: 4), !text.contains(where: \.isXMLSpace),
      let decoded = decoded(base64: text, base: base), !decoded.raw.utf8.contains(where: { $0 < 0x20 })
    {
      return decoded
    }
    return TextCapture.title(text, base: base)
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte.isXMLSpace || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "=")
  }
}
