import Testing

@testable import HTTP

struct LineSplitterTests {
  private func lines(_ text: String, _ ending: LineSplitter.Ending, step: Int, limit: Int = 100) throws
    -> [String]
  {
    var splitter = LineSplitter(ending, limit: limit)
    var lines: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(step))
      rest = rest.dropFirst(step)
      try piece.withUnsafeBytes { piece in
        try splitter.append(piece) { lines.append(String(decoding: $0, as: UTF8.self)) }
      }
    }
    return lines
  }

  @Test(arguments: 1...20)
  func linesAreTheSameHoweverTheyArrive(step: Int) throws {
    let text = "{\"a\":1}\n\r\nb\r c\r\n\n\u{2028}\u{e4}\nnot complete"
    #expect(try lines(text, .lineFeed, step: step) == ["{\"a\":1}", "", "b\r c", "", "\u{2028}\u{e4}"])
    #expect(try lines(text, .any, step: step) == ["{\"a\":1}", "", "b", " c", "", "\u{2028}\u{e4}"])
    #expect(try lines("a\r\rb\r\n\rc\n\r\n", .any, step: step) == ["a", "", "b", "", "c", ""])
  }

  @Test(arguments: [1, 3, 1000])
  func aLineMayBeAsLongAsTheLimitAndNoLonger(step: Int) throws {
    #expect(try lines("0123456789\n0123456789\n", .any, step: step, limit: 10).count == 2)
    #expect(throws: LineSplitter.TooLong.self) { try lines("01234567890", .any, step: step, limit: 10) }
    #expect(throws: LineSplitter.TooLong.self) {
      try lines("a\n01234567890\n", .lineFeed, step: step, limit: 10)
    }
  }
}

struct EventStreamReaderTests {
  private func events(_ text: String, step: Int = .max, limit: Int = 1000) throws -> [String] {
    var splitter = LineSplitter(.any, limit: limit)
    var reader = EventStreamReader(limit: limit)
    var events: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(step))
      rest = rest.dropFirst(piece.count)
      try piece.withUnsafeBytes { piece in
        try splitter.append(piece) { (line) throws(LineSplitter.TooLong) in
          if let event = try reader.read(line) { events.append(event) }
        }
      }
    }
    return events
  }

  /// The examples of WHATWG HTML section 9.2.6, and other cases that its text describes.
  private static let streams: [(String, [String])] = [
    ("data: YHOO\ndata: +2\ndata: 10\n\n", ["YHOO\n+2\n10"]),
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      ["first event", "second event", " third event"]
    ),
    ("data\n\ndata\ndata\n\ndata:", ["", "\n"]),
    ("data:test\n\ndata: test\n\n", ["test", "test"]),
    ("event: update\ndata: {}\n\nevent: nothing\n\n:thump\n\nretry: 5\n\n", ["{}"]),
    ("\u{feff}data: a\n\n", ["a"]), ("data: a\n\n\u{feff}data: b\n\n", ["a"]),
    ("data: a\r\n\r\ndata: b\r\rdata: c\n\r\n", ["a", "b", "c"]),
    ("dat: a\ndatas: b\n data: c\nDATA: d\n\n", []), ("data: a: b\n\n", ["a: b"]),
    ("data: not complete\n", []), ("data: not complete", []), ("", []), ("\n\n\r\r\n", []),
  ]

  @Test(arguments: streams, [1, 2, 3, 5, 1000])
  func theDataOfEachEventIsAMessage(stream: (text: String, events: [String]), step: Int) throws {
    #expect(try events(stream.text, step: step) == stream.events)
  }

  @Test func bytesThatAreNotUTF8AreReplaced() throws {
    var reader = EventStreamReader(limit: 10)
    let line: [UInt8] = Array("data: ".utf8) + [0xFF, 0x41]
    let first = try line.withUnsafeBytes { try reader.read($0) }
    let second = try reader.read(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(first == nil)
    #expect(second == "\u{fffd}A")
  }

  @Test func manyLinesOfOneEventAreLimitedTogether() throws {
    #expect(
      try events(String(repeating: "data: 012345678\n", count: 100) + "\n", limit: 1000).first?.utf8.count
        == 999)
    #expect(throws: LineSplitter.TooLong.self) {
      try events(String(repeating: "data: 012345678\n", count: 101), limit: 1000)
    }
    // Comments are not kept.
    #expect(try events(String(repeating: ": 0123456789\n", count: 1000), limit: 20) == [])
  }
}
