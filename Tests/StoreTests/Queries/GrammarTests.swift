import Basics
import Messages
import Testing

@testable import Queries

/// Parses text and returns the tree as text with all parentheses: `&`, `|`, `!`.
@Suite struct GrammarTests {
  /// Returns a tree without its canonical text.
  static func shape(_ query: Query) -> String {
    switch query {
    case .and(let members): "(" + members.map(shape).joined(separator: " & ") + ")"
    case .or(let members): "(" + members.map(shape).joined(separator: " | ") + ")"
    case .not(let inner): "!" + shape(inner)
    case .test(let test): shape(test)
    }
  }

  private static func shape(_ test: Query.Test) -> String {
    guard case .text(.words(let words, let isPrefix)) = test else { return "[\(Query.test(test))]" }
    return "<\(words.text)>" + (isPrefix ? "*" : "")
  }

  static let strict: [(String, String)] = [
    ("", "()"), ("  \t\n ", "()"), ("swift", "<swift>"), ("swift linux", "(<swift> & <linux>)"),
    ("swift AND linux", "(<swift> & <linux>)"), ("a OR b", "(<a> | <b>)"),
    ("a b OR c d", "((<a> & <b>) | (<c> & <d>))"), ("a (b OR c) d", "(<a> & (<b> | <c>) & <d>)"),
    ("((a))", "<a>"), ("a (b c)", "(<a> & <b> & <c>)"), ("a OR (b OR c)", "(<a> | <b> | <c>)"),
    ("-a", "!<a>"), ("NOT a", "!<a>"), ("NOT a b", "(!<a> & <b>)"), ("NOT (a b)", "!(<a> & <b>)"),
    ("-(a OR b)", "!(<a> | <b>)"), ("NOT -a", "!!<a>"), ("NOT NOT a", "!!<a>"), ("-(-a)", "!!<a>"),
    ("--a", "!<-a>"), ("a-b", "<a-b>"), ("a -b", "(<a> & !<b>)"), ("x--", "<x-->"),
    // Operators are written in capitals, and as separate words.
    ("a or b and not c", "(<a> & <or> & <b> & <and> & <not> & <c>)"), ("ORB", "<ORB>"), ("-OR", "!<OR>"),
    ("\"OR\"", "<OR>"), ("NOT(a)", "!<a>"), ("a OR(b)OR c", "(<a> | <b> | <c>)"), ("Or", "<Or>"),
    // Phrases.
    ("\"a b\"", "<a b>"), ("\"a \\\"b\\\" \\\\ c\"", "<a \"b\" \\ c>"), ("\"a\"\"b\"", "(<a> & <b>)"),
    ("a\"b c\"d", "(<a> & <b c> & <d>)"), ("-\"a b\"", "!<a b>"), ("\"a,b(c)\"", "<a,b(c)>"),
    ("\"a*\"", "<a*>"), ("\"a b\"*", "<a b>*"),
    // Prefixes.
    ("a*", "<a>*"), ("a**", "<a>*"), ("a*b", "<a*b>"), ("*a", "<*a>"),
    // Parentheses end words; commas and colons do not.
    ("f(x)", "(<f> & <x>)"), ("a,b", "<a,b>"), ("12:30", "<12:30>"), ("a=b", "<a=b>"), ("c++", "<c++>"),
    ("東京", "<東京>"), ("café", "<café>"), ("e\u{301}a", "<e\u{301}a>"), ("a\u{3000}b", "(<a> & <b>)"),
    ("a\0b", "<a\0b>"),
    // Regular expressions.
    ("/a b/", "[/a b/]"), ("/a\\/b/", "[/a\\/b/]"), ("/a/c b", "([/a/c] & <b>)"), ("-/a/", "![/a/]"),
    ("(/a/)", "[/a/]"), ("/\\\\/", "[/\\\\/]"), ("a/b/c", "<a/b/c>"),
    // Fields.
    ("title:a", "[title:a]"), ("TITLE:a", "[title:a]"), ("title:\"a b\"", "[title:\"a b\"]"),
    ("title:a,\"b c\",/d/c,e*", "[title:a,\"b c\",/d/c,e*]"), ("-title:a", "![title:a]"),
    ("title:-a", "[title:-a]"), ("title:a title:b", "([title:a] & [title:b])"),
    ("title:\"a\"b", "([title:a] & <b>)"),
    ("app:slack", "[channel:slack]"), ("App:a,/b/", "[channel:a,/b/]"),
    ("tag:a*b", "[tag:a*b]"), ("tag:\"a b*\"", "[tag:\"a b*\"]"), ("tag:\"a\\*\"", "[tag:\"a\\*\"]"),
    ("tag:a\\*", "[tag:a\\*]"), ("tag:a**b", "[tag:a*b]"), ("tag:*", "[tag:*]"),
    ("tag:\"c++ x\"*", "[tag:\"c++ x*\"]"),
    ("source:/build.*/,ci", "[source:/build.*/,ci]"), ("from:a,b", "[from:a,b]"),
    ("priority>=4", "[priority>=4]"), ("priority<low", "[priority<2]"), ("Priority=high", "[priority:4]"),
    ("priority:high,5", "[priority:4,5]"), ("priority>normal", "[priority>3]"),
    ("priority<=min", "[priority<=1]"),
    ("is:unread,STARRED", "[is:unread,starred]"), ("has:link,picture", "[has:link,picture]"),
    ("in:all", "[in:all]"),
    ("before:2026", "[before:2026]"), ("after:2026-11", "[after:2026-11]"),
    ("date:2026-11-20", "[date:2026-11-20]"), ("date:2026-11-20T09:30..", "[date:2026-11-20T09:30..]"),
    ("date:..yesterday", "[date:..yesterday]"), ("date:2026..2026", "[date:2026]"), ("date:..", "[date:..]"),
    ("date:today,2025", "[date:today,2025]"), ("older:7d", "[older:7d]"),
    ("newer:2h,090min", "[newer:2h,90min]"),
    ("older:1mo older:1y older:3w", "([older:1mo] & [older:1y] & [older:3w])"),
    ("url:example.org/a", "[url:example.org/a]"), ("url:http://a/?q=1*", "[url:http://a/?q=1*]"),
    ("url:/\\.pdf$/", "[url:/\\.pdf$/]"), ("id:42,\"a,b\"", "[id:42,\"a,b\"]"),
    ("rule:\"ci noise\"", "[rule:\"ci noise\"]"),
    ("is:unread priority>=4 newer:1d", "([is:unread] & [priority>=4] & [newer:1d])"),
    ("source:build -title:failed", "([source:build] & ![title:failed])"),
  ]

