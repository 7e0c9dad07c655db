import Limits
import Screen

/// Markdown's words: emphasis by CommonMark's delimiter rules (section 6.2), code, links, images,
/// breaks, references. Linear in the text, whatever it holds: every search has a bound.
struct MarkdownInlines {
  /// Text between two marks; a run of emphasis marks is one until it is matched.
  struct Piece {
    var text: [UInt8] = []
    var emphasis: Emphasis = []
    var link: Int?
    var delimiter: Delimiter?
    var isBreak = false
    /// Addresses in it are links: not so in code and in links.
    var isProse = true
    /// Emphasis that begins and ends before it.
    var starts: [Emphasis] = []
    var ends: [Emphasis] = []
  }

  struct Delimiter {
    var mark: UInt8
    var count: Int
    var canOpen: Bool
    var canClose: Bool
  }

  struct Bracket {
    var piece: Int
    var isImage: Bool
    /// Where its text begins, for a label.
    var offset: Int
  }

  let source: [UInt8]
  let references: [String: String]
  var links: LinkCollector
  var index = 0
  var pieces: [Piece] = [Piece()]
  var brackets: [Bracket] = []
  var inactiveBrackets = 0
  /// Addresses in the text, taken as they are: a `_` in one is not emphasis.
  var addresses: [Range<Int>] = []
  /// The last place of a run of that many backticks.
  var lastBackticks: [Int: Int] = [:]

  init(_ source: [UInt8], references: [String: String], links: LinkCollector) {
    self.source = source
    self.references = references
    self.links = links
  }

