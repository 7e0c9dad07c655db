import Basics
import Screen

/// Collects the text of one block of Markdown, and the links of all blocks.
struct MarkdownWords {
  private(set) var links: LinkCollector
  private var lines: [[Span]] = [[]]
  /// Of the current span.
  private var bytes: [UInt8] = []
  /// Of the open elements, each with those around it.
  private var emphases: [Emphasis] = []
  /// How many tags are open, by their emphasis; end tags may be missing.
  private var tags: [UInt16: Int] = [:]
  private var isInTag = false
  private var isInLink = false
  /// The number of the open link; nil if it may not be opened.
  private var link: Int?
  /// The addresses of the open pictures: a description may contain pictures and links.
  private var images: [String] = []
  private var description: [UInt8] = []

  init(own: String?) { links = LinkCollector(base: nil, own: own) }

  private var isEmpty: Bool { lines.count == 1 && lines[0].isEmpty && bytes.isEmpty }

  private var emphasis: Emphasis {
    tags.reduce(into: emphases.last ?? []) { if $1.value > 0 { $0.insert(Emphasis(rawValue: $1.key)) } }
  }

  mutating func append(_ text: [UInt8]) {
    if images.isEmpty {
      bytes += text
    } else if description.count < Limits.labelBytes {
      description += text.prefix(Limits.labelBytes - description.count)
    }
  }

  mutating func breakLine() {
    guard images.isEmpty else { return append([0x20]) }
    endSpan()
    lines.append([])
  }

  /// The text so far, after which another begins.
  mutating func finish() -> Inline {
    endSpan()
    tags = [:]
    isInTag = false
    defer { lines = [[]] }
    return isEmpty ? Inline() : Inline(lines: lines)
  }

  private mutating func endSpan() {
    guard !bytes.isEmpty else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    let emphasis = emphasis
    if isInLink {
      lines[lines.count - 1].append(Span(text: text, emphasis, link: link))
      if let link { links.addLabel(bytes, to: link) }
    } else if emphasis.contains(.code) {
      lines[lines.count - 1].append(Span(text: text, emphasis))
    } else {
      lines[lines.count - 1] += links.spans(of: text, emphasis)
    }
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Emphasis

  mutating func open(_ emphasis: Emphasis) {
    endSpan()
    emphases.append((emphases.last ?? []).union(emphasis))
  }

  mutating func closeEmphasis() {
    endSpan()
    _ = emphases.popLast()
  }

  /// A raw HTML tag, or a line of it. Only emphasis and line breaks have an effect.
  mutating func tag(_ bytes: [UInt8]) {
    let isFirst = !isInTag
    isInTag = bytes.last != UInt8(ascii: ">")
    guard isFirst, images.isEmpty else { return }
    let text = String(decoding: bytes.prefix(16).dropFirst(), as: UTF8.self)
    let isEnd = text.hasPrefix("/")
    let name = text.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    switch HTMLRole.named(name) {
    case .lineBreak: breakLine()
    case .emphasis(let emphasis):
      endSpan()
      let count = tags[emphasis.rawValue, default: 0] + (isEnd ? -1 : 1)
      tags[emphasis.rawValue] = max(0, count)
    case .block, .paragraph, .heading, .preformatted, .term, .summary, .row, .tableCaption, .container,
      .columns, .raised, .lowered, .quotation, .reading, .readingParenthesis, .link, .image, .rule, .button,
      .input, .embedded, .picture, .source, .player, .parameter, .fallback, .math, .formula, .base, .hidden,
      .transparent:
      break
    }
  }

  // MARK: Links and pictures

  mutating func openLink(to address: String) {
    guard images.isEmpty else { return }
    endSpan()
    isInLink = true
    link = links.number(for: address)
  }

  mutating func closeLink() {
    guard images.isEmpty else { return }
    endSpan()
    if let link { finish(link) }
    isInLink = false
    link = nil
  }

  mutating func openImage(of address: String) {
    if images.isEmpty { endSpan() }
    images.append(address)
  }

  mutating func closeImage() {
    guard let address = images.popLast(), images.isEmpty else { return }
    let text = LinkCollector.image(String(decoding: description, as: UTF8.self), source: address)
    description = []
    let number = isInLink ? link : links.number(for: address)
    lines[lines.count - 1].append(Span(text, emphasis.union(.image), link: number))
    guard let number else { return }
    links.addLabel(text.text.utf8, to: number)
    if !isInLink { finish(number) }
  }

  private mutating func finish(_ number: Int) {
    links.finishLabel(number)
    if let mark = LinkCollector.number(number, inside: emphasis) { lines[lines.count - 1].append(mark) }
  }
}
