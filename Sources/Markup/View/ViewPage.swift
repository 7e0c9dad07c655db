package import Screen

/// The HTML of a banner's view as a small tree: what its scripts may change, and what can be walked
/// and pressed in it.
///
/// Scripts and styles are never shown as text, and no address is offered but http, https, mailto and
/// reddot. Reading is total: whatever comes yields a page, and what was left out says so in its lines.
package struct ViewPage: Hashable, Sendable {
  /// The text of the script blocks, in document order; those with a `src` are left out.
  package private(set) var scripts: [String] = []
  private(set) var tree: ViewTree
  private let base: LinkAddress?

  /// - Parameter base: the address that the view came from.
  package init(html: String, base: String?) {
    tree = ViewTree(html: html)
    scripts = tree.scripts
    self.base = tree.base(from: base)
  }

  /// Whether there is anything to run: a script block, an `onclick`, a `javascript:` link. Without, no
  /// engine is needed.
  package var needsEngine: Bool {
    !scripts.isEmpty
      || tree.nodes.contains {
        guard case .open(let element) = $0 else { return false }
        return element.code != nil || element.handler == .script
      }
  }

  /// Bytes of its markup as it stands now.
  package var bytes: Int { tree.bytes }

  /// The elements that have an id, in document order, as scripts see them now.
  package var elements: [ViewElement] { tree.elements }

  /// Absolute http and https addresses of its images, each once, in document order.
  package var pictures: [String] { built(drawings: [:]).collector.pictures }

  /// Does what a script asked for; a change of an element that is not there does nothing.
  package mutating func apply(_ change: ViewChange) { tree.apply(change) }

  /// The view's lines at a width in columns; none is longer, none at all without a column.
  /// - Parameters:
  ///   - pictures: what is drawn for an image's address; its alternative text stands for the others.
  package func layout(
    width: Int, theme: MarkupTheme = .standard, pictures: [String: [StyledText]] = [:]
  ) -> ViewLayout {
    guard width > 0 else { return ViewLayout() }
    let (document, collector) = built(drawings: pictures)
    return ViewLayout(document.layout(width: width, theme: theme, listsLinks: false), collector)
  }

  private func built(drawings: [String: [StyledText]]) -> (document: Document, collector: ViewCollector) {
    let collector = ViewCollector(base: base, drawings: drawings)
    let builder = HTMLBuilder(view: collector)
    tree.tell(builder, base: base, drawsPictures: !drawings.isEmpty)
    let document = builder.document(notes: tree.notes)
    return (document, builder.view ?? collector)
  }
}
