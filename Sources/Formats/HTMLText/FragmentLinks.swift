/// The links inside HTML fragments, made to stand on their own.
enum FragmentLinks {
  /// The fragment with every relative link replaced by what it refers to; everything else stays byte for byte.
  static func resolved(_ fragment: String, against base: String) -> String {
    var fragment = fragment
    return fragment.withUTF8 { bytes in
      var scanner = TagScanner(bytes)
      var output: [UInt8] = []
      var copied = 0
      while let value = scanner.nextLink() {
        guard let link = resolved(bytes[value], base) else { continue }
        output.append(contentsOf: bytes[copied..<value.lowerBound])
        let isQuoted =
          bytes[value.lowerBound - 1] == UInt8(ascii: "\"")
          || bytes[value.lowerBound - 1] == UInt8(ascii: "'")
        if !isQuoted { output.append("\"") }
        appendEscaped(link, to: &output)
        if !isQuoted { output.append("\"") }
        copied = value.upperBound
      }
      guard copied > 0 else { return nil }
      output.append(contentsOf: bytes[copied...])
      return String(decoding: output, as: UTF8.self)
    } ?? fragment
  }

  /// Nil where the link stands as it is: absolute, empty, or a place in the fragment itself.
  private static func resolved(_ value: Slice<UnsafeBufferPointer<UInt8>>, _ base: String) -> String? {
    let value = UnsafeBufferPointer(rebasing: value).trimmed
    guard let first = value.first, first != UInt8(ascii: "#") else { return nil }
    var decoded: [UInt8] = []
    CharacterReferences.decode(value, for: .text, into: &decoded)
    let link = String(decoding: decoded, as: UTF8.self)
    if LinkReference.hasScheme(link) { return nil }
    return LinkReference.resolve(link, against: base)
  }

  private static func appendEscaped(_ link: String, to output: inout [UInt8]) {
    for byte in link.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output.append("&amp;")
      case UInt8(ascii: "\""): output.append("&quot;")
      case UInt8(ascii: "'"): output.append("&#39;")
      case UInt8(ascii: "<"): output.append("&lt;")
      case UInt8(ascii: ">"): output.append("&gt;")
      default: output.append(byte)
      }
    }
  }
}

/// Finds the attributes of tags that hold links.
private struct TagScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var isInTag = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Where the next `href` or `src` stands, without its quotes.
  mutating func nextLink() -> Range<Int>? {
    while position < bytes.count {
      if !isInTag {
        guard let open = bytes.index(of: UInt8(ascii: "<"), from: position) else { return nil }
        position = open + 1
        if position < bytes.count, bytes[position].isASCIILetter {
          isInTag = true
          skipName()
        }
        continue
      }
      if bytes[position] == UInt8(ascii: ">") {
        isInTag = false
        position += 1
      } else if bytes[position].isXMLSpace || bytes[position] == UInt8(ascii: "/") {
        position += 1
      } else if let value = attribute() {
        return value
      }
    }
    return nil
  }

  private mutating func skipName() {
    while position < bytes.count, !bytes[position].isXMLSpace, bytes[position] != UInt8(ascii: ">"),
      bytes[position] != UInt8(ascii: "="), bytes[position] != UInt8(ascii: "/")
    {
      position += 1
    }
  }

  /// Passes one attribute; its value if it is a link.
  private mutating func attribute() -> Range<Int>? {
    let start = position
    skipName()
    if position == start { position += 1 }
    let isLink = isLinkName(start..<position)
    while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return nil }
    position += 1
    while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
    guard position < bytes.count else { return nil }
    let value: Range<Int>
    if bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") {
      guard let end = bytes.index(of: bytes[position], from: position + 1) else {
        position = bytes.count
        return nil
      }
      value = position + 1..<end
      position = end + 1
    } else {
      let first = position
      while position < bytes.count, !bytes[position].isXMLSpace, bytes[position] != UInt8(ascii: ">") {
        position += 1
      }
      value = first..<position
    }
    return isLink ? value : nil
  }

  private func isLinkName(_ range: Range<Int>) -> Bool {
    switch range.count {
    case 3: matches(range, "src")
    case 4: matches(range, "href") || matches(range, "cite")
    case 6: matches(range, "poster") || matches(range, "action")
    default: false
    }
  }

  private func matches(_ range: Range<Int>, _ name: StaticString) -> Bool {
    for index in 0..<range.count
    where bytes[range.lowerBound + index].lowercasedASCII != name.utf8Start[index] {
      return false
    }
    return true
  }
}
