import Basics
import Screen

/// One thing that curses read: a byte, or a sequence that it knows.
enum InputSymbol: Hashable, Sendable {
  case byte(UInt8)
  case key(KeyPress)
  case mouseStart, oldMouseStart
  case focusIn, focusOut
  case pasteStart, pasteEnd
}

/// Turns symbols into events. Curses delivers bytes and not characters, because its own decoding of
/// UTF-8 (`wget_wch`) loses what follows an invalid byte and characters split between two reads.
///
/// Sequences that curses does not recognise are read here to their end, of any length, and dropped, or decoded
/// by xterm's scheme: they never turn into the keys that they are made of.
///
/// A line may be slower than `ESCDELAY` and split a sequence anywhere. What was reported of its beginning (Escape, or Alt
/// with what introduces it) stays reported. The rest is still a sequence: one of a known key however late it comes, since
/// the `A` of a slow arrow must not be the command `A`, any other until a byte is late enough to be a key. No timer is
/// needed for that: the next key decides.
struct InputDecoder {
  private enum State {
    case ground
    case escape
    /// Escape was reported; the rest of its sequence may still come.
    case reported(isOld: Bool)
    case character(bytes: [UInt8], wanted: Int, alt: Bool)
    case control([UInt8], Lateness)
    case singleShift([UInt8], Lateness)
    /// OSC, DCS, APC, PM or SOS, of which only the introducer was read.
    case stringStart(UInt8, Lateness)
    /// What follows in such a string.
    case string(sawEscape: Bool)
    case oldMouse([UInt8])
    case paste(Paste)
  }

  /// Whether a sequence came in one piece.
  private enum Lateness {
    /// Its Escape was just read.
    case none
    /// Its Escape was reported as a key. The byte after it is not reported yet: it is a key only if no sequence follows.
    case held(isOld: Bool)
    /// All of it that can be a key was reported.
    case reported(isOld: Bool)

    var isOld: Bool {
      switch self {
      case .none: false
      case .held(let isOld), .reported(let isOld): isOld
      }
    }

    var old: Lateness {
      if case .held = self { .held(isOld: true) } else { .reported(isOld: true) }
    }
  }

  private var state = State.ground
  private var lastSymbol: Duration = .zero
  /// Whether several symbols were read at a time, as of a sequence's rest: keys come one by one.
  private var isInBulk = false
  private var clicks: ClickCounter
  /// The column of the last report of where the cursor is, counted from 1, until it is asked for.
  private var cursorColumn: Int?
  private let pasteLimit: Int
  /// Mouse events outside of it are dropped.
  var size: Size

  init(size: Size, pasteLimit: Int, doubleClick: Duration) {
    self.size = size
    self.pasteLimit = pasteLimit
    clicks = ClickCounter(interval: doubleClick)
  }

  /// After that long, a byte is more likely a key than the rest of a sequence.
  private static let deadline: Duration = .seconds(1)
  /// The same for a paste, whose rest would be many keys.
  private static let pasteDeadline: Duration = .seconds(2)

  /// Takes what was read. `pause` decides what a lone Escape at the end means.
  mutating func decode(
    _ symbols: some Collection<InputSymbol>, at now: Duration, into events: inout [InputEvent]
  ) {
    if now - lastSymbol >= Self.deadline {
      resume(after: symbols, silence: now - lastSymbol, into: &events)
    }
    lastSymbol = now
    isInBulk = symbols.count > 1
    for symbol in symbols { decode(symbol, at: now, into: &events) }
  }

  /// The column that the terminal has answered since the last time, counted from 1.
  mutating func removeCursorColumn() -> Int? {
    defer { cursorColumn = nil }
    return cursorColumn
  }

