import Formats
import Testing

struct TOMLLinesTests {
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
      { label = "m",
        url = "v" },
    ]
    """#

  @Test(arguments: ["\n", "\r\n"], [false, true])
  func linesAreCountedAsAnEditorDoes(_ end: String, _ hasMark: Bool) {
    let text =
      (hasMark ? "\u{FEFF}" : "")
      + Self.text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: end)
    let lines = TOMLLines(text)
    let places = [
      "language": 2, "open_command": 3, "source[0]": 8, "source[0].name": 9, "source[0].url": 10,
      "source[0].types": 14, "source[0].types.7": 14, "source[1]": 17, "source[1].name": 18,
      "source[1].types": 20, "source[1].types.1": 21, "categories.A[0].label": 25, "categories.A[1].url": 27,
      "categories.A[1].nothing": 26, "nothing.at.all": 0,
    ]
    for (path, line) in places { #expect(lines.line(of: path) == line, "\(path)") }
    #expect(
      lines.blocks.map { "\($0.path.joined(separator: ".")) \($0.header)-\($0.last)" } == [
        " 0-6", "source[0] 8-14", "source[1] 17-19", "source[1].types 20-21", "categories 23-28",
      ])
  }

  /// Usually the parser has accepted the text before, but nothing relies on that.
  @Test func anyTextEnds() {
    let text = Self.text
    for count in 0...text.utf8.count {
      let cut = String(decoding: Array(text.utf8).prefix(count), as: UTF8.self)
      #expect(TOMLLines(cut).blocks.allSatisfy { $0.header <= $0.last })
    }
    for piece in [
      "[", "{", "\"", "'''", "a=[", "a={b=", "]", "}", "=", ".", "a.=", "\\", "[[", "\r", ",", "a=,", "a=]",
    ] {
      #expect(!TOMLLines(String(repeating: piece, count: 3000)).blocks.isEmpty)
    }
  }
}
