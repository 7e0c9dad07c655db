import Basics
import CMD4C
import Formats

/// Parses a text with md4c and sends its elements to a builder: CommonMark with GitHub's tables and strikethrough,
/// without blocks of raw HTML, so that all tags are inline. md4c does not recurse for nested elements.
final class MarkdownParser {
  private let source: MarkdownSource
  private let builder: MarkdownBuilder
  private var start: UnsafePointer<CChar>?
  /// The number of md4c's callbacks, plus the bytes of their addresses.
  private var told = 0

  private init(_ text: Substring, _ builder: MarkdownBuilder) {
    source = MarkdownSource(text)
    self.builder = builder
  }

  /// - Returns: whether the text was read to its end. Reading stops if the result becomes many times larger than the
  ///   text: table rows are filled up to the table's width, and a reference's address is repeated for each of its links.
  static func parse(_ text: Substring, into builder: MarkdownBuilder) -> Bool {
    let parser = MarkdownParser(text, builder)
    return withExtendedLifetime(parser) { parser.run() }
  }

  private func run() -> Bool {
    var calls = MD_PARSER()
    calls.flags = UInt32(MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_NOHTMLBLOCKS)
    calls.enter_block = { type, detail, data in
      MarkdownParser.at(data)?.open(MarkdownParser.block(type, detail)) ?? MarkdownParser.stop
    }
    calls.leave_block = { _, _, data in MarkdownParser.at(data)?.close() ?? MarkdownParser.stop }
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

  private static func at(_ data: UnsafeMutableRawPointer?) -> MarkdownParser? {
    data.map { Unmanaged<MarkdownParser>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Events

  /// md4c 0.4.8 stops only if a callback returns a negative number.
  private static let stop: Int32 = -1

  private func goOn(afterBytes bytes: UInt32 = 0) -> Int32 {
    told += 1 + Int(bytes)
    return told > Limits.markdownCalls ? MarkdownParser.stop : 0
  }

  private func open(_ element: MarkdownElement) -> Int32 {
    builder.open(element)
    return goOn()
  }

  private func close() -> Int32 {
    builder.close()
    return goOn()
  }

  private static func block(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> MarkdownElement {
    switch type {
    case MD_BLOCK_QUOTE: return .quote
    case MD_BLOCK_UL: return .list(.bullets)
    case MD_BLOCK_OL:
      let detail = detail?.assumingMemoryBound(to: MD_BLOCK_OL_DETAIL.self).pointee
      return .list(.numbers(from: Int(detail?.start ?? 1)))
    case MD_BLOCK_LI: return .item
    case MD_BLOCK_HR: return .rule
    case MD_BLOCK_H:
      let detail = detail?.assumingMemoryBound(to: MD_BLOCK_H_DETAIL.self).pointee
      return .heading(Int(detail?.level ?? 1))
    case MD_BLOCK_CODE: return .code
    case MD_BLOCK_P: return .paragraph
    case MD_BLOCK_TABLE: return .table
    case MD_BLOCK_THEAD: return .tableHead
    case MD_BLOCK_TR: return .row
    case MD_BLOCK_TH, MD_BLOCK_TD:
      switch detail?.assumingMemoryBound(to: MD_BLOCK_TD_DETAIL.self).pointee.align {
      case MD_ALIGN_CENTER: return .cell(.center)
      case MD_ALIGN_RIGHT: return .cell(.right)
      default: return .cell(.left)
      }
    default: return .transparent
    }
  }

  private func enter(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
    switch type {
    case MD_SPAN_EM: return open(.emphasis(.stressed))
    case MD_SPAN_STRONG: return open(.emphasis(.strong))
    case MD_SPAN_DEL: return open(.emphasis(.deleted))
    case MD_SPAN_CODE: return open(.emphasis(.code))
    case MD_SPAN_A:
      guard let detail = detail?.assumingMemoryBound(to: MD_SPAN_A_DETAIL.self).pointee else { break }
      builder.open(.link(value(detail.href)))
      return goOn(afterBytes: detail.href.size + detail.title.size)
    case MD_SPAN_IMG:
      guard let detail = detail?.assumingMemoryBound(to: MD_SPAN_IMG_DETAIL.self).pointee else { break }
      builder.open(.image(value(detail.src)))
      return goOn(afterBytes: detail.src.size + detail.title.size)
    default: break
    }
    return open(.transparent)
  }

  private func text(_ type: MD_TEXTTYPE, _ text: UnsafeBufferPointer<CChar>) -> Int32 {
    switch type {
    case MD_TEXT_BR: builder.breakLine()
    case MD_TEXT_SOFTBR: builder.text([0x20])
    case MD_TEXT_ENTITY: builder.text(MarkdownParser.resolved(written(text)))
    case MD_TEXT_HTML: builder.tag(written(text))
    case MD_TEXT_CODE: builder.code(written(text))
    default: builder.text(written(text))
    }
    return goOn()
  }

  private func written(_ text: UnsafeBufferPointer<CChar>) -> [UInt8] {
    var offset: Int?
    if let start, let first = text.baseAddress, first >= start, first < start + source.count {
      offset = first - start
    }
    return text.withMemoryRebound(to: UInt8.self) { source.written($0, at: offset) }
  }

  // MARK: Values

  /// An attribute's value with its character references resolved.
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

  /// Resolves a character reference with `&` and `;`; an unknown one is unchanged.
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