  @Test(arguments: strict)
  func aTextIsThisTree(_ text: String, tree: String) throws {
    let query = try Query.parse(text, .strict).get()
    #expect(Self.shape(query) == tree)
    #expect(try Query.parse(query.text, .strict).get() == query)
  }

  static let mistakes: [(String, String, Query.Reason)] = [
    ("tittle:a", "tittle", .unknownField("tittle", nearest: "title")),
    ("a Sorce:b", "Sorce", .unknownField("Sorce", nearest: "source")),
    ("http://example.org", "http", .unknownField("http", nearest: nil)),
    ("pri:4", "pri", .unknownField("pri", nearest: "priority")),
    ("title:", "title:", .missingValue(.title)), ("title: a", "title:", .missingValue(.title)),
    ("tag:a,,b", "tag:a,", .missingValue(.tag)), ("tag:a,", "tag:a,", .missingValue(.tag)),
    ("priority>=", "priority>=", .missingValue(.priority)),
    ("is:unred", "unred", .unknownValue(.is, "unred", nearest: "unread")),
    ("has:ünix", "ünix", .unknownValue(.has, "ünix", nearest: nil)),
    ("in:some", "some", .unknownValue(.in, "some", nearest: nil)),
    ("priority:6", "6", .unknownValue(.priority, "6", nearest: nil)),
    ("priority>hihg", "hihg", .unknownValue(.priority, "hihg", nearest: "high")),
    ("before:2026-13", "2026-13", .notADate("2026-13")),
    ("after:2026-02-30", "2026-02-30", .notADate("2026-02-30")),
    ("date:1..2", "1..2", .notADate("1..2")), ("before:2026..", "2026..", .notADate("2026..")),
    ("date:2026-11-20T25:00", "2026-11-20T25:00", .notADate("2026-11-20T25:00")),
    ("older:7", "7", .notATimeSpan("7")), ("newer:5m", "5m", .notATimeSpan("5m")),
    ("newer:d", "d", .notATimeSpan("d")),
    ("older:123456d", "123456d", .notATimeSpan("123456d")), ("is:/a/", "/a/", .patternNotAllowed(.is)),
    ("\"a b", "\"", .unclosedPhrase), ("x \"a\\\"", "\"", .unclosedPhrase), ("/a", "/", .unclosedPattern),
    ("/usr/bin", "/", .unclosedPattern), ("a (b", "(", .unclosedParenthesis),
    ("a) b", ")", .unexpectedParenthesis),
    ("a ()", "()", .emptyParentheses), ("OR a", "OR", .missingOperand(.or)),
    ("a OR", "OR", .missingOperand(.or)),
    ("a OR OR b", "OR", .missingOperand(.or)), ("AND a", "AND", .missingOperand(.and)),
    ("a AND", "AND", .missingOperand(.and)), ("a AND AND b", "AND", .missingOperand(.and)),
    ("(a OR)", "OR", .missingOperand(.or)), ("NOT", "NOT", .missingOperand(.not)),
    ("a NOT OR b", "NOT", .missingOperand(.not)),
    ("a - b", "-", .nothingToFind), ("a && b", "&&", .nothingToFind), ("\"\"", "\"\"", .nothingToFind),
    ("title:\"!\"", "\"!\"", .nothingToFind), ("🎉", "🎉", .nothingToFind), ("//", "//", .nothingToFind),
    ("é /a\\1/", "\\1", .pattern(.backReference)), ("/é\\/[a/", "[", .pattern(.brackets)),
    ("/a(b/", "(", .pattern(.parentheses)), ("/a)b/", ")", .pattern(.parentheses)),
    ("/b((a{9}b){99}){999}/", "{999}", .pattern(.tooLarge)), ("/a{1001}/", "{1001}", .pattern(.tooLarge)),
    ("/a\\nb/", "\\n", .pattern(.unknownSyntax("\\n", instead: "^, $"))),
    ("/x*a{3,2}/", "{3,2}", .pattern(.braces)),
    ("/a{x}/", "{", .pattern(.braces)), ("/[[:foo:]]/", "[:foo:]", .pattern(.className)),
    ("/[z-a]/", "-", .pattern(.range)), ("/*a/", "*", .pattern(.repetition)),
  ]

