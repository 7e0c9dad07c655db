import Basics
import Foundation
import Messages
import QuerySamples
import TestBasics
import Testing

@testable import Queries

@Suite struct RegularExpressionTests {
  @Test(arguments: [
    ("^caf.$", "café"), ("^CAFÉ$", "café"), ("^.{2}$", "東京"), ("^.$", "🎉"), ("[[:alpha:]]{3}", "abc"),
    ("b$", "ab\ncd"),
    ("^c", "ab\r\ncd"), ("^$", ""), ("^$", "a\n\nb"), ("a.b", "a\0b"), ("a|", "x"), ("a\\.b", "A.B"),
    ("[/]", "a/b"),
    ("()a", "a"), ("(^|x)a", "ba\na"), ("é+", "EÉé"), ("^[あ-ん]+$", "こんにちは"), ("[東-龍]", "x馬"),
    ("^[а-яё]+$", "ПРИВЕТ"), ("^[^а-я]$", "é"),
    ("^[[:digit:]а-я_]{3}$", "1ж_"), ("[+-é]", "z"), ("^[]-é]$", "]"), ("[一-龥]", "京"), ("Ж", "ж"),
  ])
  func itMatches(_ pattern: String, _ text: String) throws {
    #expect(try RegularExpression(pattern).matches(text))
  }

  @Test(arguments: [
    ("^caf.$", "cafe\u{301}"), ("a.b", "a\nb"), ("^b", "ab"), ("^..$", "é"), ("x", ""), ("\\(a", "a"),
    ("[^b]", "b"),
  ])
  func itDoesNotMatch(_ pattern: String, _ text: String) throws {
    #expect(try !RegularExpression(pattern).matches(text))
  }

