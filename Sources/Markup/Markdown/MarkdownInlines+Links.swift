import Limits
import Screen

extension MarkdownInlines {
  // MARK: Tags and addresses in angle brackets

  mutating func angle() {
    let rest = source[index...].prefix(Limits.markdownAddressBytes)
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

  mutating func address(in text: String) -> Int? {
    if text.contains(":") { return links.number(for: text) }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].contains(".") else { return nil }
    return links.number(for: "mailto:" + text)
  }

  /// An address that stands in the text. Inside brackets it may turn out to be a link's text.
  mutating func address(_ range: Range<Int>) {
    let text = Array(source[range])
    index = range.upperBound
    guard brackets.isEmpty, let number = links.number(for: String(decoding: text, as: UTF8.self)) else {
      return append(Piece(text: text))
    }
    links.addLabel(text, to: number)
    linkEnded(number, [Piece(text: text, link: number, isProse: false)])
  }

  mutating func tag(_ text: String) {
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

  // MARK: Links and images

  mutating func openBracket(isImage: Bool, length: Int) {
    append(Piece(text: Array(source[index..<index + length])))
    brackets.append(Bracket(piece: pieces.count - 2, isImage: isImage, offset: index + length))
    index += length
  }

  mutating func closeBracket() {
    guard let bracket = popBracket(), let (address, end) = target(after: bracket) else {
      return add([source[index]])
    }
    match(from: bracket.piece + 1)
    let isInLink = brackets.last.map { !$0.isImage } ?? false
    if bracket.isImage {
      let alt = words(from: bracket.piece + 1)
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

  mutating func popBracket() -> Bracket? {
    guard let bracket = brackets.popLast() else { return nil }
    let isActive = bracket.isImage || brackets.count >= inactiveBrackets
    inactiveBrackets = min(inactiveBrackets, brackets.count)
    return isActive ? bracket : nil
  }

  /// The words from a piece on, as far as a picture's description goes.
  func words(from first: Int) -> String {
    var words: [UInt8] = []
    for piece in pieces[first...] where words.count < Limits.labelBytes { words += piece.text }
    return String(decoding: words.prefix(Limits.labelBytes), as: UTF8.self)
  }

  mutating func cut(to piece: Int) {
    pieces.removeSubrange(piece...)
  }

  mutating func linkEnded(_ number: Int?, _ shown: [Piece]) {
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
  func target(after bracket: Bracket) -> (address: String, end: Int)? {
    let next = index + 1
    if next < source.count, source[next] == UInt8(ascii: "("), let found = destination(from: next + 1) {
      return found
    }
    var end = next
    var label = source[bracket.offset..<index]
    if next < source.count, source[next] == UInt8(ascii: "["),
      let close = source[next...].prefix(Limits.markdownLabelBytes + 1).firstIndex(of: UInt8(ascii: "]"))
    {
      if close > next + 1 { label = source[next + 1..<close] }
      end = close + 1
    }
    guard !references.isEmpty, label.count <= Limits.markdownLabelBytes else { return nil }
    return references[MarkdownInlines.label(String(decoding: label, as: UTF8.self))].map { ($0, end) }
  }

  func destination(from start: Int) -> (address: String, end: Int)? {
    let limit = min(source.count, start + Limits.markdownAddressBytes)
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
}
