package import Screen

/// The HTML of a banner's view as a small tree, which its scripts can change, with the controls that can be selected
/// and pressed.
///
/// Scripts and styles are never shown as text, and only http, https, mailto and reddot URLs can be opened. Any input
/// can be read; if something was left out, there is a note in the page.
package struct ViewPage: Hashable, Sendable {
  /// The text of the script blocks, in document order; those with a `src` are left out.
  package private(set) var scripts: [String] = []
  private(set) var tree: ViewTree
  private let base: LinkAddress?

  /// Reads the HTML of a view.
  ///
  /// - Parameter base: the URL of the view.
  package init(html: String, base: String?) {
    tree = ViewTree(html: html)
    scripts = tree.scripts
    self.base = tree.base(from: base)
  }

  /// Whether there is code to run: a script block, an `onclick`, a `javascript:` link. Otherwise the script's process
  /// isn't started.
  package var needsEngine: Bool {
    !scripts.isEmpty
      || tree.nodes.contains {
        guard case .open(let element) = $0 else { return false }
        return element.code != nil || element.handler == .script
      }
  }

  /// The size of the current markup, in bytes.
  package var bytes: Int { tree.bytes }

  /// The elements of the view with an id, in document order, in their current state.
  package var elements: [ViewElement] { tree.elements }

  /// The absolute http and https URLs of the view's images, without duplicates, in document order.
  package var pictures: [String] { built(drawings: [:]).collector.pictures }

  /// Applies a script's change; ignored if the element does not exist.
  package mutating func apply(_ change: ViewChange) { tree.apply(change) }

  /// Returns the view's lines at a width in columns; none is wider. The result is empty if the width is 0.
  ///
  /// - Parameters:
  ///   - pictures: the lines of pictures, keyed by URL; other images are shown as their alternative text.
  package func layout(
    width: Int, theme: MarkupTheme = .standard, pictures: [String: [StyledText]] = [:]
  ) -> ViewLayout {
    guard width > 0 else { return ViewLayout() }
    let (document, collector) = built(drawings: pictures)
    return ViewLayout(document.layout(width: width, theme: theme, listsLinks: false), collector)
  }

  /// Builds the document of the view, and collects its controls and pictures.
  private func built(drawings: [String: [StyledText]]) -> (document: Document, collector: ViewCollector) {
    let collector = ViewCollector(base: base, drawings: drawings)
    let builder = HTMLBuilder(view: collector)
    tree.send(to: builder, base: base, drawsPictures: !drawings.isEmpty)
    let document = builder.document(notes: tree.notes)
    return (document, builder.view ?? collector)
  }
}
