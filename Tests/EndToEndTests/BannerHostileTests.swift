import Foundation
import TerminalHarness
import Testing

/// With any banner the terminal gets only plain characters and the sequences of ncurses.
@Suite(.serialized) struct BannerHostileTests {
  /// A sample of each kind of attack; all attacks are tried with messages.
  private static let attacks: [String] = {
    let chosen = [
      "\u{1B}[31;45m", "\u{1B}[2J", "\u{1B}[6n", "\u{1B}[?1049l", "\u{1B}c", "\u{1B}(0", "\u{1B}]0;own\u{7}",
      "\u{1B}]52;c;UFdO\u{7}", "\u{1B}]8;;https://evil.example/\u{1B}\\", "\u{1B}P$qm\u{1B}\\",
      "\u{1B}_Gf=24,s=1,v=1;AAAA\u{1B}\\", "\u{9B}31m", "\u{9B}6n", "\u{9D}0;own\u{9C}", "\u{90}x\u{9C}",
      "\u{85}", "\u{84}", "\r", "\u{8}\u{8}", "\u{7}", "\u{E}", "\u{7F}", "\u{1A}", "\u{202E}", "\u{2066}",
      "\u{200F}", "\u{2028}", "\u{FEFF}", "\u{E0041}\u{E0042}\u{E007F}", "\u{FFF9}a\u{FFFB}",
      "a" + String(repeating: "\u{300}", count: 500), "&#x1b;[31m", "&#155;2J", "&#x202e;",
    ]
    return chosen.map { $0 + "PWN" }
  }()

  private func json(_ text: String) throws -> String {
    let bytes = try JSONSerialization.data(withJSONObject: [text], options: [.withoutEscapingSlashes])
    // A line separator ends a line of the script's language, but not of JSON.
    return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self).replacing(
      "\u{2028}", with: "\\u2028")
  }

  /// Quits, so that all output has arrived, and checks every byte.
  private func expectClean(
    _ terminal: PseudoTerminal, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(terminal.screen.isAlternate, sourceLocation: sourceLocation)
    #expect(terminal.screen.modes == [1, 7, 1000, 1004, 1006, 2004], sourceLocation: sourceLocation)
    try terminal.leaveFromAnywhere(sourceLocation: sourceLocation)
    let reader = TerminalBytes(columns: terminal.screen.columns, rows: terminal.screen.rows)
    #expect(reader.problems(terminal.bytes) == [], sourceLocation: sourceLocation)
    let bytes = Data(terminal.bytes)
    for attack in Self.attacks where !attack.hasPrefix("&") && !attack.hasPrefix("a") {
      #expect(
        bytes.range(of: Data(attack.utf8)) == nil, "\(attack.debugDescription)",
        sourceLocation: sourceLocation)
    }
    #expect(terminal.screen.unknown == [], sourceLocation: sourceLocation)
    #expect(terminal.screen.bells == 0, sourceLocation: sourceLocation)
    #expect(terminal.screen.copies == [], sourceLocation: sourceLocation)
  }

  /// In its view, its buttons, what its script writes, opens and throws, and in the control file's names.
  @Test(arguments: Array(attacks.enumerated()).map(\.offset))
  func nothingOfABannerReachesTheTerminalRaw(_ index: Int) throws {
    let attack = Self.attacks[index]
    let literal = try json(attack)
    let publisher = try Publisher()
    let view = publisher.server.url("/v.html")
    publisher.server.answer(
      "/control.json",
      text: """
        {\(literal): {"entry": "x", "views": {}},
         "news \(literal.dropFirst()): {"entry": \(literal), "conditions": {"any": {}},
           "views": {\(literal): {"file": "\(view)", "height": 128}}}}
        """)
    publisher.view(
      """
      <title>\(attack)</title><p id="a">Text \(attack) <b>\(attack)</b></p><h2>\(attack)</h2>
      <ul><li>\(attack)</ul>
      <p><button id="b">\(attack)</button> <a href="https://x.example/\(attack)">\(attack)</a>
      <img alt="\(attack)" src="\(attack)"></p>
      <script>
      document.getElementById('b').onclick = function () {
        document.getElementById('a').textContent = 'Changed ' + \(literal);
        document.getElementById('b').innerHTML = \(literal) + '!';
        try { display(\(literal) + '2'); setFlag(\(literal), 'odd ' + \(literal)); } catch (ignored) {}
        openUrl('https://y.example/' + \(literal));
        throw new Error('Thrown ' + \(literal));
      };
      document.getElementById('a').innerHTML += ' ready';
      </script>
      """)
    let household = try publisher.reader()
    let terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "ready")
    terminal.send("\t")
    terminal.readUntilQuiet(for: 20)
    terminal.send("\t")
    try terminal.wait(forText: "https://x.example/")
    terminal.send("\u{1B}[D\r")
    try terminal.wait(forText: "Changed ")
    try terminal.wait(forText: "Open https://y.example/")
    try expectClean(terminal)
    // And what the commands say of the file.
    let address = publisher.server.url("/control.json")
    for command in [["banner", "explain", address], ["inspect", address], ["why", "team"]] {
      let ran = try household.run(command)
      #expect(PlainText.problems(ran.outputBytes) == [], "\(command)")
      #expect(PlainText.problems(ran.errorBytes) == [], "\(command)")
    }
  }
}
