import Screen

/// The style of text and blocks that is inherited from the elements around them (CSS Cascading, "Inheritance").
struct InheritedStyle: Hashable {
  /// The colours of text.
  var colors = Colors()
  /// The background of a block's lines, not that of inline text.
  var fill = Color.terminal
  var alignment = Alignment.left
  /// The alignment of cells in the open table, or `nil` if not given.
  var cellAlignment: Alignment?

  /// Applies the style declaration of an element to the style of its content.
  mutating func apply(_ declaration: StyleDeclaration, to role: HTMLRole) {
    // A link has the link's style unless its author sets another colour.
    if role == .link { colors.foreground = .terminal }
    if let foreground = declaration.foreground { colors.foreground = foreground }
    if let background = declaration.background {
      colors.background = background
      if role.isBlock { fill = background }
    }
    if role == .container(.table) { cellAlignment = nil }
    if let said = declaration.alignment {
      alignment = said
      cellAlignment = said
    }
  }
}
