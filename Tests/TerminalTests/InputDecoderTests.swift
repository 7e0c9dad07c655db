import Screen
import SeededRandom
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
  ])
  mutating func sequencesThatCursesDoesNotKnowAreKeys(bytes: String, name: String) {
    #expect(events(bytes).map { if case .key(let press) = $0 { press.name } else { "" } } == [name])
  }

  @Test(arguments: [
    "\u{1B}[?1;2c", "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}]52;c;YQ==\u{7}", "\u{1B}P>|xterm\u{1B}\\",
    "\u{1B}[99999999999999999999~", "\u{1B}[<1;2M", "\u{1B}[<9999999999;1;1M", "\u{1B}[4;600;800t", "\u{85}",
    "\u{1B}[1;1;1;1;1u", "\u{1B}[>0;276;0c",
  ])
  mutating func unrequestedAnswersAreNotInput(bytes: String) {
    #expect(events(bytes) == [])
    #expect(events("x") == [.key(KeyPress("x"))])
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
    #expect(events("[", at: .seconds(11)) == [])
    #expect(events("j", at: .seconds(12)) == [.key(KeyPress("[")), .key(KeyPress("j"))])
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
