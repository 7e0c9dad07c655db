import Screen

/// Turns what the parser meets into blocks.
final class HTMLBuilder: HTMLSink {
  /// An open element, and how things stood before it.
  private struct Opened {
    var role: HTMLRole
    var isContainer = false
    var emphasis: Emphasis
    var link: Int?
    var isSpaced: Bool
    var heading: Int?
  }

  private var opened: [Opened] = []
  private var containers = [HTMLContainer()]
  private var inline = InlineBuilder()
  private var links: LinkCollector
  private var linkHasText = false
  private var hiddenDepth = 0
  private var raisedDepth = 0
  private var isSpaced = false
  private var heading: Int?
  private var isTooDeep = false
  var stop: () -> Void = {}

  init(base: String?) { links = LinkCollector(base: base) }

  /// What was built, all that is open being closed.
  func document(note: Block?) -> Document {
    while !opened.isEmpty { close() }
    flush()
    var blocks = containers[0].blocks
    if isTooDeep { blocks.append(Block(.note("[Cut here: too many elements inside each other]"))) }
    if let note { blocks.append(note) }
    return Document(blocks: blocks, links: links.links)
  }

  // MARK: What the parser meets

  func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard hiddenDepth == 0 else { return }
    if raisedDepth > 0, let raised = HTMLBuilder.superscript(bytes) { return append(raised) }
    append(bytes)
  }

  func open(_ name: String, _ attributes: HTMLAttributes) {
    guard !isTooDeep else { return }
    var role = HTMLRole.named(name)
    // It stands in the head, which is hidden.
    if role == .base { links.rebase(attributes["href"] ?? "") }
    if hiddenDepth > 0 || attributes.areHiding { role = .hidden }
    var element = Opened(
      role: role, emphasis: inline.emphasis, link: inline.link, isSpaced: isSpaced, heading: heading)
    element.isContainer = enter(role, attributes)
    opened.append(element)
    if opened.count > Limits.openElements {
      isTooDeep = true
      stop()
    }
  }

  func close() {
    guard let element = opened.popLast() else { return }
    leave(element)
    if hiddenDepth == 0 { inline.set(element.emphasis, link: element.link) }
    isSpaced = element.isSpaced
    heading = element.heading
  }

  // MARK: Elements

  /// - Returns: whether a container was opened for it.
  private func enter(_ role: HTMLRole, _ attributes: HTMLAttributes) -> Bool {
    switch role {
    case .block:
      flush()
      isSpaced = false
    case .tableCaption: flush()
    case .row:
      flush()
      containers[containers.count - 1].grid.startRow()
    case .paragraph:
      flush()
      isSpaced = true
    case .heading(let level):
      flush()
      heading = level
    case .term, .summary:
      flush()
      inline.set(inline.emphasis.union(.strong), link: inline.link)
    case .preformatted:
      flush()
      inline.keepsSpace = true
    case .container(let container): return enter(container, attributes)
    case .emphasis(let emphasis): inline.set(inline.emphasis.union(emphasis), link: inline.link)
    case .raised: raisedDepth += 1
    case .quotation: append("“")
    case .link: enterLink(attributes)
    case .lineBreak: inline.breakLine()
    case .rule:
      flush()
      add([Block(.rule)])
    case .image: image(attributes)
    case .input: input(attributes)
    case .button: append("[ ")
    case .embedded(let name):
      embedded(name, attributes)
      hiddenDepth += 1
    case .hidden: hiddenDepth += 1
    case .base, .lowered, .transparent: break
    }
    return false
  }

  private func enter(_ role: HTMLRole.Container, _ attributes: HTMLAttributes) -> Bool {
    flush()
    isSpaced = false
    guard containers.count < Limits.nesting else { return false }
    var container = HTMLContainer(role: role)
    switch role {
    case .numberedList:
      container.firstNumber = attributes["start"].flatMap { Int($0) }.map { min(max($0, -999), 99_999) } ?? 1
    case .headerCell, .cell:
      container.cell.isHeader = role == .headerCell
      container.cell.alignment = attributes.alignment
      container.cell.columns = attributes["colspan"].flatMap { Int($0) } ?? 1
      container.cell.rows = attributes["rowspan"].flatMap { Int($0) } ?? 1
    case .table:
      let purpose = attributes["role"]?.lowercased()
      container.grid.isForLayout = purpose == "presentation" || purpose == "none"
    case .quote, .list, .item, .definitions, .details, .disclosure: break
    }
    containers.append(container)
    return true
  }

  private func leave(_ element: Opened) {
    switch element.role {
    case .block, .paragraph, .heading, .tableCaption, .row: flush()
    case .preformatted:
      flush()
      inline.keepsSpace = false
    case .term: containers[containers.count - 1].startDefinition(inline.take())
    case .summary:
      let summary = inline.take()
      if !summary.isBlank { containers[containers.count - 1].term = summary }
    case .container:
      flush()
      if element.isContainer { leaveContainer() }
    case .raised: raisedDepth -= 1
    case .quotation: append("”")
    case .link: if element.link == nil, let number = inline.link { leaveLink(number) }
    case .button: append(" ]")
    case .embedded, .hidden: hiddenDepth -= 1
    case .emphasis, .lowered, .image, .lineBreak, .rule, .input, .base, .transparent: break
    }
  }

  private func leaveContainer() {
    guard containers.count > 1, var done = containers.popLast() else { return }
    let parent = containers.count - 1
    let role = containers[parent].role
    if done.role == .item, containers[parent].isList {
      containers[parent].items.append(done.blocks)
    } else if done.role == .details, role == .definitions {
      containers[parent].finishDefinition(done.blocks)
    } else if done.role == .cell || done.role == .headerCell, role == .table {
      done.cell.blocks = done.blocks
      containers[parent].grid.add(done.cell)
    } else {
      add(done.finished(in: role))
    }
  }

  private func enterLink(_ attributes: HTMLAttributes) {
    guard inline.link == nil, let reference = attributes["href"], let number = links.number(for: reference)
    else { return }
    linkHasText = false
    inline.set(inline.emphasis, link: number)
  }

  private func leaveLink(_ number: Int) {
    guard linkHasText else { return links.discard(number) }
    links.finishLabel(number)
    let marker = Span(LinkCollector.marker(number), .linkNumber, link: number)
    if inline.isEmpty, containers[containers.count - 1].append(marker) { return }
    inline.append(mark: marker.text, .linkNumber, link: number, isJoined: true)
  }

  private func image(_ attributes: HTMLAttributes) {
    // A picture of one dot tells the sender that the mail was read, and the reader nothing.
    for side in ["width", "height"] {
      if let dots = attributes[side].flatMap({ Int($0) }), dots <= 1 { return }
    }
    let alt = attributes["alt"].map { $0.split { $0.isWhitespace }.joined(separator: " ") }
    if alt == "" { return }
    let source = attributes["src"] ?? ""
    appendLinked(LinkCollector.image(alt, source: source), to: source)
  }

  private func embedded(_ name: String, _ attributes: HTMLAttributes) {
    guard let source = attributes["src"] ?? attributes["data"], links.number(for: source) != nil else {
      return
    }
    let title = attributes["title"].map { ": " + $0 } ?? ""
    appendLinked("[\(untrusted: name + title)]", to: source)
  }

  /// A mark that stands for something elsewhere; inside a link it is part of that link's text.
  private func appendLinked(_ text: SafeText, to address: String) {
    let own = inline.link == nil ? links.number(for: address) : nil
    inline.append(mark: text, inline.emphasis.union(.image), link: inline.link ?? own)
    if let number = inline.link ?? own { links.addLabel(text.text.utf8, to: number) }
    linkHasText = true
    guard let own else { return }
    links.finishLabel(own)
    inline.append(mark: LinkCollector.marker(own), .linkNumber, link: own, isJoined: true)
  }

  private func input(_ attributes: HTMLAttributes) {
    switch attributes["type"]?.lowercased() ?? "text" {
    case "checkbox", "radio": append(attributes["checked"] == nil ? "[ ] " : "[x] ")
    case "submit", "reset", "button": append("[ \(attributes["value"] ?? "Submit") ]")
    case "hidden", "password": break
    default: append(attributes["value"] ?? "")
    }
  }

  // MARK: Words and blocks

  private func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    inline.append(bytes)
    guard let number = inline.link else { return }
    links.addLabel(bytes, to: number)
    linkHasText = linkHasText || bytes.contains { $0 > 0x20 }
  }

  private func add(_ blocks: [Block]) { containers[containers.count - 1].blocks += blocks }

  /// Ends the block of words that was being collected.
  private func flush() {
    guard !inline.isEmpty else { return }
    let words = inline.take()
    guard !words.lines.isEmpty else { return }
    if inline.keepsSpace {
      let kept = words.withoutOuterBlankLines
      if !kept.lines.isEmpty { add([Block(.preformatted(kept))]) }
    } else if let heading {
      if !words.isBlank { add([Block(.heading(level: heading, words))]) }
    } else {
      add([Block(.paragraph(words), isSpaced: isSpaced)])
    }
  }

  private static func superscript(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let raised: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
    guard bytes.count <= 8, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return String(bytes.map { raised[Int($0 - 0x30)] })
  }
}
