package import Foundation

/// A small picture that came with its message, as a URL that contains it (RFC 2397). It is never a link.
package struct PictureData: Hashable, Sendable {
  private static let prefix = "data:image/png;base64,"

  package let png: Data

  package init(png: Data) { self.png = png }

  /// - Returns: `nil` for every other URL.
  package init?(address: String) {
    guard address.hasPrefix(Self.prefix),
      let png = Data(base64Encoded: String(address.dropFirst(Self.prefix.count)))
    else { return nil }
    self.png = png
  }

  package var address: String { Self.prefix + png.base64EncodedString() }

  /// Whether a URL contains a picture (RFC 2397).
  package static func isAddress(_ address: String) -> Bool { address.hasPrefix(prefix) }
}
