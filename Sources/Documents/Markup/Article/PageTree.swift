import Basics
import Formats

/// A web page as flat arrays in the order of the page: its elements, its text, and the blocks into which the text is
/// divided. Parts that never belong to an article aren't kept.
final class PageTree: HTMLSink {
  /// An element that may belong to the article.
  struct Element {
    var name: String
    var role: PageRole
    /// The index of the element around it.
    var parent: Int
    /// The range of its nodes, from its start to after its end.
    var nodes: Range<Int>
    /// The way in which the page marks the element as its article, or `nil` if it does not.
    var scope: PageHints.Scope?
    /// Whether the element is usually not a part of the article.
    var isSurrounding = false
    /// The index of the innermost table around it, which may be the element itself, or `nil` if there is none.
    var table: Int?
    /// Whether it is a table of data: with headings of its rows or columns, or with a caption.
    var isData = false
    /// Whether it contains elements that are blocks.
    var hasBlocks = false
    var isInFigure = false
    /// The words in the element and all inner ones, in quarters of a word.
    var words = 0
    /// The words in links, in quarters of a word.
    var linked = 0
    /// Whether it contains a button.
    var hasButton = false
    /// The number of times that the text mentions cookies, consent or privacy.
    var consent = 0
    var attributes: [HTMLAttribute] = []

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  /// A start, an end or a piece of content, in the order of the page. The numbers are indices of elements.
  enum Node {
    case start(Int)
    case end(Int)
    case picture(Int)
    /// A recording, a frame or a player, whose label is the name of the element.
    case media(Int)
    case lineBreak
    case rule
    /// Text: a range of bytes in `PageTree.text`.
    case text(Range<Int>)
  }

  /// The parts of a page that are read.
  enum Reading {
    /// Only the parts that may be its article.
    case main
    /// The parts of `main`, and those whose names or classes show that they do not belong to an article.
    case text
    /// All parts that contain text, including menus.
    case all
  }

  private let allowance: Allowance
  private let reading: Reading
  /// The elements; the first one represents the page.
  private(set) var elements: [Element]
  /// The starts and ends of elements, and the content between them.
  private(set) var nodes: [Node] = []
  /// The text of the page as UTF-8, without markup.
  private(set) var text: [UInt8] = []
  var blocks: [TextBlock] = []
  /// The indices of the headings of the first two levels, in the order of the page.
  private(set) var headlines: [Int] = []
  /// The URL in the `base` element, or `nil` if there is none.
  private(set) var base: String?
  /// The text of `title` in the page's head.
  private(set) var title: [UInt8] = []
  /// `og:title`, the title for other sites, or `nil` if there is none.
  private(set) var sharedTitle: String?
  /// The machine-readable article of the page.
  private(set) var structured = StructuredArticle()

  /// The indices of the open elements, or `nil` for an element that is not kept.
  private var open: [Int?] = []
  /// The indices of the open elements that are kept, the innermost last.
  private var innermost = [0]
  /// The indices of the open elements that are blocks, the innermost last.
  private var innermostBlock = [0]
  /// The number of open elements inside an ignored element, including that element itself.
  private var ignoredDepth = 0
  /// The number of open links.
  private var linkDepth = 0
  /// The number of open figures.
  private var figureDepth = 0
  private var isInTitle = false
  /// The URL of the first source of the open `picture`.
  private var pictureSource: String?
  /// An open recording whose own element has no URL. It gets the URL of the first inner element that has one.
  private var waiting: EmbeddedMedia?
  /// The current block of text, which has begun if `hasStarted`.
  private var block = TextBlock(nodes: 0..<0, element: 0)
  /// Whether the current block has text or a picture.
  private var hasStarted = false
  /// Counts the words of the current text.
  private var count = WordCount()

  /// Reads a page.
  init(_ text: String, _ reading: Reading, _ allowance: Allowance) {
    self.allowance = allowance
    self.reading = reading
    elements = [Element(name: "div", role: .generic, parent: 0, nodes: 0..<0)]
    var text = text
    text.withUTF8 { HTMLStream(sink: self, reading: .scriptedPage).run($0) }
    finish()
  }

  /// The `title` of the page with single spaces, or `nil` if it is empty.
  var pageTitle: String? {
    let title = Self.singleSpaced(title)
    return title.isEmpty ? nil : title
  }

  var isFull: Bool { open.count + ignoredDepth > Limits.openElements || allowance.isSpent }

