import Basics
import Formats
import Platform

/// Removes secrets from settings, so that the settings may be shown to others.
extension Secrets {
  /// Returns the text with `***` for each secret, or `nil` if the text has a secret where it cannot be
  /// found, for example in a table within a line.
  static func masked(_ text: String) throws(TOMLMistake) -> String? {
    let document = try TOMLDocument(text)
    let values = document.blocks.flatMap(\.keys).filter { keys.contains($0.name) }.map(\.value)
    guard count(in: .table(document.root)) == values.count else { return nil }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var end = 0
    let found = ranges(in: text) + parameters(in: bytes) + comments(in: bytes)
    for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= end {
      result += bytes[end..<range.lowerBound] + (values.contains(range) ? "\"***\"" : "***").utf8
      end = range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  /// Returns the number of secrets in a value.
  private static func count(in value: TOMLValue) -> Int {
    if let array = value.array { return array.reduce(0) { $0 + count(in: $1) } }
    guard let table = value.table else { return 0 }
    return table.keys.reduce(0) { sum, key in
      sum + (keys.contains(key) ? 1 : table[key].map(count) ?? 0)
    }
  }

  /// Returns the byte ranges of the values of parameters that grant access, in URLs and in arguments of
  /// programs: `?token=…`, `--api-key=…`.
  private static func parameters(in bytes: [UInt8]) -> [Range<Int>] {
    let names = ["token", "key", "secret", "password", "auth", "sig", "signature"].map {
      Array("\($0)=".utf8)
    }
    return bytes.indices.compactMap { index in
      guard "?&_-".utf8.contains(bytes[index]),
        let name = names.first(where: { bytes[(index + 1)...].starts(with: $0) })
      else { return nil }
      return range(from: index + 1 + name.count, in: bytes) { "&#\"' \t\r\n".utf8.contains($0) }
    }
  }

  /// Returns the byte ranges of the values of secrets in comments, which are settings that were switched off.
  private static func comments(in bytes: [UInt8]) -> [Range<Int>] {
    let names = keys.map { Array($0.utf8) }
    return bytes.indices.compactMap { index in
      guard bytes[index] == UInt8(ascii: "#"),
        let word = bytes[(index + 1)...].firstIndex(where: { $0 != UInt8(ascii: " ") }),
        let name = names.first(where: { bytes[word...].starts(with: $0) }),
        let sign = bytes[(word + name.count)...].firstIndex(where: { $0 != UInt8(ascii: " ") }),
        bytes[sign] == UInt8(ascii: "=")
      else { return nil }
      return range(from: sign + 1, in: bytes) { "\r\n".utf8.contains($0) }
    }
  }

  /// Returns the range of bytes from `start` to before the first byte that `isEnd` accepts, or `nil` if this
  /// range is empty.
  private static func range(
    from start: Int, in bytes: [UInt8], upTo isEnd: (UInt8) -> Bool
  ) -> Range<Int>? {
    let end = bytes[start...].firstIndex(where: isEnd) ?? bytes.endIndex
    return start < end ? start..<end : nil
  }
}

extension SettingsFile {
  /// Returns the text of the file without its secrets: tokens, passwords, and credentials in URLs. Returns an empty
  /// string if there is no file.
  ///
  /// - Throws: `Failure` or `SettingsMistakes`. An invalid file is not shown, since secrets in it may not be found.
  package func textWithoutSecrets() throws -> String {
    _ = try load()
    do {
      guard let bytes = try ReplacedFile(path: path).bytes() else { return "" }
      guard let masked = try Secrets.masked(text(bytes)) else {
        throw Failure(
          path: path,
          reason:
            "has a token or password in a table within a line, where it cannot be hidden; write that table with a header"
        )
      }
      return masked
    } catch let failure as ReplacedFile.Failure {
      throw Failure(path: path, reason: failure.reason)
    }
  }
}
