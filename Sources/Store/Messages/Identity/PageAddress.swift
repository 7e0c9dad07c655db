/// The URL of a web page, without the parts that do not change the page. These are the scheme, `www.`, the default
/// port, a slash at the end, and parameters that track readers, identify a session or contain the time.
///
/// Its hashes are stored, so the form is frozen; a test checks its values.
struct PageAddress {
  /// The host, path, `?` and query, `#` and fragment, in UTF-8.
  private var bytes: [UInt8] = []
  private var pathEnd = 0

  /// Creates the address of a page, or returns `nil` if the text is no web URL, or is that of a site's first page.
  init?(_ text: String) {
    var text = text
    let isPage = text.withUTF8 { read($0[...]) }
    if !isPage { return nil }
  }

  var hash: Int64 { bytes.withUnsafeBytes { ContentHash.of(bytes: $0) } }

  /// The hash of the page's name: the last part of the path without the extension of a program or document, with query
  /// and fragment.
  ///
  /// A move to another host, folder or program does not change it. It is `nil` if the name has two characters or fewer.
  var nameHash: Int64? {
    guard let slash = bytes[..<pathEnd].lastIndex(of: UInt8(ascii: "/")) else { return nil }
    var name = bytes[(slash + 1)..<pathEnd]
    if let ending = Self.endings.first(where: {
      name.count >= $0.count && name.suffix($0.count).elementsEqual($0)
    }) {
      name = name.dropLast(ending.count)
    }
    guard name.count(where: { $0 & 0xC0 != 0x80 }) > 2 else { return nil }
    return (name + bytes[pathEnd...]).withUnsafeBytes { ContentHash.of(bytes: $0) }
  }

  private static let endings = [".html", ".htm", ".php", ".aspx", ".asp"].map { Array($0.utf8) }
  private static let ports = [":80", ":443"].map { Array($0.utf8) }

  /// Parses a URL into `bytes`; returns whether it is that of a page, not of a site's first page.
  private mutating func read(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    guard Self.drop("http", from: &rest) else { return false }
    _ = Self.drop("s", from: &rest)
    guard Self.drop("://", from: &rest) else { return false }
    let whole = rest
    if Self.drop("www.", from: &rest), rest.first.map(Self.endsHost) ?? true { rest = whole }
    var host = rest.prefix { !Self.endsHost($0) }
    let tail = rest[host.endIndex...]
    if host.isEmpty { return false }
    for port in Self.ports where host.count > port.count && host.suffix(port.count).elementsEqual(port) {
      host = host.dropLast(port.count)
      break
    }
    let beforeFragment = tail.prefix { $0 != UInt8(ascii: "#") }
    var path = beforeFragment.prefix { $0 != UInt8(ascii: "?") }
    let query = beforeFragment[path.endIndex...].dropFirst()
    let fragment = tail[beforeFragment.endIndex...].dropFirst()
    while path.last == UInt8(ascii: "/") { path = path.dropLast() }
    bytes.reserveCapacity(rest.count)
    for byte in host { bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) }
    bytes += path
    pathEnd = bytes.count
    var mark = UInt8(ascii: "?")
    for parameter in query.split(separator: UInt8(ascii: "&")) where !Self.isIgnored(parameter) {
      bytes.append(mark)
      bytes += parameter
      mark = UInt8(ascii: "&")
    }
    if !fragment.isEmpty {
      bytes.append(UInt8(ascii: "#"))
      bytes += fragment
    }
    return !path.isEmpty || bytes.count > pathEnd
  }

  private static func endsHost(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// The parameters that track readers or identify a session, in lower case.
  private static let ignored: Set<[UInt8]> = Set(
    [
      "fbclid", "gclid", "mc_cid", "mc_eid", "token", "auth", "sig", "signature", "expires", "sid",
      "phpsessid", "nonce",
    ].map { Array($0.utf8) })
  /// The parameters that contain the time, if they have nine digits or more.
  private static let clocks: Set<[UInt8]> = Set(["t", "ts", "time", "now", "_"].map { Array($0.utf8) })

  private static func isIgnored(_ parameter: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { return false }
    // No ignored name is longer, except those that begin with `utm_`.
    let name = parameter[..<equals].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    if name.count > 4, name.starts(with: "utm_".utf8) { return true }
    if ignored.contains(name) { return true }
    let value = parameter[equals...].dropFirst()
    return clocks.contains(name) && value.count >= 9 && value.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Removes a prefix, ignoring the case of letters; returns whether the text has it.
  private static func drop(_ prefix: StaticString, from text: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool
  {
    let wanted = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    guard text.count >= wanted.count else { return false }
    for (byte, letter) in zip(text, wanted) {
      let isLetter = (0x61...0x7A).contains(letter)
      guard (isLetter ? byte | 0x20 : byte) == letter else { return false }
    }
    text = text.dropFirst(wanted.count)
    return true
  }
}
