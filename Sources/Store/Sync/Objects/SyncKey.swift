import Basics

/// The secret that only the user's machines share. Anyone with it can read and write everything.
package struct SyncKey: Equatable, Sendable {
  /// The 32 bytes.
  let bytes: [UInt8]

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns a key from the system's random numbers.
  package static func random() -> SyncKey {
    SyncKey((0..<32).map { _ in UInt8.random(in: 0 ... .max) })
  }

  package enum ParseFailure: Error, Hashable, Sendable {
    /// The number of letters and digits is wrong, or there are other characters.
    case notAKey
    /// The check at the end doesn't match.
    case slip
  }

  // MARK: As people type it

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let checkBytes = 3

  /// The key and its check in Crockford base32: 14 groups of 4, with hyphens.
  package var text: String {
    var bits: UInt64 = 0
    var count = 0
    var letters: [UInt8] = []
    for byte in bytes + Self.check(bytes) {
      bits = bits << 8 | UInt64(byte)
      count += 8
      while count >= 5 {
        count -= 5
        if letters.count % 5 == 4 { letters.append(UInt8(ascii: "-")) }
        letters.append(Self.alphabet[Int(bits >> UInt64(count) & 31)])
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// - Parameter text: the key in any case, with or without hyphens and blanks; O is read as 0, I and L as 1.
  package init(text: String) throws(ParseFailure) {
    var letters: [UInt8] = []
    for byte in text.utf8 where !" \t\r\n-".utf8.contains(byte) {
      guard byte.isASCIIDigit || byte.isASCIILetter, letters.count < 56 else { throw .notAKey }
      letters.append(byte & 0x40 == 0 ? byte : byte & ~0x20)
    }
    guard letters.count == 56 else { throw .notAKey }
    var bits: UInt64 = 0
    var count = 0
    var read: [UInt8] = []
    for letter in letters {
      guard let value = Self.value(letter) else { throw .slip }
      bits = bits << 5 | UInt64(value)
      count += 5
      if count >= 8 {
        count -= 8
        read.append(UInt8(truncatingIfNeeded: bits >> UInt64(count)))
      }
    }
    let key = Array(read.dropLast(Self.checkBytes))
    guard read.suffix(Self.checkBytes).elementsEqual(Self.check(key)) else { throw .slip }
    bytes = key
  }

  /// Returns `nil` for U, which looks like V.
  private static func value(_ letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "O"): 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): 1
    default: alphabet.firstIndex(of: letter)
    }
  }

  /// Returns the check: the first 3 bytes of a digest of the key.
  private static func check(_ key: [UInt8]) -> ArraySlice<UInt8> {
    SHA256.digest((Array("reddot key".utf8) + key).span.bytes).prefix(checkBytes)
  }

  // MARK: As its file has it

  /// The content of the key's file: 64 hex digits and a line end.
  package var fileText: String { bytes.hex + "\n" }

  /// Returns `nil` unless the text consists of 64 hex digits, optionally followed by blanks and line ends.
  package init?(fileText: String) {
    var digits = fileText.utf8[...]
    while let last = digits.last, " \t\r\n".utf8.contains(last) { digits.removeLast() }
    guard digits.count == 64, let bytes = [UInt8](hex: digits) else { return nil }
    self.bytes = bytes
  }
}

/// A key that is printed by accident, or as a part of another value, reveals nothing.
extension SyncKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "SyncKey" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}

extension SyncKey.ParseFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAKey: "this is not a key, which has 14 groups of four letters or digits"
    case .slip: "the key has a typing error; compare it with the output of reddot sync key"
    }
  }
}
