import Foundation
import TestBasics

/// One entry of the hostile list: a document, its reader, and its transfer.
struct HostileCase: Sendable {
  /// What the program does with the document.
  enum Reader: Hashable, Sendable {
    /// `reddot poll` of a source of this kind with these lines of its settings, with a normal one; then `list` and `show`.
    case poll(kind: String, settings: [String] = [])
    /// These arguments; `FILE` is replaced by the document's path.
    case command([String])
  }

  var name: String
  var reader: Reader
  /// Headers of the response, besides its length.
  var headers: [String] = []
  /// The bytes of the decoded body; nil if it has no codings.
  var decodedBytes: Int?
  var write: @Sendable (HostileDocument) throws -> Void

  static func poll(
    _ name: String, _ kind: String = "feed", headers: [String] = [], decoded: Int? = nil,
    write: @escaping @Sendable (HostileDocument) throws -> Void
  ) -> HostileCase {
    HostileCase(name: name, reader: .poll(kind: kind), headers: headers, decodedBytes: decoded, write: write)
  }

  /// - Parameter settings: lines of the source's settings; `FILE` is replaced by the document's path.
  static func poll(
    _ name: String, _ kind: String, settings: [String],
    write: @escaping @Sendable (HostileDocument) throws -> Void
  ) -> HostileCase {
    HostileCase(name: name, reader: .poll(kind: kind, settings: settings), write: write)
  }

  static func command(
    _ name: String, _ arguments: [String], write: @escaping @Sendable (HostileDocument) throws -> Void
  ) -> HostileCase {
    HostileCase(name: name, reader: .command(arguments), write: write)
  }
}

/// A document while it is written to its file, piece by piece.
///
/// The kernel includes the memory of the parent process in a program's peak, so this process must
/// stay smaller than the programs that it measures.
final class HostileDocument {
  private let file: FileHandle
  private var buffer: [UInt8] = []
  private(set) var count = 0
  private static let pieceBytes = 1 << 20

  init(path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw CocoaError(.fileWriteUnknown) }
    self.file = file
    buffer.reserveCapacity(Self.pieceBytes + 4096)
  }

  func put(_ text: String) throws { try put(Array(text.utf8)) }

  func put(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    count += bytes.count
    if buffer.count >= Self.pieceBytes { try flush() }
  }

  /// A repeated text.
  func put(_ text: String, times: Int) throws { try put(Array(text.utf8), times: times) }

  func put(_ unit: [UInt8], times: Int) throws {
    guard !unit.isEmpty else { return }
    // In large pieces: one by one would take long.
    let many = max(1, 65_536 / unit.count)
    let piece = [UInt8]((0..<min(many, times)).map { _ in unit }.joined())
    for _ in 0..<times / many { try put(piece) }
    for _ in 0..<times % many { try put(unit) }
  }

  /// A text for each number.
  func put(_ numbers: Range<Int>, _ text: (Int) -> String) throws {
    for number in numbers { try put(text(number)) }
  }

  func close() throws {
    try flush()
    try file.close()
  }

  private func flush() throws {
    try file.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}

extension SeededRandom {
  /// Letters without a repeated word.
  mutating func word() -> String {
    var number = next() >> 16
    var letters: [UInt8] = []
    while number > 0 {
      letters.append(UInt8(ascii: "a") + UInt8(number % 26))
      number /= 26
    }
    return String(decoding: letters, as: UTF8.self)
  }
}
