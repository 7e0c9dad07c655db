import Basics
import Foundation
import Markup
import Screen

@testable import Banners
@testable import Terminal

/// A terminal's input: each event is a key, a position on the screen or a string without controls, and nothing remains.
enum TerminalClaims {
  static func check(_ bytes: Data) throws(Violation) {
    let size = Size(columns: 80, rows: 24)
    let pasteLimit = 4096
    var decoder = InputDecoder(size: size, pasteLimit: pasteLimit, doubleClick: .milliseconds(400))
    var events: [InputEvent] = []
    var now = Duration.zero
    var symbols = 0
    for byte in bytes {
      symbols += 1
      now += .milliseconds(byte == 0xFE ? 3000 : 1)
      // Bytes that no character has are used for keys that curses decodes itself, and for a pause.
      switch byte {
      case 0xF5: decoder.decode([.mouseStart], at: now, into: &events)
      case 0xF6: decoder.decode([.oldMouseStart], at: now, into: &events)
      case 0xF7: decoder.decode([.focusIn], at: now, into: &events)
      case 0xF8: decoder.decode([.focusOut], at: now, into: &events)
      case 0xF9: decoder.decode([.pasteStart], at: now, into: &events)
      case 0xFA: decoder.decode([.pasteEnd], at: now, into: &events)
      case 0xFB: decoder.decode([.key(KeyPress(.up))], at: now, into: &events)
      case 0xFC: decoder.decode([.key(KeyPress(.function(5)))], at: now, into: &events)
      case 0xFD: decoder.pause(into: &events)
      default: decoder.decode([.byte(byte)], at: now, into: &events)
      }
    }
    try claim(events.count <= 2 * symbols, "\(symbols) symbols became \(events.count) events")
    for event in events { try check(event, size, pasteLimit) }
    // After a long pause a key is decoded alone, whatever came before.
    var last: [InputEvent] = []
    decoder.pause(into: &last)
    last = []
    decoder.decode([.byte(UInt8(ascii: "x"))], at: now + .seconds(60), into: &last)
    try claimEqual(last.last, .key(KeyPress("x")), "a key after a minute")
  }

  private static func check(_ event: InputEvent, _ size: Size, _ pasteLimit: Int) throws(Violation) {
    switch event {
    case .key(let press):
      guard case .character(let character) = press.key else { return }
      try claim(
        character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) },
        "a key is a control: \(character.debugDescription)")
    case .mouse(let mouse): try claim(Rect(size).contains(mouse.at), "a click at \(mouse.at)")
    case .paste(let text):
      try claim(!text.isEmpty, "an empty paste")
      try claim(text.utf8.count <= 3 * pasteLimit, "a paste of \(text.utf8.count) bytes")
      let isPlain = text.unicodeScalars.allSatisfy {
        $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
      }
      try claim(isPlain, "a paste has controls: \(text.debugDescription)")
    case .focus, .resize: break
    }
  }
}

/// The answer line of a view's scripts: few calls, short names, addresses in printable ASCII.
enum ScriptClaims {
  static func check(_ bytes: Data) throws(Violation) {
    guard let answer = try? JSONDecoder().decode(ScriptAnswer.self, from: bytes) else { return }
    let reply = answer.reply
    try claim(reply.calls.count <= 1000, "\(reply.calls.count) calls")
    let decision = ScriptDecision(reply.calls, views: ["start", "other", "é"])
    if let view = decision.view { try claim(["start", "other", "é"].contains(view), "the view \(view)") }
    for flag in decision.flags {
      try claim(
        flag.name.utf8.count <= Limits.flagNameBytes,
        "a flag's name has \(flag.name.utf8.count) bytes")
    }
    if let address = decision.address {
      try claim(address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the address \(address.debugDescription)")
      let scheme = address.prefix { $0 != ":" }.lowercased()
      try claim(["http", "https", "reddot"].contains(scheme), "the address \(address)")
    }
    try claim(decision.refusals.count <= 5, "\(decision.refusals.count) refusals")
    var page = ViewPage(html: "<p id=a>A</p><p id=b onclick='close()'>B</p>", base: nil)
    for change in decision.changes { page.apply(change) }
    try PageClaims.check(page.layout(width: 40).lines, 40, bytes.count)
  }
}
