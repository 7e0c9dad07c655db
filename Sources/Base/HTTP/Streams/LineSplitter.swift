/// Splits bytes that arrive in pieces into lines.
struct LineSplitter {
  struct TooLong: Error {}

  enum Ending {
    /// Only LF ends a line, since JSON text may contain a CR; a CR before the LF is left out.
    case lineFeed
    /// LF, CR LF, or CR (WHATWG HTML section 9.2.5).
    case any
  }

  private let ending: Ending
  private let limit: Int
  /// The beginning of an unfinished line.
  private var begun: [UInt8] = []
  /// Whether the last byte was a CR that ended a line: an LF after it belongs to the same end.
  private var isBehindReturn = false

  init(_ ending: Ending, limit: Int) {
    self.ending = ending
    self.limit = limit
  }

  /// Calls `read` with each complete line, without its end.
  mutating func append(
    _ piece: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) throws(TooLong) -> Void
  ) throws(TooLong) {
    var rest = piece[...]
    while !rest.isEmpty {
      if isBehindReturn {
        isBehindReturn = false
        if rest.first == lineFeed {
          rest.removeFirst()
          continue
        }
      }
      let end = rest.firstIndex { $0 == lineFeed || ending == .any && $0 == carriageReturn }
      let part = rest[..<(end ?? rest.endIndex)]
      guard begun.count + part.count <= limit else { throw TooLong() }
      guard let end else {
        begun += part
        return
      }
      if begun.isEmpty {
        try read(line(UnsafeRawBufferPointer(rebasing: part)))
      } else {
        begun += part
        let result = begun.withUnsafeBytes { bytes in
          Result { () throws(TooLong) in try read(line(bytes)) }
        }
        try result.get()
        begun.removeAll(keepingCapacity: begun.count < 4096)
      }
      isBehindReturn = rest[end] == carriageReturn
      rest = rest[(end + 1)...]
    }
  }

  /// Returns a line without the CR at its end, if only LF ends lines.
  private func line(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    ending == .lineFeed && bytes.last == carriageReturn
      ? UnsafeRawBufferPointer(rebasing: bytes.dropLast()) : bytes
  }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
