package import Screen

/// The HTML of a banner's view as a small tree: what its scripts may change, and what can be walked and pressed in it.
///
/// Scripts and styles are never shown as text, and no address is offered but http, https, mailto and reddot.
package struct ViewPage: Hashable, Sendable {
  /// The text of the script blocks, in document order; those with a `src` are left out.
  package private(set) var scripts: [String] = []

  /// - Parameter base: the address that the view came from.
  package init(html: String, base: String?) {}

  /// Whether there is anything to run: a script block, an `onclick`, a `javascript:` link. Without, no engine is needed.
  package var needsEngine: Bool { false }

  /// The elements that have an id, in document order, as scripts see them now.
  package var elements: [ViewElement] { [] }

  /// Absolute http and https addresses of its images, each once, in document order.
  package var pictures: [String] { [] }

  /// Does what a script asked for; a change of an element that is not there does nothing.
  package mutating func apply(_ change: ViewChange) {}

  /// - Parameters:
  ///   - pictures: what is drawn for an image's address; its alternative text stands for the others.
  package func layout(
    width: Int, theme: MarkupTheme = .standard, pictures: [String: [StyledText]] = [:]
  ) -> ViewLayout { ViewLayout() }
}

/// An element that has an id.
package struct ViewElement: Hashable, Sendable {
  package var id: String
  package var textContent: String
  package var innerHTML: String
  package var isHidden: Bool

  package init(id: String, textContent: String, innerHTML: String, isHidden: Bool) {
    self.id = id
    self.textContent = textContent
    self.innerHTML = innerHTML
    self.isHidden = isHidden
  }
}

/// What a script does to an element, named by its id.
package enum ViewChange: Hashable, Sendable {
  case text(element: String, String)
  case html(element: String, String)
  case hidden(element: String, Bool)
  /// A script gave the element an `onclick`, or took it away.
  case clickable(element: String, Bool)
}

/// A view at a width.
package struct ViewLayout: Hashable, Sendable {
  /// `StyledText.Run.link` is the number of a control.
  package var lines: [StyledText] = []
  /// By number from 1, in the order of their first place in the text.
  package var controls: [ViewControl] = []

  package init() {}
}

/// A link or a button.
package struct ViewControl: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// An absolute address: http, https, mailto or reddot.
    case open(String)
    /// Code of an `onclick` attribute or a `javascript:` link; `element` is the id of what was pressed, where it has one.
    case run(code: String, element: String?)
    /// The `onclick` that a script gave to an element.
    case click(element: String)
  }

  package var number: Int
  package var label: SafeText
  package var action: Action

  package init(number: Int, label: SafeText, action: Action) {
    self.number = number
    self.label = label
    self.action = action
  }
}
