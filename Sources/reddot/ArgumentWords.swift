/// Prepares the arguments for the argument parser.
enum ArgumentWords {
  /// The parser searches `=` as a grapheme, which it isn't with a combining mark after it. Such an option and its value
  /// are split into two arguments, which mean the same.
  static func split(_ words: [String]) -> [String] {
    // The arguments of `run` belong to another program.
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
