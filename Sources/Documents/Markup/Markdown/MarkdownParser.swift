import Basics
import CMD4C
import Formats
import Screen

/// Parses Markdown with md4c: CommonMark with GitHub's tables and strikethrough. The elements are sent to
/// `HTMLBuilder`. md4c does not recurse for nested elements.
///
/// The elements are not written as HTML and read again, so that no text of an author becomes a tag. Tags in the text
/// are ignored, except those of emphasis and line breaks.
final class MarkdownParser {
  /// An open element or tag.
  private enum Opened {
    /// An element of the builder.
    case element
    /// Emphasis from a tag, which ends with the element around it at the latest.
    case tag(String)
    /// A picture, whose description is text.
    case picture(address: String)
    /// An element without an effect.
    case nothing

    var isTag: Bool { if case .tag = self { true } else { false } }
  }

  private let source: MarkdownSource
  private let builder: HTMLBuilder
  /// The beginning of the source's bytes while md4c runs.
  private var start: UnsafePointer<CChar>?
  /// The number of md4c's callbacks so far, plus the bytes of their URLs.
  private var told = 0
  private var opened: [Opened] = []
  private var isInTable = false
  /// Whether a tag in the text continues on the next line.
  private var isInTag = false
  /// The number of open pictures: a description may contain pictures and links.
  private var pictures = 0
  /// The description of the open picture.
  private var description: [UInt8] = []

  /// The note at the end of Markdown that was not read completely.
  private static let cutNote = Block(.note("[Cut here: too much comes of the tables or addresses]"))

  private init(_ text: Substring, _ builder: HTMLBuilder) {
    source = MarkdownSource(text)
    self.builder = builder
  }

  /// Parses text, and sends its elements to the builder.
  ///
  /// - Returns: a note if the text was not read to its end. Reading stops if the result becomes many times larger than
  ///   the text: table rows are filled up to the table's width, and a reference's URL is repeated for each of its
  ///   links.
  static func parse(_ text: Substring, into builder: HTMLBuilder) -> Block? {
    let parser = MarkdownParser(text, builder)
    let isWhole = withExtendedLifetime(parser) { parser.run() }
    return isWhole || builder.isFull ? nil : cutNote
  }

  /// Runs md4c, and returns whether it read the whole text.
  private func run() -> Bool {
    var calls = MD_PARSER()
    calls.flags = UInt32(MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_NOHTMLBLOCKS)
    calls.enter_block = { type, detail, data in
      MarkdownParser.at(data)?.enter(type, detail) ?? MarkdownParser.stop
    }
    calls.leave_block = { type, _, data in MarkdownParser.at(data)?.leave(type) ?? MarkdownParser.stop }
    calls.enter_span = { type, detail, data in
      MarkdownParser.at(data)?.enter(type, detail) ?? MarkdownParser.stop
    }
    calls.leave_span = { _, _, data in MarkdownParser.at(data)?.close() ?? MarkdownParser.stop }
    calls.text = { type, text, length, data in
      guard let text else { return 0 }
      return MarkdownParser.at(data)?.text(type, UnsafeBufferPointer(start: text, count: Int(length)))
        ?? MarkdownParser.stop
    }
    return source.bytes.withUnsafeBytes { bytes in
      start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return md_parse(start, UInt32(source.count), &calls, Unmanaged.passUnretained(self).toOpaque()) == 0
    }
  }