  /// How labels of references are compared.
  static func label(_ text: some StringProtocol) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ").lowercased()
  }

  mutating func read() -> Inline {
    findBackticks()
    addresses = AddressFinder.addresses(in: source).reversed()
    while index < source.count {
      while let next = addresses.last, next.lowerBound < index { addresses.removeLast() }
      if let next = addresses.last, next.lowerBound == index {
        address(next)
        continue
      }
      switch source[index] {
      case UInt8(ascii: "\\"): escape()
      case UInt8(ascii: "`"): code()
      case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): delimiters()
      case UInt8(ascii: "["): openBracket(isImage: false, length: 1)
      case UInt8(ascii: "!") where index + 1 < source.count && source[index + 1] == UInt8(ascii: "["):
        openBracket(isImage: true, length: 2)
      case UInt8(ascii: "]"): closeBracket()
      case UInt8(ascii: "<"): angle()
      case UInt8(ascii: "&"): reference()
      case 0x0A: lineEnd()
      default:
        let limit = addresses.last?.lowerBound ?? source.count
        var end = index + 1
        while end < limit, !MarkdownInlines.isSpecial(source[end]) { end += 1 }
        add(source[index..<end], advance: end - index)
      }
    }
    match(from: 0)
    return assembled()
  }

  // MARK: Pieces

  mutating func add(_ bytes: some Sequence<UInt8>, advance: Int = 1) {
    if pieces[pieces.count - 1].delimiter != nil { pieces.append(Piece()) }
    pieces[pieces.count - 1].text += bytes
    index += advance
  }

  mutating func append(_ piece: Piece) {
    pieces.append(piece)
    pieces.append(Piece())
  }

  mutating func escape() {
    guard index + 1 < source.count else { return add([source[index]]) }
    let next = source[index + 1]
    if next == 0x0A {
      append(Piece(isBreak: true))
      index += 2
    } else if MarkdownInlines.isPunctuation(next) {
      add([next], advance: 2)
    } else {
      add([source[index]])
    }
  }

  mutating func lineEnd() {
    let text = pieces[pieces.count - 1].text
    let spaces = text.reversed().prefix { $0 == 0x20 }.count
    pieces[pieces.count - 1].text.removeLast(spaces)
    if spaces >= 2 {
      append(Piece(isBreak: true))
      index += 1
    } else {
      add([0x20])
    }
  }

  mutating func findBackticks() {
    var index = 0
    while let start = source[index...].firstIndex(of: UInt8(ascii: "`")) {
      index = start
      while index < source.count, source[index] == UInt8(ascii: "`") { index += 1 }
      lastBackticks[index - start] = start
    }
  }

  mutating func code() {
    let length = source[index...].prefix { $0 == UInt8(ascii: "`") }.count
    guard let last = lastBackticks[length], last > index else {
      return add(Array(repeating: UInt8(ascii: "`"), count: length), advance: length)
    }
    var end = index + length
    while true {
      while end < source.count, source[end] != UInt8(ascii: "`") { end += 1 }
      let run = source[end...].prefix { $0 == UInt8(ascii: "`") }.count
      if run == length { break }
      end += run
    }
    var text = source[index + length..<end].map { $0 == 0x0A ? 0x20 : $0 }
    if text.count > 2, text.first == 0x20, text.last == 0x20, text.contains(where: { $0 != 0x20 }) {
      text = Array(text.dropFirst().dropLast())
    }
    append(Piece(text: text, emphasis: .code, isProse: false))
    index = end + length
  }

  mutating func reference() {
    let end = source[index...].prefix(34).firstIndex(of: UInt8(ascii: ";"))
    guard let end, end > index + 1 else { return add([source[index]]) }
    let name = String(decoding: source[index + 1..<end], as: UTF8.self)
    var text: String?
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
      text = UInt32(name.dropFirst(2), radix: 16).map(CharacterReference.numeric)
    } else if name.hasPrefix("#") {
      text = UInt32(name.dropFirst()).map(CharacterReference.numeric)
    } else if name.utf8.allSatisfy({ !MarkdownInlines.isPunctuation($0) }) {
      text = CharacterReference.named(name[...])
    }
    if let text { add(text.utf8, advance: end + 1 - index) } else { add([source[index]]) }
  }

  // MARK: Emphasis

  mutating func delimiters() {
    let mark = source[index]
    var end = index
    while end < source.count, source[end] == mark { end += 1 }
    let before = index == 0 ? 0x20 : source[index - 1]
    let after = end == source.count ? 0x20 : source[end]
    let (spaceBefore, spaceAfter) = (before <= 0x20, after <= 0x20)
    let (punctuationBefore, punctuationAfter) = (
      MarkdownInlines.isPunctuation(before), MarkdownInlines.isPunctuation(after)
    )
    let isLeft = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore)
    let isRight = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter)
    var delimiter = Delimiter(mark: mark, count: end - index, canOpen: isLeft, canClose: isRight)
    if mark == UInt8(ascii: "_") {
      delimiter.canOpen = isLeft && (!isRight || punctuationBefore)
      delimiter.canClose = isRight && (!isLeft || punctuationAfter)
    }
    if mark == UInt8(ascii: "~"), delimiter.count > 2 {
      (delimiter.canOpen, delimiter.canClose) = (false, false)
    }
    append(Piece(delimiter: delimiter))
    index = end
  }

  /// Matches the runs of marks from a piece on (CommonMark's "process emphasis").
  mutating func match(from first: Int) {
    var openers: [Int] = []
    // Below these places in `openers` nothing matches a closer of that kind.
    var bottoms: [Int: Int] = [:]
    for closer in first..<pieces.count {
      guard let found = pieces[closer].delimiter, found.canOpen || found.canClose else { continue }
      var closing = found
      while closing.canClose, closing.count > 0 {
        let key = Int(closing.mark) * 8 + closing.count % 3 * 2 + (closing.canOpen ? 1 : 0)
        let bottom = min(bottoms[key] ?? 0, openers.count)
        guard let place = openers[bottom...].lastIndex(where: { matches(pieces[$0].delimiter, closing) })
        else {
          bottoms[key] = openers.count
          break
        }
        openers.removeSubrange((place + 1)...)
        let opener = openers[place]
        guard let opening = pieces[opener].delimiter else { break }
        let isTilde = closing.mark == UInt8(ascii: "~")
        let used = isTilde ? closing.count : min(2, opening.count, closing.count)
        let emphasis: Emphasis = isTilde ? .deleted : used == 2 ? .strong : .stressed
        pieces[opener + 1].starts.append(emphasis)
        pieces[closer].ends.append(emphasis)
        pieces[opener].delimiter?.count -= used
        closing.count -= used
        if opening.count == used { openers.removeLast() }
        for (key, bottom) in bottoms { bottoms[key] = min(bottom, openers.count) }
      }
      pieces[closer].delimiter?.count = closing.count
      if closing.canOpen, closing.count > 0 { openers.append(closer) }
    }
    for index in first..<pieces.count {
      guard let left = pieces[index].delimiter else { continue }
      pieces[index].text = Array(repeating: left.mark, count: left.count)
      pieces[index].delimiter = nil
    }
  }

  func matches(_ opener: Delimiter?, _ closer: Delimiter) -> Bool {
    guard let opener, opener.mark == closer.mark, opener.count > 0 else { return false }
    if closer.mark == UInt8(ascii: "~") { return opener.count == closer.count }
    let isOdd = (opener.canClose || closer.canOpen) && (opener.count + closer.count) % 3 == 0
    return !isOdd || (opener.count % 3 == 0 && closer.count % 3 == 0)
  }

  // MARK: The result

  mutating func assembled() -> Inline {
    var lines: [[Span]] = [[]]
    var counts: [UInt16: Int] = [:]
    var current: Emphasis = []
    for piece in pieces {
      for emphasis in piece.ends { counts[emphasis.rawValue, default: 0] -= 1 }
      for emphasis in piece.starts { counts[emphasis.rawValue, default: 0] += 1 }
      if !piece.starts.isEmpty || !piece.ends.isEmpty {
        current = counts.reduce(into: []) { if $1.value > 0 { $0.insert(Emphasis(rawValue: $1.key)) } }
      }
      if piece.isBreak {
        lines.append([])
      } else if !piece.text.isEmpty {
        let text = String(decoding: piece.text, as: UTF8.self)
        let emphasis = piece.emphasis == .linkNumber ? .linkNumber : piece.emphasis.union(current)
        let spans =
          piece.isProse ? links.spans(of: text, emphasis) : [Span(text: text, emphasis, link: piece.link)]
        lines[lines.count - 1] += spans
      }
    }
    return Inline(lines: lines)
  }

  static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  static func isSpecial(_ byte: UInt8) -> Bool { byte == 0x0A || "\\`*_~[]!<&".utf8.contains(byte) }

  static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
}
