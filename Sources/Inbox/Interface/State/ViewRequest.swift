import Markup
import Screen

/// A banner's view that is to be laid out.
package struct ViewRequest: Hashable, Sendable {
  /// Counts up; only the answer to the last one is shown.
  package let number: Int
  let page: ViewPage
  let columns: Int
  let theme: MarkupTheme
  /// The drawn pictures, by address.
  let drawings: [String: [StyledText]]

  /// Pure. Takes as long as the view is: run it on a thread of its own.
  package func view() -> LaidOutView {
    LaidOutView(
      layout: page.layout(width: columns, theme: theme, pictures: drawings),
      pictures: page.pictures)
  }
}

/// A banner's view at a width.
package struct LaidOutView: Hashable, Sendable {
  var layout = ViewLayout()
  /// Addresses of its pictures.
  var pictures: [String] = []
}
