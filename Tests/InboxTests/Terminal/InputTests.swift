import TerminalHarness
import TestBasics
import Testing

@Suite struct InputTests {
  @Test(arguments: [
    ("\u{1B}OA", "up"), ("\u{1B}[A", "up"), ("\u{1B}OD", "left"), ("\u{1B}OH", "home"), ("\u{1B}[5~", "pgup"),
    ("\u{1B}[6~", "pgdn"), ("\u{1B}[3~", "del"), ("\u{1B}OP", "f1"), ("\u{1B}[15~", "f5"),
    ("\u{1B}[24~", "f12"), ("\u{1B}[Z", "backtab"), ("\t", "tab"), ("\r", "enter"), ("\n", "enter"),
    ("\u{7F}", "backspace"), ("\u{8}", "backspace"), (" ", "space"), ("\u{1B}", "esc"), ("G", "G"),
    ("?", "?"),
    ("\u{C}", "ctrl-l"), ("\u{13}", "ctrl-s"), ("\u{16}", "ctrl-v"), ("\u{0}", "ctrl-space"),
    ("\u{1B}k", "alt-k"), ("\u{1B}\u{1B}OA", "alt-up"), ("\u{1B}[1;5A", "ctrl-up"),
    ("\u{1B}[1;2B", "shift-down"), ("\u{1B}[6;5~", "ctrl-pgdn"), ("\u{1B}[15;2~", "shift-f5"), ("é", "é"),
    ("日", "日"), ("👋", "👋"),
  ])
  func keysAreReported(bytes: String, name: String) throws {
    let terminal = try startedProbe()
    terminal.send(bytes)
    try terminal.wait(forText: "key \(name)")
    terminal.send("x")
    try terminal.wait(forText: "key x")
    #expect(terminal.screen.lines.filter { $0.hasPrefix("key ") } == ["key \(name)", "key x"])
  }

