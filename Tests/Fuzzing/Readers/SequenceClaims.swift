import Foundation
import Screen

@testable import Terminal

/// A sequence that begins with ESC is a known key or nothing, wherever a pause cuts it: its parts are never a command.
enum SequenceClaims {
  private static let size = Size(columns: 80, rows: 24)

  static func check(_ bytes: Data) throws(Violation) {
    var choices = Choices(bytes)
    let kind = Kind.allCases[choices.next(below: Kind.allCases.count)]
    // A bit for each of the first bytes determines whether the line pauses before it.
    let pauses = (choices.next(below: 256) | choices.next(below: 256) << 8) & ~kind.wholeBeginning
    let sequence = kind.sequence(choices.rest)
    let words = "\(sequence.map { String($0, radix: 16) }) with pauses at \(String(pauses, radix: 2))"

    let whole = try events(sequence, pauses: 0)
    try claim(whole.count <= 1, "\(words) became \(whole)")
    if case .key(let press)? = whole.first, case .character = press.key {
      try claim(kind.hasCharacters(sequence), "\(words) became \(whole)")
    }
    let cut = try events(sequence, pauses: pauses)
    let beginnings = beginnings(of: sequence)
    let rest = cut.drop { beginnings.contains($0) }
    try claim(rest.isEmpty || Array(rest) == whole, "\(words) became \(cut) and not \(whole)")
  }

  private static func events(_ sequence: [UInt8], pauses: Int) throws(Violation) -> [InputEvent] {
    var decoder = InputDecoder(size: size, pasteLimit: 100, doubleClick: .zero)
    var events: [InputEvent] = []
    var now = Duration.zero
    for (index, byte) in sequence.enumerated() {
      if index > 0, index <= 16, pauses >> (index - 1) & 1 == 1 {
        decoder.pause(into: &events)
        now += .milliseconds(999)
      }
      decoder.decode([.byte(byte)], at: now, into: &events)
    }
    decoder.pause(into: &events)
    var after: [InputEvent] = []
    decoder.decode([.byte(UInt8(ascii: "k"))], at: now, into: &after)
    try claimEqual(after, [.key(KeyPress("k"))], "a key after \(sequence)")
    return events
  }

  /// Returns the keys that were reported when the line paused.
  private static func beginnings(of sequence: [UInt8]) -> Set<InputEvent> {
    var known: Set<InputEvent> = [.key(KeyPress(.escape))]
    if sequence.count > 1 { known.insert(.key(KeyPress(Character(Unicode.Scalar(sequence[1])), .alt))) }
    return known
  }

  private enum Kind: CaseIterable {
    case control, privateControl, doubled, singleShift, keyboard, mouse, oldMouse, mouseInUTF8, urxvtMouse
    case command, device, application, privacy, start

    /// The pauses that are left out: no terminal sends these, and slowly typed keys may begin like them.
    var wholeBeginning: Int { self == .privacy || self == .start ? 0b11 : 0 }

    /// Returns a whole sequence of this kind, from any bytes.
    func sequence(_ bytes: Data) -> [UInt8] {
      let first = Int(bytes.first ?? 0)
      func parameters(_ letters: String = "0123456789:;<=>?!\"$%&'()*+,-./ ") -> [UInt8] {
        let letters = Array(letters.utf8)
        return bytes.dropFirst().map { letters[Int($0) % letters.count] }
      }
      func text(_ begin: String, _ end: String) -> [UInt8] {
        Array(begin.utf8) + bytes.dropFirst().filter { $0 >= 0x20 } + (first < 128 ? [0x07] : Array(end.utf8))
      }
      let end = "\u{1B}\\"
      switch self {
      case .control:
        // This is not the beginning of a paste, or of another sequence.
        let known = parameters()
        let isLonger = known.isEmpty || String(decoding: known, as: UTF8.self).contains("200")
        return control("", (isLonger ? [0x31] : []) + known, 0x40 + UInt8(first % 63))
      case .privateControl: return control("?", parameters("0123456789;$"), 0x40 + UInt8(first % 63))
      case .doubled: return control("[", parameters("0123456789;"), 0x40 + UInt8(first % 63))
      case .singleShift:
        return Array("\u{1B}O".utf8) + parameters("0123456789;").prefix(40) + [0x40 + UInt8(first % 63)]
      case .keyboard: return control("", parameters("0123456789;:"), UInt8(ascii: "u"))
      case .mouse: return control("<", parameters("0123456789;"), first < 128 ? 0x4D : 0x6D)
      case .oldMouse:
        // Values that are also characters of two bytes belong to the next kind.
        let values = Array(bytes.prefix(3).map { max(0x20, $0) }) + [0x20, 0x20, 0x20]
        return control("", [], 0x4D) + values.prefix(3).map { (0xC2...0xDF).contains($0) ? 0xC1 : $0 }
      case .mouseInUTF8:
        let values = (Array(bytes.prefix(3).map { 0x20 + UInt32($0) * 7 }) + [0x20, 0x20]).prefix(2)
        let text = values.compactMap { Unicode.Scalar($0) }.map { Character($0) }
        return control("", [], 0x4D) + [0x20 + UInt8(first % 95)] + Array(String(text).utf8)
      case .urxvtMouse: return control("3", parameters("0123456789;"), 0x4D)
      case .command: return text("\u{1B}]\(first % 10)", end)
      case .device: return text("\u{1B}P\(first % 10)", end)
      case .application: return text("\u{1B}_G", end)
      case .privacy: return text("\u{1B}^", end)
      case .start: return text("\u{1B}X", end)
      }
    }

    private func control(_ begin: String, _ parameters: [UInt8], _ final: UInt8) -> [UInt8] {
      Array("\u{1B}[\(begin)".utf8) + parameters + [final]
    }

    /// Whether a sequence of this kind may be the key of a character: the keypad's, or a report of the keyboard.
    func hasCharacters(_ sequence: [UInt8]) -> Bool {
      switch self {
      case .singleShift: sequence.count == 3
      case .keyboard: true
      case .control: sequence.last == UInt8(ascii: "u") || sequence.last == UInt8(ascii: "~")
      case .privateControl, .doubled, .mouse, .oldMouse, .mouseInUTF8, .urxvtMouse, .command, .device,
        .application,
        .privacy, .start:
        false
      }
    }
  }
}
