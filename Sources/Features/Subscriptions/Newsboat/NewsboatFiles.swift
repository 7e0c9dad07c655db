import Basics
import Foundation
import Platform

/// The content of the text files `urls` and `config` of the feed reader newsboat (newsboat(1)).
struct NewsboatFiles {
  /// A feed in the file `urls`.
  struct Feed {
    var url: String
    var tags: [String]
    /// The title, which is written as a tag that begins with `~`.
    var title: String?
    /// Whether the feed is hidden: its line has the tag `!`.
    var isHidden = false
    /// The number of the line, from 1.
    var line: Int
  }

  /// A query feed, or an `ignore-article` line of the config.
  struct Filter {
    /// The name of the query feed, or the URL of the feed whose articles are ignored; `*` stands for all feeds.
    var name: String
    var expression: String
    var line: Int
  }

  var feeds: [Feed] = []
  var queries: [Filter] = []
  var ignored: [Filter] = []
  /// The path of newsboat's database, if the config sets it.
  var cacheFile: String?
  /// The service from which newsboat reads the feeds, or `local`.
  var source = "local"
  /// Sentences about lines that are not imported.
  var problems: [String] = []

  /// Adds the content of the file `urls`.
  mutating func read(urls text: String) {
    for (line, words) in Self.lines(text) {
      guard let first = words.first else { continue }
      let tags = Array(words.dropFirst())
      if first.hasPrefix("query:") {
        let parts = first.split(onBytes: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
          problems.append("urls:\(line): a query feed without an expression")
          continue
        }
        queries.append(Filter(name: String(parts[1]), expression: String(parts[2]), line: line))
      } else if first.hasPrefix("exec:") {
        let command = ShellWord.quoted(String(first.dropFirst("exec:".count)))
        problems.append(
          "urls:\(line): a program; add it with reddot add --kind command -- /bin/sh -c \(command)")
      } else if first.hasPrefix("filter:") {
        problems.append("urls:\(line): a feed that a program changes; add that program with --kind command")
      } else {
        let title = tags.first { $0.hasPrefix("~") }.map { String($0.dropFirst()) }
        feeds.append(
          Feed(
            url: first, tags: tags.filter { !$0.hasPrefix("~") && $0 != "!" && !$0.isEmpty }, title: title,
            isHidden: tags.contains("!"), line: line))
      }
    }
  }

  /// Adds the content of the file `config`.
  mutating func read(config text: String) {
    var others: Set<String> = []
    for (line, words) in Self.lines(text) {
      switch (words.first, words.count) {
      case ("ignore-article", 3...):
        ignored.append(Filter(name: words[1], expression: words[2], line: line))
      case ("cache-file", 2...): cacheFile = words[1]
      case ("urls-source", 2...): source = words[1]
      case _: others.insert(words.first ?? "")
      }
    }
    if !others.isEmpty {
      problems.append(
        "config: \(others.sorted().joined(separator: ", "))")
    }
  }

  /// Returns the words of each line that isn't empty, with the line's number. A word in double quotes may contain
  /// spaces and `\"`.
  static func lines(_ text: String) -> [(Int, [String])] {
    text.exactLines.enumerated().compactMap { index, line in
      let words = words(of: line)
      return words.isEmpty ? nil : (index + 1, words)
    }
  }

  /// Returns the words of a line, up to a comment.
  private static func words(of line: Substring) -> [String] {
    var words: [String] = []
    var rest = line
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard let first = rest.first, first != "#" else { return words }
      var word = ""
      guard first == "\"" else {
        word = String(rest.prefix { !$0.isWhitespace })
        rest = rest.dropFirst(word.count)
        words.append(word)
        continue
      }
      rest.removeFirst()
      while let character = rest.popFirst(), character != "\"" {
        // The backslash before any other character is kept, because it is part of a regular expression.
        if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
          word.append(next)
          rest.removeFirst()
        } else {
          word.append(character)
        }
      }
      words.append(word)
    }
  }
}
