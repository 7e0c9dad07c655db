import Screen

/// The elements of MathML in which the position of a child has a meaning, for example the denominator of a
/// fraction. In a line of text, a symbol shows this meaning.
enum FormulaRole: Hashable {
  case fraction, squareRoot, root, raised, lowered, loweredAndRaised, fenced
  case table, row, space
}

/// The role of a formula element's child.
enum FormulaPart {
  /// A part in parentheses, unless it is one number or name.
  case group
  case raised, lowered
  /// The degree of a root.
  case degree
}

extension HTMLBuilder {
  /// Returns the role of the next child of an element, and adds the symbol before it. Returns `nil` if the child's text
  /// stays unchanged.
  func formulaPart(of role: FormulaRole, child: Int) -> FormulaPart? {
    switch (role, child) {
    case (.fraction, 1):
      inline.append("/")
      return .group
    case (.fraction, 0), (.root, 0), (.raised, 0), (.lowered, 0), (.loweredAndRaised, 0): return .group
    case (.root, 1): return .degree
    case (.raised, 1), (.loweredAndRaised, 2): return .raised
    case (.lowered, 1), (.loweredAndRaised, 1): return .lowered
    case (.fenced, 1...): inline.append(",")
    case (.table, 1...): inline.append("; ")
    case (.row, 1...): inline.append(" ")
    case _: break
    }
    return nil
  }

  /// Changes the text of a child as its role requires.
  ///
  /// - Parameter place: the beginning of the text.
  func finish(_ part: FormulaPart, since place: InlineBuilder.Place) {
    inline.change(since: place) { spans in
      switch part {
      case .group: Formula.grouped(spans)
      case .raised: RaisedText.shifted(spans, by: RaisedText.superscripts, sign: "^")
      case .lowered: RaisedText.shifted(spans, by: RaisedText.subscripts, sign: "_")
      case .degree: RaisedText.bracketed(spans, "^(1/", ")")
      }
    }
  }

  /// Adds the sign of a square root before the text that begins at a position.
  func finishRoot(since place: InlineBuilder.Place) {
    inline.change(since: place) { spans in
      let grouped = Formula.grouped(spans)
      return RaisedText.bracketed(grouped, "√", "")
    }
  }
}

private enum Formula {
  /// Returns text in parentheses, unless it is unambiguous without them.
  static func grouped(_ spans: [Span]) -> [Span] {
    let text = spans.filter { !$0.emphasis.contains(.linkNumber) }.map(\.text.text).joined()
    if text.unicodeScalars.count == 1 || text.unicodeScalars.allSatisfy(isPartOfName) { return spans }
    if text.hasPrefix("("), text.hasSuffix(")"), text.filter({ $0 == "(" || $0 == ")" }).count == 2 {
      return spans
    }
    return RaisedText.bracketed(spans, "(", ")")
  }

  /// Whether a character may be in a number or a name, which needs no parentheses.
  private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || ".√′″° ".unicodeScalars.contains(scalar)
  }
}
