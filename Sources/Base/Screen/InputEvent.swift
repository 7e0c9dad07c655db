/// An event from a terminal.
package enum InputEvent: Hashable, Sendable {
  case key(KeyPress)
  case mouse(Mouse)
  /// Whether the terminal has the focus, sent only if the terminal reports it.
  case focus(Bool)
  /// Text that was pasted in one piece, unchanged: it is untrusted.
  case paste(String)
  case resize(Size)
}

/// A mouse event; a double click is reported instead of its second click.
package struct Mouse: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case click, doubleClick, wheelUp, wheelDown
  }

  package var kind: Kind
  package var at: Point

  package init(kind: Kind, at: Point) {
    self.kind = kind
    self.at = at
  }
}