  // MARK: Events

  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
    guard ignoredDepth == 0 else {
      ignoredDepth += 1
      if let waiting, let address = MediaAddress.of(attributes) { add(waiting, address) }
      return
    }
    let name = String(cString: name)
    var role = PageRole.named(name)
    if reading == .all, name == "nav" || name == "aside" || name == "template" { role = .generic }
    if name == "button" || name == "input" { elements[innermost[innermost.count - 1]].hasButton = true }
    structured.start(name, attributes)
    if addMedia(name, role, attributes) { return }
    switch role {
    case .ignored: ignoredDepth = 1
    case .ignoredBlock:
      endBlock()
      ignoredDepth = 1
    case .title:
      isInTitle = title.isEmpty
      open.append(nil)
    case .meta:
      if attributes["property"]?.lowercased() == "og:title" { sharedTitle = attributes["content"] }
      open.append(nil)
    case .base:
      base = base ?? attributes["href"]
      open.append(nil)
    case .lineBreak:
      count.endWord()
      add(.lineBreak)
      open.append(nil)
    case .rule:
      endBlock()
      add(.rule)
      open.append(nil)
    case .image:
      addPicture(name, attributes)
      open.append(nil)
    case .picture, .source:
      pictureSource = role == .picture ? nil : pictureSource ?? MediaAddress.of(attributes)
      open.append(nil)
    case .generic, .surrounding, .block, .heading, .item, .table, .row, .cell, .preformatted, .figure,
      .inline, .link,
      .transparent:
      start(name, role, attributes)
    }
  }

  func endElement(_ name: UnsafePointer<UInt8>) {
    structured.end()
    guard ignoredDepth == 0 else {
      ignoredDepth -= 1
      if ignoredDepth == 0 { waiting = nil }
      return
    }
    close()
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard ignoredDepth == 0 else { return structured.add(bytes, allowance) }
    if isInTitle {
      title += bytes.prefix(max(0, Limits.nameBytes - title.count))
      return
    }
    guard !bytes.isEmpty, allowance.spend(bytes.count) else { return }
    let start = text.count
    text += bytes
    if case .text(let range)? = nodes.last, range.upperBound == start {
      nodes[nodes.count - 1] = .text(range.lowerBound..<text.count)
    } else {
      add(.text(start..<text.count))
    }
    let before = count.quarters
    count.add(bytes)
    let new = count.quarters - before
    guard new > 0 || hasStarted || bytes.contains(where: { $0 > 0x20 }) else { return }
    extendBlock()
    block.words += new
    if linkDepth > 0 { block.linked += new }
  }

  /// Closes the open elements, and adds up the words of each element and its inner ones.
  private func finish() {
    while !open.isEmpty { close() }
    endBlock()
    elements[0].nodes = 0..<nodes.count
    for block in blocks {
      elements[block.element].words += block.words
      elements[block.element].linked += block.linked
      elements[block.element].consent += consent(in: block)
    }
    // An element precedes its inner elements.
    for index in elements.indices.dropFirst().reversed() {
      elements[elements[index].parent].words += elements[index].words
      elements[elements[index].parent].linked += elements[index].linked
      elements[elements[index].parent].consent += elements[index].consent
      if elements[index].hasButton { elements[elements[index].parent].hasButton = true }
    }
  }

  // MARK: Elements

  /// Begins an element that may contain text.
  private func start(_ name: String, _ role: PageRole, _ attributes: HTMLAttributes) {
    var hints = PageHints(name, attributes)
    if reading != .main { (hints.isIgnored, hints.isSurrounding) = (false, false) }
    if role.isBlock || hints.isIgnored { endBlock() }
    if hints.isIgnored {
      ignoredDepth = 1
      return
    }
    let parent = innermost[innermost.count - 1]
    var role = role
    // A quotation has its own header and footer, which are not those of the page.
    if role == .surrounding, elements[parent].name == "blockquote" { role = .block }
    if name == "header", elements[parent].scope == .article { role = .generic }
    let isSurrounding = role == .surrounding || hints.isSurrounding
    if role == .transparent, !isSurrounding, hints.scope == nil {
      open.append(nil)
      return
    }
    var element = Element(
      name: name, role: role == .transparent ? .inline : role, parent: parent,
      nodes: nodes.count..<nodes.count,
      scope: hints.scope, isSurrounding: isSurrounding, isInFigure: figureDepth > 0)
    for name in PageRole.keptAttributes(of: name) {
      if let value = attributes[name], value.utf8.count <= Limits.addressBytes {
        element.attributes.append(HTMLAttribute(name: name, value: value))
      }
    }
    let index = elements.count
    element.table = role == .table ? index : elements[parent].table
    if name == "th" || name == "caption", let table = element.table { elements[table].isData = true }
    add(.start(index))
    add(element)
    open.append(index)
    innermost.append(index)
    if role.isBlock {
      elements[innermostBlock[innermostBlock.count - 1]].hasBlocks = true
      innermostBlock.append(index)
    }
    if role == .figure { figureDepth += 1 }
    if element.leadsAway { linkDepth += 1 }
    if case .heading(1...2) = role { headlines.append(index) }
  }

  /// Ends the innermost open element.
  private func close() {
    isInTitle = false
    guard let index = open.popLast() ?? nil else { return }
    let element = elements[index]
    if element.role.isBlock {
      endBlock()
      innermostBlock.removeLast()
    }
    if element.role == .figure { figureDepth -= 1 }
    if element.leadsAway { linkDepth -= 1 }
    innermost.removeLast()
    add(.end(index))
    elements[index].nodes = element.nodes.lowerBound..<nodes.count
  }

