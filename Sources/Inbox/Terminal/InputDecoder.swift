import Basics
import Screen

/// A symbol that curses read: a byte, or a sequence that it knows.
enum InputSymbol: Hashable, Sendable {
  case byte(UInt8)
  case key(KeyPress)
  case mouseStart, oldMouseStart
  case focusIn, focusOut
  case pasteStart, pasteEnd
}

/// Turns symbols into events. Curses delivers bytes and not characters, because its own decoding of UTF-8 (`wget_wch`)
/// loses the bytes after an invalid one and characters split between two reads.
///
/// Sequences that curses does not recognise are read here to their end, of any length, and dropped, or decoded by
/// xterm's scheme: they never turn into the keys of their characters.
///
/// A line may be slower than `ESCDELAY` and split a sequence anywhere. If its beginning was reported (Escape, or Alt
/// with the introducer), it stays reported. The rest is still a sequence. The rest of a known key is recognised however
/// late it arrives, since the `A` of a slow arrow must not be the command `A`. The rest of any other sequence is
/// recognised until a byte is late enough to be a key. No timer is needed for that: the next key decides.
struct InputDecoder {
  private enum State {
    case ground
    case escape
    /// Escape was reported as a key; the rest of its sequence may still come. `isOld` is whether a long
    /// silence followed.
    case reported(isOld: Bool)
    case character(bytes: [UInt8], wanted: Int, alt: Bool)
    case control([UInt8], Lateness)
    case singleShift([UInt8], Lateness)
    /// The beginning of an OSC, DCS, APC, PM or SOS string, of which only the introducer was read.
    case stringStart(UInt8, Lateness)
    /// The content of an OSC, DCS, APC, PM or SOS string, up to its end.
    case string(sawEscape: Bool)
    case oldMouse([UInt8])
    case paste(Paste)
  }

  /// The part of a sequence that was already reported as keys, because the sequence arrived in several parts.
  /// `isOld` is whether a long silence followed.
  private enum Lateness {
    /// The sequence's Escape was just read.
    case none
    /// The sequence's Escape was reported as a key. The byte after it is not reported yet: it is a key only if no
    /// sequence follows.
    case held(isOld: Bool)
    /// All bytes of the sequence that can be a key were reported.
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
  /// The time of the last symbols.
  private var lastSymbol: Duration = .zero
  /// Whether several symbols were read at the same time, as for the rest of a sequence. Keys arrive one by one.
  private var isInBulk = false
  private var clicks: ClickCounter
  /// The column of the cursor's last reported position, counted from 1, until it is fetched.
  private var cursorColumn: Int?
  /// The bytes so far of the control string that is being read, without controls and backslashes. A string
  /// other than OSC begins with 0 here, so that it is not taken for a response.
  private var osc: [UInt8] = []
  /// The background that the terminal has reported, until it is fetched.
  private var background: Background?
  private let pasteLimit: Int
  /// The size of the screen; mouse events outside are dropped.
  var size: Size

  init(size: Size, pasteLimit: Int, doubleClick: Duration) {
    self.size = size
    self.pasteLimit = pasteLimit
    clicks = ClickCounter(interval: doubleClick)
  }

  /// The time after which a byte is more likely a key than the rest of a sequence.
  private static let deadline: Duration = .seconds(1)
  /// The time after which a byte is more likely a key than the rest of a paste, which would be many keys.
  private static let pasteDeadline: Duration = .seconds(2)

  /// Decodes symbols, and appends the resulting events. A lone Escape at the end has no event yet: the next symbol, or
  /// `pause` if none follows, decides its meaning.
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

  /// Removes and returns the column that the terminal has reported since the last time, counted from 1.
  mutating func removeCursorColumn() -> Int? {
    defer { cursorColumn = nil }
    return cursorColumn
  }

