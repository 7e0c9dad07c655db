import Basics

/// Rewrites HTML so that libxml2 reads its tags as browsers do. It also limits the attributes of a tag, since libxml2
/// compares all pairs.
///
/// Tags that all parsers read the same way stay unchanged. Other tags, and those with too many attributes, are
/// rewritten: attributes are quoted, angle brackets in them are escaped, and attributes without a name or beyond the
/// limit are left out. Comments, declarations and processing instructions are removed, since parsers also disagree on
/// their ends. So libxml2 receives only tags that were checked here.
struct TagRepair {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var output: [UInt8] = []
  /// The index of the first byte that isn't copied yet.
  private var copied = 0
  private var position = 0
  /// Whether scripts run, so that the content of `noscript` is removed.
  private let isScripted: Bool
  /// The index of the next end tag for each element in `hiding`, or the end of the bytes if there is none.
  private var ends = [Int](repeating: -1, count: hiding.count)

  /// Returns the bytes to parse, or `nil` if nothing was changed.
  ///
  /// - Parameter isScripted: whether scripts run, so that `noscript` is left out (HTML, "The noscript element").
  static func repaired(_ bytes: UnsafeBufferPointer<UInt8>, isScripted: Bool = false) -> [UInt8]? {
    var repair = TagRepair(bytes: bytes, isScripted: isScripted)
    repair.run()
    guard repair.copied > 0 else { return nil }
    repair.output.append(contentsOf: bytes[repair.copied...])
    return repair.output
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, isScripted: Bool) {
    self.bytes = bytes
    self.isScripted = isScripted
  }