  private mutating func decode(_ symbol: InputSymbol, at now: Duration, into events: inout [InputEvent]) {
    if case .paste(var paste) = state {
      state = .ground
      if paste.add(symbol) { finish(paste, into: &events) } else { state = .paste(paste) }
      return
    }
    if case .byte(let byte) = symbol { return read(byte, at: now, into: &events) }
    if case .key(var press) = symbol {
      if case .escape = state { press.modifiers.insert(.alt) }
      reportHeld(into: &events)
      return report(.key(press), into: &events)
    }
    pause(into: &events)
    reportHeld(into: &events)
    switch symbol {
    case .byte, .key: break
    case .mouseStart: state = .control([UInt8(ascii: "<")], .none)
    case .oldMouseStart: state = .oldMouse([])
    case .focusIn: report(.focus(true), into: &events)
    case .focusOut: report(.focus(false), into: &events)
    case .pasteStart: state = .paste(Paste(limit: pasteLimit))
    case .pasteEnd: state = .ground
    }
  }

  /// There is nothing more to read for now: a lone Escape is the key, and what could have begun
  /// a sequence was a key pressed with Alt.
  mutating func pause(into events: inout [InputEvent]) {
    if case .escape = state {
      report(.key(KeyPress(.escape)), into: &events)
      state = .reported(isOld: false)
    }
    guard let (introducer, lateness) = introducer else { return }
    switch lateness {
    case .none: report(.key(KeyPress(introducer, .alt)), into: &events)
    case .held(isOld: true): report(.key(KeyPress(introducer)), into: &events)
    case .held, .reported: return
    }
    state =
      switch introducer {
      case "[": .control([], .reported(isOld: lateness.isOld))
      case "O": .singleShift([], .reported(isOld: lateness.isOld))
      default: .stringStart(introducer.asciiValue ?? 0, .reported(isOld: lateness.isOld))
      }
  }

  /// The one byte of a sequence that was read after its Escape.
  private var introducer: (Character, Lateness)? {
    switch state {
    case .control([], let lateness): ("[", lateness)
    case .singleShift([], let lateness): ("O", lateness)
    case .stringStart(let byte, let lateness): (Character(Unicode.Scalar(byte)), lateness)
    case .ground, .escape, .reported, .character, .control, .singleShift, .string, .oldMouse, .paste: nil
    }
  }

  /// What was held as the beginning of a sequence was a key: it is followed by something else.
  private mutating func reportHeld(into events: inout [InputEvent]) {
    if let (introducer, lateness) = introducer, case .held = lateness {
      report(.key(KeyPress(introducer)), into: &events)
    }
    switch state {
    case .control, .singleShift, .stringStart, .reported: state = .ground
    case .ground, .escape, .character, .string, .oldMouse, .paste: break
    }
  }

  private mutating func report(_ event: InputEvent, into events: inout [InputEvent]) {
    state = .ground
    events.append(event)
  }

  private mutating func finish(_ paste: Paste, into events: inout [InputEvent]) {
    let text = paste.text
    if !text.isEmpty { events.append(.paste(text)) }
  }

  /// Something comes after a long silence.
  private mutating func resume(
    after symbols: some Collection<InputSymbol>, silence: Duration, into events: inout [InputEvent]
  ) {
    switch state {
    case .paste(let paste):
      // A delayed paste continues with more bytes than a key has.
      let goesOn =
        silence < Self.pasteDeadline || symbols.count > Limits.keyBytes || symbols.contains(.pasteEnd)
        || symbols.first.map(paste.isEnding) == true
      if goesOn { return }
      finish(paste, into: &events)
      state = .ground
    case .reported: state = .reported(isOld: true)
    case .control(let bytes, let lateness): state = .control(bytes, lateness.old)
    case .singleShift(let bytes, let lateness): state = .singleShift(bytes, lateness.old)
    case .stringStart: reportHeld(into: &events)
    case .ground, .escape, .character, .string, .oldMouse: state = .ground
    }
  }

