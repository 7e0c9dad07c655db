import Basics

extension SafeText {
  /// Decides for each scalar of a string whether ``SafeText`` would keep it. This is for strings that must keep their
  /// meaning, such as JSON, in which the other scalars are written as escapes.
  package struct Gate {
    private var marks = 0
    private var last: Unicode.Scalar = "\""

    package init() {}

    /// Returns whether a scalar is kept. Call it for all scalars of the string, in order.
    package mutating func lets(_ scalar: Unicode.Scalar) -> Bool {
      if (0x20...0x7E).contains(scalar.value) {
        (marks, last) = (0, scalar)
        return true
      }
      guard TextFilter.fate(of: scalar) == .keep, let columns = ColumnWidth.of(scalar) else { return false }
      if columns > 0 {
        (marks, last) = (0, scalar)
        return true
      }
      // A mark would join the quote before it, and a cell has only a few.
      guard last != "\"", marks < Limits.marksOfACharacter else { return false }
      marks += 1
      return true
    }
  }
}