  /// Goes through the bytes from tag to tag, and repairs or removes each if necessary.
  private mutating func run() {
    while let open = bytes.index(of: UInt8(ascii: "<"), from: position) {
      position = open + 1
      guard position < bytes.count else { return }
      switch bytes[position] {
      case UInt8(ascii: "!"): replace(open..<declarationEnd(open))
      case UInt8(ascii: "?"): replace(open..<closeEnd(open))
      case UInt8(ascii: "/"):
        if position + 1 < bytes.count, bytes[position + 1].isASCIILetter { position = closeEnd(open) }
      case UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "."): replace(open..<open + 1, with: "&lt;")
      case let byte where byte.isASCIILetter: tag(open)
      default: break
      }
    }
  }

  /// Copies everything before a range, then the text that replaces the range.
  private mutating func replace(_ range: Range<Int>, with text: StaticString = "") {
    output.append(contentsOf: bytes[copied..<range.lowerBound])
    output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    copied = range.upperBound
    position = range.upperBound
  }

  // MARK: Start tags

  /// Copies or rewrites the start tag that begins at an index.
  private mutating func tag(_ open: Int) {
    var scanner = TagScanner(bytes, name: position)
    var count = 0
    while scanner.next() != nil { count += 1 }
    guard scanner.position < bytes.count else {
      // The document ends inside the tag, which is dropped.
      replace(open..<bytes.count)
      return
    }
    let end = scanner.position + 1
    if scanner.isPlain, count <= Limits.attributes {
      position = end
    } else {
      write(scanner, open..<end)
    }
    guard !scanner.isEmpty else { return }
    closeHiding(scanner.name)
    skipRaw(scanner.name)
  }

  /// Closes an element with hidden content if the document has no end tag for it, so that the rest is shown as text. If
  /// scripts run, removes the content of `noscript`, with elements that are left open in it.
  private mutating func closeHiding(_ name: Range<Int>) {
    guard
      let kind = Self.hiding.firstIndex(where: {
        $0.utf8CodeUnitCount == name.count + 2 && isEnd($0, at: name.lowerBound - 2, from: 2)
      })
    else { return }
    if ends[kind] < position { ends[kind] = end(Self.hiding[kind]) }
    if ends[kind] == bytes.count {
      output.append(contentsOf: bytes[copied..<position])
      copied = position
      output.append(
        contentsOf: UnsafeBufferPointer(start: Self.hiding[kind].utf8Start, count: name.count + 2))
      output.append(UInt8(ascii: ">"))
    } else if isScripted, kind == 0 {
      replace(position..<ends[kind])
    }
  }

  /// Returns the index of the next occurrence of the end tag `tag`, or the end of the bytes if there is none.
  private func end(_ tag: StaticString) -> Int {
    var place = position
    while let open = bytes.index(of: UInt8(ascii: "<"), from: place) {
      if isEnd(tag, at: open, from: 0) { return open }
      place = open + 1
    }
    return bytes.count
  }

  /// Whether the end tag `tag` is at a position and no longer name follows. Only the characters of `tag` from
  /// number `first` on are compared.
  private func isEnd(_ tag: StaticString, at place: Int, from first: Int) -> Bool {
    let end = place + tag.utf8CodeUnitCount
    guard place >= 0 || first > 0, end <= bytes.count,
      end == bytes.count || !TagScanner.isNamePart(bytes[end])
    else { return false }
    return (first..<tag.utf8CodeUnitCount).allSatisfy {
      bytes[place + $0].lowercasedASCII == tag.utf8Start[$0]
    }
  }

  /// The end tags, without `>`, of elements whose content is hidden.
  private static let hiding: [StaticString] = [
    "</noscript", "</object", "</svg", "</video", "</audio", "</canvas", "</iframe", "</select", "</datalist",
    "</meter", "</progress", "</template", "</noframes", "</amp-video", "</amp-audio", "</amp-iframe",
  ]

  /// Writes a start tag in a form that all parsers read in the same way.
  private mutating func write(_ scanner: TagScanner, _ range: Range<Int>) {
    replace(range, with: "<")
    output.append(contentsOf: bytes[scanner.name].prefix(Limits.htmlNameBytes).filter(TagScanner.isNamePart))
    var attributes = TagScanner(bytes, name: scanner.name.lowerBound)
    var count = 0
    while count < Limits.attributes, let attribute = attributes.next() {
      count += 1
      guard isName(attribute.name) else { continue }
      output.append(0x20)
      output.append(contentsOf: bytes[attribute.name])
      guard let value = attribute.value else { continue }
      output.append(contentsOf: [UInt8(ascii: "="), UInt8(ascii: "\"")])
      for byte in bytes[value] {
        switch byte {
        case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
        default: output.append(byte)
        }
      }
      output.append(UInt8(ascii: "\""))
    }
    if scanner.isEmpty { output.append(contentsOf: [0x20, UInt8(ascii: "/")]) }
    output.append(UInt8(ascii: ">"))
  }

  /// Whether an attribute's name is valid and not too long.
  private func isName(_ range: Range<Int>) -> Bool {
    range.count <= Limits.htmlNameBytes && TagScanner.isNameStart(bytes[range.lowerBound])
      && bytes[range].allSatisfy(TagScanner.isNamePart)
  }

  // MARK: Raw text, comments and declarations

  /// Skips the content of scripts and styles, up to their end tag.
  private mutating func skipRaw(_ name: Range<Int>) {
    for raw in ["script", "style"] as [StaticString]
    where bytes.hasSequence(inAnyCase: raw, at: name.lowerBound) {
      guard name.count == raw.utf8CodeUnitCount else { continue }
      while let open = bytes.index(of: UInt8(ascii: "<"), from: position) {
        position = open + 1
        if position < bytes.count, bytes[position] == UInt8(ascii: "/"),
          bytes.hasSequence(inAnyCase: raw, at: position + 1)
        {
          let next = position + 1 + raw.utf8CodeUnitCount
          if next >= bytes.count || !TagScanner.isNamePart(bytes[next]) {
            position = open
            return
          }
        }
      }
      position = bytes.count
    }
  }

  /// Returns the index after the next `>`.
  private func closeEnd(_ open: Int) -> Int {
    bytes.index(of: UInt8(ascii: ">"), from: open).map { $0 + 1 } ?? bytes.count
  }

  /// Returns the end of a comment (HTML, "Comment start state" and those after it), a document type, or a bogus
  /// comment.
  private func declarationEnd(_ open: Int) -> Int {
    guard bytes.hasSequence(inAnyCase: "!--", at: open + 1) else { return closeEnd(open) }
    var place = open + 4
    // `<!-->` and `<!--->` are complete comments.
    if bytes.hasSequence(inAnyCase: ">", at: place) { return place + 1 }
    if bytes.hasSequence(inAnyCase: "->", at: place) { return place + 2 }
    while let dash = bytes.index(of: UInt8(ascii: "-"), from: place) {
      if bytes.hasSequence(inAnyCase: "-->", at: dash) { return dash + 3 }
      if bytes.hasSequence(inAnyCase: "--!>", at: dash) { return dash + 4 }
      place = dash + 1
    }
    return bytes.count
  }
}
