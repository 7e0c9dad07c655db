import Basics

/// Repairs the bytes of a broken XML document so that libxml2's recovery loses no text. Bare `&` and `<` are escaped,
/// references are repaired, attributes are quoted, and comments and the prolog are removed.
///
/// The result is produced in pieces, since a document of only `&` becomes five times as long.
struct XMLRepair {
  /// The number of elements that are opened around the document, so that stray end tags close those.
  let wrappers: Int
  let entities: XMLEntities
  /// The current piece of the result, and the number of its bytes that the caller has read.
  private var output: [UInt8] = []
  private var handedOut = 0
  private let input: UnsafeBufferPointer<UInt8>
  private var position: Int
  /// Whether a search found no end of a comment, so that the search is not repeated. The others are the same for `<?`
  /// and `<!DOCTYPE`.
  private var lacksCommentEnd = false
  private var lacksClose = false
  private var lacksDoctypeEnd = false
  private static let pieceBytes = 64 << 10

  /// Creates a repair. Line ends are kept, so that line numbers stay correct.
  init(_ bytes: UnsafeBufferPointer<UInt8>, entities: XMLEntities) {
    input = bytes
    self.entities = entities
    wrappers = 64 + bytes.count / 256
    // Text before the first tag isn't XML: it is for example a script's warning, or a header printed twice.
    position = bytes.index(of: UInt8(ascii: "<"), from: 0) ?? bytes.count
    for _ in 0..<wrappers {
      output.append(contentsOf: [UInt8(ascii: "<"), UInt8(ascii: "_"), UInt8(ascii: ">")])
    }
    keepLineEnds(0..<position)
  }

  /// Copies the next bytes of the result.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if handedOut == output.count {
      output.removeAll(keepingCapacity: true)
      handedOut = 0
      while position < input.count, output.count < Self.pieceBytes { mend() }
    }
    let count = min(buffer.count, output.count - handedOut)
    output.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[handedOut..<handedOut + count]))
    }
    handedOut += count
    return count
  }

  /// Repairs the next part: a tag, a reference, or text up to the next one.
  private mutating func mend() {
    let byte = input[position]
    if byte == UInt8(ascii: "<") {
      mendMarkup()
    } else if byte == UInt8(ascii: "&") {
      mendReference()
    } else {
      mendText()
    }
  }

  /// Copies text up to the next tag or reference.
  private mutating func mendText() {
    let start = position
    while position < input.count, input[position] != UInt8(ascii: "<"), input[position] != UInt8(ascii: "&") {
      // Outside CDATA, `]]>` makes libxml2 drop the text before it.
      if input[position] == UInt8(ascii: ">"), position >= start + 2, input[position - 1] == UInt8(ascii: "]")
      {
        output.append(contentsOf: input[start..<position])
        output.append("&gt;")
        position += 1
        return
      }
      position += 1
    }
    output.append(contentsOf: input[start..<position])
  }

  /// Repairs the part that begins with a `<`: a tag, a comment, a CDATA section or a part of the prolog.
  private mutating func mendMarkup() {
    if input.hasSequence("<![CDATA[", at: position) {
      let end = input.index(of: "]]>", from: position)
      output.append(contentsOf: input[position..<(end ?? input.count)])
      output.append("]]>")
      position = end.map { $0 + 3 } ?? input.count
    } else if input.hasSequence("<!--", at: position), !lacksCommentEnd {
      let end = input.index(of: "-->", from: position + 4)
      lacksCommentEnd = end == nil
      if let end { skip(to: end + 3) }
    } else if input.hasSequence("<?", at: position), !lacksClose {
      let end = input.index(of: UInt8(ascii: ">"), from: position)
      lacksClose = end == nil
      if let end { skip(to: end + 1) }
    } else if input.hasSequence("<!DOCTYPE", at: position), !lacksDoctypeEnd {
      let end = doctypeEnd()
      lacksDoctypeEnd = end == nil
      if let end { skip(to: end) }
    } else if !mendTag() {
      output.append("&lt;")
      position += 1
    }
  }

  /// Returns the position after the document type, or `nil` if it has no end nearby.
  private func doctypeEnd() -> Int? {
    var depth = 0
    for index in position..<min(input.count, position + Limits.doctypeBytes) {
      switch input[index] {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">"): if depth <= 0 { return index + 1 }
      default: break
      }
    }
    return nil
  }

  /// Leaves out the bytes up to a position, except their line ends.
  private mutating func skip(to end: Int) {
    keepLineEnds(position..<end)
    position = end
  }

  /// Copies only the line ends of a range, so that line numbers stay correct.
  private mutating func keepLineEnds(_ range: Range<Int>) {
    for byte in input[range] where byte == UInt8(ascii: "\n") { output.append(byte) }
  }
}