  private mutating func read(_ byte: UInt8, at now: Duration, into events: inout [InputEvent]) {
    switch state {
    case .ground, .paste: begin(byte, alt: false, into: &events)
    case .escape: readAfterEscape(byte, into: &events)
    case .reported(let isOld):
      state = .ground
      if !introduce(byte, .held(isOld: isOld)) { begin(byte, alt: false, into: &events) }
    case .character(var bytes, let wanted, let alt):
      guard byte & 0xC0 == 0x80 else {
        // Incomplete: the byte that interrupts it is read on its own.
        state = .ground
        return begin(byte, alt: false, into: &events)
      }
      bytes.append(byte)
      if bytes.count < wanted {
        state = .character(bytes: bytes, wanted: wanted, alt: alt)
      } else {
        state = .ground
        if let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first {
          character(scalar, alt: alt, into: &events)
        }
      }
    case .control(var bytes, let lateness):
      switch byte {
      case UInt8(ascii: "[") where bytes.isEmpty && !lateness.isOld: state = .control([byte], lateness)
      case 0x40...0x7E:
        let sequence = ControlSequence(bytes: bytes, final: byte, isSingleShift: false)
        apply(sequence, lateness, at: now, into: &events)
      case 0x20...0x3F:
        Self.keep(byte, in: &bytes)
        state = .control(bytes, lateness)
      default: interrupt(with: byte, into: &events)
      }
    case .singleShift(var bytes, let lateness):
      switch byte {
      case 0x30...0x3F where !lateness.isOld:
        Self.keep(byte, in: &bytes)
        state = .singleShift(bytes, lateness)
      case 0x20...0x7E:
        let sequence = ControlSequence(bytes: bytes, final: byte, isSingleShift: true)
        apply(sequence, lateness, at: now, into: &events)
      default: interrupt(with: byte, into: &events)
      }
    case .stringStart(_, .none): readInString(byte)
    case .stringStart(let introducer, _) where isInBulk || Self.begins(introducer, with: byte):
      readInString(byte)
    case .stringStart: interrupt(with: byte, into: &events)
    case .string(sawEscape: true) where byte != UInt8(ascii: "\\"): readAfterEscape(byte, into: &events)
    case .string: readInString(byte)
    case .oldMouse(var bytes):
      if byte < 0x20 { return interrupt(with: byte, into: &events) }
      bytes.append(byte)
      state = .oldMouse(bytes)
      guard let values = Self.oldMouseValues(bytes) else { return }
      state = .ground
      mouse(
        button: values[0] - 32, column: values[1] - 32, row: values[2] - 32, isPress: true, at: now,
        into: &events)
    }
  }

  /// One byte above the limit is kept too: it says that the sequence is too long to be known.
  private static func keep(_ byte: UInt8, in bytes: inout [UInt8]) {
    if bytes.count <= Limits.controlSequenceBytes { bytes.append(byte) }
  }

  /// What no sequence contains ends it.
  private mutating func interrupt(with byte: UInt8, into events: inout [InputEvent]) {
    reportHeld(into: &events)
    state = .ground
    begin(byte, alt: false, into: &events)
  }