  /// Removes and returns the background that the terminal has reported since the last time.
  mutating func removeBackground() -> Background? {
    defer { background = nil }
    return background
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

  /// Handles a pause in the input: a lone Escape is the key, and a possible beginning of a sequence was a key pressed
  /// with Alt.
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

  /// The byte that was read after an Escape and that introduces a sequence, or `nil` if there is none or
  /// further bytes of the sequence were read.
  private var introducer: (Character, Lateness)? {
    switch state {
    case .control([], let lateness): ("[", lateness)
    case .singleShift([], let lateness): ("O", lateness)
    case .stringStart(let byte, let lateness): (Character(Unicode.Scalar(byte)), lateness)
    case .ground, .escape, .reported, .character, .control, .singleShift, .string, .oldMouse, .paste: nil
    }
  }

  /// Reports the possible beginning of a sequence as a key, since something else follows.
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

  /// Continues after a long silence.
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
        // The character is incomplete: the byte that interrupts it is read separately.
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

  /// Keeps a byte. One byte above the limit is also kept: it shows that the sequence is too long to be known.
  private static func keep(_ byte: UInt8, in bytes: inout [UInt8]) {
    if bytes.count <= Limits.controlSequenceBytes { bytes.append(byte) }
  }

  /// Ends the sequence at a byte that no sequence contains.
  private mutating func interrupt(with byte: UInt8, into events: inout [InputEvent]) {
    reportHeld(into: &events)
    state = .ground
    begin(byte, alt: false, into: &events)
  }

  /// Reads a byte of an OSC, DCS, APC, PM or SOS string. BEL or `ESC \` ends the string. Any other control
  /// character ends it too, since no response of a terminal contains one.
  private mutating func readInString(_ byte: UInt8) {
    if case .stringStart(let introducer, _) = state {
      osc = []
      // Strings of other kinds are not responses.
      if introducer != UInt8(ascii: "]") { Self.keep(0, in: &osc) }
    }
    if byte >= 0x20, byte != UInt8(ascii: "\\") {
      Self.keep(byte, in: &osc)
    } else if let answer = Background(response: osc) {
      background = answer
    }
    switch byte {
    case 0x1B: state = .string(sawEscape: true)
    case 0..<0x20: state = .ground
    default:
      if case .string(sawEscape: true) = state { state = .ground } else { state = .string(sawEscape: false) }
    }
  }

  /// Whether terminals send strings with this beginning: an OSC with its number, a DCS with parameters, kitty's APC.
  /// Others are keys, if the introducer came alone.
  private static func begins(_ introducer: UInt8, with byte: UInt8) -> Bool {
    switch introducer {
    case UInt8(ascii: "]"): (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    case UInt8(ascii: "P"): (0x20...0x3F).contains(byte)
    case UInt8(ascii: "_"): byte == UInt8(ascii: "G")
    default: false
    }
  }

  /// Returns the three values of an old mouse report: three bytes, or with mode 1005 three characters in UTF-8; `nil`
  /// until they are complete.
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

  /// Begins a sequence if the byte after an Escape introduces one.
  ///
  /// - Returns: whether the byte introduces a sequence.
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

  /// Reads the byte after an Escape: it introduces a sequence, or is a key pressed with Alt.
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

  /// Reads a byte outside of sequences: a key, an Escape, or the first byte of a character.
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
      // Control removes three bits from a key: @A..Z[\]^_ and the lowercase letters.
      let scalar = Unicode.Scalar(byte <= 0x1A ? byte | 0x60 : byte | 0x40)
      events.append(.key(KeyPress(Character(scalar), modifiers.union(.control))))
    case 0xC2...0xDF: state = .character(bytes: [byte], wanted: 2, alt: alt)
    case 0xE0...0xEF: state = .character(bytes: [byte], wanted: 3, alt: alt)
    case 0xF0...0xF4: state = .character(bytes: [byte], wanted: 4, alt: alt)
    // The byte is not the first one of a character.
    default: break
    }
  }

  private func character(_ scalar: Unicode.Scalar, alt: Bool, into events: inout [InputEvent]) {
    // C1 controls are not keys.
    if scalar.isControl { return }
    events.append(.key(KeyPress(Character(scalar), alt ? .alt : Modifiers())))
  }

  /// Reports the meaning of a complete sequence, or drops an unknown one.
  private mutating func apply(
    _ sequence: ControlSequence, _ lateness: Lateness, at now: Duration, into events: inout [InputEvent]
  ) {
    var meaning = sequence.meaning
    // The keypad's letters are also commands; after a long pause they are keys.
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

  /// Handles a mouse report. xterm numbers the buttons 0 to 2, and the wheel 64 and 65; 4, 8 and 16 are added for
  /// Shift, Alt and Control, 32 for a movement.
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
