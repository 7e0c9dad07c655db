import Basics
import Formats
import Screen

/// Builds blocks from HTML elements. For a message they come from the parser's events, for a view (the HTML page of a
/// banner) from its tree.
final class HTMLBuilder: HTMLSink {
  /// An open element, and the state that is restored after it.
  private struct Opened {
    var role: HTMLRole
    var isContainer = false
    var emphasis: Emphasis
    var link: Int?
    var isSpaced: Bool
    var heading: Int?
    var style: InheritedStyle
    /// The alignment of the element itself, if it is a table.
    var position: Alignment?
    /// The position at which its text begins, if the text is changed at the element's end.
    var place: InlineBuilder.Place?
    /// The number of children opened so far in an element of a formula.
    var children = 0
    /// The role of the element in the formula around it, or `nil` if there is none.
    var part: FormulaPart?
  }

  /// The open elements, the innermost last.
  private var opened: [Opened] = []
  /// The open containers of blocks; the first one is the document.
  private var containers = [HTMLContainer()]
  /// Collects the text of the current block.
  var inline: InlineBuilder
  /// Whether the open link has visible text.
  var linkHasText = false
  /// The state of pictures and recordings so far.
  var media = MediaState()
  /// The collector of a view's controls and pictures, or `nil` for a message, which has neither controls nor
  /// colours.
  var view: ViewCollector?
  /// The pictures of a message, or `nil` if only its text is needed, and in a view.
  var pictures: [BodyPicture]?
  /// The current style.
  private var style = InheritedStyle()
  /// The smallest number of open elements since the last block, and the background inside these elements. It
  /// is the background of a blank line before the next block, since these elements contain both blocks.
  private var gap = (depth: 0, fill: Color.terminal)
  /// The number of open elements whose content is not shown.
  private(set) var hiddenDepth = 0
  /// Whether the next block has blank lines before and after it.
  private var isSpaced = false
  /// The level of the open heading, or `nil` if there is none.
  private var heading: Int?
  /// The number of further cells that may be added for column and row spans.
  private var spannedCells = Limits.spannedCells
  /// Whether the rest was left out because of too many nested elements.
  private(set) var isTooDeep = false

  /// The note at the end of a document in which elements are nested too deeply.
  static let depthNote = Block(.note("[Cut here: too many elements inside each other]"))

  /// Creates a builder for a message.
  ///
  /// - Parameters:
  ///   - keepsPictures: whether the document lists its pictures.
  ///   - numbersLinks: whether links get numbers; without them the text is the same.
  init(base: String?, own: String? = nil, keepsPictures: Bool = false, numbersLinks: Bool = true) {
    pictures = keepsPictures ? [] : nil
    inline = InlineBuilder(links: LinkCollector(base: base, own: own, isNumbering: numbersLinks))
    inline.findsAddresses = true
    opened.reserveCapacity(8)
  }

  /// Creates a builder for a view.
  init(view: ViewCollector) {
    inline = InlineBuilder(links: LinkCollector(base: nil))
    self.view = view
  }

  var links: LinkCollector {
    get { inline.links }
    _modify { yield &inline.links }
  }

  /// Returns the resulting blocks; open elements are closed.
  func blocks(notes: [Block]) -> [Block] {
    while !opened.isEmpty { close() }
    flush()
    var blocks = containers[0].blocks
    if isTooDeep, !notes.contains(HTMLBuilder.depthNote) { blocks.append(HTMLBuilder.depthNote) }
    return blocks + notes
  }

  /// Returns the resulting document; open elements are closed.
  func document(notes: [Block]) -> Document {
    Document(blocks: blocks(notes: notes), links: links.links, pictures: pictures ?? [])
  }

  // MARK: Events

