extension String {
  /// The text with a space for each group of line ends, and none at the ends of the text.
  package var inOneLine: String {
    guard unicodeScalars.contains(where: \.isLineEnd) else { return self }
    return unicodeScalars.split(whereSeparator: \.isLineEnd).map { String(String.UnicodeScalarView($0)) }
      .joined(separator: " ")
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a line end, like `Character.isNewline`.
  fileprivate var isLineEnd: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    case _: false
    }
  }
}