  @Test func theMouseIsReported() throws {
    let terminal = try startedProbe()
    terminal.send("\u{1B}[<0;5;3M\u{1B}[<0;5;3m\u{1B}[<64;7;2M\u{1B}[<65;7;2M")
    try terminal.wait(forText: "wheelDown 6,1")
    terminal.send("\u{1B}[<0;70;20M\u{1B}[<0;70;20m\u{1B}[<0;70;20M\u{1B}[<0;70;20m")
    try terminal.wait(forText: "doubleClick 69,19")
    // Old reports of a terminal without the newer ones; positions outside the screen are ignored.
    terminal.send("\u{1B}[M !!\u{1B}[<0;500;500Mx")
    try terminal.wait(forText: "key x")
    #expect(
      terminal.screen.lines.dropFirst().prefix(7) == [
        "click 4,2", "wheelUp 6,1", "wheelDown 6,1", "click 69,19", "doubleClick 69,19", "click 0,0", "key x",
      ])
  }

  @Test func focusIsReported() throws {
    let terminal = try startedProbe()
    terminal.send("\u{1B}[O\u{1B}[I")
    try terminal.wait(forText: "focus in")
    #expect(terminal.screen.lines[1...2] == ["focus out", "focus in"])
  }

  @Test func aPasteIsOneEventAndItsControlsAreIgnored() throws {
    let terminal = try startedProbe()
    terminal.send("\u{1B}[200~quit\r\n日本\u{1B}OA\u{7}\u{1B}]2;evil\u{7}\tq\u{1B}[201~x")
    try terminal.wait(forText: "key x")
    #expect(terminal.screen.lines[1] == "paste 20 quit|日本]2;evil q")
    #expect(terminal.screen.lines[2] == "key x")
  }

  @Test func aPasteInPiecesIsStillOne() throws {
    let terminal = try startedProbe()
    for piece in ["\u{1B}[200~one ", "two \u{E6}", "three", "\u{1B}[2", "01~", "x"] {
      terminal.send(piece)
      terminal.readUntilQuiet(for: 60)
    }
    try terminal.wait(forText: "key x")
    #expect(terminal.screen.lines[1] == "paste 15 one two æthree")
  }

  @Test func aHugePasteIsCutAndTheRestIsNotKeys() throws {
    let terminal = try startedProbe()
    terminal.send("\u{1B}[200~" + String(repeating: "q日", count: 30_000) + "\u{1B}[201~x")
    try terminal.wait(forText: "key x")
    #expect(terminal.screen.lines[1].hasPrefix("paste 4096 q日q日"))
    #expect(terminal.screen.lines[2] == "key x")
  }

  @Test func aCharacterInTwoReadsIsOneKey() throws {
    let terminal = try startedProbe()
    terminal.send([0xE6, 0x97])
    terminal.readUntilQuiet(for: 60)
    terminal.send([0xA5])
    try terminal.wait(forText: "key 日")
  }

  @Test func invalidBytesTakeNoKeyWithThem() throws {
    let terminal = try startedProbe()
    terminal.send([0xFF, 0xC0, UInt8(ascii: "x"), 0xE6, UInt8(ascii: "v"), 0x80])
    try terminal.wait(forText: "key v")
    #expect(terminal.screen.lines[1...2] == ["key x", "key v"])
  }

  @Test func unrequestedAnswersAreNotKeys() throws {
    let terminal = try startedProbe()
    terminal.send("\u{1B}[?62;22c\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}P1$r0m\u{1B}\\\u{1B}[24;80Rx")
    try terminal.wait(forText: "key x")
    let keys = terminal.screen.lines.filter { $0.hasPrefix("key ") }
    // A cursor position report looks like F3 with modifiers; it is never requested.
    #expect(keys.last == "key x" && keys.count <= 2)
  }

  /// `f`, `g` and `q` are commands of the probe.
  @Test func unknownKeysAreNotWhatTheyAreMadeOf() throws {
    let terminal = try startedProbe()
    let long = "\u{1B}[" + String(repeating: "1;", count: 70) + "q"
    for pieces in [
      ["\u{1B}[[A"], ["\u{1B}[[q"], [long], ["\u{1B}", "[[q"], ["\u{1B}[", "[q"], ["\u{1B}", "]11;fgq\u{7}"],
    ] {
      for piece in pieces {
        terminal.send(piece)
        terminal.readUntilQuiet(for: 60)
      }
    }
    terminal.send("x")
    try terminal.wait(forText: "key x")
    let keys = terminal.screen.lines.filter { $0.hasPrefix("key ") }
    #expect(keys == ["key f1", "key esc", "key alt-[", "key esc", "key x"])
  }

  @Test(arguments: 0..<4)
  func garbageDoesNoHarm(seed: UInt64) throws {
    let terminal = try startedProbe()
    var random = SeededRandom(seed: seed)
    let bytes = (0..<5000).map { _ -> UInt8 in
      // The bytes contain no letters, which are commands of the probe, and no keys that send signals.
      let choices: [UInt8] = [0x1B, 0x5B, 0x3C, 0x3B, 0x4D, 0x4F, 0x5D, 0x50, 0x07, 0x0D]
      let byte = UInt8.random(in: .min ... .max, using: &random)
      if byte & 3 == 0 { return choices[Int(byte >> 2) % choices.count] }
      return byte < 0x80 ? 0x20 + byte % 0x20 : byte
    }
    for start in stride(from: 0, to: bytes.count, by: 700) {
      terminal.send(Array(bytes[start..<min(start + 700, bytes.count)]))
    }
    terminal.send("\u{7}\u{1B}[201~\r\u{7}")
    terminal.readUntilQuiet(for: 100)
    terminal.send("h")
    try terminal.wait(for: "hello") { $0.screen.lines[0] == "hello" }
    #expect(terminal.screen.unknown == [])
  }
}
