import Basics
package import Foundation

/// Decodes the bytes of a page.
package enum HTMLBytes {

  /// Returns the text of a page.
  ///
  /// It tries the charset of the HTTP header, the byte order mark, the page's `<meta>`, then UTF-8. A label that does
  /// not fit the bytes is skipped.
  package static func text(_ bytes: Data, charset: String?) -> String {
    String(decoding: DecodedText(bytes, charset: charset ?? label(bytes)).bytes, as: UTF8.self)
  }

  /// Returns the first `charset=` in a `<meta>` before the page's body. Browsers search for it at the beginning, but a
  /// later one has an effect too (HTML, section "Changing the encoding while parsing").
  private static func label(_ bytes: Data) -> String? {
    let beginning = String(decoding: bytes.prefix(Limits.charsetLabelBytes), as: UTF8.self).lowercased()
    let head = beginning.prefix(upTo: beginning.range(of: "<body")?.lowerBound ?? beginning.endIndex)
    for tag in head.components(separatedBy: "<meta").dropFirst() {
      let inside = tag.prefix { $0 != ">" }
      guard let found = inside.range(of: "charset=") else { continue }
      let value = inside[found.upperBound...].drop { "\"' ".contains($0) }
      return String(value.prefix { !"\"' ;/".contains($0) })
    }
    return nil
  }
}