  @Test(arguments: mistakes)
  func aMistakeHasAPlaceAndAReason(_ text: String, part: String, reason: Query.Reason) {
    guard case .failure(let mistake) = Query.parse(text, .strict) else {
      Issue.record("\(text) parses")
      return
    }
    #expect(mistake.reason == reason)
    if !part.isEmpty { #expect(mistake.part(of: text) == part) }
    #expect(!mistake.description.isEmpty)
  }

  static let typing: [(String, String)] = [
    ("", "()"), ("swi", "<swi>*"), ("swift lin", "(<swift> & <lin>*)"), ("swift ", "<swift>"), ("a", "<a>*"),
    ("swift -lin", "(<swift> & !<lin>)"), ("c++", "<c++>"), ("東京", "<東京>*"), ("\"a b\"", "<a b>"),
    // Not finished yet.
    ("\"a b", "<a b>*"), ("\"a b ", "<a b >"), ("\"", "()"), ("a (b", "(<a> & <b>*)"), ("a (", "<a>"),
    ("a -", "<a>"),
    ("a OR", "<a>"), ("a OR ", "<a>"), ("OR a ", "<a>"), ("a AND", "<a>"), ("NOT", "()"), ("a NOT ", "<a>"),
    ("a OR OR b ", "(<a> | <b>)"), ("a) b ", "(<a> & <b>)"), ("() a ", "<a>"), ("/usr", "</usr>*"),
    ("/a b ", "(</a> & <b>)"),
    ("/usr/bin ", "</usr/bin>"), ("/a/", "[/a/]"), ("title:", "()"), ("a is:", "<a>"), ("is:unr", "()"),
    ("is:unread", "[is:unread]"),
    ("is:unread,st", "[is:unread]"), ("after:2026-", "()"), ("older:7", "()"), ("priority>", "()"),
    ("priority>=", "()"),
    ("title:swi", "[title:swi*]"), ("title:swift ", "[title:swift]"), ("tag:c", "[tag:c*]"),
    ("tag:c ", "[tag:c]"),
    ("tag:a,", "[tag:a]"), ("-tag:c", "![tag:c]"), ("id:4", "[id:4]"), ("url:exa", "[url:exa]"),
    // An unknown name, or one without a value, is text.
    ("http://example.org ", "<http://example.org>"), ("tittle:a ", "<tittle:a>"),
    ("note: a ", "(<note:> & <a>)"),
    ("title: a ", "(<title:> & <a>)"), ("🎉", "()"), ("🎉 a ", "<a>"), ("-OR", "!<OR>"),
  ]

  @Test(arguments: typing)
  func whileSomebodyTypesItIsThisTree(_ text: String, tree: String) throws {
    let query = try Query.parse(text, .typing).get()
    #expect(Self.shape(query) == tree)
    #expect(try Query.parse(query.text, .strict).get() == query)
  }

  @Test(arguments: ["is:foo ", "older:7 a", "priority>x y", "/(/ ", "title:/[/ b"])
  func aWrongValueIsAMistakeOnceTheNextWordBegins(_ text: String) {
    #expect(throws: Query.Mistake.self) { try Query.parse(text, .typing).get() }
  }

  // MARK: - Bounds

  @Test(arguments: [Query.Mode.typing, .strict])
  func aLongTextIsRefusedWhereItIsTooLong(_ mode: Query.Mode) throws {
    let fits = String(repeating: "é", count: Limits.queryBytes / 2)
    _ = try Query.parse(fits + "", .strict).get()
    guard case .failure(let mistake) = Query.parse("x" + fits, mode) else {
      Issue.record("too long, but parses")
      return
    }
    #expect(mistake.range == Limits.queryBytes - 1..<Limits.queryBytes + 1)
    #expect(mistake.reason == .tooLong(most: Limits.queryBytes))
  }

  @Test(arguments: [Query.Mode.typing, .strict])
  func nestingHasABound(_ mode: Query.Mode) throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(try Query.parse(nested(Limits.queryDepth), .strict).get().text == "a")
    #expect(
      Query.parse(nested(Limits.queryDepth + 1), mode).failure?.range == Limits.queryDepth..<Limits.queryDepth
        + 1)
    let nots = String(repeating: "NOT ", count: Limits.queryDepth + 1) + "a"
    #expect(Query.parse(nots, mode).failure?.reason == .tooDeep(most: Limits.queryDepth))
    _ = Query.parse(String(repeating: "(", count: Limits.queryBytes), mode)
    _ = Query.parse(String(repeating: "-(", count: Limits.queryBytes / 2), mode)
  }

  @Test func conditionsAndValuesHaveABound() throws {
    let most = Limits.queryNodes
    _ = try Query.parse(String(repeating: "a ", count: most), .strict).get()
    let reason = Query.Reason.tooMany(most: most)
    #expect(Query.parse(String(repeating: "a ", count: most + 1), .strict).failure?.reason == reason)
    let list = "tag:a" + String(repeating: ",b", count: most)
    #expect(Query.parse(list, .strict).failure?.reason == reason)
  }

  @Test func namesAreSpeltInOnePlace() {
    #expect(Query.Field.allCases.map(\.rawValue).allSatisfy { $0.allSatisfy(\.isLowercase) })
    for field in Query.Field.allCases {
      #expect(NearestName.of(field.rawValue, in: Query.Field.allCases.map(\.rawValue)) == field.rawValue)
    }
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