  /// Adds a picture, unless it is hidden or has no description.
  private func addPicture(_ name: String, _ attributes: HTMLAttributes) {
    guard !attributes.areHiding, attributes["alt"]?.contains(where: { !$0.isWhitespace }) == true else {
      return
    }
    var element = Element(
      name: name, role: .image, parent: innermost[innermost.count - 1], nodes: nodes.count..<nodes.count + 1)
    element.isInFigure = figureDepth > 0 || linkDepth == 0
    let source = MediaAddress.of(attributes) ?? pictureSource
    let values = [("src", source)] + PageRole.keptAttributes(of: name).map { ($0, attributes[$0]) }
    for case (let name, let value?) in values where value.utf8.count <= Limits.addressBytes {
      element.attributes.append(HTMLAttribute(name: name, value: value))
    }
    pictureSource = nil
    add(.picture(elements.count))
    add(element)
    extendBlock()
    block.hasPicture = true
  }

  /// Adds a recording, a frame or a player, whose content is not read. Returns `false` for any other element.
  private func addMedia(_ name: String, _ role: PageRole, _ attributes: HTMLAttributes) -> Bool {
    guard !attributes.areHiding, var media = EmbeddedMedia.of(name, attributes) else { return false }
    // Nothing is inside such an element, even if the parser reports something.
    defer { if name == "embed" { open.append(nil) } else { ignoredDepth = 1 } }
    if role.isBlock { endBlock() }
    let hints = PageHints(name, attributes)
    if reading == .main, hints.isIgnored || hints.isSurrounding { return true }
    if media.isFrame {
      guard let frame = ArticleFrame(attributes) else { return true }
      media.address = frame.address
    }
    let standsAlone = role.isBlock || role == .ignoredBlock && isBetweenBlocks
    if standsAlone { endBlock() }
    if let address = media.address { add(media, address) } else { waiting = media }
    if standsAlone { endBlock() }
    return true
  }

  /// Whether the innermost block is a container of other blocks. In a paragraph, a frame is a part of the text.
  private var isBetweenBlocks: Bool {
    switch elements[innermostBlock[innermostBlock.count - 1]].role {
    case .generic, .surrounding, .figure: true
    case _: false
    }
  }

  /// Adds a recording, a frame or a player with its URL.
  private func add(_ media: EmbeddedMedia, _ address: String) {
    waiting = nil
    guard address.utf8.count <= Limits.addressBytes else { return }
    var element = Element(
      name: media.label, role: .image, parent: innermost[innermost.count - 1],
      nodes: nodes.count..<nodes.count + 1)
    element.attributes.append(HTMLAttribute(name: "href", value: address))
    add(.media(elements.count))
    add(element)
    extendBlock()
    block.hasPicture = true
  }

  private func add(_ element: Element) {
    elements.append(element)
    allowance.spend(MemoryLayout<Element>.stride + element.attributes.reduce(0) { $0 + $1.value.utf8.count })
  }

  private func add(_ node: Node) {
    nodes.append(node)
    allowance.spend(MemoryLayout<Node>.stride)
  }

  // MARK: Blocks

  /// Adds the last node to the current block.
  private func extendBlock() {
    if !hasStarted {
      block = TextBlock(
        nodes: nodes.count - 1..<nodes.count, element: innermostBlock[innermostBlock.count - 1])
    }
    hasStarted = true
    block.nodes = block.nodes.lowerBound..<nodes.count
  }

  /// Ends the current block of text.
  private func endBlock() {
    count.endWord()
    guard hasStarted else { return }
    hasStarted = false
    blocks.append(block)
    allowance.spend(MemoryLayout<TextBlock>.stride)
  }

  // MARK: Text

  /// Returns the number of words about cookies, consent or privacy in a block.
  private func consent(in block: TextBlock) -> Int {
    var count = 0
    for case .text(let range) in nodes[block.nodes] {
      text[range].withUnsafeBufferPointer { bytes in
        for place in bytes.indices
        where ConsentText.words.contains(where: { bytes.hasSequence(inAnyCase: $0, at: place) }) {
          count += 1
        }
      }
    }
    return count
  }

  /// Returns the text in an element with single spaces. At most 500 bytes of it are read.
  func text(of element: Int) -> String {
    var bytes: [UInt8] = []
    for node in nodes[elements[element].nodes] {
      switch node {
      case .text(let range):
        let part = Array(text[range].prefix(500 - min(500, bytes.count)))
        if !Self.isMark(Self.singleSpaced(part)) { bytes += part }
      case .lineBreak: bytes.append(0x20)
      case .start, .end, .picture, .media, .rule: break
      }
    }
    return Self.singleSpaced(bytes)
  }

  /// Returns text with one space for each run of white space.
  static func singleSpaced(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether the text is only the symbol of a link to the heading around it.
  static func isMark(_ text: String) -> Bool { ["#", "¶", "§", "🔗"].contains(text) }
}

extension PageTree.Element {
  /// Whether the element is a link to another page. Links within the same page do not make text a menu.
  var leadsAway: Bool { role == .link && self["href"].map { !$0.hasPrefix("#") } ?? false }
}
