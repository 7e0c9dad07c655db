import Foundation
import TerminalHarness
import Testing

/// Whatever the banner, the terminal gets only plain characters and the sequences of ncurses.
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

  /// The attacks are in a banner's view and buttons, in the output, URLs and errors of its script, and in the names of the
  /// control file. Each banner contains several attacks, with a part of the view for each.
  @Test(arguments: Array(stride(from: 0, to: attacks.count, by: 12)))
  func nothingOfABannerReachesTheTerminalRaw(_ first: Int) throws {
    let attacks = Array(Self.attacks[first...].prefix(12))
    let publisher = try Publisher()
    let view = publisher.server.url("/v.html")
    let entry = try json(attacks[0])
    let banners = try attacks.map { try "\(json($0)): {\"entry\": \(json($0)), \"views\": {}}" }
    let views = try attacks.map { try "\(json($0)): {\"file\": \"\(view)\", \"height\": 192}" }
    publisher.server.answer(
      "/control.json",
      text: """
        {\(banners.joined(separator: ",\n")),
         \(try json("news " + attacks.joined())): {"entry": \(entry), "conditions": {"any": {}},
           "views": {\(views.joined(separator: ",\n"))}}}
        """)
    publisher.view(try Self.page(attacks, json))
    let household = try publisher.reader()
    let terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "ready")
    for number in attacks.indices {
      terminal.send("\t")
      try terminal.wait(forText: "https://x.example/\(number)/")
      terminal.send("\t")
    }
    // Go to the end, where the effect of the last button is visible, and then back from button to button.
    terminal.send("G")
    for number in attacks.indices.reversed() {
      terminal.send("\r")
      try terminal.wait(forText: "Changed \(number).")
      try terminal.wait(forText: "Open https://y.example/\(number)/")
      terminal.send("\u{1B}[D\u{1B}[D")
    }
    try expectClean(terminal)
    // The output of commands about the file is clean, too.
    let address = publisher.server.url("/control.json")
    for command in [["banner", "explain", address], ["inspect", address], ["why", "team"]] {
      let ran = try household.run(command)
      #expect(PlainText.problems(ran.outputBytes) == [], "\(command)")
      #expect(PlainText.problems(ran.errorBytes) == [], "\(command)")
    }
  }

  /// Each part has a link, a button, and below them the text that the button changes.
  private static func page(_ attacks: [String], _ json: (String) throws -> String) throws -> String {
    let parts = attacks.enumerated().map { number, attack in
      """
      <h2>\(attack)</h2><ul><li>\(attack)</ul>
      <p><a href="https://x.example/\(number)/\(attack)">\(attack)</a> <button id="b\(number)">\(attack)</button>
      <img alt="\(attack)" src="\(attack)"></p><p id="a\(number)">Text \(attack) <b>\(attack)</b></p>
      """
    }
    let calls = try attacks.enumerated().map { number, attack in "prepare(\(number), \(try json(attack)));" }
    return """
      <title>\(attacks.joined())</title>\(parts.joined(separator: "\n"))
      <script>
      function prepare(number, attack) {
        var text = document.getElementById('a' + number), button = document.getElementById('b' + number);
        button.onclick = function () {
          text.textContent = 'Changed ' + number + '. ' + attack;
          button.innerHTML = attack + '!';
          try { display(attack + '2'); setFlag(attack, 'odd ' + attack); } catch (ignored) {}
          openUrl('https://y.example/' + number + '/' + attack);
          throw new Error('Thrown ' + attack);
        };
        text.innerHTML += ' ready';
      }
      \(calls.joined(separator: "\n"))
      </script>
      """
  }
}
