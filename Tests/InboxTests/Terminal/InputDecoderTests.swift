import Screen
import TestBasics
import Testing

@testable import Terminal

@Suite struct InputDecoderTests {
  private var decoder = InputDecoder(
    size: Size(columns: 80, rows: 24), pasteLimit: 100, doubleClick: .milliseconds(400))

  private mutating func events(_ bytes: some Sequence<UInt8>, at now: Duration = .zero) -> [InputEvent] {
    var events: [InputEvent] = []
    decoder.decode(bytes.map { .byte($0) }, at: now, into: &events)
    decoder.pause(into: &events)
    return events
  }

  private mutating func events(_ text: String, at now: Duration = .zero) -> [InputEvent] {
    events(text.utf8, at: now)
  }

  @Test(arguments: [
    ("\u{1B}[1;5A", "ctrl-up"), ("\u{1B}[1;3D", "alt-left"), ("\u{1B}[3;6~", "ctrl-shift-del"),
    ("\u{1B}[1;2P", "shift-f1"), ("\u{1B}Oq", "1"), ("\u{1B}Ok", "+"), ("\u{1B}OM", "enter"),
    ("\u{1B}[11~", "f1"), ("\u{1B}[", "alt-["), ("\u{1B}O", "alt-O"), ("\u{1B}P", "alt-P"),
    ("\u{1B}\r", "alt-enter"), ("\u{1F}", "ctrl-_"), ("\u{1B}é", "alt-é"),
    ("\u{1B}[[A", "f1"), ("\u{1B}[[E", "f5"), ("\u{1B}O5P", "ctrl-f1"), ("\u{1B}O1;2A", "shift-up"),
    ("\u{1B}[106u", "j"), ("\u{1B}[106;5u", "ctrl-j"), ("\u{1B}[106:74;2u", "J"), ("\u{1B}[27u", "esc"),
    ("\u{1B}[49:33;2;33u", "!"), ("\u{1B}[1081::113;1:1;1081u", "й"), ("\u{1B}[1;129:2A", "up"),
    ("\u{1B}[27;5;106~", "ctrl-j"), ("\u{1B}[99;5u", "ctrl-c"), ("\u{1B}[99;69u", "ctrl-c"),
    ("\u{1B}[99;133u", "ctrl-c"), ("\u{1B}[99;5:1u", "ctrl-c"), ("\u{1B}[27;5;99~", "ctrl-c"),
  ])
  mutating func sequencesThatCursesDoesNotKnowAreKeys(bytes: String, name: String) {
    #expect(events(bytes).map { if case .key(let press) = $0 { press.name } else { "" } } == [name])
  }

  @Test(arguments: [
    "\u{1B}[?1;2c", "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}]52;c;YQ==\u{7}", "\u{1B}P>|xterm\u{1B}\\",
    "\u{1B}[99999999999999999999~", "\u{1B}[<1;2M", "\u{1B}[<9999999999;1;1M", "\u{1B}[4;600;800t", "\u{85}",
    "\u{1B}[1;1;1;1;1u", "\u{1B}[>0;276;0c", "\u{1B}[24;80R", "\u{1B}[?2026;2$y", "\u{1B}[0n", "\u{1B}[?31u",
    "\u{1B}P1$r0m\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}]99;i=1:p=?;\u{1B}\\", "\u{1B}^pm\u{1B}\\",
    "\u{1B}Xsos\u{1B}\\", "\u{1B}P!|00000000\u{1B}\\", "\u{1B}]4;1;rgb:00/00/00\u{1B}]4;2;rgb:00/00/00\u{7}",
    "\u{1B}[106;1:3u", "\u{1B}[106;9u", "\u{1B}[57441;2u", "\u{1B}[1;1:3A", "\u{1B}[[q", "\u{1B}O!",
    "\u{1B}[35;5;5M", "\u{1B}[M#!!", "\u{1B}[M#\u{C1}!", "\u{1B}[M#!\u{C1}", "\u{1B}[<3;1;1d",
    "\u{1B}]11;" + String(repeating: "rgb", count: 100_000) + "\u{7}",
  ])
  mutating func unrequestedAnswersAreNotInput(bytes: String) {
    #expect(events(bytes) == [])
    #expect(events("x") == [.key(KeyPress("x"))])
  }

