import Screen

/// What holds for words and blocks because of the elements around them (CSS Cascading section 7).
struct InheritedStyle: Hashable {
  /// Of words.
  var colors = Colors()
  /// Of the lines that a block takes; a background of words only is not.
  var fill = Color.terminal
  var alignment = Alignment.left
  /// What was said inside the table that is open; nil where nothing was.
  var cellAlignment: Alignment?

  /// What holds for the words inside an element, and for its lines once it is entered.
  mutating func apply(_ declaration: StyleDeclaration, to role: HTMLRole) {
    // A link looks like a link unless its author says otherwise.
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
