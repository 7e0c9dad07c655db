import Screen

/// Markdown's words: emphasis by CommonMark's delimiter rules (section 6.2), code, links, images,
/// breaks, references. Linear in the text, whatever it holds: every search has a bound.
struct MarkdownInlines {
  /// Text between two marks; a run of emphasis marks is one until it is matched.
  private struct Piece {
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

  private struct Delimiter {
    var mark: UInt8
    var count: Int
    var canOpen: Bool
    var canClose: Bool
  }

  private struct Bracket {
    var piece: Int
    var isImage: Bool
    /// Where its text begins, for a label.
    var offset: Int
  }

  private let source: [UInt8]
  private let references: [String: String]
  private(set) var links: LinkCollector
  private var index = 0
  private var pieces: [Piece] = [Piece()]
  private var brackets: [Bracket] = []
  private var inactiveBrackets = 0
  /// Addresses in the text, taken as they are: a `_` in one is no emphasis.
  private var addresses: [Range<Int>] = []
  /// The last place of a run of that many backticks.
  private var lastBackticks: [Int: Int] = [:]

  private static let longestAddress = 2048

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

  private mutating func add(_ bytes: some Sequence<UInt8>, advance: Int = 1) {
    if pieces[pieces.count - 1].delimiter != nil { pieces.append(Piece()) }
    pieces[pieces.count - 1].text += bytes
    index += advance
  }

  private mutating func append(_ piece: Piece) {
    pieces.append(piece)
    pieces.append(Piece())
  }

