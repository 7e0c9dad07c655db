/// An event from a terminal.
package enum InputEvent: Hashable, Sendable {
  case key(KeyPress)
  case mouse(Mouse)
  /// Whether the terminal has the focus, if it reports that.
  case focus(Bool)
  /// Text pasted in one piece, as it came: untrusted.
  case paste(String)
  case resize(Size)
}

/// A mouse event; a double click is reported in place of its second click.
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
