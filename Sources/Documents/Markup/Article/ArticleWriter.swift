import Basics
import Formats

/// Writes the article of a page as HTML, with known elements and attributes only. The start tag of an element is
/// written together with its first text, so that no element is empty.
struct ArticleWriter {
  /// An open element.
  private struct Open {
    var element: Int
    /// The name with which it is written; empty if only its content is written.
    var tag: String
    var isWritten = false
    /// The number of cells before the first text, if the element is a row.
    var emptyCells = 0
  }

  private let page: PageTree
  private let scope: ArticleScope
  private var output: [UInt8] = []
  private var open: [Open] = []
  /// Whether anything was written.
  private var hasText = false
  /// Whether a rule (`<hr>`) is written before the next text.
  private var wantsRule = false
  /// The URLs of the links that were written.
  private var links: Set<String> = []

  init(_ page: PageTree, _ scope: ArticleScope) {
    self.page = page
    self.scope = scope
  }

  var html: String { String(decoding: output, as: UTF8.self) }

  /// Writes the nodes of the article that are kept.
  mutating func write() {
    if let base = page.base, base.utf8.count <= Limits.baseBytes {
      output.append("<base")
      write("href", base)
      output.append(">")
    }
    var block = page.blocks.firstIndex { $0.nodes.upperBound > scope.nodes.lowerBound } ?? page.blocks.count
    var index = scope.nodes.lowerBound
    while index < scope.nodes.upperBound, output.count < Limits.articleBytes {
      while block < page.blocks.count, page.blocks[block].nodes.upperBound <= index { block += 1 }
      let isKept =
        block < page.blocks.count && page.blocks[block].nodes.contains(index) && scope.isKept[block]
      switch page.nodes[index] {
      case .start(let element):
        if scope.isLeftOut[element] {
          index = page.elements[element].nodes.upperBound
          continue
        }
        open.append(Open(element: element, tag: tag(of: element)))
      case .end(let element): if open.last?.element == element { close() }
      case .text(let range): if isKept { write(text: range) }
      case .picture(let element): if isKept { write(picture: element) }
      case .media(let element): if isKept { write(media: element) }
      case .lineBreak: if isKept { output.append("<br>") }
      case .rule: wantsRule = hasText
      }
      index += 1
    }
    while !open.isEmpty { close() }
  }

  // MARK: Elements

  /// Returns the name with which an element is written, or an empty string if only its content is.
  private func tag(of index: Int) -> String {
    let element = page.elements[index]
    switch element.role {
    case .generic, .surrounding: return element.hasBlocks ? "div" : "p"
    case .figure: return "div"
    case .link: return element.leadsAway ? "a" : ""
    case .inline: return PageRole.named(element.name) == .inline ? element.name : ""
    // The header or footer of a quote becomes a `div`.
    case .block where PageRole.named(element.name) == .surrounding: return "div"
    case .block, .heading, .item, .table, .row, .cell, .preformatted: return element.name
    case .image, .picture, .source, .lineBreak, .rule, .ignored, .ignoredBlock, .title, .meta, .base,
      .transparent:
      return ""
    }
  }

  /// Ends the innermost open element.
  private mutating func close() {
    guard let done = open.popLast() else { return }
    if done.isWritten {
      output.append("</")
      output += done.tag.utf8
      output.append(">")
    } else if page.elements[done.element].role == .cell, let row = open.indices.last,
      page.elements[open[row].element].role == .row
    {
      // The columns after it keep their positions.
      if open[row].isWritten {
        output.append("<td></td>")
      } else {
        open[row].emptyCells = min(open[row].emptyCells + 1, Limits.tableColumns)
      }
    }
  }

  /// Writes the start tags of the open elements that are not written yet.
  private mutating func start() {
    if wantsRule { output.append("<hr>") }
    wantsRule = false
    hasText = true
    let first = (open.lastIndex { $0.isWritten } ?? -1) + 1
    let lastBlock = open.lastIndex { page.elements[$0.element].role.isBlock } ?? -1
    for place in first..<open.count where !open[place].tag.isEmpty {
      let element = page.elements[open[place].element]
      // Only the innermost of nested containers is written.
      if element.role == .generic || element.role == .surrounding || element.role == .figure,
        place < lastBlock
      {
        continue
      }
      output.append("<")
      output += open[place].tag.utf8
      if open[place].tag == "a", let address = element["href"] { links.insert(Self.bare(address)) }
      if element.role != .image {
        for attribute in element.attributes { write(attribute.name, attribute.value) }
      }
      output.append(">")
      open[place].isWritten = true
      for _ in 0..<open[place].emptyCells { output.append("<td></td>") }
    }
  }

  // MARK: Text

  private mutating func write(text range: Range<Int>) {
    // The mark of a link to a heading is left out.
    if let last = open.last, page.elements[last.element].role == .link, last.tag.isEmpty,
      PageTree.isMark(PageTree.singleSpaced(Array(page.text[range])))
    {
      return
    }
    start()
    // The text is written up to the limit, without cutting the last character.
    var room = max(0, Limits.articleBytes - output.count)
    while room > 0, room < range.count, page.text[range.lowerBound + room] & 0xC0 == 0x80 { room -= 1 }
    output.append(escapingMarkup: page.text[range].prefix(room))
  }

  private mutating func write(picture index: Int) {
    let picture = page.elements[index]
    start()
    output.append("<img")
    for name in ["src", "alt", "width", "height", "class"] {
      if let value = picture[name] { write(name, value) }
    }
    output.append(">")
  }

  /// Writes a link to a recording or a frame, in the form that messages use.
  private mutating func write(media index: Int) {
    let media = page.elements[index]
    // A quotation with a link to the same page often precedes a frame.
    if let address = media["href"], links.contains(Self.bare(address)) { return }
    start()
    let isInLink = open.contains { page.elements[$0.element].leadsAway }
    if !isInLink, let address = media["href"] {
      output.append("<a")
      write("href", address)
      output.append(">")
    }
    output.append("[")
    output.append(escapingMarkup: media.name.utf8)
    output.append(isInLink ? "]" : "]</a>")
  }

  /// Returns a URL without the slash at its end, for comparisons.
  private static func bare(_ address: String) -> String {
    address.hasSuffix("/") ? String(address.dropLast()) : address
  }

  /// Writes an attribute.
  private mutating func write(_ name: String, _ value: String) {
    output.append(" ")
    output += name.utf8
    output.append("=\"")
    output.append(escapingMarkup: value.utf8)
    output.append("\"")
  }
}
