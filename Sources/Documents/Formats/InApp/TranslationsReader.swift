import Basics

/// Reads titles and bodies in several languages, in the forms that in-app notifications and schedules use.
enum TranslationsReader {
  /// Reads one of these forms:
  /// - `{"en": {"title", "msg"}, …}`, in which a string alone (`{"en": "…"}`) is the message
  /// - `[{"language", "title", "msg"}, …]`
  /// - either of them as JSON inside a string
  static func read(
    _ value: JSONValue, at path: @autoclosure () -> String, into texts: inout [LocalizedText],
    problems: inout [FormatProblem]
  ) {
    var found: [FormatProblem] = []
    read(value, into: &texts, problems: &found)
    // Paths are created only for problems.
    if !found.isEmpty { problems += found.under(path()) }
  }

  /// Reads translations in any form that `read(_:at:into:problems:)` accepts. The paths of problems are relative to the
  /// value.
  private static func read(
    _ value: JSONValue, into texts: inout [LocalizedText], problems: inout [FormatProblem]
  ) {
    switch value {
    case .null, .string(""): break
    case .object(let languages):
      for member in languages.members {
        var found: [FormatProblem] = []
        if let text = one(member.value, language: member.key, problems: &found) { texts.add(text) }
        if !found.isEmpty { problems += found.under(JSONPath.key(member.key, under: "")) }
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        var found: [FormatProblem] = []
        if let object = element.object {
          var fields = JSONFields(object, at: "", lenient: true)
          let language = fields.text("language") ?? "default"
          found = fields.problems
          if let text = one(element, language: language, problems: &found) { texts.add(text) }
        } else {
          found.append(mismatch(element, expected: "an object with language, title and msg"))
        }
        if !found.isEmpty { problems += found.under(JSONPath.index(index, under: "")) }
      }
    case .string(let json):
      guard let inner = try? JSONReader.parse(json), inner.object != nil || inner.elements != nil else {
        problems.append(FormatProblem(at: "", message: "must be an object of languages, or JSON of one"))
        return
      }
      read(inner, into: &texts, problems: &problems)
    case .bool, .number: problems.append(mismatch(value, expected: "an object of languages"))
    }
  }

  /// Reads the title and body in one language, or returns `nil` if both are empty.
  private static func one(
    _ value: JSONValue, language: String, problems: inout [FormatProblem]
  ) -> LocalizedText? {
    switch value {
    case .null: return nil
    case .string(let body):
      return body.isEmpty ? nil : LocalizedText(language: language, title: "", body: body)
    case .object(let object):
      var fields = JSONFields(object, at: "", lenient: true)
      let title = fields.text("title") ?? ""
      let body = fields.text("msg") ?? fields.text("body") ?? ""
      problems += fields.problems
      return title.isEmpty && body.isEmpty ? nil : LocalizedText(language: language, title: title, body: body)
    case .bool, .number, .array:
      problems.append(mismatch(value, expected: "an object with title and msg"))
      return nil
    }
  }

  private static func mismatch(_ value: JSONValue, expected: String) -> FormatProblem {
    FormatProblem(at: "", message: "must be \(expected), not \(value.kindInWords)")
  }
}