  /// Adds text to the current element.
  func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard hiddenDepth == 0 else { return }
    // White space between the elements of a formula has no meaning.
    if media.formulaDepth > 0, bytes.allSatisfy({ $0 <= 0x20 }) { return }
    append(bytes)
  }

  var isFull: Bool { isTooDeep }

  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
    open(String(cString: name), attributes, action: nil)
  }

  func endElement(_ name: UnsafePointer<UInt8>) { close() }

  func characters(_ text: UnsafeBufferPointer<UInt8>) { self.text(text) }

  /// Begins an element.
  ///
  /// - Parameter action: the action when the element is pressed, in a view.
  func open(_ name: String, _ attributes: HTMLAttributes, action: ViewControl.Action?) {
    guard !isTooDeep else { return }
    var role = view == nil ? HTMLRole.named(name) : HTMLRole.inView(name)
    // This element is in the head, which is hidden.
    if role == .base { links.rebase(attributes["href"] ?? "") }
    if role == .reading || role == .readingParenthesis { endReading() }
    if view == nil { role = messageRole(role, name, attributes) }
    if hiddenDepth > 0 || attributes.areHiding { role = .hidden }
    let part = role == .hidden ? nil : formulaPart()
    var element = Opened(
      role: role, emphasis: inline.emphasis, link: inline.link, isSpaced: isSpaced, heading: heading,
      style: style)
    var inside = style
    if view != nil, role != .hidden {
      let declaration = StyleDeclaration(name, attributes)
      inside.apply(declaration, to: role)
      let emphasis = inline.emphasis.subtracting(declaration.removed).union(declaration.added)
      inline.set(emphasis, link: action.flatMap { view?.number($0) } ?? inline.link)
      inline.set(inside.colors)
      element.position = declaration.position ?? style.alignment
    }
    element.part = part
    if role == .raised || role == .lowered || role == .reading || role == .formula(.squareRoot) || part != nil
    {
      element.place = inline.place()
    }
    element.isContainer = enter(role, attributes, cellAlignment: inside.cellAlignment)
    // This is set after `enter`, which ends the text before it with the old style.
    style = inside
    opened.append(element)
    if opened.count > Limits.openElements { isTooDeep = true }
  }

  /// Ends the innermost open element.
  func close() {
    guard let element = opened.popLast() else { return }
    leave(element)
    if let part = element.part, let place = element.place { finish(part, since: place) }
    style = element.style
    if opened.count <= gap.depth { gap = (opened.count, style.fill) }
    if hiddenDepth == 0 {
      inline.set(element.emphasis, link: element.link)
      if view != nil { inline.set(style.colors) }
    }
    isSpaced = element.isSpaced
    heading = element.heading
  }

  // MARK: Elements

  /// Returns the role of an element in a message, which its attributes or surroundings may change.
  private func messageRole(_ role: HTMLRole, _ name: String, _ attributes: HTMLAttributes) -> HTMLRole {
    let embedding = role.embedding(name, attributes)
    if embedding != role { return embedding }
    // This is an element that the site defines and a script fills.
    if role == .transparent, name.contains("-"), attributes["src"] != nil { return .embedded("page") }
    if media.isWaiting {
      fillWaiting(role, attributes)
    } else if role == .source {
      media.choose(MediaAddress.of(attributes))
    }
    if role == .math { media.hasFormula = true }
    guard let classes = attributes["class"]?.split(whereSeparator: \.isWhitespace) else { return role }
    if classes.contains("katex") { media.hasFormula = false }
    if media.hasFormula, classes.contains("katex-html") { return .hidden }
    if inline.keepsSpace, classes.contains(where: CodeTable.lineNumberClasses.contains) { return .hidden }
    return role
  }

  /// Returns the role of the next element in the formula around it, or `nil` if there is none.
  private func formulaPart() -> FormulaPart? {
    guard let last = opened.indices.last, case .formula(let role) = opened[last].role else { return nil }
    opened[last].children += 1
    return formulaPart(of: role, child: opened[last].children - 1)
  }

  /// Begins an element with a role.
  ///
  /// - Returns: whether a container was opened for it.
  private func enter(_ role: HTMLRole, _ attributes: HTMLAttributes, cellAlignment: Alignment?) -> Bool {
    switch role {
    case .block:
      flush()
      isSpaced = false
    case .tableCaption: flush()
    case .row:
      flush()
      containers[containers.count - 1].grid.startRow(view == nil ? attributes.alignment : nil)
    case .columns:
      let count = attributes["span"].flatMap { Int($0) } ?? 1
      containers[containers.count - 1].grid.addColumns(count, attributes.alignment)
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
    case .container(let container): return enter(container, attributes, cellAlignment: cellAlignment)
    case .emphasis(let emphasis): inline.set(inline.emphasis.union(emphasis), link: inline.link)
    case .quotation: append("“")
    case .link: enterLink(attributes)
    case .lineBreak:
      inline.breakLine()
      if let number = inline.link { view?.addLabel(CollectionOfOne(0x20), to: number) }
    case .rule:
      flush()
      add(Block(.rule))
    case .image: image(attributes)
    case .input: input(attributes)
    case .button: bracket("[ ")
    case .embedded(let name, let player):
      embedded(name, attributes, player: player)
      hiddenDepth += 1
    case .hidden, .readingParenthesis: hiddenDepth += 1
    case .fallback: media.fallbackDepth += 1
    case .picture: media.startPicture()
    case .math: media.formulaDepth += 1
    case .formula(.fenced): inline.append("(")
    case .player: if MediaAddress.of(attributes) != nil { embedded("object", attributes) }
    case .source, .parameter, .formula, .base, .raised, .lowered, .reading, .transparent: break
    }
    return false
  }

  /// Opens a container for the blocks of an element, unless containers are nested too deeply.
  private func enter(
    _ role: HTMLRole.Container, _ attributes: HTMLAttributes, cellAlignment: Alignment?
  ) -> Bool {
    flush()
    isSpaced = false
    guard containers.count < Limits.nesting else { return false }
    var container = HTMLContainer(role: role)
    container.gapBackground = gap.fill
    switch role {
    case .numberedList:
      container.numbering = ListNumbering(attributes)
    case .item: container.number = attributes["value"].flatMap(ListNumbering.number)
    case .headerCell, .cell:
      container.cell.isHeader = role == .headerCell
      container.cell.alignment = view == nil ? attributes.alignment : cellAlignment
      container.cell.columns = attributes["colspan"].flatMap { Int($0) } ?? 1
      container.cell.rows = attributes["rowspan"].flatMap { Int($0) } ?? 1
    case .table:
      let purpose = attributes["role"]?.lowercased()
      container.grid.isForLayout = purpose == "presentation" || purpose == "none"
      // The alignment of the table itself is separate.
      if view == nil, attributes["align"] == nil { container.grid.alignment = attributes.alignment }
    case .quote, .list, .definitions, .details, .disclosure: break
    }
    containers.append(container)
    return true
  }

  /// Ends an open `<rt>` or `<rp>`, whose end tag may be omitted.
  private func endReading() {
    guard let last = opened.last, last.role == .reading || last.role == .readingParenthesis else { return }
    leave(last)
    opened[opened.count - 1].role = .transparent
  }

  /// Ends an element.
  private func leave(_ element: Opened) {
    switch element.role {
    case .block, .paragraph, .heading, .tableCaption, .row: flush()
    case .preformatted:
      flush()
      inline.keepsSpace = false
    case .term: containers[containers.count - 1].startDefinition(inline.finish())
    case .summary:
      let summary = inline.finish()
      if !summary.isBlank { containers[containers.count - 1].term = summary }
    case .container:
      flush()
      if element.isContainer { leaveContainer(position: element.position ?? .left) }
    case .raised, .lowered, .reading:
      if let place = element.place { change(since: place, element.role) }
    case .quotation: append("”")
    case .link: leaveLink(outer: element.link)
    case .button: bracket(" ]")
    case .fallback: media.fallbackDepth -= 1
    case .picture: media.endPicture()
    case .math: media.formulaDepth -= 1
    case .formula(.squareRoot): if let place = element.place { finishRoot(since: place) }
    case .formula(.fenced): inline.append(")")
    case .formula(.space): inline.append(" ")
    case .embedded:
      hiddenDepth -= 1
      media.stopWaiting(outside: hiddenDepth)
    case .hidden, .readingParenthesis: hiddenDepth -= 1
    case .columns, .emphasis, .image, .lineBreak, .rule, .input, .source, .player, .parameter, .formula,
      .base,
      .transparent:
      break
    }
  }

  /// Ends the innermost container, and adds its blocks to the one around it.
  ///
  /// - Parameter position: the alignment of the container itself, if it is a table.
  private func leaveContainer(position: Alignment) {
    guard containers.count > 1, var done = containers.popLast() else { return }
    let parent = containers.count - 1
    let role = containers[parent].role
    if done.role == .item, containers[parent].isList {
      containers[parent].items.append(HTMLContainer.Item(blocks: done.blocks, number: done.number))
    } else if done.role == .details, role == .definitions {
      containers[parent].finishDefinition(done.blocks)
    } else if done.role == .cell || done.role == .headerCell, role == .table {
      done.cell.blocks = done.blocks
      done.cell.background = style.fill
      containers[parent].grid.add(done.cell, room: &spannedCells)
    } else {
      containers[parent].blocks += done.finished(in: role).map { block in
        var block = block
        if block.background == .terminal { block.background = style.fill }
        if block.gapBackground == .terminal { block.gapBackground = done.gapBackground }
        if case .table = block.content, block.alignment == .left { block.alignment = position }
        return block
      }
      gap = (opened.count, style.fill)
    }
  }

  // MARK: Text and blocks

  func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    inline.append(bytes)
    if let number = inline.link { addLabel(bytes, to: number) }
  }

  /// Adds a mark of the program, for example the number of a link, directly after the last text. The block of
  /// that text may have ended already.
  func append(joined mark: Span) {
    if inline.isEmpty, containers[containers.count - 1].append(mark) { return }
    inline.append(mark: mark, isJoined: true)
  }

  /// Adds the lines of a picture as a block.
  func add(drawing lines: [StyledText]) {
    flush()
    add(Block(.drawing(lines), isSpaced: isSpaced))
  }

  /// Adds a block to the innermost container, with the current style.
  private func add(_ block: Block) {
    var block = block
    block.background = style.fill
    block.gapBackground = gap.fill
    block.alignment = style.alignment
    gap = (opened.count, style.fill)
    containers[containers.count - 1].blocks.append(block)
  }

  /// Adds the text that was collected as a block.
  private func flush() {
    // The end of a block also ends a word in its control's name.
    if let number = inline.link { view?.addLabel(CollectionOfOne(0x20), to: number) }
    guard !inline.isEmpty else { return }
    let words = inline.finish()
    guard !words.lines.isEmpty else { return }
    if inline.keepsSpace {
      let kept = words.withoutOuterBlankLines
      if !kept.lines.isEmpty { add(Block(.preformatted(kept))) }
    } else if let heading {
      if !words.isBlank { add(Block(.heading(level: heading, words))) }
    } else {
      add(Block(.paragraph(words), isSpaced: isSpaced))
    }
  }
}
