import Basics

extension FormatProblem {
  /// The document was cut off.
  static let breaksOff = FormatProblem(
    at: "", message: "the document is cut off before its end; the part before that was read")

  /// A tag has more attributes than are read.
  static let tooManyAttributes = FormatProblem(
    at: "", message: "a tag has more than \(Limits.attributes) attributes; the rest of them were left out")
}
