/// An element that has an id, as scripts see it (DOM section 4.9).
package struct ViewElement: Hashable, Sendable {
  /// Not empty, and no other element's.
  package var id: String
  /// All text inside, that of scripts included.
  package var textContent: String
  /// What is inside as HTML (HTML section 13.3).
  package var innerHTML: String
  /// Whether it has the attribute `hidden`.
  package var isHidden: Bool

  /// An element as a script would read it.
  package init(id: String, textContent: String, innerHTML: String, isHidden: Bool) {
    self.id = id
    self.textContent = textContent
    self.innerHTML = innerHTML
    self.isHidden = isHidden
  }
}

/// What a script does to an element, named by its id.
package enum ViewChange: Hashable, Sendable {
  /// The text takes the place of everything inside.
  case text(element: String, String)
  /// The HTML takes the place of everything inside; script blocks in it do not run.
  case html(element: String, String)
  /// Sets its attribute `hidden`, or takes it away.
  case hidden(element: String, Bool)
  /// A script gave the element an `onclick`, or took it away, that of its attribute too.
  case clickable(element: String, Bool)
}
