import Markup
import Screen

/// A banner's view that is to be laid out.
package struct ViewRequest: Hashable, Sendable {
  /// The number of the request, which counts up. Only the response to the last one is shown.
  package let number: Int
  let page: ViewPage
  let columns: Int
  let theme: MarkupTheme
  /// The drawn pictures, keyed by URL.
  let drawings: [String: [StyledText]]

  /// Returns the layout. A pure function whose time grows with the view: run it on a separate thread.
  package func view() -> LaidOutView {
    LaidOutView(
      layout: page.layout(width: columns, theme: theme, pictures: drawings),
      pictures: page.pictures)
  }
}

/// A banner's view at a width.
package struct LaidOutView: Hashable, Sendable {
  var layout = ViewLayout()
  /// The URLs of the view's pictures.
  var pictures: [String] = []
}
