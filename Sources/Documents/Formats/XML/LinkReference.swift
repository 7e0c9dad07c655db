import Basics

/// Resolves relative references (RFC 3986 section 5.2), with characters of any script.
///
/// libxml2's `xmlBuildURI` isn't used: it rejects other scripts, spaces, `|` and a lone `%`, replaces `%7E` by `~`,
/// keeps `/../g` unchanged, and takes quadratic time for dots.
///
/// The separators between the parts of a URL are searched as bytes: a combining mark after one belongs to the next
/// part.
enum LinkReference {
  private static let slash = UInt8(ascii: "/")
  private static let query = UInt8(ascii: "?")
  private static let fragment = UInt8(ascii: "#")

  /// Resolves a reference against its base, in linear time. Returns the reference itself if it is absolute or there is
  /// no base. Surrounding white space and line ends inside are removed.
  static func resolve(_ reference: String, against base: String?) -> String {
    let reference = tidied(reference)
    if hasScheme(reference) { return reference }
    guard let base, let parts = Parts(base) else { return reference }
    if reference.utf8.starts(with: "//".utf8) { return parts.scheme + reference }
    let cut = reference.utf8.firstIndex { $0 == query || $0 == fragment } ?? reference.endIndex
    let path = reference[..<cut]
    let tail = reference[cut...]
    if path.isEmpty {
      let inherited = tail.utf8.first == query ? "" : parts.query
      return parts.scheme + parts.authority + parts.path + inherited + tail
    }
    if path.utf8.first == slash { return parts.scheme + parts.authority + removingDots(path) + tail }
    let folder = parts.path.utf8.lastIndex(of: slash).map { Substring(parts.path.utf8[...$0]) } ?? "/"
    return parts.scheme + parts.authority + removingDots(folder + path) + tail
  }

  /// Resolves the URL of an entry. It may begin with the host of its base, in which case only the scheme is missing;
  /// elsewhere such text would be a path.
  static func resolve(page reference: String, against base: String?) -> String {
    let reference = tidied(reference)
    if hasScheme(reference) { return reference }
    guard let parts = base.flatMap(Parts.init), parts.authority.utf8.count > 2,
      Substring(reference.utf8.prefix { $0 != slash }).lowercased()
        == parts.authority.dropFirst(2).lowercased()
    else { return resolve(reference, against: base) }
    return parts.scheme + "//" + reference
  }

  /// Whether the address contains code or data instead of a location: `javascript:`, `vbscript:` or `data:`.
  static func isScript(_ address: String) -> Bool {
    guard let first = address.utf8.first(where: { $0 > 0x20 }), "jvdJVD".utf8.contains(first) else {
      return false
    }
    let start = address.utf8.lazy.filter { $0 > 0x20 }.prefix(11).map(\.lowercasedASCII)
    return start.starts(with: "javascript:".utf8) || start.starts(with: "vbscript:".utf8)
      || start.starts(with: "data:".utf8)
  }

  /// Whether a string begins with a scheme, like `http:`.
  static func hasScheme(_ text: some StringProtocol) -> Bool { hasScheme(utf8: text.utf8) }

  /// Whether bytes begin with a scheme, like `http:`.
  static func hasScheme(utf8 text: some Collection<UInt8>) -> Bool {
    guard text.first?.isASCIILetter == true else { return false }
    for byte in text {
      switch byte {
      case UInt8(ascii: ":"): return true
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): continue
      default: if !byte.isASCIILetter, !byte.isASCIIDigit { return false }
      }
    }
    return false
  }

  /// Whether a string is a URL or a path instead of a word.
  static func isReference(_ text: String) -> Bool {
    isWebAddress(text)
      || !hasScheme(text) && text.utf8.contains { "/#?".utf8.contains($0) }
        && !text.utf8.contains { $0 <= 0x20 }
  }

  /// Whether a string is an http or https URL.
  static func isWebAddress(_ text: String) -> Bool {
    let head = text.utf8.prefix(8).lazy.map(\.lowercasedASCII)
    return head.starts(with: "http://".utf8) && text.utf8.count > 7
      || head.elementsEqual("https://".utf8) && text.utf8.count > 8
  }

  /// Whether relative links can be resolved against a URL.
  static func canBeBase(_ address: String) -> Bool {
    address.utf8.count <= Limits.baseBytes && isWebAddress(address)
  }

  /// Returns a reference without surrounding white space and line ends, and with `%20` for spaces.
  private static func tidied(_ text: String) -> String {
    guard text.utf8.contains(where: \.isXMLSpace) else { return text }
    let bytes = text.utf8.drop(while: \.isXMLSpace)
    let end = bytes.lastIndex { !$0.isXMLSpace }.map { bytes.index(after: $0) } ?? bytes.startIndex
    let kept = Substring(bytes[..<end])
    var output = ""
    for scalar in kept.unicodeScalars {
      switch scalar {
      case " ": output += "%20"
      case "\t", "\n", "\r": continue
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// Removes the segments `.` and `..` from a path (RFC 3986 section 5.2.4).
  private static func removingDots(_ path: Substring) -> String {
    var kept: [Substring.UTF8View] = []
    let segments = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment.elementsEqual(".".utf8) {
        if isLast { kept.append(""[...].utf8) }
      } else if segment.elementsEqual("..".utf8) {
        // The first segment is the empty one before the leading slash.
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append(""[...].utf8) }
      } else {
        kept.append(segment)
      }
    }
    return kept.lazy.map { Substring($0) }.joined(separator: "/")
  }

  /// The parts of an absolute URL.
  private struct Parts {
    /// The scheme with its colon.
    var scheme: String
    /// The authority with its two slashes; empty if there is none.
    var authority: String
    var path: String
    /// The query with its question mark; empty if there is none.
    var query: String

    /// Splits a URL, or returns `nil` if it is not absolute.
    init?(_ address: String) {
      guard hasScheme(address), let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      scheme = String(Substring(address.utf8[...colon]))
      var rest = address[address.utf8.index(after: colon)...].utf8
      rest = rest.prefix { $0 != LinkReference.fragment }
      query = rest.firstIndex(of: LinkReference.query).map { String(Substring(rest[$0...])) } ?? ""
      rest = rest.prefix { $0 != LinkReference.query }
      if rest.starts(with: "//".utf8) {
        let end = rest.dropFirst(2).firstIndex(of: slash) ?? rest.endIndex
        authority = String(Substring(rest[..<end]))
        rest = rest[end...]
      } else {
        authority = ""
      }
      path = rest.isEmpty && !authority.isEmpty ? "/" : String(Substring(rest))
    }
  }
}
