import Basics

extension Limits {
  /// Steps of one rule in one transaction, which nobody else can write meanwhile: about a second. A simple expression
  /// gets through 60 MB of text.
  static let patternStepsPerTransaction = 200_000_000
  /// Bytes of a query, as typed and as printed.
  static let queryBytes = 4 << 10
  /// Parentheses and NOTs inside each other: people write two or three.
  static let queryDepth = 64
  /// Conditions, operators and values of one query.
  static let queryNodes = 1000
  /// Bytes of a regular expression.
  static let patternBytes = 1 << 10
  /// Parentheses inside each other in a regular expression.
  static let patternDepth = 32
  /// The largest number of an interval such as `{20}`. The library itself refuses what is too large with all of them written out.
  static let patternInterval = 1000
  /// Bytes of a text that a regular expression looks at: publishers write the texts.
  static let patternTextBytes = 16 << 10
  /// The library's own limits, each for one character at which a match may begin: calls of its matcher, how deep they are, and
  /// memory.
  static let patternMatches: UInt32 = 100_000
  static let patternMatchDepth: UInt32 = 1000
  static let patternHeapKiB: UInt32 = 1 << 10
  /// Steps of a regular expression that one message may take in one query. A step is about 5 ns.
  static let patternStepsPerMessage = 4_000_000
  /// Steps each time an item of an expression is tried, besides one for each byte that it passes over.
  static let patternStepsOfItem = 4
  /// Steps of a search in one line, besides one for each of its bytes.
  static let patternStepsOfCall = 20
}
