import Limits

/// A mistake in a document, at a line or a JSON path; the rest of the document was kept.
package struct FormatProblem: Hashable, Sendable {
  /// A line number, a JSON path (`$.list[3].id`), or empty.
  package var at: String
  package var message: String

  package init(at: String, message: String) {
    self.at = at
    self.message = message
  }
}

extension FormatProblem {
  /// The document was cut off.
  static let breaksOff = FormatProblem(
    at: "", message: "the document breaks off before its end; what came before that was read")

  static let tooManyAttributes = FormatProblem(
    at: "", message: "a tag has more than \(Limits.attributes) attributes; the rest of them were left out")
}
