import Basics

/// Recognises the greeting, which is the first line that the program of a sync location prints. Text that a shell
/// prints before it is skipped.
package struct Greeting: Sendable {
  /// The line with its end.
  package static let line = "reddot-sync 1\n"
  private static let words = Array("reddot-sync 1".utf8)
  private static let anyVersion = Array("reddot-sync ".utf8)

  package enum Reading: Hashable, Sendable {
    case incomplete
    /// The greeting was read; `rest` contains the bytes after it.
    case read(rest: [UInt8])
    /// The program printed the greeting of another version, or 64 KiB of other text.
    case refused
  }

  private var before = 0
  private var last: [UInt8] = []

  package init() {}

  package mutating func append(_ bytes: [UInt8]) -> Reading {
    for (place, byte) in bytes.enumerated() {
      guard byte == UInt8(ascii: "\n") else {
        last.append(byte)
        // The line ends with a carriage return.
        if before + last.count > Limits.greetingBytes + Self.words.count + 1 { return .refused }
        continue
      }
      if last.last == UInt8(ascii: "\r") { last.removeLast() }
      // A shell that sets the title of a terminal does not end the line before.
      if last.suffix(Self.words.count) == Self.words[...] {
        let skipped = before + last.count - Self.words.count
        return skipped <= Limits.greetingBytes ? .read(rest: Array(bytes[(place + 1)...])) : .refused
      }
      if last.starts(with: Self.anyVersion) { return .refused }
      before += last.count + 1
      last = []
      if before > Limits.greetingBytes { return .refused }
    }
    return .incomplete
  }
}