  @Test(arguments: [60, 61, 100, 10_000])
  mutating func aSequenceOfAnyLengthIsDroppedUpToItsEnd(pairs: Int) {
    for final in ["d", "A", "u", "~", "M"] {
      #expect(events("\u{1B}[" + String(repeating: "1;", count: pairs) + final) == [])
      #expect(events("\u{1B}O" + String(repeating: "1;", count: pairs) + final) == [])
    }
    #expect(events("x") == [.key(KeyPress("x"))])
  }

  @Test mutating func aKeyIsReportedWithItsPlaceOnTheBaseLayout() {
    let bases = events("\u{1B}[1081::113u\u{1B}[1081:1049:113;2u\u{1B}[106u").map { event -> Character? in
      if case .key(let press) = event { press.base } else { nil }
    }
    #expect(bases == ["q", "Q", nil])
    #expect(events("\u{1B}[1081:1049:113;2u") == [.key(KeyPress("Й"))])
  }

  @Test(arguments: [
    ("\u{1B}[32;5;7M", Mouse.Kind.click, 4, 6), ("\u{1B}[96;5;7M", .wheelUp, 4, 6),
    ("\u{1B}[M %'", .click, 4, 6),
    ("\u{1B}[M`%'", .wheelUp, 4, 6),
  ])
  mutating func theMouseIsReadInOldEncodings(bytes: String, kind: Mouse.Kind, column: Int, row: Int) {
    #expect(events(bytes) == [.mouse(Mouse(kind: kind, at: Point(column: column, row: row)))])
    #expect(events("x") == [.key(KeyPress("x"))])
  }

  /// A wide terminal's columns are two bytes in mode 1005.
  @Test mutating func theMouseIsReadInUTF8() {
    decoder.size = Size(columns: 200, rows: 24)
    let click = InputEvent.mouse(Mouse(kind: .click, at: Point(column: 150, row: 3)))
    #expect(events("\u{1B}[M \u{B7}$") == [click])
    #expect(events([0x1B, 0x5B, 0x4D, 0x20, 0xB7, 0x24], at: .seconds(1)) == [click])
    #expect(events("x", at: .seconds(2)) == [.key(KeyPress("x"))])
  }

