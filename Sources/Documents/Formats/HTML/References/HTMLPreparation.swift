import Basics

/// Replaces, in one pass, the parts that libxml2's HTML 4 parser would read differently from HTML 5.
///
/// These are NUL, which ends the parser's input, and numeric references that HTML 5 reads as windows-1252 or as U+FFFD
/// (WHATWG HTML section 13.2.5.80). They are also named references, since the parser knows only those of HTML 4.
/// `TagRepair` has already repaired the tags. In scripts and styles only NUL is replaced.
struct HTMLPreparation {
  private let source: UnsafeBufferPointer<UInt8>
  private var output: [UInt8] = []
  /// The index of the first byte that isn't copied yet.
  private var copied = 0

  /// Returns the bytes to parse, or `nil` if nothing was changed.
  static func prepared(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard source.index(of: UInt8(ascii: "&"), from: 0) != nil || source.index(of: 0, from: 0) != nil else {
      return nil
    }
    var preparation = HTMLPreparation(source: source)
    preparation.run()
    guard preparation.copied > 0 else { return nil }
    preparation.output += source[preparation.copied...]
    return preparation.output
  }

  private init(source: UnsafeBufferPointer<UInt8>) { self.source = source }

  /// Goes through the bytes, and replaces the parts that libxml2 would misread.
  private mutating func run() {
    var index = 0
    while index < source.count {
      switch source[index] {
      case 0:
        replace(index..<index + 1, with: "\u{FFFD}")
        index += 1
      case UInt8(ascii: "&"): index = reference(at: index, isInText: true)
      case UInt8(ascii: "<"): index = tag(at: index)
      default: index += 1
      }
    }
  }

  /// Copies everything before a range, then the text that replaces the range.
  private mutating func replace(_ range: Range<Int>, with text: String) {
    output += source[copied..<range.lowerBound]
    output += text.utf8
    copied = range.upperBound
  }

  /// Replaces the reference that begins at an index, if libxml2 would misread it. Returns the index at which
  /// to continue.
  private mutating func reference(at start: Int, isInText: Bool = false) -> Int {
    let next = start + 1
    guard next < source.count else { return next }
    if source[next] == UInt8(ascii: "#") { return numericReference(at: start) }
    var end = next
    while end < source.count, end - next < 32, source[end].isASCIILetter || source[end].isASCIIDigit {
      end += 1
    }
    guard end > next else { return next }
    let name = String(decoding: source[next..<end], as: UTF8.self)
    guard end < source.count, source[end] == UInt8(ascii: ";") else {
      // Old names need no semicolon, but in a URL `&copy=1` isn't a reference.
      if isInText, NamedCharacters.mayLackSemicolon(name), let text = NamedCharacters.characters(of: name) {
        replace(start..<end, with: text.unicodeScalars.map { "&#\($0.value);" }.joined())
      }
      return end
    }
    if let text = NamedCharacters.charactersInLine(of: name) {
      // ASCII characters stay references, so that they do not begin a tag or another reference.
      let written = text.unicodeScalars.map { $0.isASCII && $0 != " " ? "&#\($0.value);" : String($0) }
      replace(start..<end + 1, with: written.joined())
    }
    return end + 1
  }

  /// Replaces a numeric reference, if libxml2 would misread it. Returns the index at which to continue.
  private mutating func numericReference(at start: Int) -> Int {
    guard let (value, end) = CharacterReferences.number(source, start + 2) else {
      // Without a number, libxml2 would drop the characters.
      replace(start..<start + 1, with: "&#38;")
      return start + 2
    }
    if let text = CharacterReferences.corrected(value) { replace(start..<end, with: text) }
    return end
  }

