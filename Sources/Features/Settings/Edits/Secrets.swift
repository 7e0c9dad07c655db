import Formats

/// Values that no journal may contain: tokens, passwords, and the credentials of URLs.
package struct Secrets: Hashable, Sendable {
  /// The values, keyed by the numbers that replace them in masked lines.
  private(set) var values: [Int: [UInt8]] = [:]

  package init() {}

  mutating func set(_ value: [UInt8], for number: Int) { values[number] = value }

  /// Returns the number that replaces a secret value in masked lines. Equal values have the same number.
  mutating func number(of value: [UInt8]) -> Int {
    if let known = values.first(where: { $0.value == value })?.key { return known }
    values[values.count] = value
    return values.count - 1
  }

  /// The keys, in any table, whose values are secrets.
  static let keys: Set = ["token", "password"]

  /// Returns the byte ranges of secrets in settings, in their order.
  static func ranges(in text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    let secrets = TOMLDocument.blocks(of: text).flatMap(\.keys).filter {
      keys.contains($0.name)
    }
    var ranges = secrets.map(\.value) + credentials(in: bytes)
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var end = 0
    return ranges.compactMap { range in
      guard range.lowerBound >= end, !range.isEmpty else { return nil }
      end = range.upperBound
      return range
    }
  }

  /// Returns the byte ranges of the user information of URLs (RFC 3986 section 3.2.1).
  private static func credentials(in bytes: [UInt8]) -> [Range<Int>] {
    let mark = Array("://".utf8)
    var found: [Range<Int>] = []
    var index = 0
    while let start = bytes[index...].firstIndex(of: mark[0]) {
      index = start + 1
      guard bytes[start...].starts(with: mark) else { continue }
      let authority = bytes[(start + 3)...].prefix { !"/?#\"' \t\r\n".utf8.contains($0) }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")) { found.append(authority.startIndex..<at) }
    }
    return found
  }
}

/// A line of a file in which the number of each secret replaces its value.
struct MaskedLine {
  private enum Part {
    case bytes([UInt8])
    case secret(Int)
  }

  private var parts: [Part] = []

  /// - Parameter line: a line in which the number of each secret is between two NULs, which no settings can have.
  init(_ line: [UInt8]) {
    let pieces = line.split(separator: 0, omittingEmptySubsequences: false)
    parts = pieces.enumerated().map { index, piece in
      index % 2 == 0 ? .bytes(Array(piece)) : .secret(Int(String(decoding: piece, as: UTF8.self)) ?? -1)
    }
  }

  /// Whether a line of a file is this line, with any secrets or without them. The secrets of that line are added to
  /// `secrets`.
  func matches(_ line: [UInt8], taking secrets: inout Secrets) -> Bool {
    if hasSecrets(line, taking: &secrets) { return true }
    let lacking = filled(Secrets())
    return lacking.lacks && lacking.line == line
  }

  /// Whether a line of a file is this line with any secrets, which are added to `secrets`.
  private func hasSecrets(_ line: [UInt8], taking secrets: inout Secrets) -> Bool {
    var rest = line[...]
    var open: Int?
    for (index, part) in parts.enumerated() {
      switch part {
      case .secret(let number): open = number
      case .bytes(let bytes):
        guard let secret = open else {
          guard rest.starts(with: bytes) else { return false }
          rest = rest.dropFirst(bytes.count)
          continue
        }
        let isLast = index == parts.count - 1
        guard let place = Self.place(of: bytes, in: rest, atEnd: isLast) else { return false }
        secrets.set(Array(rest[..<place]), for: secret)
        rest = rest[(place + bytes.count)...]
        open = nil
      }
    }
    return rest.isEmpty
  }

  private static func place(of bytes: [UInt8], in line: ArraySlice<UInt8>, atEnd: Bool) -> Int? {
    if atEnd {
      let place = line.endIndex - bytes.count
      return place >= line.startIndex && line[place...].elementsEqual(bytes) ? place : nil
    }
    return line.indices.first { line[$0...].starts(with: bytes) }
  }

  /// Returns this line with its secrets, and whether one is missing. If one is missing, the key becomes a comment, and
  /// a URL has no credentials.
  func filled(_ secrets: Secrets) -> (line: [UInt8], lacks: Bool) {
    var line: [UInt8] = []
    var (lacks, isKey) = (false, false)
    for part in parts {
      switch part {
      case .secret(let number):
        if let value = secrets.values[number] {
          line += value
        } else {
          lacks = true
          isKey = isKey || line.last { $0 != UInt8(ascii: " ") } == UInt8(ascii: "=")
        }
      case .bytes(let bytes):
        let isAfterLacking = lacks && line.suffix(3).elementsEqual("://".utf8)
        line += isAfterLacking && bytes.first == UInt8(ascii: "@") ? Array(bytes.dropFirst()) : bytes
      }
    }
    return (isKey ? Array("# ".utf8) + line : line, lacks)
  }
}
