/// A problem of a document, at a line or a JSON path; the rest of the document was used. Every reader of a format
/// reports these, and a poll stores them with its attempt.
package struct FormatProblem: Hashable, Sendable, Codable {
  /// The position: a line number, a JSON path (`$.list[3].id`), or empty.
  package var at: String
  package var message: String
  /// The number of entries left out because of the problem; 0 if the entry was used.
  package var leftOut: Int

  package init(at: String, message: String, leftOut: Int = 0) {
    (self.at, self.message, self.leftOut) = (at, message, leftOut)
  }

  private enum CodingKeys: String, CodingKey {
    case at, message
    case leftOut = "left_out"
  }

  /// Decodes a problem. Earlier versions stored no number of left-out entries.
  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    at = try fields.decode(String.self, forKey: .at)
    message = try fields.decode(String.self, forKey: .message)
    leftOut = try fields.decodeIfPresent(Int.self, forKey: .leftOut) ?? 0
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(at, forKey: .at)
    try fields.encode(message, forKey: .message)
    if leftOut > 0 { try fields.encode(leftOut, forKey: .leftOut) }
  }
}

extension [FormatProblem] {
  /// The number of entries that were left out.
  package var leftOut: Int { reduce(0) { $0 + $1.leftOut } }

  /// The problems of one entry, changed so that they count it as left out.
  package var leavingOut: [FormatProblem] {
    guard leftOut == 0, !isEmpty else { return self }
    var problems = self
    problems[0].leftOut = 1
    return problems
  }
}
