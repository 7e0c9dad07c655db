import Basics

/// A program and its arguments, with placeholders for parts of a message.
///
/// A placeholder's value is always a part of one argument: no shell interprets it.
package struct ProgramTemplate: Hashable, Sendable {
  package enum Placeholder: String, CaseIterable, Hashable, Sendable {
    /// The link to be opened, which is an http, https or mailto URL of the message.
    case url
    case title
    /// The name of the message's source.
    case source
    /// The message's number, as `reddot list` prints it.
    case id

    /// The placeholder in the form in which it is written.
    package var mark: String { "{\(rawValue)}" }
  }

  /// An error in the template, with its `sentence`.
  package enum Problem: Error, Hashable, Sendable {
    /// The program's name contains a placeholder, so that a message would choose the program.
    case program(Placeholder)
    /// The code for a shell contains a placeholder, so that the shell would interpret a part of a message.
    case shell(Placeholder)
    case unknown(String)
  }

  /// The program and its arguments.
  package var words: [String]
  /// Whether the program uses the terminal while it runs.
  package var usesTerminal: Bool

  package init(_ words: [String], usesTerminal: Bool = false) {
    self.words = words
    self.usesTerminal = usesTerminal
  }

  package func uses(_ placeholder: Placeholder) -> Bool { words.contains { $0.contains(placeholder.mark) } }

  /// Whether the program needs a message.
  package var needsMessage: Bool { Placeholder.allCases.contains(where: uses) }

  /// Returns the arguments with values instead of placeholders. A value at the beginning of an argument must not be
  /// read as an option: a space is put in front of a value that begins like one.
  package func filled(_ values: [Placeholder: String]) -> [String] { words.map { Self.filled($0, values) } }

  private static func filled(_ word: String, _ values: [Placeholder: String]) -> String {
    var result = ""
    var rest = word[...]
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      rest = rest[brace...]
      guard let placeholder = Placeholder.allCases.first(where: { rest.hasPrefix($0.mark) }) else {
        result.append(rest.removeFirst())
        continue
      }
      let value = values[placeholder] ?? ""
      if result.isEmpty, value.utf8.first == UInt8(ascii: "-") { result = " " }
      result += value
      rest = rest.dropFirst(placeholder.mark.count)
    }
    return result + rest
  }

  // MARK: Problems

  private static let shells: Set<String> = [
    "sh", "ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "tcsh", "zsh",
  ]

  /// The first error in the template, or `nil` if there is none.
  package var problem: Problem? {
    guard let program = words.first else { return nil }
    if let placeholder = Self.placeholder(in: program) { return .program(placeholder) }
    if let script, let placeholder = Self.placeholder(in: script) { return .shell(placeholder) }
    for word in words where word.hasPrefix("{") && word.hasSuffix("}") && word.count > 2 {
      let name = word.dropFirst().dropLast()
      if name.allSatisfy({ $0.isASCII && $0.isLetter }), Placeholder(rawValue: String(name)) == nil {
        return .unknown(word)
      }
    }
    return nil
  }

  private static func placeholder(in word: String) -> Placeholder? {
    guard word.utf8.contains(UInt8(ascii: "{")) else { return nil }
    return Placeholder.allCases.first { word.contains($0.mark) }
  }

  /// The code that a shell among the arguments would run, or `nil` if there is none.
  private var script: String? {
    guard
      let shell = words.firstIndex(where: {
        Self.shells.contains(String($0.split(onBytes: "/").last ?? ""))
      })
    else { return nil }
    let options = words[shell...].dropFirst()
    guard
      let option = options.firstIndex(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("c") })
    else { return nil }
    return words[option...].dropFirst().first
  }
}

extension ProgramTemplate.Problem {
  /// The predicate of a sentence whose subject is the setting's name.
  package var sentence: String {
    switch self {
    case .program(let placeholder): "must begin with the name of a program, not with \(placeholder.mark)"
    case .shell(let placeholder):
      "must not give \(placeholder.mark) to a shell as part of what it runs; write \"$1\" there, and behind it \"sh\", "
        + "\"\(placeholder.mark)\""
    case .unknown(let mark):
      "must not contain \(mark); allowed are "
        + ProgramTemplate.Placeholder.allCases.map(\.mark).joined(separator: ", ")
    }
  }
}
