/// Something wrong in a document, at a line or a JSON path; what surrounds it was kept.
package struct FormatProblem: Hashable, Sendable {
  /// A line number, a JSON path (`$.list[3].id`), or empty.
  package var at: String
  package var message: String

  package init(at: String, message: String) {
    self.at = at
    self.message = message
  }
}
