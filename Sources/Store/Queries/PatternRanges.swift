import Basics

/// Ranges of a bracket expression beyond ASCII, written out: in its locale C.UTF-8, glibc 2.36 refuses `[а-я]`.
struct PatternRanges {
  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var written = String.UnicodeScalarView()
  private var count = 0

  /// The same expression without such ranges.
  ///
  /// - Parameter pattern: its brackets are closed.
  static func writtenOut(_ pattern: String) throws(Query.PatternFault) -> String {
    if pattern.utf8.allSatisfy({ $0 < 0x80 }) { return pattern }
    var ranges = PatternRanges(scalars: Array(pattern.unicodeScalars))
    while let scalar = ranges.copyNext() {
      if scalar == "\\" { _ = ranges.copyNext() }
      if scalar == "[" { try ranges.bracket() }
    }
    return String(ranges.written)
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private func next(_ offset: Int = 0) -> Unicode.Scalar? {
    place + offset < scalars.count ? scalars[place + offset] : nil
  }

  /// Copies the next code point.
  private mutating func copyNext() -> Unicode.Scalar? {
    guard let scalar = next() else { return nil }
    written.append(scalar)
    place += 1
    return scalar
  }

  private mutating func bracket() throws(Query.PatternFault) {
    if next() == "^" { _ = copyNext() }
    var isFirst = true
    while let scalar = next(), scalar != "]" || isFirst {
      isFirst = false
      if scalar == "[", let kind = next(1), [":", ".", "="].contains(kind) {
        _ = (copyNext(), copyNext())
        while let inner = copyNext(), inner != kind || next() != "]" {}
        _ = copyNext()
      } else if next(1) == "-", let last = next(2), last != "]", last != "[" {
        try range(scalar, last)
        place += 3
      } else {
        _ = copyNext()
      }
    }
    _ = copyNext()
  }

  private mutating func range(_ first: Unicode.Scalar, _ last: Unicode.Scalar) throws(Query.PatternFault) {
    if first > last { throw .range }
    if first.isASCII { written.append(contentsOf: [first, "-", last.isASCII ? last : "\u{7F}"]) }
    if last.isASCII { return }
    let values = max(first.value, 0x80)...last.value
    count += values.count
    if count > Limits.patternRangeCharacters { throw .wideRange(most: Limits.patternRangeCharacters) }
    written.append(contentsOf: values.lazy.compactMap(Unicode.Scalar.init))
  }
}
