import HTML

/// A view's elements and texts, written down as their tags: what opens, what closes, and the text
/// between, always balanced. A subtree is a range of it, so that nothing has to recurse.
struct ViewTree: Hashable, Sendable {
  enum Node: Hashable, Sendable {
    case open(Element)
    case text(String)
    case close
  }

  struct Element: Hashable, Sendable {
    /// What is called when it is pressed (HTML section 8.1.8: one slot, which a script may fill anew).
    enum Handler: Hashable, Sendable {
      /// What its `onclick` attribute says.
      case attribute
      /// What a script gave it.
      case script
      /// A script took it away.
      case none
    }

    var name: String
    var attributes: [HTMLAttribute]
    var handler = Handler.attribute

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// What scripts find it by.
    var id: String? { self["id"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Its content is not markup: scripts and styles.
    var isRaw: Bool { name == "script" || name == "style" }

    /// Nothing can stand inside it (HTML section 13.1.2).
    var isVoid: Bool { Element.voids.contains(name) }

    private static let voids: Set<String> = [
      "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
      "link", "meta", "param", "source", "track", "wbr",
    ]
  }

  private(set) var nodes: [Node] = []
  /// What was left out, in the program's words.
  private(set) var notes: [Block] = []

  /// A page, as much of it as is read.
  init(html: String) {
    let (text, note) = SourceCut.cut(html)
    self.init(text[...], isFragment: false)
    if let note { add(note) }
  }

  /// What is set as an element's `innerHTML`.
  init(fragment: Substring) {
    // libxml2 puts text that stands nowhere into a paragraph.
    self.init("<div>" + fragment, isFragment: true)
    if case .open = nodes.first, let end = ends[0] {
      nodes.remove(at: end)
      nodes.removeFirst()
    }
  }

  private init(_ text: Substring, isFragment: Bool) {
    let builder = ViewTreeBuilder()
    var text = text
    text.withUTF8 { HTMLStream(sink: builder, reading: isFragment ? .fragment : .page).run($0) }
    nodes = builder.finished()
    if builder.isTooDeep { add(HTMLBuilder.depthNote) }
  }

  mutating func add(_ note: Block) {
    if !notes.contains(note) { notes.append(note) }
  }

  /// The first element of that id, as `getElementById` finds it.
  func index(of id: String) -> Int? {
    nodes.firstIndex {
      if case .open(let element) = $0 { element.id == id } else { false }
    }
  }

  func element(at index: Int) -> Element? {
    guard nodes.indices.contains(index), case .open(let element) = nodes[index] else { return nil }
    return element
  }

  /// Where the element ends that opens there.
  func end(of index: Int) -> Int {
    var depth = 0
    for place in index..<nodes.count {
      switch nodes[place] {
      case .open: depth += 1
      case .close:
        depth -= 1
        if depth == 0 { return place }
      case .text: break
      }
    }
    return nodes.count
  }

  /// Where each element ends, by where it opens.
  var ends: [Int: Int] {
    var ends: [Int: Int] = [:]
    var open: [Int] = []
    for (index, node) in nodes.enumerated() {
      switch node {
      case .open: open.append(index)
      case .close: if let start = open.popLast() { ends[start] = index }
      case .text: break
      }
    }
    return ends
  }

  /// How much of the limit it takes.
  var bytes: Int {
    nodes.reduce(into: 0) { sum, node in
      switch node {
      case .open(let element):
        sum += 2 * element.name.utf8.count + 5
        for attribute in element.attributes {
          sum += attribute.name.utf8.count + attribute.value.utf8.count + 4
        }
      case .text(let text): sum += text.utf8.count
      case .close: break
      }
    }
  }

  /// Puts other content into the element that opens there.
  mutating func replaceContent(of index: Int, with content: [Node]) {
    nodes.replaceSubrange(index + 1..<max(index + 1, end(of: index)), with: content)
  }

  mutating func update(_ index: Int, _ change: (inout Element) -> Void) {
    guard var element = element(at: index) else { return }
    change(&element)
    nodes[index] = .open(element)
  }
}
