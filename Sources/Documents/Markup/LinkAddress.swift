import Basics

/// A URL of text, split into its parts. It decides which URLs may be opened, and resolves them (RFC 3986 section 5).
///
/// It does not use libxml2's `xmlBuildURI`, which rejects other scripts, spaces and backslashes that users write.
struct LinkAddress: Hashable, Sendable {
  private typealias Bytes = ArraySlice<UInt8>

  private var scheme: LinkScheme
  private var authority: Bytes?
  private var path: Bytes
  private var query: Bytes?
  private var fragment: Bytes?

  /// Creates a base URL, or returns `nil` unless it is a web URL.
  init?(base: String?) {
    guard let base, base.utf8.count <= Limits.baseBytes,
      let address = LinkAddress(absolute: LinkAddress.cleaned(base)), address.isWeb
    else { return nil }
    self = address
  }

  /// Returns the absolute URL, or `nil` if it may not be opened. Not allowed are other schemes, fragments of the same
  /// page, relative URLs without a base, and URLs without a host.
  ///
  /// - Parameter base: evaluated only for a relative URL.
  static func resolve(_ reference: String, base: @autoclosure () -> LinkAddress?) -> String? {
    guard reference.utf8.count <= Limits.addressBytes else { return nil }
    let reference = cleaned(reference)
    guard let first = reference.first, first != UInt8(ascii: "#") else { return nil }
    if scheme(of: reference) != nil {
      guard let address = LinkAddress(absolute: reference) else { return nil }
      return address.isWeb || (address.authority == nil && !address.path.isEmpty) ? address.text : nil
    }
    if let base = base() { return base.appending(reference).text }
    guard reference.starts(with: "//".utf8) else { return nil }
    let address = LinkAddress(.https, reference)
    return address.isWeb ? address.text : nil
  }

  /// Returns the code of a `javascript:` URL, percent-decoded (HTML, "The javascript: URL special case"), or `nil` for
  /// other URLs.
  static func script(_ reference: String) -> String? {
    let reference = cleaned(reference)
    guard let name = scheme(of: reference), name.lazy.map(\.lowercasedASCII).elementsEqual("javascript".utf8)
    else { return nil }
    return String(decoding: decoded(reference[(name.endIndex + 1)...]), as: UTF8.self)
  }

  /// Returns the bytes with percent-encoding resolved.
  private static func decoded(_ source: Bytes) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = source.startIndex
    while index < source.endIndex {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.endIndex,
        let high = source[index + 1].hexDigit, let low = source[index + 2].hexDigit
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(source[index])
        index += 1
      }
    }
    return bytes
  }

  /// Creates an absolute URL, or returns `nil` for a scheme that is never opened.
  private init?(absolute text: Bytes) {
    guard let name = LinkAddress.scheme(of: text), let scheme = LinkScheme(utf8: name) else { return nil }
    self.init(scheme, text[(name.endIndex + 1)...])
  }

  /// Creates a URL from its scheme and the rest.
  ///
  /// - Parameter rest: the part after the colon.
  private init(_ scheme: LinkScheme, _ rest: Bytes) {
    self.scheme = scheme
    path = scheme.isWeb ? LinkAddress.slashed(rest) : rest
    splitParts()
  }

  /// Moves fragment, query and authority from `path` into their own properties (RFC 3986 appendix B).
  private mutating func splitParts() {
    if let hash = path.firstIndex(of: UInt8(ascii: "#")) {
      fragment = path[(hash + 1)...]
      path = path[..<hash]
    }
    if let mark = path.firstIndex(of: UInt8(ascii: "?")) {
      query = path[(mark + 1)...]
      path = path[..<mark]
    }
    if path.starts(with: "//".utf8) {
      let rest = path.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[..<end]
      path = rest[end...]
    }
  }

  /// Whether the URL is a web URL with a host.
  private var isWeb: Bool {
    guard scheme.isWeb, let authority else { return false }
    let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
    return start < authority.endIndex && authority[start] != UInt8(ascii: ":")
  }

  /// The URL as a string, with percent-encoding for bytes that are not allowed.
  private var text: String {
    var bytes = Array(scheme.rawValue.utf8)
    bytes.reserveCapacity(bytes.count + (authority?.count ?? 0) + path.count + 16)
    bytes.append(UInt8(ascii: ":"))
    func append(_ sign: String, _ part: Bytes?) {
      guard let part else { return }
      bytes += sign.utf8
      bytes.append(percentEncoding: part, allowing: LinkAddress.isAllowed)
    }
    append("//", authority)
    append("", path)
    append("?", query)
    append("#", fragment)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Resolves a reference without a scheme against this URL (RFC 3986 section 5.2.2).
  private func appending(_ reference: Bytes) -> LinkAddress {
    let slash = UInt8(ascii: "/")
    var result = LinkAddress(scheme, reference)
    if let other = result.authority, !other.isEmpty {
      result.path = LinkAddress.withoutDots(result.path)
      return result
    }
    result.authority = authority
    if result.path.isEmpty {
      result.path = path
      if result.query == nil { result.query = query }
    } else if result.path.first != slash {
      let folder = path.lastIndex(of: slash).map { path[...$0] } ?? [slash]
      result.path = LinkAddress.withoutDots(folder + result.path)
    } else {
      result.path = LinkAddress.withoutDots(result.path)
    }
    return result
  }

  /// Removes the segments `.` and `..` from a path (RFC 3986 section 5.2.4).
  ///
  /// - Parameter path: a path that begins with a slash, or is empty.
  private static func withoutDots(_ path: Bytes) -> Bytes {
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    guard path.contains(dot) else { return path }
    var kept: [Bytes] = []
    let parts = path.split(separator: slash, omittingEmptySubsequences: false).dropFirst()
    for (place, part) in zip(parts.indices, parts) {
      let isLast = place == parts.endIndex - 1
      switch part {
      case [dot]: if isLast { kept.append([]) }
      case [dot, dot]:
        _ = kept.popLast()
        if isLast { kept.append([]) }
      default: kept.append(part)
      }
    }
    return [slash] + kept.joined(separator: [slash])
  }

  /// Replaces backslashes before the query by slashes, as browsers do.
  private static func slashed(_ text: Bytes) -> Bytes {
    guard text.contains(UInt8(ascii: "\\")) else { return text }
    let end = text.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.endIndex
    return text[..<end].map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 } + text[end...]
  }

  /// Removes the white space that browsers ignore (WHATWG URL, basic URL parser).
  private static func cleaned(_ reference: String) -> Bytes {
    var bytes = Array(reference.utf8)[...]
    if bytes.allSatisfy({ $0 > 0x20 }) { return bytes }
    bytes.removeAll { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return bytes.drop { $0 <= 0x20 }
  }

  /// Returns the scheme as written, without its colon, or `nil` if there is none.
  private static func scheme(of reference: Bytes) -> Bytes? {
    guard reference.first?.isASCIILetter == true else { return nil }
    for (index, byte) in zip(reference.indices, reference) {
      switch byte {
      case UInt8(ascii: ":"): return reference[..<index]
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): continue
      default: if !byte.isASCIILetter, !byte.isASCIIDigit { return nil }
      }
    }
    return nil
  }

  /// Whether a byte stays unchanged in a URL. Others are percent-encoded, also in hosts of other scripts: the URL that
  /// the user sees is then the one that is opened, without look-alike characters.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: byte > 0x20 && byte < 0x7F
    }
  }
}
