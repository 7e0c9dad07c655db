import Basics
import Foundation

/// A name with `*` for any characters, compared with a whole string, ignoring case.
package struct Glob: Hashable, Sendable {
  /// The parts between the stars, in order: one part without a star, two with one.
  package let pieces: [Query.ExactText]
  private let folded: [[UInt8]]

  /// - Parameter pieces: at least one; empty ones in the middle are left out, since two stars mean the same as one.
  package init(pieces: [String]) {
    let last = pieces.count - 1
    let kept = pieces.enumerated().filter { $0.offset == 0 || $0.offset == last || !$0.element.isEmpty }
    self.pieces = kept.isEmpty ? [""] : kept.map { Query.ExactText($0.element) }
    folded = self.pieces.map { Caseless.bytes($0.text) }
  }

  /// Creates a glob in which every `*` is a star.
  package init(_ text: String) {
    self.init(pieces: text.split(onBytes: "*", omittingEmptySubsequences: false).map(String.init))
  }

  /// The whole string if the glob has no star, or `nil` if it has one.
  package var literal: String? { pieces.count == 1 ? pieces[0].text : nil }

  package func matches(_ text: String) -> Bool { matches(Caseless.bytes(text)) }

  /// - Parameter bytes: folded bytes. Matching backtracks only to the last star, so that stars do not multiply.
  func matches(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer { matches($0[...]) } }

  func matches(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard folded.count > 1 else { return bytes.elementsEqual(folded[0]) }
    let (first, last) = (folded[0], folded[folded.count - 1])
    guard bytes.count >= first.count + last.count, bytes.starts(with: first),
      bytes.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = bytes.dropFirst(first.count).dropLast(last.count)
    for piece in folded[1..<folded.count - 1] {
      guard let place = Caseless.place(of: piece, in: rest) else { return false }
      rest = rest[(place + piece.count)...]
    }
    return true
  }

  // The folded bytes are derived from the pieces.
  package static func == (a: Self, b: Self) -> Bool { a.pieces == b.pieces }
  package func hash(into hasher: inout Hasher) { hasher.combine(pieces) }
}

/// Compares strings ignoring case.
enum Caseless {
  /// Returns the bytes in lower case and composed, so that two spellings of a letter are equal.
  static func bytes(_ text: String) -> [UInt8] {
    var text = text
    let isASCII = text.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
    if isASCII { return text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
    return Array(text.lowercased().precomposedStringWithCanonicalMapping.utf8)
  }

  /// Returns the position of the first occurrence of `needle` in the text, or `nil` if there is none.
  static func place(of needle: [UInt8], in text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard let first = needle.first else { return text.startIndex }
    guard text.count >= needle.count else { return nil }
    for start in text.startIndex...(text.endIndex - needle.count) where text.base[start] == first {
      var length = 1
      while length < needle.count, text.base[start + length] == needle[length] { length += 1 }
      if length == needle.count { return start }
    }
    return nil
  }

  static func contains(_ text: [UInt8], _ needle: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { place(of: needle, in: $0[...]) != nil }
  }
}
