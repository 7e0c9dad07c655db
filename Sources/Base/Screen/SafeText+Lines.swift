extension SafeText {
  static let tabStop = 8

  /// Returns text from outside with its lines kept. LF, CR, CRLF, VT, FF, NEL, U+2028 and U+2029 end a line, and a tab
  /// advances to the next multiple of 8 columns. A line end at the very end starts no line.
  package static func lines(untrusted source: String) -> [SafeText] {
    var lines: [SafeText] = []
    var filter = TextFilter()
    var isPending = false
    var previous: Unicode.Scalar = " "
    for scalar in source.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}":
        lines.append(SafeText(checked: filter.text, columns: filter.columns))
        filter = TextFilter()
        isPending = false
      case "\t":
        for _ in 0..<tabStop - filter.columns % tabStop { filter.append(" ") }
        isPending = true
      default:
        filter.append(scalar)
        isPending = true
      }
      previous = scalar
    }
    if isPending { lines.append(SafeText(checked: filter.text, columns: filter.columns)) }
    return lines
  }
}