  private mutating func escape() {
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

  private mutating func lineEnd() {
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

  private mutating func findBackticks() {
    var index = 0
    while let start = source[index...].firstIndex(of: UInt8(ascii: "`")) {
      index = start
      while index < source.count, source[index] == UInt8(ascii: "`") { index += 1 }
      lastBackticks[index - start] = start
    }
  }

  private mutating func code() {
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

  private mutating func reference() {
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

  // MARK: Tags and addresses in angle brackets

  private mutating func angle() {
    let rest = source[index...].prefix(Self.longestAddress)
    let stop = rest.dropFirst().firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
    guard let end = stop, source[end] == UInt8(ascii: ">"), end > index + 1 else {
      return add([source[index]])
    }
    let inner = source[index + 1..<end]
    let text = String(decoding: inner, as: UTF8.self)
    let hasSpace = inner.contains { $0 <= 0x20 }
    if !hasSpace, let number = address(in: text) {
      links.addLabel(inner, to: number)
      linkEnded(number, [Piece(text: Array(inner), link: number, isProse: false)])
      index = end + 1
    } else if let first = inner.first,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "!") || MarkdownInlines.isLetter(first)
    {
      tag(text)
      index = end + 1
    } else {
      add([source[index]])
    }
  }

  private mutating func address(in text: String) -> Int? {
    if text.contains(":") { return links.number(for: text) }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].contains(".") else { return nil }
    return links.number(for: "mailto:" + text)
  }

  /// An address that stands in the text. Inside brackets it may turn out to be a link's text.
  private mutating func address(_ range: Range<Int>) {
    let text = Array(source[range])
    index = range.upperBound
    guard brackets.isEmpty, let number = links.number(for: String(decoding: text, as: UTF8.self)) else {
      return append(Piece(text: text))
    }
    links.addLabel(text, to: number)
    linkEnded(number, [Piece(text: text, link: number, isProse: false)])
  }

  private mutating func tag(_ text: String) {
    let isClosing = text.hasPrefix("/")
    let name = text.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    switch HTMLRole.named(name) {
    case .lineBreak: append(Piece(isBreak: true))
    case .emphasis(let emphasis):
      pieces.append(isClosing ? Piece(ends: [emphasis]) : Piece(starts: [emphasis]))
    case .block, .paragraph, .heading, .preformatted, .term, .summary, .row, .tableCaption, .container,
      .raised, .lowered,
      .quotation, .link, .image, .rule, .button, .input, .embedded, .base, .hidden, .transparent:
      break
    }
  }

  // MARK: Emphasis

  private mutating func delimiters() {
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
  private mutating func match(from first: Int) {
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

  private func matches(_ opener: Delimiter?, _ closer: Delimiter) -> Bool {
    guard let opener, opener.mark == closer.mark, opener.count > 0 else { return false }
    if closer.mark == UInt8(ascii: "~") { return opener.count == closer.count }
    let isOdd = (opener.canClose || closer.canOpen) && (opener.count + closer.count) % 3 == 0
    return !isOdd || (opener.count % 3 == 0 && closer.count % 3 == 0)
  }

  // MARK: Links and images

  private mutating func openBracket(isImage: Bool, length: Int) {
    append(Piece(text: Array(source[index..<index + length])))
    brackets.append(Bracket(piece: pieces.count - 2, isImage: isImage, offset: index + length))
    index += length
  }

  private mutating func closeBracket() {
    guard let bracket = popBracket(), let (address, end) = target(after: bracket) else {
      return add([source[index]])
    }
    match(from: bracket.piece + 1)
    let isInLink = brackets.last.map { !$0.isImage } ?? false
    if bracket.isImage {
      let words = pieces[(bracket.piece + 1)...].lazy.flatMap(\.text).prefix(300)
      let alt = String(decoding: words, as: UTF8.self)
      cut(to: bracket.piece)
      let text = Array(LinkCollector.image(alt, source: address).text.utf8)
      let number = isInLink ? nil : links.number(for: address)
      if let number { links.addLabel(text, to: number) }
      linkEnded(number, [Piece(text: text, emphasis: .image, link: number, isProse: false)])
    } else {
      let number = links.number(for: address)
      pieces[bracket.piece].text = []
      let inner = Array(pieces[(bracket.piece + 1)...])
      for piece in (bracket.piece + 1)..<pieces.count {
        pieces[piece].link = number
        pieces[piece].isProse = false
      }
      if let number { links.addLabel(inner.flatMap(\.text), to: number) }
      linkEnded(number, [])
      // A link holds no link: the brackets that are open around this one make none.
      inactiveBrackets = brackets.count
    }
    index = end
  }

  private mutating func popBracket() -> Bracket? {
    guard let bracket = brackets.popLast() else { return nil }
    let isActive = bracket.isImage || brackets.count >= inactiveBrackets
    inactiveBrackets = min(inactiveBrackets, brackets.count)
    return isActive ? bracket : nil
  }

  private mutating func cut(to piece: Int) {
    pieces.removeSubrange(piece...)
  }

  private mutating func linkEnded(_ number: Int?, _ shown: [Piece]) {
    pieces += shown
    if let number {
      links.finishLabel(number)
      pieces.append(
        Piece(
          text: Array(LinkCollector.marker(number).text.utf8), emphasis: .linkNumber, link: number,
          isProse: false))
    }
    pieces.append(Piece())
  }

  /// Where a link leads, and where it ends: `(address "title")`, `[label]`, `[]` or nothing.
  private func target(after bracket: Bracket) -> (address: String, end: Int)? {
    let next = index + 1
    if next < source.count, source[next] == UInt8(ascii: "("), let found = destination(from: next + 1) {
      return found
    }
    var end = next
    var label = source[bracket.offset..<index]
    if next < source.count, source[next] == UInt8(ascii: "["),
      let close = source[next...].prefix(1000).firstIndex(of: UInt8(ascii: "]"))
    {
      if close > next + 1 { label = source[next + 1..<close] }
      end = close + 1
    }
    guard !references.isEmpty, label.count < 1000 else { return nil }
    return references[MarkdownInlines.label(String(decoding: label, as: UTF8.self))].map { ($0, end) }
  }

  private func destination(from start: Int) -> (address: String, end: Int)? {
    let limit = min(source.count, start + Self.longestAddress)
    var end = start
    while end < limit, source[end] <= 0x20 { end += 1 }
    var text: [UInt8] = []
    if end < limit, source[end] == UInt8(ascii: "<") {
      end += 1
      while end < limit, source[end] != UInt8(ascii: ">"), source[end] != 0x0A {
        text.append(source[end])
        end += 1
      }
      end += 1
    } else {
      var open = 0
      while end < limit, source[end] > 0x20 {
        if source[end] == UInt8(ascii: "(") { open += 1 }
        if open > 32 { return nil }
        if source[end] == UInt8(ascii: ")") {
          if open == 0 { break }
          open -= 1
        }
        if source[end] == UInt8(ascii: "\\"), end + 1 < limit, MarkdownInlines.isPunctuation(source[end + 1])
        {
          end += 1
        }
        text.append(source[end])
        end += 1
      }
    }
    while end < limit, source[end] <= 0x20 { end += 1 }
    if end < limit, "\"'(".utf8.contains(source[end]) {
      let quote = source[end] == UInt8(ascii: "(") ? UInt8(ascii: ")") : source[end]
      guard let close = source[(end + 1)..<limit].firstIndex(of: quote) else { return nil }
      end = close + 1
      while end < limit, source[end] <= 0x20 { end += 1 }
    }
    guard end < limit, source[end] == UInt8(ascii: ")") else { return nil }
    return (String(decoding: text, as: UTF8.self), end + 1)
  }

  // MARK: The result

  private mutating func assembled() -> Inline {
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

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  private static func isSpecial(_ byte: UInt8) -> Bool { byte == 0x0A || "\\`*_~[]!<&".utf8.contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
}