  /// BEL or `ESC \` end a string; so does another control, which no answer contains.
  private mutating func readInString(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .string(sawEscape: true)
    case 0..<0x20: state = .ground
    default:
      if case .string(sawEscape: true) = state { state = .ground } else { state = .string(sawEscape: false) }
    }
  }

  /// Whether terminals send strings that begin so: an OSC with its number, a DCS with parameters, kitty's APC. Others are
  /// keys, where the introducer came alone.
  private static func begins(_ introducer: UInt8, with byte: UInt8) -> Bool {
    switch introducer {
    case UInt8(ascii: "]"): (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    case UInt8(ascii: "P"): (0x20...0x3F).contains(byte)
    case UInt8(ascii: "_"): byte == UInt8(ascii: "G")
    default: false
    }
  }

  /// Three bytes, or with mode 1005 three characters in UTF-8; nil until they are there.
  private static func oldMouseValues(_ bytes: [UInt8]) -> [Int]? {
    var values: [Int] = []
    var index = 0
    while index < bytes.count {
      let (byte, next) = (bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0)
      if (0xC2...0xDF).contains(byte), next & 0xC0 == 0x80 {
        values.append(Int(byte & 0x1F) << 6 | Int(next & 0x3F))
        index += 2
      } else {
        // The character's second byte may follow.
        if (0xC2...0xDF).contains(byte), index + 1 == bytes.count, values.count < 2 { return nil }
        values.append(Int(byte))
        index += 1
      }
    }
    return values.count == 3 ? values : nil
  }

  /// - Returns: whether the byte after an Escape introduces a sequence.
  private mutating func introduce(_ byte: UInt8, _ lateness: Lateness) -> Bool {
    switch byte {
    case UInt8(ascii: "["): state = .control([], lateness)
    case UInt8(ascii: "O"): state = .singleShift([], lateness)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      state = .stringStart(byte, lateness)
    default: return false
    }
    return true
  }

  private mutating func readAfterEscape(_ byte: UInt8, into events: inout [InputEvent]) {
    if introduce(byte, .none) { return }
    if byte == 0x1B {
      events.append(.key(KeyPress(.escape)))
      state = .escape
    } else {
      state = .ground
      begin(byte, alt: true, into: &events)
    }
  }

  private mutating func begin(_ byte: UInt8, alt: Bool, into events: inout [InputEvent]) {
    let modifiers: Modifiers = alt ? .alt : Modifiers()
    switch byte {
    case 0x1B: state = .escape
    case 0x20...0x7E: character(Unicode.Scalar(byte), alt: alt, into: &events)
    case 0x09: events.append(.key(KeyPress(.tab, modifiers)))
    // Enter sends CR; programs that type send LF.
    case 0x0A, 0x0D: events.append(.key(KeyPress(.enter, modifiers)))
    case 0x08, 0x7F: events.append(.key(KeyPress(.backspace, modifiers)))
    case 0x00: events.append(.key(KeyPress(" ", modifiers.union(.control))))
    case 0x01...0x1F:
      // Control takes three bits off a key: @A..Z[\]^_ and the small letters.
      let scalar = Unicode.Scalar(byte <= 0x1A ? byte | 0x60 : byte | 0x40)
      events.append(.key(KeyPress(Character(scalar), modifiers.union(.control))))
    case 0xC2...0xDF: state = .character(bytes: [byte], wanted: 2, alt: alt)
    case 0xE0...0xEF: state = .character(bytes: [byte], wanted: 3, alt: alt)
    case 0xF0...0xF4: state = .character(bytes: [byte], wanted: 4, alt: alt)
    // Not the first byte of a character.
    default: break
    }
  }

  private func character(_ scalar: Unicode.Scalar, alt: Bool, into events: inout [InputEvent]) {
    // C1 controls are not keys.
    if scalar.isControl { return }
    events.append(.key(KeyPress(Character(scalar), alt ? .alt : Modifiers())))
  }

  private mutating func apply(
    _ sequence: ControlSequence, _ lateness: Lateness, at now: Duration, into events: inout [InputEvent]
  ) {
    var meaning = sequence.meaning
    // The keypad's letters are commands too; after a long pause they are keys.
    if sequence.isSingleShift, lateness.isOld, sequence.final >= UInt8(ascii: "a") { meaning = nil }
    // After a long pause the bytes of an unknown sequence are keys.
    if meaning == nil, lateness.isOld { return interrupt(with: sequence.final, into: &events) }
    state = .ground
    switch meaning {
    case .key(let press): events.append(.key(press))
    case .focus(let isFocused): events.append(.focus(isFocused))
    case .pasteStart: state = .paste(Paste(limit: pasteLimit))
    case .oldMouse: state = .oldMouse([])
    case .mouse(let button, let column, let row, let isPress):
      mouse(button: button, column: column, row: row, isPress: isPress, at: now, into: &events)
    case .cursor(let column): cursorColumn = column
    case nil: break
    }
  }

  /// Buttons as xterm numbers them: 0 to 2, wheel 64 and 65; 4, 8 and 16 are added for Shift, Alt
  /// and Control, 32 for a movement.
  private mutating func mouse(
    button: Int, column: Int, row: Int, isPress: Bool, at now: Duration, into events: inout [InputEvent]
  ) {
    let point = Point(column: column - 1, row: row - 1)
    guard isPress, Rect(size).contains(point) else { return }
    switch button & ~0b11100 {
    case 0: events.append(.mouse(Mouse(kind: clicks.click(at: point, now), at: point)))
    case 64: events.append(.mouse(Mouse(kind: .wheelUp, at: point)))
    case 65: events.append(.mouse(Mouse(kind: .wheelDown, at: point)))
    default: break
    }
  }
}
