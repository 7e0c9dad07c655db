import Basics

/// A line as it was typed into bash, zsh or fish, split into its commands. The line is never run, and nothing in it is
/// expanded: only the shell can do that.
struct ShellLine {
  struct Command: Hashable {
    var words: [String] = []
    /// Whether the shell did not wait for the command.
    var isInBackground = false
  }

  /// The commands in their order, including those of subshells, loops and branches.
  private(set) var commands: [Command] = []

  private var rest: Substring
  private var command = Command()
  private var word: String?
  /// Whether the current word is the file of a redirection.
  private var isTarget = false

  init(_ text: String) {
    rest = text.prefix(Limits.hookLineCharacters)
    while let character = rest.popFirst() { take(character) }
    endCommand()
  }

  private mutating func take(_ character: Character) {
    switch character {
    case " ", "\t": endWord()
    case "\n", "\r\n", ";": endCommand()
    case "|":
      skip { $0 == "&" || $0 == "|" }
      endCommand()
    case "&":
      if rest.first == ">" { break }
      command.isInBackground = rest.first != "&"
      skip { $0 == "&" }
      endCommand()
    case "#" where word == nil: skip { !$0.isNewline }
    case "<", ">": redirect(character)
    case "(":
      if word == nil {
        endCommand()
      } else if rest.first == ")" {
        endDefinition()
      } else {
        addGroup("(", ")")
      }
    case ")": endCommand()
    case "\\":
      guard let next = rest.popFirst() else { return }
      if !next.isNewline { add(next) }
    case "'", "\"": addQuoted(character)
    case "`": addGroup(nil, "`")
    case "$": addExpansion()
    case _: add(character)
    }
  }

  private mutating func add(_ character: Character) { word = (word ?? "") + [character] }

  private mutating func skip(while matches: (Character) -> Bool) { rest = rest.drop(while: matches) }

  private mutating func endWord() {
    guard let ended = word else { return }
    word = nil
    if !isTarget { command.words.append(ended) }
    isTarget = false
  }

  private mutating func endCommand() {
    endWord()
    isTarget = false
    if !command.words.isEmpty { commands.append(command) }
    command = Command()
  }

  /// Ends the definition of a function after `name()`: its code is run at another time.
  private mutating func endDefinition() {
    _ = rest.popFirst()
    word = nil
    command = Command()
  }

  private mutating func redirect(_ first: Character) {
    // The number of a descriptor belongs to the redirection.
    if let digits = word, digits.allSatisfy(\.isNumber) { word = nil }
    endWord()
    if rest.first == "(" {
      _ = rest.popFirst()
      word = ""
      return addGroup("(", ")")
    }
    let hasText = first == "<" && rest.first == "<" && rest.dropFirst().first != "<"
    skip { "<>&|!?".contains($0) }
    // The lines of a here-document are not commands.
    if hasText { rest = rest.prefix { !$0.isNewline } }
    skip { $0 == " " || $0 == "\t" }
    isTarget = true
  }

  private mutating func addQuoted(_ quote: Character) {
    word = word ?? ""
    while let character = rest.popFirst(), character != quote {
      if character == "\\", quote == "\"", let next = rest.popFirst() { add(next) } else { add(character) }
    }
  }

  private mutating func addExpansion() {
    add("$")
    switch rest.first {
    case "(":
      _ = rest.popFirst()
      addGroup("(", ")")
    case "{":
      _ = rest.popFirst()
      addGroup("{", "}")
    case "'", "\"":
      // This is not an expansion, but a quotation.
      word?.removeLast()
      if let quote = rest.popFirst() { addQuoted(quote) }
    case _: break
    }
  }

  /// Adds everything up to the character that closes the group to the current word.
  private mutating func addGroup(_ open: Character?, _ close: Character) {
    if let open { add(open) }
    var depth = 1
    while let character = rest.popFirst() {
      add(character)
      switch character {
      case "\\": if let next = rest.popFirst() { add(next) }
      case "'", "\"": addQuoted(character)
      case close:
        depth -= 1
        if depth == 0 { return }
      case _: if character == open { depth += 1 }
      }
    }
  }
}
