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
  /// Characters of a regular expression after its intervals are written out: `(ab){10}` has 20. The C library makes
  /// a state machine of all of them; `(a{1000}){1000}` would need gigabytes.
  static let patternSize = 1000
  /// Repetitions of what may be empty, such as `(a*)*`, each copy of an interval by itself: glibc 2.36 needs twice
  /// the time for each further one, and minutes for thirty.
  static let patternEmptyRepeats = 8
  /// Characters of its ranges beyond ASCII, which are written out: `[一-龥]` has 20,902.
  static let patternRangeCharacters = 30_000
  /// Bytes of a text that a regular expression looks at: publishers write the texts.
  static let patternTextBytes = 16 << 10
  /// Bytes of text after which a regular expression is compiled anew: glibc keeps each state that it has been in,
  /// about 3 KB, and a pattern like `(a|b)*a(a|b){20}` has a new one for each character.
  static let patternStateBytes = 16 << 10
  /// Steps of a regular expression's matcher that one message may take in one query. A step is one state of the machine
  /// at one byte, 5 ns in the C library: 16 KiB of text take 16 K × (3 + its repeated sets of characters).
  static let patternStepsPerMessage = 4_000_000
  /// Bytes of a line in which the places of a regular expression are looked for. Unlike a mere match, that takes
  /// quadratic time.
  static let patternMarkedBytes = 1 << 10
}
