import Basics
import Testing

@testable import Formats

struct TOMLDocumentTests {
  // MARK: Values

  /// Returns the value of the key `a`, in a uniform text form.
  private func value(_ text: String) throws -> String {
    let root = try TOMLDocument(text).root
    return words(try #require(root["a"]))
  }

  private func words(_ value: TOMLValue) -> String {
    switch value {
    case .string(let text): "<\(text)>"
    case .integer(let number): "\(number)"
    case .float(let number): "\(number)f"
    case .boolean(let flag): "\(flag)"
    case .date(let text): text
    case .array(let array): "[" + array.elements.map(words).joined(separator: " ") + "]"
    case .table(let table):
      "{" + zip(table.keys, table.values).map { "\($0)=\(words($1))" }.joined(separator: " ") + "}"
    }
  }

  @Test(arguments: [
    ("true", "true"), ("false", "false"), ("0", "0"), ("+99", "99"), ("-17", "-17"), ("1_000", "1000"),
    ("0xdead_BEEF", "3735928559"), ("0o755", "493"), ("0b1101", "13"),
    ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
    ("3.14", "3.14f"), ("-0.01", "-0.01f"), ("5e+22", "5e+22f"), ("1e06", "1000000.0f"),
    ("6.626e-34", "6.626e-34f"), ("9_224.5_1", "9224.51f"), ("-inf", "-inff"), ("+nan", "nanf"),
    ("1979-05-27", "1979-05-27"), ("2024-02-29", "2024-02-29"), ("07:32:00.5", "07:32:00.5"),
    ("1979-05-27 07:32:00Z", "1979-05-27 07:32:00Z"),
    ("1979-05-27t00:32:00.999999-07:00", "1979-05-27t00:32:00.999999-07:00"),
    ("1979-05-27 # d", "1979-05-27"),
    (#""\b\t\n\f\r\"\\\u00e9\U0001F600""#, "<\u{8}\t\n\u{C}\r\"\\é😀>"), ("'C:\\a\"'", "<C:\\a\">"),
    ("''", "<>"),
    ("\"\"\"\nx\\\n \r\n  y\r\nz\"\"\"\"\"", "<xy\nz\"\">"), ("'''\r\nx\n''y'''", "<x\n''y>"),
    ("[]", "[]"), ("[ 1, # c\n [\"x\",],\n]", "[1 [<x>]]"), ("{}", "{}"),
    ("{ b.c = 1, \"d e\" = [], b.f = '' }", "{b={c=1 f=<>} d e=[]}"),
  ])
  func valuesAreThoseOfTheText(_ text: String, _ expected: String) throws {
    #expect(try value("a = \(text)") == expected)
    #expect(try value("\u{FEFF}# c\r\n'a'=\(text)\r\n\r\nb=1 # c") == expected)
  }

  @Test(arguments: [
    ("a.b.c = 1\na.d = 2", "{b={c=1} d=2}"), ("[a]\n[a.b]\nc = 1\n[a.d]", "{b={c=1} d={}}"),
    ("[a.b]\nc = 1\n[a]\nd = 2", "{b={c=1} d=2}"), ("[a]\nb.c = 1\n[a.b.d]\ne = 2", "{b={c=1 d={e=2}}}"),
    ("[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\n[[a.e]]\n[[a.e]]\nf = 3", "[{b=1 c={d=2}} {e=[{} {f=3}]}]"),
    ("[ a . \"b.c\" ]\n1 = 2\n-_ = 3", "{b.c={1=2 -_=3}}"),
  ])
  func tablesAreThoseOfHeadersAndDottedKeys(_ text: String, _ expected: String) throws {
    #expect(try value(text) == expected)
  }

  @Test(arguments: [
    "a", "a =", "= 1", "a = 1 b = 2", "a = x", "a = True", "a b = 1", "é = 1", "a. = 1", "\"\"\"a\"\"\" = 1",
    "a = 01", "a = +0x1", "a = 0x+1", "a = 0X1", "a = 1__0", "a = _1", "a = 1_", "a = 1._5", "a = 1.",
    "a = .5",
    "a = 1.e5", "a = 1e", "a = 1e400", "a = 9223372036854775808", "a = 0x8000000000000000", "a = ++1",
    "a = 1979-02-30", "a = 1979-13-01", "a = 25:00:00", "a = 07:32", "a = 1979-05-27T",
    "a = 1979-05-27T07:32:00+25:00",
    "a = 1979-05-27  07:32:00", "a = \"", "a = '\n'", "a = \"\"\"\"\"", "a = \"\\q\"", "a = \"\\u12\"",
    "a = \"\\ud800\"",
    "a = \"\u{1}\"", "# \u{7F}", "a = 1\r", "a = [1 2]", "a = [,]", "a = [1,,2]", "a = [", "a = {",
    "a = { b = 1, }",
    "a = { b = 1\n}", "[a", "[a]]", "[[a] ]", "[]", "[a.]", "[a] b = 1", "a = 1\na = 2", "a = 1\na.b = 2",
    "[a]\n[a]", "[a]\nb = 1\n[a.b]", "a = {}\n[a.b]", "a = {}\na.b = 1", "a = []\n[[a]]", "[[a]]\n[a]",
    "[a]\n[[a]]", "[a.b]\n[a]\nb.c = 1", "a.b = 1\n[a]", "a = { b = {}, b.c = 1 }",
  ])
  func everyOtherTextIsRefusedWithItsLine(_ text: String) throws {
    for before in ["", "\u{FEFF}", "z = '''\n\n'''\r\n# c\n"] {
      let lines = (before + text).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let mistake = try #require(throws: TOMLMistake.self) { try TOMLDocument(before + text) }
      #expect(mistake.problem.hasPrefix("is not TOML: "))
      let first = before.utf8.count { $0 == UInt8(ascii: "\n") } + 1
      #expect((first...lines.count).contains(mistake.line), "\(mistake)")
    }
  }

  @Test(arguments: [
    (
      "x = 1\nurl = https://a.example/", 2,
      "the value is no number of 64 bits, date, true or false; text needs quotes"
    ),
    ("url = \"a\n", 1, "the text that begins with \" has no closing \""),
    ("a = \"\"\"\n\n", 1, "the text that begins with \"\"\" has no closing \"\"\""),
    (
      "path = \"C:\\q\"", 1,
      "a backslash before \"q\" is no escape; write \\\\ for a backslash, or use single quotes"
    ),
    ("[[source]\n", 1, "the end of the line in a table's header, which ends with ]]"),
    ("\nlist = [\"a\"\n\"b\"]", 3, "\"\"\" in a list, where a comma or ] must follow a value"),
    ("mouse true", 1, "\"t\" where = must follow a name"),
    ("[a]\nb = 1\nb = 2", 3, "b already has a value or a header"),
    ("a = 1\nb = \"\0\"", 2, "a NUL byte"), ("a = \"\u{1B}\"", 1, "the control character U+001B"),
  ])
  func aMistakeNamesWhatIsWrong(_ text: String, _ line: Int, _ problem: String) throws {
    let mistake = try #require(throws: TOMLMistake.self) { try TOMLDocument(text) }
    #expect(mistake == TOMLMistake(line: line, problem: "is not TOML: \(problem)"))
  }

  /// A value without quotes may be a secret.
  @Test func aValueIsNotShown() throws {
    let mistake = try #require(throws: TOMLMistake.self) { try TOMLDocument("token = s3cret") }
    #expect(!mistake.problem.contains("s3cret"))
  }

  @Test func aTextWithAnEscapedNULIsRefused() throws {
    let mistake = try #require(throws: TOMLMistake.self) { try TOMLDocument("a = 1\nb = \"\\u0000\"") }
    #expect(mistake.line == 2 && mistake.problem.hasPrefix("\\u0000 is in a string"))
  }

  @Test(arguments: ["a = [", "a = {b=", "a.", "[a.", "[[a.", "a = [{b="])
  func nestingHasALimit(_ piece: String) throws {
    let rest = piece.contains("=") ? String(piece.dropFirst(4)) : "a."
    let deep = piece + String(repeating: rest, count: 100_000)
    let mistake = try #require(throws: TOMLMistake.self) { try TOMLDocument(deep) }
    #expect(mistake.problem == "is not TOML: more than \(Limits.settingsDepth) levels of nesting")
    let allowed = "a = " + String(repeating: "[", count: 255) + String(repeating: "]", count: 255)
    #expect(try TOMLDocument(allowed).root["a"]?.array?.count == 1)
  }

  // MARK: Lines

  static let text = #"""
    # [[source]] in a comment
    language = "en" # = [x]
    open_command = [
      "a # b", # ]
      "]",
    ]

    [[source]]
    name = "a [[source]]"
    url = '''
    [[source]]
    name = "in a text"
    '''
    types = { 7 = "downtime", 8 = "x" }

    # about b
    [[ "source" ]] # the second
    name = """
    \"""[[source]]"""""
    [source.types]
    1 = "others"

    [categories]
    A = [
      { label = "l", url = "u" },
      # { label = "m" }
      { label = "m", url = "v" },
    ]
    """#

  @Test(arguments: ["\n", "\r\n"], [false, true])
  func linesAreCountedAsAnEditorDoes(_ end: String, _ hasMark: Bool) throws {
    let text =
      (hasMark ? "\u{FEFF}" : "")
      + Self.text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: end)
    let document = try TOMLDocument(text)
    let root = document.root
    #expect(["language", "open_command", "source", "nothing"].map(root.line(of:)) == [2, 3, 8, 0])
    let sources = try #require(root["source"]?.array).compactMap(\.table)
    #expect(sources.map(\.line) == [8, 17])
    #expect(["name", "url", "types", "nothing"].map(sources[0].line(of:)) == [9, 10, 14, 8])
    #expect(sources[0]["types"]?.table?.line(of: "8") == 14)
    #expect(["name", "types"].map(sources[1].line(of:)) == [18, 20])
    #expect(sources[1]["types"]?.table?.line(of: "1") == 21)
    let actions = root["categories"]?.table?["A"]?.array?.compactMap(\.table)
    #expect(actions?.map { $0.line(of: "url") } == [25, 27])
    #expect(
      document.blocks.map { "\($0.path.joined(separator: ".")) \($0.header)-\($0.last)" } == [
        " 0-6", "source[0] 8-14", "source[1] 17-19", "source[1].types 20-21", "categories 23-28",
      ])
  }

  /// The blocks before an error are known, whatever the error is.
  @Test func anyTextEnds() {
    let text = Self.text
    for count in 0...text.utf8.count {
      let cut = String(decoding: Array(text.utf8).prefix(count), as: UTF8.self)
      #expect(TOMLDocument.blocks(of: cut).allSatisfy { $0.header <= $0.last })
    }
    for piece in [
      "[", "{", "\"", "'''", "a=[", "a={b=", "]", "}", "=", ".", "a.=", "\\", "[[", "\r", ",", "a=,", "a=]",
    ] {
      #expect(!TOMLDocument.blocks(of: String(repeating: piece, count: 3000)).isEmpty)
    }
  }
}