  /// The bytes are not commands; only keys that had to be sent for the beginning arrive.
  @Test(arguments: [
    "\u{1B}[[q", "\u{1B}[4;600;800t", "\u{1B}[99d", "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\",
    "\u{1B}P1$r0m\u{1B}\\",
    "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[?62;22c", "\u{1B}O!", "\u{1B}[M#!!", "\u{1B}[57441;2u",
    "\u{1B}[106;1:3u",
  ])
  func anUnknownSequenceThatIsCutIsDropped(text: String) {
    let bytes = Array(text.utf8)
    let introducer = Character(Unicode.Scalar(bytes[1]))
    for first in 1..<bytes.count {
      for second in first..<bytes.count {
        var copy = self
        var events: [InputEvent] = []
        var time = Duration.seconds(100)
        for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] where !piece.isEmpty {
          events += copy.events(piece, at: time)
          time += .milliseconds(900)
        }
        let place = "\(text.dropFirst()) cut at \(first) and \(second): \(events)"
        #expect(
          [[], [.key(KeyPress(.escape))], [.key(KeyPress(introducer, .alt))]].contains(events), "\(place)")
        #expect(copy.events("k", at: time) == [.key(KeyPress("k"))], "\(place)")
      }
    }
  }

  @Test mutating func whatIsTypedAfterAltAndABracketIsKeys() {
    for introducer in ["]", "P", "_", "^", "X"] as [Character] {
      #expect(events("\u{1B}\(introducer)") == [.key(KeyPress(introducer, .alt))])
      #expect(events("j", at: .milliseconds(300)) == [.key(KeyPress("j"))])
      #expect(events("\u{1B}", at: .milliseconds(600)) == [.key(KeyPress(.escape))])
      #expect(events("\(introducer)", at: .milliseconds(900)) == [])
      #expect(events("j", at: .milliseconds(1200)) == [.key(KeyPress(introducer)), .key(KeyPress("j"))])
      #expect(events("\u{1B}", at: .milliseconds(1500)) == [.key(KeyPress(.escape))])
      #expect(events("\(introducer)", at: .milliseconds(2500)) == [.key(KeyPress(introducer))])
      decoder = InputDecoder(size: decoder.size, pasteLimit: 100, doubleClick: .milliseconds(400))
    }
  }

  @Test mutating func twoEscapesAreTwoKeys() {
    #expect(events("\u{1B}\u{1B}") == [.key(KeyPress(.escape)), .key(KeyPress(.escape))])
  }

  @Test mutating func aSecondClickIsADoubleClickOnlySoonAndThere() {
    let click = "\u{1B}[<0;3;4M"
    let at = Point(column: 2, row: 3)
    func mouse(_ kind: Mouse.Kind, _ at: Point) -> [InputEvent] { [.mouse(Mouse(kind: kind, at: at))] }
    #expect(events(click, at: .seconds(1)) == mouse(.click, at))
    #expect(events(click, at: .milliseconds(1400)) == mouse(.doubleClick, at))
    #expect(events(click, at: .milliseconds(1500)) == mouse(.click, at))
    #expect(events(click, at: .milliseconds(1901)) == mouse(.click, at))
    #expect(events("\u{1B}[<0;4;4M", at: .milliseconds(1950)) == mouse(.click, Point(column: 3, row: 3)))
  }

  @Test(arguments: [
    "\u{1B}[<1;3;4M", "\u{1B}[<2;3;4M", "\u{1B}[<32;3;4M", "\u{1B}[<66;3;4M", "\u{1B}[<0;0;0M",
  ])
  mutating func otherButtonsAndMovementsAreNotEvents(bytes: String) {
    #expect(events(bytes) == [])
  }

  @Test mutating func aClickWithAModifierIsAClick() {
    #expect(events("\u{1B}[<16;3;4M") == [.mouse(Mouse(kind: .click, at: Point(column: 2, row: 3)))])
  }

  @Test mutating func aPasteWithoutAnEndDoesNotSwallowTheKeysForEver() {
    #expect(events("\u{1B}[200~text", at: .seconds(1)) == [])
    #expect(events("j", at: .seconds(9)) == [.paste("text"), .key(KeyPress("j"))])
  }

  @Test mutating func aSequenceWithoutAnEndDoesNotEither() {
    #expect(events("\u{1B}]0;title", at: .seconds(1)) == [])
    #expect(events("j", at: .seconds(9)) == [.key(KeyPress("j"))])
    #expect(events("\u{1B}[12", at: .seconds(10)) == [])
    #expect(events("\rj", at: .seconds(10)).last == .key(KeyPress("j")))
  }

  @Test mutating func aPasteIsCutBetweenCharacters() {
    let text = String(repeating: "日", count: 50)
    #expect(events("\u{1B}[200~\(text)\u{1B}[201~") == [.paste(String(repeating: "日", count: 33))])
  }

  @Test mutating func anEscapeBeforeTheEndOfAPasteBelongsToIt() {
    #expect(events("\u{1B}[200~a\u{1B}[20\u{1B}[201~b") == [.paste("a[20"), .key(KeyPress("b"))])
  }

  @Test func everyCutOfEverySequenceLeavesTheNextKeyAlone() {
    let samples = [
      "\u{1B}[1;5A", "\u{1B}[<0;33;12M", "\u{1B}OP", "\u{1B}]11;rgb:0/0/0\u{1B}\\", "日本", "\u{1B}[M !!",
      "\u{1B}[200~paste\u{1B}[201~", "\u{1B}\u{1B}[A",
    ]
    for sample in samples {
      let bytes = Array(sample.utf8)
      for length in 0...bytes.count {
        var copy = self
        _ = copy.events(bytes.prefix(length), at: .seconds(1))
        #expect(copy.events("k", at: .seconds(20)).last == .key(KeyPress("k")), "\(bytes.prefix(length))")
      }
    }
  }

  /// With a pause of any length at any byte, each sequence is still decoded; only keys that had to be sent for its
  /// beginning come before it.
  @Test(arguments: [
    ("\u{1B}[A", InputEvent.key(KeyPress(.up))), ("\u{1B}OA", .key(KeyPress(.up))),
    ("\u{1B}[1;5D", .key(KeyPress(.left, .control))), ("\u{1B}[5~", .key(KeyPress(.pageUp))),
    ("\u{1B}[200~A q\u{1B}[201~", .paste("A q")), ("\u{1B}[I", .focus(true)), ("\u{1B}[O", .focus(false)),
    ("\u{1B}[<64;3;4M", .mouse(Mouse(kind: .wheelUp, at: Point(column: 2, row: 3)))),
    ("\u{1B}[<0;33;12M", .mouse(Mouse(kind: .click, at: Point(column: 32, row: 11)))),
  ])
  func aSequenceMayBeCutAnywhereAndCanBeLate(text: String, event: InputEvent) {
    let bytes = Array(text.utf8)
    let beginnings: Set<InputEvent> = [
      .key(KeyPress(.escape)), .key(KeyPress("[", .alt)), .key(KeyPress("O", .alt)), .key(KeyPress("[")),
      .key(KeyPress("O")),
    ]
    for wait in [Duration.milliseconds(30), .milliseconds(700), .seconds(1), .seconds(30)] {
      for first in 1..<bytes.count {
        // In a paste, a pause of seconds and then a single key mean that its end is lost.
        if wait > .seconds(2), case .paste = event { continue }
        for second in first..<bytes.count {
          var copy = self
          var events: [InputEvent] = []
          var time = Duration.seconds(100)
          for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] where !piece.isEmpty {
            events += copy.events(piece, at: time)
            time += wait
          }
          let place = "\(text.dropFirst()) cut at \(first) and \(second), \(wait)"
          #expect(events.last == event, "\(place)")
          #expect(events.dropLast().allSatisfy { beginnings.contains($0) }, "\(place): \(events)")
          #expect(copy.events("k", at: time) == [.key(KeyPress("k"))], "\(place)")
        }
      }
    }
  }

  @Test mutating func whoTypesSlowlyTypesKeys() {
    #expect(events("\u{1B}", at: .seconds(1)) == [.key(KeyPress(.escape))])
    #expect(events("j", at: .seconds(2)) == [.key(KeyPress("j"))])
    #expect(events("\u{1B}", at: .seconds(3)) == [.key(KeyPress(.escape))])
    #expect(events("O", at: .seconds(8)) == [.key(KeyPress("O"))])
    #expect(events("x", at: .seconds(9)) == [.key(KeyPress("x"))])
    #expect(events("\u{1B}", at: .seconds(10)) == [.key(KeyPress(.escape))])
    #expect(events("[", at: .seconds(11)) == [.key(KeyPress("["))])
    #expect(events("j", at: .seconds(12)) == [.key(KeyPress("j"))])
  }

  @Test mutating func aDelayedPasteContinues() {
    #expect(events("\u{1B}[200~one", at: .seconds(1)) == [])
    #expect(events(" two three four", at: .seconds(9)) == [])
    #expect(events("\u{1B}[20", at: .seconds(10)) == [])
    #expect(events("1~j", at: .seconds(19)) == [.paste("one two three four"), .key(KeyPress("j"))])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func noInputTraps(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    func next() -> UInt64 { random.next() }
    let pieces = [
      "\u{1B}", "\u{1B}[", "\u{1B}[<", "\u{1B}O", "\u{1B}]", ";", "200~", "201~", "M", "99999", "日",
    ]
    var copy = decoder
    var events: [InputEvent] = []
    for step in 0..<5_000 {
      let now = Duration.milliseconds(step)
      switch next() % 8 {
      case 0: copy.decode([.byte(UInt8(truncatingIfNeeded: next()))], at: now, into: &events)
      case 1: copy.pause(into: &events)
      case 2:
        let symbols: [InputSymbol] = [
          .key(KeyPress(.up)), .mouseStart, .oldMouseStart, .focusIn, .focusOut, .pasteStart, .pasteEnd,
        ]
        copy.decode([symbols[Int(next() % 7)]], at: now, into: &events)
      default:
        copy.decode(pieces[Int(next() % 11)].utf8.map { .byte($0) }, at: now, into: &events)
      }
    }
    for case .mouse(let mouse) in events { #expect(Rect(copy.size).contains(mouse.at)) }
    for case .paste(let text) in events { #expect(text.utf8.count <= 300) }
  }
}