  /// The notation of Perl.
  @Test(arguments: [
    (#"v\d+\.\d"#, "v12.3", "vd.d"), (#"^\D+$"#, "abc", "a1c"), (#"\w+\s\w+"#, "a b", "a-b"),
    (#"\bcat\b"#, "a cat", "concat"),
    ("^(?:ab)+$", "abab", "aba"), ("(?i)ABC", "abc", "abd"), ("^a+?b$", "aab", "b"),
    ("^a??b*?$", "abb", "aab"),
    ("^x{2}?$", "xx", "x"), (#"^[\d.]+$"#, "1.2", "d.2"), (#"^[^\s,]+$"#, "a-b", "a b"),
    (#"^[\w-]+$"#, "a_1-é", "a b"),
    (#"a\tb"#, "a\tb", "atb"), (#"\Aab\z"#, "ab", "abc"), (#"^[.\[]$"#, "[", "\\"),
    (#"[[:digit:]\s]x"#, " x", "ax"), (#"^[a\]]+$"#, "a]", "a["), (#"\d[\-a]"#, "1-", "1b"),
    ("a(?=b)", "ab", "ac"), ("a(?!b)", "ac", "ab"), ("(?<=a)b", "ab", "cb"), ("(?<!a)b", "cb", "ab"),
    ("^a(?i)b$", "aB", "ac"), ("(?-i)A", "A", "a"), (#"(\w)\1"#, "book", "bok"),
    (#"^(?<n>a.)\k<n>$"#, "abab", "abac"), (#"^\p{L}+$"#, "東aÉ", "a1"), (#"\x41\x{62}"#, "ab", "bb"),
    (#"\Qa.b\E+$"#, "a.bb", "axb"), (#"^(?#any) ?\d+$"#, "٣4", "x"), ("^[^\n]b$", "ab", "b"),
    (#"^(\((?1)*\))$"#, "(()())", "(()"), (#"^\X$"#, "👩‍👩‍👧", "ab"),
  ])
  func whatPerlHas(_ pattern: String, _ found: String, _ other: String) throws {
    let expression = try RegularExpression(pattern)
    #expect(expression.matches(found))
    #expect(!expression.matches(other))
  }

  /// The notation of POSIX and grep.
  @Test(arguments: [
    (#"\<word\>"#, "a word.", "swords"), (#"\<wor"#, "a word", "sword"), (#"rd\>"#, "a word", "words"),
    (#"\<é"#, "né é", "né"), (#"^\<?a"#, "a", "b"), ("[[:<:]]word[[:>:]]", "a word", "swords"),
    ("[[:alpha:]_]{3}", "é_東", "1_2"), ("^[[.-.]a]+$", "a-a", "b"), ("^[[=a=]]$", "a", "b"),
    ("^[[.].]]$", "]", "a"), (#"a\{2"#, "a{2", "aa"), ("^a{,2}$", "aa", "aaa"), ("^a{2}{2}$", "aaaa", "aaa"),
    ("^a**b$", "aab", "ac"), ("^(ab|c)+*{2}$", "abcab", "abb"), (#"\`a\'"#, "a", "ab"),
    ("^[]a]+$", "]a", "b"), ("^[^]a]$", "b", "]"), ("^[a-c[x]+$", "ab[x", "d"), (#"[\<]"#, "<", "a"),
  ])
  func whatPOSIXHas(_ pattern: String, _ found: String, _ other: String) throws {
    let expression = try RegularExpression(pattern)
    #expect(expression.matches(found))
    #expect(!expression.matches(other))
  }

  @Test(arguments: [
    ("ä", "Ä"), ("Ä", "ä"), ("οδος", "ΟΔΟΣ"), ("ΟΔΟΣ", "οδος"), ("[а-я]", "Я"), ("k", "\u{212A}"),
    (#"(é)\1"#, "éÉ"),
  ])
  func caseIsThatOfUnicode(_ pattern: String, _ text: String) throws {
    #expect(try RegularExpression(pattern).matches(text))
    #expect(try !RegularExpression(pattern, isCaseSensitive: true).matches(text))
  }

  @Test(arguments: [
    (#"a\nb"#, #"\n"#, 1..<3), (#"a\Cb"#, #"\C"#, 1..<3), (#"é\y"#, #"\y"#, 1..<3), (#"\cA"#, #"\c"#, 0..<2),
    ("a(?C1)", "(?C", 1..<4), ("(*LIMIT_MATCH=9)a", "(*", 0..<2), ("(*UTF)a", "(*", 0..<2),
    ("a(*FAIL)", "(*", 1..<3),
    (#"[a\Qb]"#, #"\Q"#, 2..<4), (#"[\X]"#, #"\X"#, 1..<3), ("a(?<=b*)", "(?<=…*)", 1..<3),
    ("[:alpha:]", "[:…:]", 0..<1),
  ])
  func whatIsNotKnownIsRefusedAtItsPlace(_ pattern: String, _ text: String, _ range: Range<Int>) {
    #expect {
      try RegularExpression(located: pattern, isCaseSensitive: false)
    } throws: { error in
      guard let located = error as? LocatedFault, case .unknownSyntax(text, _) = located.fault else {
        return false
      }
      return located.range == range
    }
    // This applies to all forms of queries.
    #expect(throws: Query.Mistake.self) { try Query.parse("-title:/\(pattern)/", .strict).get() }
  }

  /// The position of an error is correct even after a part that is expanded.
  @Test func aFaultIsAtItsPlaceInTheGivenExpression() {
    #expect {
      try RegularExpression(located: #"\d\d(a"#, isCaseSensitive: false)
    } throws: {
      ($0 as? LocatedFault)?.range == 4..<5
    }
  }

  @Test func aTextThatWouldTakeTooLongIsNeitherFoundNorLeftOut() throws {
    let text = String(repeating: "abcdefgh", count: 2 << 10)
    let facts = Facts(title: "News", body: text)
    for (pattern, isOver) in [
      ("[a-z]{1,20}[q-z]", false), ("[a-z]{1,300}[q-z]", true), ("(a+|.)+[q-z]", true),
    ] {
      for query in ["body:/\(pattern)/", "-body:/\(pattern)/"] {
        let matcher = QueryMatcher(
          try Query.parse(query, .strict).get(), tokenizer: PlainTokenizer(),
          now: Date(timeIntervalSince1970: 0),
          zone: .gmt)
        #expect(matcher.matches(facts) == (!isOver && query.hasPrefix("-")))
        #expect(matcher.isOverBudget == isOver)
        #expect(matcher.steps <= Limits.patternStepsPerMessage)
        #expect(!matcher.matches(Facts(title: "News")) || query.hasPrefix("-"))
        #expect(!matcher.isOverBudget)
      }
    }
  }

  @Test func allTextsTogetherHaveABudgetToo() throws {
    let facts = Facts(title: "News", body: String(repeating: "a", count: 1000))
    let matcher = QueryMatcher(
      try Query.parse("-body:/b/", .strict).get(), tokenizer: PlainTokenizer(),
      now: Date(timeIntervalSince1970: 0),
      zone: .gmt, steps: 3500)
    let found = (0..<5).map { _ in matcher.matches(facts) }
    #expect(found == [true, true, true, false, false])
    #expect(matcher.isOverBudget)
  }

  @Test func caseMattersIfItIsAskedFor() throws {
    #expect(try RegularExpression("AbC").matches("xabcx"))
    #expect(try !RegularExpression("AbC", isCaseSensitive: true).matches("xabcx"))
    #expect(try RegularExpression("AbC", isCaseSensitive: true).matches("xAbCx"))
    #expect(try RegularExpression("a") != RegularExpression("a", isCaseSensitive: true))
    #expect(try RegularExpression("a") == RegularExpression("a"))
  }

  @Test func everyCharacterIsOne() throws {
    let one = try RegularExpression("^.$")
    var random = SeededRandom(seed: 3)
    for _ in 0..<3000 {
      let value = UInt32.random(in: 1...0x10FFFF, using: &random)
      guard let scalar = Unicode.Scalar(value), ![0xA, 0xD].contains(value) else { continue }
      #expect(one.matches(String(scalar)), "U+\(String(value, radix: 16))")
    }
  }

  @Test func onlyTheBeginningOfALongTextIsRead() throws {
    let long = String(repeating: "é", count: Limits.patternTextBytes / 2 - 1)
    let pattern = try RegularExpression("x")
    #expect(pattern.matches(long + "ax"))
    #expect(!pattern.matches(long + "aax"))
    // Not even half of a character matches.
    #expect(try RegularExpression("a$").matches(long + "a🎉"))
  }

  /// Without a limit, `[a-z]+[c-z]` takes two seconds, and `(a|b)*?[ab]*[c-z]` hours.
  @Test(arguments: [
    "(a+)+$", "(a|aa)+$", "[a-z]+[c-z]", "(a|b)*?[ab]*[c-z]", "^(a+)+[c-z]", #"(\w+)\w*\1[c-z]"#,
    "(?:a|b|ab)*[c-z]",
    "(?R)?a[c-z]",
  ])
  func aHostileTextIsGivenUp(_ pattern: String) throws {
    let expression = try RegularExpression(pattern)
    let text = String(repeating: "a", count: Limits.patternTextBytes - 1) + "b"
    var steps = Limits.patternStepsPerMessage
    #expect(expression.matches(text, steps: &steps) == nil)
    #expect(steps >= 0)
    #expect(!expression.matches(text))
    _ = expression.places(in: text)
  }

  /// A part that every match must contain is searched first.
  @Test(arguments: ["(a*)*c", "(.*a){10}c", "(a|b)*a(a|b){20}c", "^(a+)+c", ".{0,500}c", "[a-z]{1,300}@"])
  func aTextWithoutAPartOfTheExpressionCostsLittle(_ pattern: String) throws {
    let expression = try RegularExpression(pattern)
    var steps = 2 * Limits.patternTextBytes
    #expect(
      expression.matches(String(repeating: "ab", count: Limits.patternTextBytes / 2), steps: &steps) == false)
  }

  static let refused: [(String, Query.PatternFault)] = [
    ("a\\1", .backReference), ("(a)\\9", .backReference),
    ("a{1000}{1000}{9}", .tooLarge), ("((a{99}){99}){99}", .tooLarge), ("a{99999999999999999999}", .tooLarge),
    (String(repeating: "(", count: Limits.patternDepth + 1), .tooDeep(most: Limits.patternDepth)),
    (String(repeating: "é", count: Limits.patternBytes / 2) + "a", .tooLong(most: Limits.patternBytes)),
    ("a)", .parentheses), (")", .parentheses), ("(", .parentheses), ("[", .brackets), ("[]", .brackets),
    ("[[:alpha:]", .brackets),
    ("[[:alpha:", .brackets), ("a{2", .braces), ("a{,}", .braces), ("a{3,2}", .braces), ("\\", .escape),
    ("+", .repetition),
    ("(*)", .repetition), ("a|*", .repetition), ("[b-a]", .range), ("[я-а]", .range),
    (#"[\d-z]"#, .range), (#"\p{Foo}"#, .className), ("(?#a", .parentheses),
    ("[[.space.]]", .className), ("[[:no:]]", .className),
  ]

  @Test(arguments: refused)
  func itIsRefused(_ pattern: String, _ fault: Query.PatternFault) {
    #expect(throws: fault) { try RegularExpression(pattern) }
  }

  @Test(arguments: [
    "a{1000}", "(ab|cd){1,100}", "(a*)*", "a**", "[]a]", "[^]]", "[[:digit:]x]", "x{0}", "[\\\\]", "\\$",
    "a{,3}", "[\u{80}-\u{FFFF}]", "(a*)*(b*)*(c*)*(d*)*(e*)*(f*)*(g*)*(h*)*(i*)*", "(a*){0,65}",
    "([a-z]{2}){400}",
  ])
  func itIsAllowed(_ pattern: String) {
    #expect(throws: Never.self) { try RegularExpression(pattern) }
  }

  /// Expressions made of expensive parts, up to the limits: none takes long to compile, which the duration of the test
  /// would show.
  @Test func randomExpressionsCompileOrAreRefused() {
    var random = SeededRandom(seed: 11)
    var compiled = 0
    func part(_ depth: Int) -> String {
      let atoms = ["a", "b", ".", "[ab]", "é", "^", "$", "", "\\b", "[^x]"]
      let repeats = ["", "", "*", "+", "?", "{2}", "{0,3}", "{2,}", "{,9}", "{30}"]
      let inner =
        depth > 0 && Bool.random(using: &random)
        ? "("
          + (0..<Int.random(in: 1...3, using: &random)).map { _ in part(depth - 1) }
          .joined(separator: Bool.random(using: &random) ? "|" : "") + ")"
        : atoms[Int.random(in: 0..<atoms.count, using: &random)]
      return inner + repeats[Int.random(in: 0..<repeats.count, using: &random)]
    }
    for _ in 0..<3000 {
      let pattern = (0..<Int.random(in: 1...8, using: &random)).map { _ in part(5) }.joined()
      guard let expression = try? RegularExpression(pattern) else { continue }
      compiled += 1
      _ = expression.matches("abab aab é\nb")
    }
    #expect(compiled > 300)
  }

  @Test func manyThreadsUseOneExpression() async throws {
    let expression = try RegularExpression("(a|b)+c")
    let found = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<500).count {
            expression.matches(String(repeating: "ab", count: $0 % 7) + ($0 % 2 == task % 2 ? "ac" : "d"))
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(found == 8 * 250)
  }

  @Test(arguments: [
    ("a+", "baab\nxaé", [1..<3, 6..<7]), ("é", "éé", [0..<2, 2..<4]), ("x*", "axxb", [1..<3]),
    ("^a", "aaa\na", [0..<1, 4..<5]),
    ("b", "a\0b", [2..<3]), ("a+?", "aaa", [0..<1, 1..<2, 2..<3]), ("a++", "aab", [0..<2]),
    ("a*+a", "aaa", []),
    (#"(?<=a)b|\bb"#, "ab\nb cb", [1..<2, 3..<4]), (#"a\Kb"#, "abb", [1..<2]), ("a|ab", "ab", [0..<1]),
    ("🎉", "a🎉🎉", [1..<5, 5..<9]), ("q", "abc", []), ("", "abc", []),
  ])
  func placesAreFoundToBeMarked(_ pattern: String, _ text: String, places: [Range<Int>]) throws {
    #expect(try RegularExpression(pattern).places(in: text) == places)
  }
}
