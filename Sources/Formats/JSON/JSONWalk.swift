package import Foundation
package import Limits

/// One step of `JSONReader.walk`.
package enum JSONWalkStep: Sendable {
  /// A complete member of the top-level object.
  case member(key: String, value: JSONValue)
  /// The streamed array begins. If its key is repeated, the elements of the earlier array are to be dropped.
  case arrayBegins
  /// One element of the streamed array, with its index.
  case element(Int, JSONValue)
  /// An element that isn't JSON, or has no comma after it; the walk continues after it.
  case badElement(Int, JSONFailure)
}

extension JSONReader {
  /// Calls `visit` with the members of a top-level object in document order and, if the member `streamed` is an
  /// array, with its elements one at a time, so that not all values are in memory at once.
  ///
  /// - Throws: `JSONFailure` if the document itself is broken or cut off, or isn't an object. Earlier steps
  ///   remain valid: the complete values of such a document were visited.
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

private struct JSONWalk {
  var parser: JSONParser
  private var recovery = JSONRecovery()
  let streamed: String

  init(parser: JSONParser, streamed: String) {
    self.parser = parser
    self.streamed = streamed
  }

  mutating func run(_ visit: (JSONWalkStep) -> Void) throws(JSONFailure) {
    try parser.begin()
    guard parser.current == UInt8(ascii: "{") else { throw parser.unexpected("an object") }
    parser.place += 1
    parser.skipSpace()
    if parser.current == UInt8(ascii: "}") {
      parser.place += 1
      return try parser.end()
    }
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

  private mutating func elements(_ visit: (JSONWalkStep) -> Void) throws(JSONFailure) {
    parser.place += 1
    parser.skipSpace()
    if parser.current == UInt8(ascii: "]") {
      parser.place += 1
      return
    }
    var index = 0
    while true {
      let start = parser.place
      parser.forgetValues()
      do throws(JSONFailure) {
        visit(.element(index, try parser.value(depth: 2)))
      } catch {
        guard !error.endsReading, let end = recovery.end(of: parser.bytes, from: start) else { throw error }
        visit(.badElement(index, error))
        parser.forgetOpenValues()
        parser.place = end
      }
      index += 1
      do throws(JSONFailure) {
        if try !parser.separator(before: UInt8(ascii: "]")) { return }
      } catch {
        guard !error.endsReading else { throw error }
        visit(.badElement(index, error))
        // If only a comma is missing, the next element begins here. Anything else is skipped.
        if let byte = parser.current, !JSONRecovery.mayBeginValue(byte) {
          guard let end = recovery.end(of: parser.bytes, from: parser.place) else { throw error }
          parser.place = end
          index += 1
          if try !parser.separator(before: UInt8(ascii: "]")) { return }
        }
      }
      if parser.current == UInt8(ascii: "]") {
        visit(.badElement(index, parser.unexpected("a value")))
        parser.place += 1
        return
      }
    }
  }
}

/// Finds the end of a broken array element by its brackets and quotes.
private struct JSONRecovery {
  private var linesEndStrings = false

  /// The index of the comma or bracket that ends the element; nil if there is none.
  ///
  /// A line end isn't allowed in a string, but an unescaped line end is more likely than a missing quote.
  /// If no end is found so, strings end with their line from then on. This is never changed back, so that a
  /// document of broken elements takes linear time.
  mutating func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    if !linesEndStrings {
      if let end = scan(bytes, from: start) { return end }
      linesEndStrings = true
    }
    return scan(bytes, from: start)
  }

  static func mayBeginValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): true
    default: false
    }
  }

  private func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var open = OpenBrackets()
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        string: while place < bytes.count {
          switch bytes[place] {
          case UInt8(ascii: "\""): break string
          case UInt8(ascii: "\\"): place += 1
          case 0x0A where linesEndStrings:
            // With one element in each line, the line end inside the string also ends the element.
            if open.count == 1, bytes[place - 1] == UInt8(ascii: ","), bytes[place - 2] == UInt8(ascii: "}") {
              return place - 1
            }
            break string
          default: break
          }
          place += 1
        }
      case UInt8(ascii: "{"): open.append(isBrace: true)
      case UInt8(ascii: "["): open.append(isBrace: false)
      // An array that is still open inside an object ends with it.
      case UInt8(ascii: "}"): _ = open.close(isBrace: true)
      case UInt8(ascii: "]"):
        // If no array was opened, it ends the whole list, with the open objects in it.
        if !open.close(isBrace: false) { return place }
      case UInt8(ascii: ",") where open.count == 0: return place
      default: break
      }
      place += 1
    }
    return nil
  }
}

/// The open brackets. Closing one also closes those that are still open inside it.
private struct OpenBrackets {
  private var areBraces: [Bool] = []
  private var braces = 0

  var count: Int { areBraces.count }

  mutating func append(isBrace: Bool) {
    areBraces.append(isBrace)
    if isBrace { braces += 1 }
  }

  /// False if no such bracket is open; then nothing is closed.
  mutating func close(isBrace: Bool) -> Bool {
    guard isBrace ? braces > 0 : braces < areBraces.count else { return false }
    while let last = areBraces.popLast() {
      if last { braces -= 1 }
      if last == isBrace { return true }
    }
    return false
  }
}
