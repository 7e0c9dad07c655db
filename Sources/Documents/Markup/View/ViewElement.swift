/// An element of a view that has an id, as scripts see it (DOM, "Interface Element").
package struct ViewElement: Hashable, Sendable {
  /// The id, which is unique and not empty.
  package var id: String
  /// All text inside the element, including that of scripts.
  package var textContent: String
  /// The content as HTML (HTML, "Serializing HTML fragments").
  package var innerHTML: String
  /// Whether it has the attribute `hidden`.
  package var isHidden: Bool

  /// Creates an element as a script reads it.
  package init(id: String, textContent: String, innerHTML: String, isHidden: Bool) {
    self.id = id
    self.textContent = textContent
    self.innerHTML = innerHTML
    self.isHidden = isHidden
  }
}

/// A change of an element by a script; the element is given by its id.
package enum ViewChange: Hashable, Sendable {
  /// Replaces the content by text.
  case text(element: String, String)
  /// Replaces the content by HTML; script blocks in it do not run.
  case html(element: String, String)
  /// Sets or removes the attribute `hidden`.
  case hidden(element: String, Bool)
  /// Sets or removes the `onclick` handler, including that of the attribute.
  case clickable(element: String, Bool)
}
