import Formats

/// Finds the URL of a picture, a recording or a frame in the attributes of its element.
enum MediaAddress {
  /// Returns the URL that a browser finally loads. Scripts move it from a separate attribute to `src`, which contains a
  /// placeholder until then. Returns `nil` if there is only a placeholder.
  static func of(_ attribute: (String) -> String?) -> String? {
    for name in lazy {
      if let address = attribute(name).map(trimmed), isReal(address),
        address.contains(where: { $0 == "/" || $0 == "." })
      {
        return address
      }
    }
    for name in ["data-srcset", "data-lazy-srcset"] {
      if let address = attribute(name).flatMap(best) { return address }
    }
    if let address = attribute("src").map(trimmed), isReal(address) { return address }
    return attribute("srcset").flatMap(best)
  }

  static func of(_ attributes: HTMLAttributes) -> String? { of { attributes[$0] } }

  /// The attributes in which lazily loaded pictures and frames have a single URL.
  static let lazy = [
    "data-src", "data-lazy-src", "data-original", "data-lazy", "data-litespeed-src", "data-cmplz-src",
    "data-cookieblock-src", "data-consent-src", "data-embed-src", "data-iframe-src", "data-video-src",
    "data-ezsrc",
    "data-cli-src", "data-uc-src", "data-wpconsent-src", "consent-original-src-_", "suppressedsrc",
  ]

  /// Returns the URL of the widest picture in a `srcset`, or of the first if no width is given (HTML, "Srcset
  /// attributes").
  static func best(of set: String) -> String? {
    var best: (address: String, width: Int)?
    var rest = Substring(set)
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      if rest.isEmpty { return best?.address }
      var address = rest.prefix { !$0.isWhitespace }
      rest = rest[address.endIndex...]
      var descriptor: Substring = ""
      if address.hasSuffix(",") {
        while address.hasSuffix(",") { address.removeLast() }
      } else {
        descriptor = rest.prefix { $0 != "," }
        rest = rest[descriptor.endIndex...]
      }
      let width =
        descriptor.split(whereSeparator: \.isWhitespace).lazy
        .compactMap { $0.hasSuffix("w") ? Int($0.dropLast()) : nil }.first ?? 0
      if isReal(String(address)), best.map({ $0.width < width }) ?? true { best = (String(address), width) }
    }
  }

  /// Whether a URL is more than a placeholder.
  private static func isReal(_ address: String) -> Bool {
    guard !address.isEmpty, !address.contains(where: { $0 == "{" || $0.isNewline }) else { return false }
    let start = address.prefix(11).lowercased()
    return !["data:", "about:", "blob:", "javascript:"].contains { start.hasPrefix($0) }
  }

  private static func trimmed(_ text: String) -> String {
    guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return text }
    let start = text.drop { $0.isWhitespace }
    return String(
      start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)])
  }
}
