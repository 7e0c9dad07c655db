import Limits

/// Writes lines of plain text: white space is collapsed, blocks begin new lines, no line ends in a space.
struct PlainTextWriter {
  private var output: [UInt8] = []
  private var needsSpace = false
  /// Line ends that must come before the next word.
  private var needsLines = 0
  /// The beginning of the next line: indentation, a bullet.
  private var lead: [UInt8] = []
  /// Inside `<pre>` spaces and line ends are kept.
  var isPreformatted = false

  init(capacity: Int) { output.reserveCapacity(capacity) }

  /// The next word begins a line; with `blank`, one line stays empty before it.
  mutating func breakLine(blank: Bool = false) {
    needsLines = max(needsLines, blank ? 2 : 1)
    needsSpace = false
  }

  /// `<br>`: unlike the edges of blocks, several add up, to one empty line at most.
  mutating func addLine() {
    needsLines = min(2, needsLines + 1)
    needsSpace = false
  }

  mutating func leadNextLine(with text: String) { lead = Array(text.utf8) }

  mutating func addSpace() { needsSpace = true }

  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }

  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    // With indentation, numbers and bullets the output may be longer than the input.
    guard output.count <= Limits.bodyBytes else { return }
    if isPreformatted {
      writePreformatted(bytes)
      return
    }
    var i = 0
    while i < bytes.count {
      if Self.isSpace(bytes[i]) {
        needsSpace = true
        i += 1
        continue
      }
      let start = i
      while i < bytes.count, !Self.isSpace(bytes[i]) { i += 1 }
      writePendingSpace()
      output.append(contentsOf: bytes[start..<i])
    }
  }

  mutating func finish() -> String {
    trimLine()
    var end = output.count
    while end > 0, output[end - 1] == 0x0A { end -= 1 }
    return String(decoding: output[..<end], as: UTF8.self)
  }

  private mutating func writePreformatted(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      if byte == 0x0A {
        trimLine()
        if !output.isEmpty { output.append(byte) }
        needsLines = 0
      } else if byte != 0x0D {
        if needsLines > 0 || !lead.isEmpty { writePendingSpace() }
        output.append(byte)
      }
    }
    needsSpace = false
  }

  /// Writes the pending white space before a word.
  private mutating func writePendingSpace() {
    if needsLines > 0 {
      trimLine()
      if !output.isEmpty {
        var present = 0
        while present < 2, output.count > present, output[output.count - 1 - present] == 0x0A { present += 1 }
        for _ in present..<max(present, needsLines) { output.append(0x0A) }
      }
      needsLines = 0
      needsSpace = false
    }
    if !lead.isEmpty {
      output.append(contentsOf: lead)
      lead = []
      needsSpace = false
    }
    if needsSpace {
      if let last = output.last, last != 0x20, last != 0x0A { output.append(0x20) }
      needsSpace = false
    }
  }

  /// Removes spaces and U+00A0 from the end of the line: `<p>&nbsp;</p>` is empty.
  private mutating func trimLine() {
    while let last = output.last {
      if last == 0x20 || last == 0x09 {
        output.removeLast()
      } else if last == 0xA0, output.count >= 2, output[output.count - 2] == 0xC2 {
        output.removeLast(2)
      } else {
        return
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
  }
}
