import Screen
import Testing

@testable import Terminal

@Suite struct HyperlinkWriterTests {
  private let writer = HyperlinkWriter(colors: .indexed, attributes: [.bold, .underline])

  private func frame(_ words: [Int: String] = [:], links: [(row: Int, columns: Range<Int>)] = []) throws
    -> Frame
  {
    var frame = Frame(size: Size(columns: 20, rows: 8))
    for (row, word) in words {
      frame.write(SafeText(untrusted: word), at: Point(column: 0, row: row), style: .underline)
    }
    for (row, columns) in links {
      let link = try #require(Hyperlink("https://a.example/\(row)", id: "m1-\(row)"))
      frame.link(
        link, in: Rect(column: columns.lowerBound, row: row, columns: columns.count, rows: 1))
    }
    return frame
  }

  @Test func framesWithoutLinksNeedNothing() throws {
    #expect(writer.work(for: try frame(), over: nil) == nil)
    #expect(writer.work(for: try frame([1: "a", 2: "b"]), over: try frame()) == nil)
  }

  @Test func whatStaysIsNotWrittenAgain() throws {
    let linked = try frame([1: "words"], links: [(1, 0..<5)])
    #expect(writer.work(for: linked, over: linked) == nil)
    // Another row changes.
    #expect(writer.work(for: try frame([1: "words", 4: "x"], links: [(1, 0..<5)]), over: linked) == nil)
  }

  @Test func aLinkThatGoesMakesItsRowStale() throws {
    let linked = try frame([1: "words"], links: [(1, 0..<5)])
    let work = try #require(writer.work(for: try frame([1: "words"]), over: linked))
    #expect(work == HyperlinkWriter.Work(stale: [1], links: []))
    // And so does another address on the same text.
    var other = try frame([1: "words"])
    other.link(
      try #require(Hyperlink("https://b.example/", id: "m1-1")),
      in: Rect(column: 0, row: 1, columns: 5, rows: 1))
    #expect(
      writer.work(for: other, over: linked) == HyperlinkWriter.Work(stale: [1], links: other.links))
  }

  @Test func afterAScreenThatMayHaveScrolledAllAreWritten() throws {
    let before = try frame([1: "a", 2: "b", 3: "c"], links: [(3, 0..<1)])
    let after = try frame([0: "a", 1: "b", 2: "c"], links: [(2, 0..<1)])
    #expect(writer.work(for: after, over: before) == HyperlinkWriter.Work(stale: [3], links: after.links))
    #expect(writer.work(for: after, over: nil) == HyperlinkWriter.Work(links: after.links))
  }

  @Test func theSequenceHasTheLinkTheLookAndTheCursor() throws {
    let frame = try frame([2: "axyz"], links: [(2, 1..<4)])
    #expect(
      writer.sequence(frame.links, of: frame, in: frame.size, cursor: Point(column: 4, row: 6))
        == "\u{1B}[3;2H\u{1B}]8;id=m1-2;https://a.example/2\u{1B}\\\u{1B}[0;4mxyz\u{1B}]8;;\u{1B}\\\u{1B}[m\u{1B}[7;5H"
    )
    // Nothing beyond the terminal's edges.
    let small = Size(columns: 3, rows: 3)
    #expect(writer.sequence(frame.links, of: frame, in: small, cursor: .zero).contains("xy"))
    #expect(!writer.sequence(frame.links, of: frame, in: small, cursor: .zero).contains("xyz"))
    #expect(writer.sequence(frame.links, of: frame, in: Size(columns: 20, rows: 2), cursor: .zero) == "")
  }

  // MARK: - Where there are links

  @Test(arguments: [
    ["TERM": "foot"], ["TERM": "xterm-kitty"], ["TERM": "xterm-ghostty"], ["TERM": "alacritty-direct"],
    ["TERM": "xterm-256color", "VTE_VERSION": "7600"],
    ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"],
    ["TERM": "xterm-256color", "WT_SESSION": "1"],
    ["TERM": "screen-256color", "TMUX": "/tmp/tmux-0/default,1,0"],
    ["TERM": "tmux-256color"], ["TERM": "konsole-256color", "KONSOLE_VERSION": "230800"],
    ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"],
  ])
  func knownTerminalsHaveLinks(variables: [String: String]) {
    #expect(TerminalEnvironment(variables).hasHyperlinks)
  }

  @Test(arguments: [
    [:], ["TERM": "xterm-256color"], ["TERM": "xterm"], ["TERM": "linux", "VTE_VERSION": "7600"],
    ["TERM": "xterm-256color", "VTE_VERSION": "4800"],
    ["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"],
    ["TERM": "screen", "STY": "1.pts", "VTE_VERSION": "7600"],
    ["TERM": "screen-256color", "VTE_VERSION": "7600"],
    ["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(390)", "KITTY_WINDOW_ID": "1"], ["TERM": "rxvt"],
    ["TERM": "xterm-256color", "VTE_VERSION": "", "WT_SESSION": ""],
  ])
  func othersAreLeftAlone(variables: [String: String]) {
    #expect(!TerminalEnvironment(variables).hasHyperlinks)
  }
}