// MARK: - References

extension XMLRepair {
  /// Copies a reference to a known entity, or escapes its `&`.
  private mutating func mendReference() {
    let start = position + 1
    if start < input.count, input[start] == UInt8(ascii: "#") {
      mendNumber(start + 1)
      return
    }
    var end = start
    while end < input.count, input[end].isASCIILetter || input[end].isASCIIDigit, end - start < 64 {
      end += 1
    }
    if end > start, end < input.count, input[end] == UInt8(ascii: ";"),
      entities.value(of: String(decoding: input[start..<end], as: UTF8.self)) != nil
    {
      output.append(contentsOf: input[position...end])
      position = end + 1
    } else {
      output.append("&amp;")
      position = start
    }
  }

  /// Copies a numeric reference, if it means a character that XML allows. Without digits its `&` is escaped.
  ///
  /// - Parameter start: the position after `&#`.
  private mutating func mendNumber(_ start: Int) {
    let isHex = start < input.count && input[start] | 0x20 == UInt8(ascii: "x")
    let first = start + (isHex ? 1 : 0)
    var end = first
    while end < input.count, end - first < 8,
      input[end].isASCIIDigit || isHex && (0x61...0x66).contains(input[end] | 0x20)
    {
      end += 1
    }
    guard end > first else {
      output.append("&amp;")
      position += 1
      return
    }
    let digits = String(decoding: input[first..<end], as: UTF8.self)
    let scalar = UInt32(digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
    position = end < input.count && input[end] == UInt8(ascii: ";") ? end + 1 : end
    guard let scalar, scalar.value >= 0x20 || [9, 10, 13].contains(scalar.value),
      scalar.value != 0xFFFE, scalar.value != 0xFFFF
    else { return }
    output.append(contentsOf: "&#\(scalar.value);".utf8)
  }
}

// MARK: - Tags

extension XMLRepair {
  /// Repairs a tag, or returns `false` if the `<` does not begin one.
  private mutating func mendTag() -> Bool {
    var i = position + 1
    if i < input.count, input[i] == UInt8(ascii: "/") { i += 1 }
    guard i < input.count, isNameStart(input[i]) else { return false }
    guard let close = TagScanner.end(input, name: i) else { return false }
    while i < close, isNamePart(input[i]) { i += 1 }
    output.append(contentsOf: input[position..<i])
    if input[position + 1] != UInt8(ascii: "/") { mendAttributes(i, close) }
    output.append(UInt8(ascii: ">"))
    position = close + 1
    return true
  }

  /// Copies the attributes of a tag with quoted values.
  ///
  /// - Parameters:
  ///   - start: the position after the name of the element.
  ///   - close: the position of the tag's `>`.
  private mutating func mendAttributes(_ start: Int, _ close: Int) {
    var scanner = TagScanner(UnsafeBufferPointer(rebasing: input[..<close]), name: start)
    var isEmpty = false
    var count = 0
    while let attribute = scanner.next() {
      let name = xmlName(in: attribute.name)
      guard !name.isEmpty else { continue }
      var value = attribute.value ?? name
      // In `<a href=x/>` the slash ends the tag.
      if attribute.value != nil, !attribute.isQuoted, value.upperBound == close, !value.isEmpty,
        input[close - 1] == UInt8(ascii: "/")
      {
        value = value.lowerBound..<close - 1
        isEmpty = true
      }
      count += 1
      if count <= Limits.attributes { appendAttribute(name, value) }
    }
    if isEmpty || scanner.isEmpty { output.append(UInt8(ascii: "/")) }
  }

  /// Returns the part of the range that is a valid XML name.
  private func xmlName(in range: Range<Int>) -> Range<Int> {
    let start = range.first { isNameStart(input[$0]) } ?? range.upperBound
    let end = (start..<range.upperBound).first { !isNamePart(input[$0]) } ?? range.upperBound
    return start..<end
  }

  /// Appends an attribute in double quotes, with its references repaired.
  private mutating func appendAttribute(_ name: Range<Int>, _ value: Range<Int>) {
    output.append(UInt8(ascii: " "))
    output.append(contentsOf: input[name])
    output.append(contentsOf: [UInt8(ascii: "="), UInt8(ascii: "\"")])
    let outer = position
    position = value.lowerBound
    while position < value.upperBound {
      switch input[position] {
      case UInt8(ascii: "&"): mendReference()
      case UInt8(ascii: "\""):
        output.append("&quot;")
        position += 1
      case UInt8(ascii: "<"):
        output.append("&lt;")
        position += 1
      default:
        output.append(input[position])
        position += 1
      }
    }
    position = outer
    output.append(UInt8(ascii: "\""))
  }

  private func isNameStart(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 0x80
  }

  private func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}
