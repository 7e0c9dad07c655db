import Basics

extension Limits {
  /// The longest interval, in minutes, at which a rule can repeat a notification.
  static let longestRepetitionMinutes = 7 * 1440
  /// The maximum number of regular-expression steps of one rule in one transaction. They take about a second, during
  /// which no other process can write and a simple expression can search 60 MB of text.
  static let patternStepsPerTransaction = 200_000_000
  /// The maximum number of bytes of a query, both as typed and as printed.
  static let queryBytes = 4 << 10
  /// The maximum nesting of parentheses and NOTs; users write two or three.
  static let queryDepth = 64
  /// The maximum number of conditions, operators and values of one query.
  static let queryNodes = 1000
  /// The maximum number of bytes of a regular expression.
  static let patternBytes = 1 << 10
  /// The maximum nesting of parentheses in a regular expression.
  static let patternDepth = 32
  /// The largest number of an interval such as `{20}`. The library itself rejects expressions that are too large with
  /// all intervals expanded.
  static let patternInterval = 1000
  /// The maximum number of bytes of text that a regular expression searches, since the text comes from publishers.
  static let patternTextBytes = 16 << 10
  /// The library's own limits for each character at which a match may begin: the calls of its matcher, their depth, and
  /// memory.
  static let patternMatches: UInt32 = 100_000
  static let patternMatchDepth: UInt32 = 1000
  static let patternHeapKiB: UInt32 = 1 << 10
  /// The maximum number of steps that a regular expression may take on one message in one query. A step takes about 5
  /// ns.
  static let patternStepsPerMessage = 4_000_000
  /// The number of steps that each attempt of an expression's item counts as, in addition to one for each byte that it
  /// passes over.
  static let patternStepsOfItem = 4
  /// The number of steps that each search in a line counts as, in addition to one for each of the line's bytes.
  static let patternStepsOfCall = 20
}