  /// Returns the parser that a callback belongs to.
  private static func at(_ data: UnsafeMutableRawPointer?) -> MarkdownParser? {
    data.map { Unmanaged<MarkdownParser>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Elements

  /// The value that stops md4c. Version 0.4.8 stops only if a callback returns a negative number.
  private static let stop: Int32 = -1

  /// Counts a callback, and returns its result for md4c: 0 to continue, or `stop`.
  private func goOn(afterBytes bytes: UInt32 = 0) -> Int32 {
    told += 1 + Int(bytes)
    return told > Limits.markdownCalls || builder.isFull ? MarkdownParser.stop : 0
  }

  /// Begins an element of the builder, and returns the result for md4c.
  private func open(_ name: String, _ attributes: [(String, String)] = []) -> Int32 {
    // A picture's description has no elements.
    guard pictures == 0 else { return openNothing() }
    opened.append(.element)
    builder.open(name, MarkdownParser.attributes(attributes), action: nil)
    return goOn()
  }

  /// Begins an element without an effect, and returns the result for md4c.
  private func openNothing() -> Int32 {
    opened.append(.nothing)
    return goOn()
  }

  /// Ends the innermost element, and returns the result for md4c.
  private func close() -> Int32 {
    closeTags()
    switch opened.popLast() {
    case .element: builder.close()
    case .picture(let address): closePicture(of: address)
    case .tag, .nothing, nil: break
    }
    return goOn()
  }

  private static func attributes(_ pairs: [(String, String)]) -> HTMLAttributes {
    HTMLAttributes(pairs.map { HTMLAttribute(name: $0.0, value: $0.1) })
  }

  /// Handles the start of a block, and returns the result for md4c.
  private func enter(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
    switch type {
    case MD_BLOCK_QUOTE: return open("blockquote")
    case MD_BLOCK_UL: return open("ul")
    case MD_BLOCK_OL:
      let detail = detail?.assumingMemoryBound(to: MD_BLOCK_OL_DETAIL.self).pointee
      return open("ol", [("start", "\(detail?.start ?? 1)")])
    case MD_BLOCK_LI: return open("li")
    case MD_BLOCK_HR: return open("hr")
    case MD_BLOCK_H:
      let detail = detail?.assumingMemoryBound(to: MD_BLOCK_H_DETAIL.self).pointee
      return open("h\(detail?.level ?? 1)")
    case MD_BLOCK_CODE: return open("pre")
    case MD_BLOCK_P: return open("p")
    case MD_BLOCK_TABLE:
      isInTable = true
      return open("table")
    case MD_BLOCK_TR: return open("tr")
    case MD_BLOCK_TH: return open("th", MarkdownParser.alignment(detail))
    case MD_BLOCK_TD: return open("td", MarkdownParser.alignment(detail))
    default: return openNothing()
    }
  }

  /// Returns the attribute for the alignment of a table's cell.
  private static func alignment(_ detail: UnsafeMutableRawPointer?) -> [(String, String)] {
    switch detail?.assumingMemoryBound(to: MD_BLOCK_TD_DETAIL.self).pointee.align {
    case MD_ALIGN_CENTER: [("align", "center")]
    case MD_ALIGN_RIGHT: [("align", "right")]
    default: []
    }
  }

  /// Handles the end of a block, and returns the result for md4c.
  private func leave(_ type: MD_BLOCKTYPE) -> Int32 {
    if type == MD_BLOCK_TABLE { isInTable = false }
    isInTag = false
    return close()
  }

  /// Handles the start of a span of text, and returns the result for md4c.
  private func enter(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
    switch type {
    case MD_SPAN_EM: return open("em")
    case MD_SPAN_STRONG: return open("strong")
    case MD_SPAN_DEL: return open("del")
    case MD_SPAN_CODE: return open("code")
    case MD_SPAN_A:
      guard let detail = detail?.assumingMemoryBound(to: MD_SPAN_A_DETAIL.self).pointee else { break }
      told += Int(detail.href.size + detail.title.size)
      return open("a", [("href", value(detail.href))])
    case MD_SPAN_IMG:
      guard let detail = detail?.assumingMemoryBound(to: MD_SPAN_IMG_DETAIL.self).pointee else { break }
      opened.append(.picture(address: value(detail.src)))
      pictures += 1
      return goOn(afterBytes: detail.src.size + detail.title.size)
    default: break
    }
    return openNothing()
  }

  /// Adds a picture after its description was read.
  private func closePicture(of address: String) {
    pictures -= 1
    guard pictures == 0 else { return }
    let alt = String(decoding: description, as: UTF8.self)
    description = []
    // Without a description, the file name is shown.
    let attributes = [("src", address)] + (alt.isEmpty ? [] : [("alt", alt)])
    builder.open("img", MarkdownParser.attributes(attributes), action: nil)
    builder.close()
  }

  // MARK: Tags

  /// Handles a tag in the text, or one line of a tag.
  private func tag(_ bytes: [UInt8]) {
    let isFirst = !isInTag
    isInTag = bytes.last != UInt8(ascii: ">")
    guard isFirst, pictures == 0 else { return }
    let text = String(decoding: bytes.prefix(16).dropFirst(), as: UTF8.self)
    let name = text.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    switch HTMLRole.named(name) {
    case .lineBreak: breakLine()
    case .emphasis where text.hasPrefix("/"): if isOpen(name) { closeTags(through: name) }
    case .emphasis where !isOpen(name):
      opened.append(.tag(name))
      builder.open(name, HTMLAttributes([]), action: nil)
    case _: break
    }
  }

  /// Whether a tag with this name is open in the innermost element.
  private func isOpen(_ name: String) -> Bool {
    for case .tag(let other) in opened.reversed().prefix(while: \.isTag) where other == name { return true }
    return false
  }

  /// Closes the tags that are open in the innermost element, only up to the one with a name if it is given.
  private func closeTags(through name: String? = nil) {
    while case .tag(let last)? = opened.last {
      opened.removeLast()
      builder.close()
      if last == name { return }
    }
  }

  // MARK: Text

  /// Handles text, and returns the result for md4c.
  private func text(_ type: MD_TEXTTYPE, _ text: UnsafeBufferPointer<CChar>) -> Int32 {
    switch type {
    case MD_TEXT_BR: breakLine()
    case MD_TEXT_SOFTBR: append([0x20])
    case MD_TEXT_ENTITY: append(MarkdownParser.resolved(written(text)))
    case MD_TEXT_HTML: tag(written(text))
    case MD_TEXT_CODE where isInTable:
      // In GitHub's tables a bar also ends a cell inside code, so authors write a backslash before it.
      append(Array(String(decoding: written(text), as: UTF8.self).replacingBytes("\\|", with: "|").utf8))
    default: append(written(text))
    }
    return goOn()
  }

  /// Adds text to the builder, or to the description of the open picture.
  private func append(_ text: [UInt8]) {
    if pictures == 0 {
      text.withUnsafeBufferPointer { builder.text($0) }
    } else if description.count < Limits.labelBytes {
      description += text.prefix(Limits.labelBytes - description.count)
    }
  }

  private func breakLine() {
    guard pictures == 0 else { return append([0x20]) }
    builder.open("br", HTMLAttributes([]), action: nil)
    builder.close()
  }

  /// Returns md4c's text as it is in the source.
  private func written(_ text: UnsafeBufferPointer<CChar>) -> [UInt8] {
    var offset: Int?
    if let start, let first = text.baseAddress, first >= start, first < start + source.count {
      offset = first - start
    }
    return text.withMemoryRebound(to: UInt8.self) { source.written($0, at: offset) }
  }

  // MARK: Values

  /// Returns an attribute's value with its character references resolved.
  private func value(_ attribute: MD_ATTRIBUTE) -> String {
    guard let text = attribute.text, let types = attribute.substr_types,
      let offsets = attribute.substr_offsets
    else { return "" }
    let whole = UnsafeBufferPointer(start: text, count: Int(attribute.size))
    var value: [UInt8] = []
    var part = 0
    while offsets[part] < attribute.size {
      let range = Int(offsets[part])..<Int(offsets[part + 1])
      let bytes = written(UnsafeBufferPointer(rebasing: whole[range]))
      value += types[part] == MD_TEXT_ENTITY ? MarkdownParser.resolved(bytes) : bytes
      part += 1
    }
    return String(decoding: value, as: UTF8.self)
  }

  /// Returns the characters of a reference, which is given with `&` and `;`; an unknown reference is unchanged.
  private static func resolved(_ reference: [UInt8]) -> [UInt8] {
    let name = String(decoding: reference.dropFirst().dropLast(), as: UTF8.self)
    var text: String?
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
      text = UInt32(name.dropFirst(2), radix: 16).map(CharacterReferences.character)
    } else if name.hasPrefix("#") {
      text = UInt32(name.dropFirst()).map(CharacterReferences.character)
    } else {
      text = NamedCharacters.charactersInLine(of: name)
    }
    return text.map { Array($0.utf8) } ?? reference
  }
}
