import Basics

/// What the program of a place prints first; the reader skips what a shell says before it.
package struct Greeting: Sendable {
  /// With its line end.
  package static let line = "reddot-sync 1\n"
  private static let words = Array("reddot-sync 1".utf8)
  private static let anyVersion = Array("reddot-sync ".utf8)

  package enum Reading: Hashable, Sendable {
    case incomplete
    /// What came behind it.
    case read(rest: [UInt8])
    /// Another version, or something else for 64 KiB.
    case refused
  }

  private var before = 0
  private var last: [UInt8] = []

  package init() {}

  package mutating func append(_ bytes: [UInt8]) -> Reading {
    for (place, byte) in bytes.enumerated() {
      guard byte == UInt8(ascii: "\n") else {
        last.append(byte)
        // With a carriage return.
        if before + last.count > Limits.greetingBytes + Self.words.count + 1 { return .refused }
        continue
      }
      if last.last == UInt8(ascii: "\r") { last.removeLast() }
      // A shell that sets the title of a terminal ends no line before.
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
