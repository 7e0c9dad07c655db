import Foundation
import Messages

/// Encodes JSON for columns: keys in order, unescaped slashes. Extras are also hashed, so the encoding must never
/// change; a test checks it.
enum StoredJSON {
  static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  /// Returns the extras as JSON. Their actions are encoded some at a time, since JSONEncoder needs half a kilobyte for
  /// each action that it encodes together with others.
  static func bytes(of extras: MessageExtras) throws -> [UInt8] {
    guard extras.actions.count > piece else { return try bytes(extras) }
    var others = extras
    others.actions = []
    // This is the first key in the sorted order.
    let start = Array("{\"actions\":[".utf8)
    let end = try bytes(others)
    guard end.starts(with: start) else { return try bytes(extras) }
    var text = start
    for first in stride(from: 0, to: extras.actions.count, by: piece) {
      if first > 0 { text.append(UInt8(ascii: ",")) }
      let links = Array(extras.actions[first..<min(first + piece, extras.actions.count)])
      text += try bytes(links).dropFirst().dropLast()
    }
    return text + end.dropFirst(start.count)
  }

  /// The number of actions that are encoded together.
  private static let piece = 1000

  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(value), as: UTF8.self)
  }
}
