/// Reads translations in the shapes that in-app notifications and schedules send them.
enum TranslationsReader {
  /// - `{"en": {"title", "msg"}, …}`, a language's text alone (`{"en": "…"}`) being its message;
  /// - `[{"language", "title", "msg"}, …]`;
  /// - either of them as JSON inside a string.
  static func read(
    _ value: JSONValue, at path: String, into texts: inout [LocalizedText],
    problems: inout [FormatProblem]
  ) {
    switch value {
    case .null, .string(""): break
    case .object(let languages):
      for (language, value) in languages.members.map({ ($0.key, $0.value) }) {
        let path = JSONPath.key(language, under: path)
        if let text = one(value, language: language, at: path, problems: &problems) { texts.add(text) }
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        let path = JSONPath.index(index, under: path)
        guard case .object(let object) = element else {
          problems.append(mismatch(element, at: path, expected: "an object with language, title and msg"))
          continue
        }
        var fields = JSONFields(object, at: path, lenient: true)
        let language = fields.text("language") ?? "default"
        problems += fields.problems
        if let text = one(element, language: language, at: path, problems: &problems) { texts.add(text) }
      }
    case .string(let json):
      guard let inner = try? JSONReader.parse(json), inner.object != nil || inner.elements != nil else {
        problems.append(FormatProblem(at: path, message: "must be an object of languages, or JSON of one"))
        return
      }
      read(inner, at: path, into: &texts, problems: &problems)
    case .bool, .number:
      problems.append(mismatch(value, at: path, expected: "an object of languages"))
    }
  }

  private static func one(
    _ value: JSONValue, language: String, at path: String, problems: inout [FormatProblem]
  ) -> LocalizedText? {
    switch value {
    case .null: return nil
    case .string(let body):
      return body.isEmpty ? nil : LocalizedText(language: language, title: "", body: body)
    case .object(let object):
      var fields = JSONFields(object, at: path, lenient: true)
      let title = fields.text("title") ?? ""
      let body = fields.text("msg") ?? fields.text("body") ?? ""
      problems += fields.problems
      return title.isEmpty && body.isEmpty ? nil : LocalizedText(language: language, title: title, body: body)
    case .bool, .number, .array:
      problems.append(mismatch(value, at: path, expected: "an object with title and msg"))
      return nil
    }
  }

  private static func mismatch(_ value: JSONValue, at path: String, expected: String) -> FormatProblem {
    FormatProblem(at: path, message: "must be \(expected), not \(value.kindInWords)")
  }
}