  /// Replaces what libxml2 would misread in a tag, and in the script or style after it. Returns the index at
  /// which to continue.
  private mutating func tag(at start: Int) -> Int {
    let name = start + 1
    guard name < source.count else { return name }
    // libxml2 does not read quotes in end tags.
    if source[name] == UInt8(ascii: "/"), name + 1 < source.count, source[name + 1].isASCIILetter {
      return bracket(after: start)
    }
    guard source[name].isASCIILetter else { return name }
    let (end, isEmpty) = attributes(from: name)
    for raw in [("script", "</script"), ("style", "</style")] as [(name: StaticString, end: StaticString)]
    where source.hasSequence(inAnyCase: raw.name, at: name) && !isEmpty {
      let next = name + raw.name.utf8CodeUnitCount
      guard next <= end, next < source.count, !TagScanner.isNamePart(source[next]) else { continue }
      return self.raw(from: end, until: raw.end)
    }
    return end
  }

  /// Replaces each NUL up to the next `>`, and returns the index of that `>`.
  private mutating func bracket(after start: Int) -> Int {
    var index = start
    while index < source.count, source[index] != UInt8(ascii: ">") {
      if source[index] == 0 { replace(index..<index + 1, with: "\u{FFFD}") }
      index += 1
    }
    return index
  }

  /// Replaces each NUL in the content of a script or a style, up to an end tag with exactly this name.
  /// Returns the index at which to continue.
  private mutating func raw(from start: Int, until end: StaticString) -> Int {
    var index = start
    while index < source.count {
      if source[index] == 0 { replace(index..<index + 1, with: "\u{FFFD}") }
      if source.hasSequence(inAnyCase: end, at: index) {
        let next = index + end.utf8CodeUnitCount
        if next == source.count || !TagScanner.isNamePart(source[next]) { return index + 1 }
      }
      index += 1
    }
    return index
  }

  /// Replaces what libxml2 would misread in the attributes of a tag.
  ///
  /// - Returns: the end of the tag, and whether it closes its element (`/>`).
  private mutating func attributes(from start: Int) -> (end: Int, isEmpty: Bool) {
    var index = start
    var isEmpty = false
    while index < source.count, source[index] != UInt8(ascii: ">") {
      isEmpty = false
      switch source[index] {
      case UInt8(ascii: "="):
        index += 1
        while index < source.count, TagScanner.isSpace(source[index]) { index += 1 }
        guard index < source.count else { return (index, false) }
        if source[index] == UInt8(ascii: "\"") || source[index] == UInt8(ascii: "'") {
          index = min(value(quoted: source[index], from: index + 1), source.count)
        } else {
          index = value(bareFrom: index)
        }
      case UInt8(ascii: "/"), 0x09...0x0D, 0x20:
        while index < source.count, TagScanner.isSpace(source[index]) || source[index] == UInt8(ascii: "/") {
          index += 1
        }
        isEmpty = source[index - 1] == UInt8(ascii: "/")
      case UInt8(ascii: "&"): index = reference(at: index)
      case 0:
        replace(index..<index + 1, with: "\u{FFFD}")
        index += 1
      default: index += 1
      }
    }
    return (index, isEmpty)
  }

  /// Replaces what libxml2 would misread in a quoted value, and returns the index after its closing quote.
  private mutating func value(quoted quote: UInt8, from start: Int) -> Int {
    var index = start
    while index < source.count, source[index] != quote {
      switch source[index] {
      case UInt8(ascii: "&"): index = reference(at: index)
      case 0:
        replace(index..<index + 1, with: "\u{FFFD}")
        index += 1
      default: index += 1
      }
    }
    return index + 1
  }

  /// Replaces what libxml2 would misread in an unquoted value, which may contain quotes and slashes. Returns
  /// its end.
  private mutating func value(bareFrom start: Int) -> Int {
    var index = start
    while index < source.count, source[index] != UInt8(ascii: ">"), !TagScanner.isSpace(source[index]) {
      switch source[index] {
      case UInt8(ascii: "&"): index = reference(at: index)
      case 0:
        replace(index..<index + 1, with: "\u{FFFD}")
        index += 1
      default: index += 1
      }
    }
    return index
  }
}
