import Messages

/// A search in FTS5's language.
extension SearchWords {
  /// The query, or nil if there is nothing to search for.
  ///
  /// - Parameter completions: the words of the index that begin with one, or nil where they are too many.
  func expression(completions: (String) throws -> [String]?) rethrows -> String? {
    let wanted = try terms.filter { !$0.isExcluded }.map { try Self.expression($0, completions) }
    if wanted.isEmpty { return nil }
    let unwanted = terms.filter(\.isExcluded).map { Self.quoted($0.text) }
    let positive = wanted.joined(separator: " AND ")
    return unwanted.isEmpty ? positive : "(\(positive)) NOT (\(unwanted.joined(separator: " OR ")))"
  }

  private static func expression(
    _ term: Term, _ completions: (String) throws -> [String]?
  ) rethrows -> String {
    guard term.isPrefix else { return quoted(term.text) }
    var words = term.text.split(separator: " ").map(String.init)
    let stem = words.removeLast()
    guard let ends = try completions(stem), !ends.isEmpty else { return quoted(term.text) + "*" }
    let phrases = ends.map { quoted((words + [$0]).joined(separator: " ")) }
    return "(\(phrases.joined(separator: " OR ")))"
  }

  /// Words hold no quotes and no NUL, for neither is part of one.
  private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
