import Basics

extension FormatProblem {
  /// The document was cut off.
  static let breaksOff = FormatProblem(
    at: "", message: "the document breaks off before its end; what came before that was read")

  static let tooManyAttributes = FormatProblem(
    at: "", message: "a tag has more than \(Limits.attributes) attributes; the rest of them were left out")
}
