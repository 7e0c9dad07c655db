import Foundation

/// Text that is compared scalar by scalar, because the standard library treats canonically equivalent strings as equal.
struct ExactText: Hashable, Comparable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (one: ExactText, other: ExactText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }
  static func < (one: ExactText, other: ExactText) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8.max)
  }

  /// The number of scalars.
  var count: Int { text.unicodeScalars.count }
}

/// The comparison of text, links and dates.
struct IdentityWords {
  let mutant: IdentityMutant?

  /// Returns text with one form of characters, quotes, dashes and blanks, or `nil` if nothing is left.
  func words(_ text: String?) -> ExactText? {
    var scalars = String.UnicodeScalarView()
    for scalar in (text ?? "").precomposedStringWithCanonicalMapping.unicodeScalars {
      scalars.append(mutant == .typographyDiffers ? scalar : Self.plain[scalar] ?? scalar)
    }
    let parts = scalars.split(whereSeparator: Self.isBlank).map { String($0) }
    return parts.isEmpty ? nil : ExactText(parts.joined(separator: " "))
  }

  private static let plain: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{201C}": "\"", "\u{201D}": "\"", "\u{201E}": "\"", "\u{2018}": "'", "\u{2019}": "'", "\u{2013}": "-",
    "\u{2014}": "-", "\u{A0}": " ",
  ]

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || (0x1C...0x1F).contains(scalar.value)
  }

  /// Returns the value of a field without blanks around it, or `nil` if it is empty.
  func field(_ value: String?) -> ExactText? {
    guard let value, !value.isEmpty else { return nil }
    let field = mutant == .blanksCount ? value : Self.trimmed(value)
    return field.isEmpty ? nil : ExactText(field)
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars.drop(while: isBlank)
    guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(scalars[...last])
  }

  /// Returns the link without the parts that lead to the same page, or `nil` if it isn't a web address, or is a site's
  /// first page.
  func linkKey(_ link: ExactText?) -> ExactText? {
    let bytes = Array(Self.trimmed(link?.text ?? "").utf8)
    guard var rest = Self.afterScheme(bytes) else { return nil }
    let isOfHost = { (byte: UInt8) in !"/?#".utf8.contains(byte) }
    if mutant != .hostPrefixCounts, rest.prefix(4).elementsEqual("www.".utf8, by: Self.isSameLetter),
      let next = rest.dropFirst(4).first, isOfHost(next)
    {
      rest = rest.dropFirst(4)
    }
    let host = rest.prefix(while: isOfHost)
    if host.isEmpty { return nil }
    rest = rest[host.endIndex...]
    var path = rest.prefix { !"?#".utf8.contains($0) }
    rest = rest[path.endIndex...]
    var query: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: "?") {
      query = rest.dropFirst().prefix { $0 != UInt8(ascii: "#") }
      rest = rest[query.endIndex...]
    }
    let fragment = rest.dropFirst()
    if fragment.contains(UInt8(ascii: "\n")) { return nil }

    var name = String(decoding: host, as: UTF8.self).lowercased()
    for port in [":80", ":443"] where name.utf8.reversed().starts(with: port.utf8.reversed()) {
      name = String(decoding: name.utf8.dropLast(port.utf8.count), as: UTF8.self)
      break
    }
    while path.last == UInt8(ascii: "/") { path.removeLast() }
    let parameters = Array(
      query.split(separator: UInt8(ascii: "&")).filter {
        (mutant == .trackingCounts || !Self.isTracking($0)) && (mutant == .clocksCount || !Self.isClock($0))
      }.joined(separator: "&".utf8))
    var tail = ""
    if !parameters.isEmpty, mutant != .queriesDoNotCount {
      tail += "?" + String(decoding: parameters, as: UTF8.self)
    }
    if !fragment.isEmpty, mutant != .fragmentsDoNotCount {
      tail += "#" + String(decoding: fragment, as: UTF8.self)
    }
    if path.isEmpty, tail.isEmpty, mutant != .firstPageIsPage { return nil }
    return ExactText(name + String(decoding: path, as: UTF8.self) + tail)
  }

  private static func afterScheme(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    for scheme in ["http://", "https://"]
    where bytes.prefix(scheme.utf8.count).elementsEqual(scheme.utf8, by: isSameLetter) {
      return bytes.dropFirst(scheme.utf8.count)
    }
    return nil
  }

  /// - Parameter pattern: a byte in lower case.
  private static func isSameLetter(_ byte: UInt8, _ pattern: UInt8) -> Bool {
    byte == pattern || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 32 == pattern
  }

  private static let trackingNames: Set<String> = [
    "fbclid", "gclid", "mc_cid", "mc_eid", "token", "auth", "sig", "signature", "expires", "sid", "phpsessid",
    "nonce",
  ]

  private static func isTracking(_ parameter: ArraySlice<UInt8>) -> Bool {
    guard let end = parameter.firstIndex(of: UInt8(ascii: "=")) else { return false }
    let name = String(decoding: parameter[..<end], as: UTF8.self).lowercased()
    if trackingNames.contains(name) { return true }
    guard name.hasPrefix("utm_") else { return false }
    let rest = name.unicodeScalars.dropFirst(4)
    return !rest.isEmpty && rest.allSatisfy(isOfWord)
  }

  private static func isClock(_ parameter: ArraySlice<UInt8>) -> Bool {
    guard let end = parameter.firstIndex(of: UInt8(ascii: "=")) else { return false }
    let name = String(decoding: parameter[..<end], as: UTF8.self).lowercased()
    let digits = parameter[(end + 1)...]
    return ["t", "ts", "time", "now", "_"].contains(name) && digits.count >= 9
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      true
    default: scalar == "_"
    }
  }

  /// Returns the last part of the path without its ending, with query and fragment.
  func pageName(_ link: ExactText?) -> ExactText? {
    guard let key = linkKey(link)?.text.utf8, key.contains(UInt8(ascii: "/")) else { return nil }
    let path = key.prefix { !"?#".utf8.contains($0) }
    // A slash may be only in the query.
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    var name = String(decoding: path[path.index(after: slash)...], as: UTF8.self)
    for ending in [".html", ".htm", ".php", ".aspx", ".asp"] where name.hasSuffix(ending) {
      name.removeLast(ending.count)
      break
    }
    guard name.unicodeScalars.count > 2 else { return nil }
    return ExactText(name + String(decoding: key[path.endIndex...], as: UTF8.self))
  }

  /// Returns a date as a moment, to the second, and as a day. A date without a time of day, or at midnight, has no
  /// moment.
  func time(of text: ExactText?) -> (moment: ExactText?, day: ExactText?) {
    guard let text = text?.text else { return (nil, nil) }
    let day = ExactText(String(text.prefix(10)))
    let hasTime = text.count > 10
    let moment = hasTime ? String(text.prefix(19)) : text + "T00:00:00"
    if mutant == .dayIsMoment { return (ExactText(moment), day) }
    let isMoment = hasTime && (mutant == .midnightIsMoment || !moment.hasSuffix("T00:00:00"))
    return (isMoment ? ExactText(moment) : nil, day)
  }

  /// Returns text up to its last word, without the ellipsis.
  func beginning(_ text: ExactText?) -> ExactText {
    guard let scalars = text?.text.unicodeScalars, let last = scalars.lastIndex(where: Self.isOfWord) else {
      return ExactText("")
    }
    return ExactText(String(scalars[...last]))
  }

  /// Returns the number of a day, so that days can be counted.
  static func dayNumber(_ day: ExactText) -> Int {
    let parts = day.text.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return 0 }
    // The year begins in March, so that the leap day is its last.
    let year = parts[1] > 2 ? parts[0] : parts[0] - 1
    let dayOfYear = (153 * ((parts[1] + 9) % 12) + 2) / 5 + parts[2] - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear
  }
}
