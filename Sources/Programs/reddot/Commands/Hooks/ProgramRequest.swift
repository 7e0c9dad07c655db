import Basics
import Formats
import Foundation
import Messages
import Platform

/// The use of a tool for which a program needs a permission.
struct ProgramRequest: Hashable, Sendable {
  var tool: String?
  /// The command, the file or the URL, or `nil` if the tool has none of them.
  var subject: String?
  /// The program's description of the purpose.
  var purpose: String?
  /// The other parts of the tool's input, one per line. The text that is written into a file is left out.
  var others: [String] = []

  /// Reads the request in the input of a hook.
  ///
  /// - Parameter object: the input of the hook.
  /// - Returns: `nil` if the input has neither a tool nor an input for one.
  init?(_ object: JSONObject) {
    tool = object["tool_name"]?.text ?? object["tool"]?.text
    let input = (object["tool_input"] ?? object["input"])?.object
    guard tool != nil || input != nil else { return nil }
    let names = Self.subjects.first { Self.words(input?[$0]) != nil }
    subject = names.flatMap { Self.words(input?[$0]) } ?? Self.words(object["command"])
    purpose = input?["description"]?.text
    let isOfFile = names.map(Self.files.contains) ?? false
    for member in input?.members ?? [] where member.key != names && member.key != "description" {
      if isOfFile, Self.contents.contains(member.key) { continue }
      others.append("\(member.key): \(Self.words(member.value) ?? member.value.serialized())")
    }
  }

  /// The keys of a tool's input that may contain the subject, in order of preference.
  private static let subjects = ["command", "file_path", "notebook_path", "path", "url", "query", "pattern"]
  /// The keys whose value is the path of a file.
  private static let files: Set<String> = ["file_path", "notebook_path"]
  /// The keys whose value is text that is written into a file.
  private static let contents: Set<String> = ["content", "old_string", "new_string", "new_source", "edits"]

  /// Returns the text of a value. A list of arguments is quoted for a shell.
  private static func words(_ value: JSONValue?) -> String? {
    if let text = value?.text { return text.allSatisfy(\.isWhitespace) ? nil : text }
    guard case .array(let elements)? = value, !elements.isEmpty else { return nil }
    let arguments = elements.compactMap(\.text)
    return arguments.count == elements.count ? ShellWord.line(arguments) : nil
  }

  /// Whether a title shows the whole request: the request has one line, and no characters that a line of a list would
  /// show differently.
  var isOneLine: Bool {
    guard let subject, others.isEmpty else { return false }
    return subject == subject.inOneLine && !subject.contains("\t")
      && subject.count <= Limits.requestTitleCharacters
  }

  /// The subject, or the name of the tool if there is no subject.
  var title: String { subject ?? tool ?? "?" }

  /// Lines with the tool and its whole input.
  var lines: [String] {
    var lines: [String] = []
    switch (tool, subject) {
    case (let tool?, let subject?):
      lines.append(subject == subject.inOneLine ? "\(tool): \(subject)" : "\(tool):\n\(subject)")
    case (let text?, nil), (nil, let text?): lines.append(text)
    case (nil, nil): break
    }
    return lines + others + (purpose.map { [$0] } ?? [])
  }
}
