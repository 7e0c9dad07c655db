import Formats

/// The elements and text of a view (the HTML page of a banner), as a flat list of start tags, text and end tags, which
/// is always balanced. A subtree is a range of it, so that no recursion is needed.
struct ViewTree: Hashable, Sendable {
  /// A start tag, text, or an end tag.
  enum Node: Hashable, Sendable {
    case open(Element)
    case text(String)
    case close
  }

  struct Element: Hashable, Sendable {
    /// The code that runs when the element is pressed. There is only one handler, which a script can replace (HTML,
    /// "Event handlers").
    enum Handler: Hashable, Sendable {
      /// The code of the element's `onclick` attribute.
      case attribute
      /// A handler that a script set.
      case script
      /// No handler, because a script removed it.
      case none
    }

    var name: String
    var attributes: [HTMLAttribute]
    var handler = Handler.attribute

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// The id of the element for scripts, or `nil` if it has none or an empty one.
    var id: String? { self["id"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the content of the element isn't markup, as in scripts and styles.
    var isRaw: Bool { name == "script" || name == "style" }

    /// Whether the element never has content (HTML, "Void elements").
    var isVoid: Bool { Element.voids.contains(name) }

    private static let voids: Set<String> = [
      "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
      "link", "meta", "param", "source", "track", "wbr",
    ]
  }

  private(set) var nodes: [Node] = []
  /// Notes about parts that were left out.
  private(set) var notes: [Block] = []

  /// Reads a page, up to the size limit.
  init(html: String) {
    let (text, note) = SourceCut.cut(html)
    self.init(text[...], isFragment: false)
    if let note { add(note) }
  }

  /// Reads HTML that a script assigns to `innerHTML`.
  init(fragment: Substring) {
    // libxml2 puts text without a parent into a paragraph.
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

  /// Returns the index of the first element with this id, like `getElementById`.
  func index(of id: String) -> Int? {
    nodes.firstIndex {
      if case .open(let element) = $0 { element.id == id } else { false }
    }
  }

  /// Returns the element whose start tag is at an index, or `nil` if there is none.
  func element(at index: Int) -> Element? {
    guard nodes.indices.contains(index), case .open(let element) = nodes[index] else { return nil }
    return element
  }

  /// Returns the index of the end tag of the element at `index`.
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

  /// The index of each element's end tag, keyed by that of its start tag.
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

  /// The size of the markup in bytes, which counts towards the limit of views.
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

  /// Replaces the content of the element at `index`.
  mutating func replaceContent(of index: Int, with content: [Node]) {
    nodes.replaceSubrange(index + 1..<max(index + 1, end(of: index)), with: content)
  }

  /// Changes the element at `index`.
  mutating func update(_ index: Int, _ change: (inout Element) -> Void) {
    guard var element = element(at: index) else { return }
    change(&element)
    nodes[index] = .open(element)
  }
}
