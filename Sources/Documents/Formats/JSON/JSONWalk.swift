package import Basics
package import Foundation

/// A value that `JSONReader.walk` passes to its caller.
package enum JSONWalkStep: Sendable {
  /// A complete member of the top-level object.
  case member(key: String, value: JSONValue)
  /// The streamed array begins. If its key is repeated, the elements of the earlier array must be dropped.
  case arrayBegins
  /// One element of the streamed array, with its index.
  case element(Int, JSONValue)
}

extension JSONReader {
  /// Calls `visit` with the members of a top-level object in document order. If the member with the key `streamed` is
  /// an array, `visit` is called with its elements one at a time, so that not all values are in memory at the same
  /// time.
  ///
  /// - Throws: `JSONFailure` if the document is broken or cut off, or isn't an object. The complete values before that
  ///   position were visited and are valid. Nothing after it is visited, since the start of the next element would be a
  ///   guess.
  package static func walk(
    _ bytes: Data, streaming streamed: String, depthLimit: Int = Limits.jsonDepth,
    allowance: Allowance? = nil, visit: (JSONWalkStep) -> Void
  ) throws(JSONFailure) {
    let allowance = allowance ?? Allowance(documentBytes: bytes.count)
    let failure: JSONFailure? = bytes.withUnsafeBytes { raw in
      let parser = JSONParser(
        raw.assumingMemoryBound(to: UInt8.self), depthLimit: depthLimit, allowance: allowance)
      var walk = JSONWalk(parser: parser, streamed: streamed)
      do throws(JSONFailure) {
        try walk.run(visit)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }
}

/// Reads a top-level object step by step; see `JSONReader.walk`.
private struct JSONWalk {
  var parser: JSONParser
  let streamed: String

  mutating func run(_ visit: (JSONWalkStep) -> Void) throws(JSONFailure) {
    try parser.begin()
    guard parser.current == UInt8(ascii: "{") else { throw parser.unexpected("an object") }
    guard try parser.begin(depth: 1, unless: UInt8(ascii: "}")) else { return try parser.end() }
    repeat {
      let key = try parser.key()
      if parser.current == UInt8(ascii: "["), sameBytes(key, streamed) {
        visit(.arrayBegins)
        try elements(visit)
      } else {
        visit(.member(key: key, value: try parser.value(depth: 1)))
      }
    } while try parser.separator(before: UInt8(ascii: "}"))
    try parser.end()
  }

  /// Visits the elements of the streamed array.
  private mutating func elements(_ visit: (JSONWalkStep) -> Void) throws(JSONFailure) {
    guard try parser.begin(depth: 2, unless: UInt8(ascii: "]")) else { return }
    var index = 0
    repeat {
      parser.forgetValues()
      visit(.element(index, try parser.value(depth: 2)))
      index += 1
    } while try parser.separator(before: UInt8(ascii: "]"))
  }
}
