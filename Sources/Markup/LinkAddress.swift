import HTML
import Limits

/// Decides which addresses may be opened, and resolves them (RFC 3986 section 5).
///
/// Without libxml2's `xmlBuildURI`, which refuses other scripts, spaces and backslashes, which people write.
struct LinkAddress: Hashable, Sendable {
  private var scheme: String
  private var authority: Substring?
  private var path: Substring
  private var query: Substring?
  private var fragment: Substring?

  /// A base address; nil unless it is a web address.
  init?(base: String?) {
    guard let base, base.utf8.count <= Limits.baseBytes,
      let address = LinkAddress(absolute: LinkAddress.cleaned(base)), address.isWeb
    else { return nil }
    self = address
  }

  /// The absolute address; nil if it may not be opened: other schemes, fragments of the same page,
  /// relative addresses without a base, addresses without a host.
  static func resolve(_ reference: String, base: LinkAddress?) -> String? {
    guard reference.utf8.count <= Limits.addressBytes else { return nil }
    let reference = cleaned(reference)
    guard !reference.isEmpty, !reference.hasPrefix("#") else { return nil }
    if scheme(of: reference) != nil {
      guard let address = LinkAddress(absolute: reference), LinkScheme(address.scheme) != nil else {
        return nil
      }
      return address.isWeb || (address.authority == nil && !address.path.isEmpty) ? address.text : nil
    }
    if let base { return base.appending(reference).text }
    guard reference.hasPrefix("//"), let address = LinkAddress(absolute: "https:" + reference), address.isWeb
    else {
      return nil
    }
    return address.text
  }

  /// The code of a `javascript:` address, percent-decoded (HTML, "The javascript: URL special case"); nil for others.
  static func script(_ reference: String) -> String? {
    let reference = cleaned(reference)
    guard scheme(of: reference) == "javascript", let colon = reference.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return decoded(reference[reference.utf8.index(after: colon)...])
  }

  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let source = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let high = Character(Unicode.Scalar(source[index + 1])).hexDigitValue,
        let low = Character(Unicode.Scalar(source[index + 2])).hexDigitValue
      {
        bytes.append(UInt8(high << 4 | low))
        index += 3
      } else {
        bytes.append(source[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private init?(absolute text: String) {
    guard let scheme = LinkAddress.scheme(of: text) else { return nil }
    self.scheme = scheme
    path = text[text.utf8.index(text.utf8.startIndex, offsetBy: scheme.utf8.count + 1)...]
    if LinkScheme(scheme)?.isWeb == true { path = LinkAddress.slashed(path) }
    splitParts()
  }

  /// Moves fragment, query and authority out of the path (RFC 3986 appendix B).
  private mutating func splitParts() {
    if let hash = path.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = path[path.utf8.index(after: hash)...]
      path = path[..<hash]
    }
    if let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = path[path.utf8.index(after: mark)...]
      path = path[..<mark]
    }
    if path.hasPrefix("//") {
      let rest = path.dropFirst(2)
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[..<end]
      path = rest[end...]
    }
  }

  /// A web address with a host.
  private var isWeb: Bool {
    guard LinkScheme(scheme)?.isWeb == true, let authority else { return false }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return !host.isEmpty && !host.hasPrefix(":")
  }

  private var text: String {
    var text = scheme + ":"
    if let authority { text += "//" + LinkAddress.encoded(authority) }
    text += LinkAddress.encoded(path)
    if let query { text += "?" + LinkAddress.encoded(query) }
    if let fragment { text += "#" + LinkAddress.encoded(fragment) }
    return text
  }

  /// RFC 3986 section 5.2.2, for a reference without a scheme.
  private func appending(_ reference: String) -> LinkAddress {
    var result = self
    result.path = LinkAddress.slashed(reference[...])
    result.authority = nil
    result.query = nil
    result.fragment = nil
    result.splitParts()
    if let other = result.authority, !other.isEmpty {
      result.path = LinkAddress.withoutDots(result.path)
      return result
    }
    result.authority = authority
    if result.path.isEmpty {
      result.path = path
      if result.query == nil { result.query = query }
    } else if !result.path.hasPrefix("/") {
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
      result.path = LinkAddress.withoutDots(folder + result.path)
    } else {
      result.path = LinkAddress.withoutDots(result.path)
    }
    return result
  }

  private static func withoutDots(_ path: Substring) -> Substring {
    guard path.contains("./") || path.hasSuffix(".") else { return path }
    var kept: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return Substring("/" + kept.joined(separator: "/"))
  }

  /// Replaces backslashes before the query by slashes, as browsers do.
  private static func slashed(_ text: Substring) -> Substring {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    return Substring(text[..<end].map { $0 == "\\" ? "/" : String($0) }.joined() + text[end...])
  }

  /// Removes the white space that browsers ignore (WHATWG URL, basic URL parser).
  private static func cleaned(_ reference: String) -> String {
    if reference.utf8.allSatisfy({ $0 > 0x20 }) { return reference }
    var scalars = reference.unicodeScalars.filter { $0 != "\t" && $0 != "\n" && $0 != "\r" }
    while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars.drop { $0.value <= 0x20 }))
  }

  private static func scheme(of reference: String) -> String? {
    guard let colon = reference.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = reference[..<colon]
    guard name.utf8.first?.isASCIILetter == true else { return nil }
    let isScheme = name.utf8.allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
    return isScheme ? name.lowercased() : nil
  }

  /// Percent-encodes characters that are not allowed in an address, also in hosts of other scripts: the
  /// address that the user sees is then the one that is opened, without look-alike characters.
  private static func encoded(_ text: Substring) -> String { text.percentEncoded(allowing: isAllowed) }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: byte > 0x20 && byte < 0x7F
    }
  }
}
