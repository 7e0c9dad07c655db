/// Text that may be sent to a terminal: without control characters, invisible characters or characters of uncertain
/// width. It is the only text that a ``Frame`` accepts.
///
/// Every `SafeText` begins with a character that starts a new cell, so that two of them next to each other have the sum
/// of their columns.
package struct SafeText: Hashable, Sendable {
  /// The text to show; it contains no control characters.
  package private(set) var text: String
  /// The number of columns of the text (the sum of `wcwidth` in a UTF-8 locale).
  package private(set) var columns: Int

  init(checked text: String, columns: Int) {
    self.text = text
    self.columns = columns
  }

  /// Creates one line from text from outside. Line ends and tabs become a space; ``TextFilter`` describes the rest.
  package init(untrusted source: String) {
    if let length = SafeText.printableLength(source) {
      self.init(checked: source, columns: length)
      return
    }
    if let columns = TextFilter.columnsOfPlain(source) {
      self.init(checked: source, columns: columns)
      return
    }
    var filter = TextFilter()
    var previous: Unicode.Scalar = " "
    for scalar in source.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\t", "\u{B}", "\u{C}", "\u{85}": filter.append(" ")
      default: filter.append(scalar)
      }
      previous = scalar
    }
    self.init(checked: filter.text, columns: filter.columns)
  }

  package static let empty = SafeText(checked: "", columns: 0)

  /// Returns this many spaces.
  package static func spaces(_ count: Int) -> SafeText { SafeText(" ", count: count) }

  /// Creates text that repeats `unit`, for rules and bars.
  package init(_ unit: SafeText, count: Int) {
    let count = max(0, count)
    self.init(checked: String(repeating: unit.text, count: count), columns: unit.columns * count)
  }

  package var isEmpty: Bool { text.isEmpty }

  /// Whether each byte is a character of one column: no character beyond ASCII has as many columns as bytes in UTF-8.
  var isASCII: Bool { text.utf8.count == columns }

  package static func + (a: SafeText, b: SafeText) -> SafeText {
    SafeText(checked: a.text + b.text, columns: a.columns + b.columns)
  }

  package static func += (a: inout SafeText, b: SafeText) {
    a.text += b.text
    a.columns += b.columns
  }

  /// Returns the length of text of printable ASCII only, or `nil` for other text.
  static func printableLength(_ source: String) -> Int? {
    var source = source
    return source.withUTF8 { bytes in
      for byte in bytes where byte < 0x20 || byte > 0x7E { return nil }
      return bytes.count
    }
  }
}

/// A literal is filtered like all text, so that it cannot shift a column.
extension SafeText: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(untrusted: value) }

  package init(stringInterpolation parts: Interpolation) {
    self.init(checked: parts.text, columns: parts.columns)
  }

  /// Combines literals, numbers and other safe text; text from outside must be marked as `untrusted`.
  package struct Interpolation: StringInterpolationProtocol {
    var text = ""
    var columns = 0

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 8)
    }

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { appendInterpolation(SafeText(untrusted: literal)) }
    }

    package mutating func appendInterpolation(_ safe: SafeText) {
      text += safe.text
      columns += safe.columns
    }

    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      appendInterpolation(SafeText(untrusted: String(number)))
    }

    package mutating func appendInterpolation(untrusted: String) {
      appendInterpolation(SafeText(untrusted: untrusted))
    }
  }
}
