/// The words of the command line as the argument parser needs them.
enum ArgumentWords {
  /// The parser looks for `=` among characters as people see them, and a combining mark behind it makes another character
  /// of it: such an option and its value are given as two words, which mean the same.
  static func split(_ words: [String]) -> [String] {
    // The words of `run` are another program's.
    let end = words.first == "run" ? 0 : words.firstIndex(of: "--") ?? words.endIndex
    return words[..<end].flatMap(split) + words[end...]
  }

  private static func split(_ word: String) -> [String] {
    let scalars = word.unicodeScalars
    guard word.utf8.starts(with: "--".utf8), let place = scalars.firstIndex(of: "="),
      place != word.firstIndex(of: "=")
    else { return [word] }
    let value = String(scalars[scalars.index(after: place)...])
    return [String(scalars[..<place]), value]
  }
}
