import Basics

/// Reads the keys `title` and `msg` of a schedule's entry. Each value is a string, an object with a string for each
/// language, or such an object as JSON in a string.
enum ScheduleTexts {
  /// Returns the title and body in each language that one of them has.
  static func read(
    _ object: JSONObject, at path: String, problems: inout [FormatProblem]
  ) -> [LocalizedText] {
    let titles = languages(object["title"], at: JSONPath.key("title", under: path), problems: &problems)
    let bodies = languages(object["msg"], at: JSONPath.key("msg", under: path), problems: &problems)
    var tags: [String] = []
    for (tag, _) in (titles + bodies).prefix([LocalizedText].limit)
    where !tags.contains(where: { sameBytes($0, tag) }) { tags.append(tag) }
    return tags.map { tag in
      LocalizedText(language: tag, title: choice(titles, tag), body: choice(bodies, tag))
    }
  }

  /// Returns the text for a language, or for the nearest one as chosen by `LanguageChoice`.
  private static func choice(_ texts: [(tag: String, text: String)], _ language: String) -> String {
    LanguageChoice.index(for: language, in: texts.map(\.tag)).map { texts[$0].text } ?? ""
  }

  /// Returns the strings in a value, each with its language tag.
  private static func languages(
    _ value: JSONValue?, at path: String, problems: inout [FormatProblem]
  ) -> [(tag: String, text: String)] {
    switch value {
    case nil, .null: return []
    case .string(let text):
      if text.utf8.first == UInt8(ascii: "{"), case .object(let map)? = try? JSONReader.parse(text) {
        return entries(map, at: path, problems: &problems)
      }
      return text.isEmpty ? [] : [("default", text)]
    case .object(let map): return entries(map, at: path, problems: &problems)
    case .bool, .number, .array:
      problems.append(FormatProblem(at: path, message: "must be a string or an object of languages"))
      return []
    }
  }

  /// Returns the strings of an object whose keys are language tags.
  private static func entries(
    _ map: JSONObject, at path: String, problems: inout [FormatProblem]
  ) -> [(tag: String, text: String)] {
    var entries: [(tag: String, text: String)] = []
    for member in map.members {
      if let text = member.value.text {
        if !text.isEmpty { entries.append((member.key, text)) }
      } else if !member.value.isNull {
        problems.append(
          FormatProblem(
            at: JSONPath.key(member.key, under: path),
            message: "must be a string, not \(member.value.kindInWords)"))
      }
    }
    return entries
  }
}
