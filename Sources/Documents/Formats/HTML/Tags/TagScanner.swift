import Basics

/// Reads the attributes of one HTML start tag (HTML, "Before attribute name state" and those after it). Quotes have a
/// meaning only after an equals sign, and `>` is allowed only inside quotes.
package struct TagScanner {
  /// An attribute, given by its ranges in the bytes.
  package struct Attribute {
    package var name: Range<Int>
    /// The range of the value without its quotes, or `nil` if there is none.
    package var value: Range<Int>?
    package var isQuoted = false
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  /// The current index; at the end it is that of the tag's `>`, or the end of the bytes.
  package private(set) var position: Int
  /// The range of the element's name.
  package let name: Range<Int>
  /// Whether the tag closes its element (`/>`).
  package private(set) var isEmpty = false
  /// Whether all parsers read the tag so far in the same way: names of letters, quotes only around values, and no angle
  /// brackets in values.
  package private(set) var isPlain: Bool

  /// - Parameter start: the index of the first letter after the `<`.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, name start: Int) {
    self.bytes = bytes
    var end = start
    var isPlain = true
    while end < bytes.count, !Self.endsName(bytes[end]), bytes[end] != UInt8(ascii: "=") {
      if !Self.isNamePart(bytes[end]) { isPlain = false }
      end += 1
    }
    name = start..<end
    position = end
    self.isPlain = isPlain && end - start <= Limits.htmlNameBytes
  }

  /// Returns the next attribute, or `nil` at the end of the tag.
  package mutating func next() -> Attribute? {
    let before = position
    while position < bytes.count, Self.isSpace(bytes[position]) || bytes[position] == UInt8(ascii: "/") {
      isEmpty = bytes[position] == UInt8(ascii: "/")
      if isEmpty, position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: ">") { isPlain = false }
      position += 1
    }
    guard position < bytes.count, bytes[position] != UInt8(ascii: ">") else { return nil }
    isEmpty = false
    // After a quote an attribute may begin without a space.
    if position == before { isPlain = false }
    let start = position
    // A name may begin with an equals sign, but contains none later.
    repeat {
      if !Self.isNamePart(bytes[position]) { isPlain = false }
      position += 1
    } while position < bytes.count && !Self.endsName(bytes[position]) && bytes[position] != UInt8(ascii: "=")
    var attribute = Attribute(name: start..<position)
    if attribute.name.count > Limits.htmlNameBytes || !Self.isNameStart(bytes[start]) { isPlain = false }
    var next = position
    while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
    guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else { return attribute }
    next += 1
    while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
    position = next
    readValue(of: &attribute)
    return attribute
  }

  /// Reads the value of an attribute, which begins at the current index.
  private mutating func readValue(of attribute: inout Attribute) {
    guard position < bytes.count, bytes[position] != UInt8(ascii: ">") else {
      isPlain = false
      attribute.value = position..<position
      return
    }
    let quote = bytes[position]
    attribute.isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if attribute.isQuoted { position += 1 }
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if attribute.isQuoted ? byte == quote : Self.isSpace(byte) || byte == UInt8(ascii: ">") { break }
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: ">"): isPlain = false
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="), UInt8(ascii: "`"):
        if !attribute.isQuoted { isPlain = false }
      default: break
      }
      position += 1
    }
    attribute.value = start..<position
    guard attribute.isQuoted else { return }
    if position < bytes.count { position += 1 } else { isPlain = false }
  }

  /// Returns the position of the `>` of a tag in a broken document, or `nil` if a `<` comes first.
  ///
  /// Quotes have a meaning only after an equals sign or a space. If one isn't closed, the first `>` after it is the
  /// end: a missing quote is more likely than markup in an attribute.
  ///
  /// - Parameter start: the index of the first letter after the `<`.
  package static func end(_ bytes: UnsafeBufferPointer<UInt8>, name start: Int) -> Int? {
    var quote: UInt8 = 0
    var firstClose: Int?
    var next = start
    while next < bytes.count {
      let index = next
      next += 1
      let byte = bytes[index]
      if byte == UInt8(ascii: ">") {
        if quote == 0 { return index }
        if firstClose == nil { firstClose = index }
      } else if byte == UInt8(ascii: "<") {
        // The `>` is in a value if a real closing quote follows, instead of the opening quote of another value.
        guard quote != 0, let close = bytes.index(of: quote, from: index), close + 1 < bytes.count,
          endsName(bytes[close + 1])
        else { return firstClose }
        next = close
      } else if byte == quote {
        quote = 0
      } else if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), index > start,
        bytes[index - 1] == UInt8(ascii: "=") || isSpace(bytes[index - 1])
      {
        quote = byte
      }
    }
    return firstClose
  }

  /// Whether all parsers accept the byte at the beginning of a name.
  static func isNameStart(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }

  /// Whether all parsers accept the byte inside a name.
  static func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || byte.isASCIIDigit || byte == UInt8(ascii: "-")
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func endsName(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }
}
