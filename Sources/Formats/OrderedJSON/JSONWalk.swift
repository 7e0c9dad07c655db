package import Foundation

/// One step of `JSONReader.walk`.
package enum JSONWalkStep: Sendable {
  /// A member of the top-level object, whole.
  case member(key: String, value: JSONValue)
  /// The streamed array begins. Where its key is repeated, what came of the earlier one is void.
  case arrayBegins
  /// One element of the streamed array, by its place from 0.
  case element(Int, JSONValue)
  /// An element that is no JSON, or what follows it is no comma; the walk goes on behind it.
  case badElement(Int, JSONFailure)
}

extension JSONReader {
  /// Hands out the members of a top-level object in document order and, where the member `streamed` is an
  /// array, its elements one at a time, so that the document's values are never held all at once.
  ///
  /// - Throws: `JSONFailure` where the document itself is broken or cut off, or is no object. Steps taken
  ///   before stand: what was complete in a cut document has been visited.
  package static func walk(
    _ bytes: Data, streaming streamed: String, depthLimit: Int = JSONReader.depthLimit,
    visit: (JSONWalkStep) -> Void
  ) throws(JSONFailure) {
    let failure: JSONFailure? = bytes.withUnsafeBytes { raw in
      let parser = JSONParser(raw.assumingMemoryBound(to: UInt8.self), depthLimit: depthLimit)
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
  let streamed: String

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
      do throws(JSONFailure) {
        visit(.element(index, try parser.value(depth: 2)))
      } catch {
        guard !error.isCutOff, let end = JSONRecovery.end(of: parser.bytes, from: start) else { throw error }
        visit(.badElement(index, error))
        parser.forgetOpenValues()
        parser.place = end
      }
      index += 1
      do throws(JSONFailure) {
        if try !parser.separator(before: UInt8(ascii: "]")) { return }
      } catch {
        guard !error.isCutOff else { throw error }
        visit(.badElement(index, error))
        // A comma was forgotten: what comes is the next element. Anything else is skipped.
        if let byte = parser.current, !JSONRecovery.mayBeginValue(byte) {
          guard let end = JSONRecovery.end(of: parser.bytes, from: parser.place) else { throw error }
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

/// Finds where a broken array element ends, by its brackets and quotes alone.
private enum JSONRecovery {
  /// The place of the comma or bracket that ends the element, or nil where there is none.
  static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    // A line end is not allowed in a string, but one that was not escaped is likelier than a quote that
    // was forgotten; the second reading finds the latter.
    scan(bytes, from: start, linesEndStrings: false) ?? scan(bytes, from: start, linesEndStrings: true)
  }

  static func mayBeginValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): true
    default: false
    }
  }

  private static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, linesEndStrings: Bool
  ) -> Int? {
    var open: [UInt8] = []
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        place += 1
        string: while place < bytes.count {
          switch bytes[place] {
          case UInt8(ascii: "\""): break string
          case UInt8(ascii: "\\"): place += 1
          case 0x0A where linesEndStrings:
            // With an element on each line, the line end that broke the string ends the element too.
            if open.count == 1, bytes[place - 1] == UInt8(ascii: ","), bytes[place - 2] == UInt8(ascii: "}") {
              return place - 1
            }
            break string
          default: break
          }
          place += 1
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(byte)
      case UInt8(ascii: "}"):
        // An array left open inside an object ends with it.
        guard let outer = open.lastIndex(of: UInt8(ascii: "{")) else { break }
        open.removeSubrange(outer...)
      case UInt8(ascii: "]"):
        // Without an array of its own it ends the whole list, and the objects left open with it.
        guard let outer = open.lastIndex(of: UInt8(ascii: "[")) else { return place }
        open.removeSubrange(outer...)
      case UInt8(ascii: ",") where open.isEmpty: return place
      default: break
      }
      place += 1
    }
    return nil
  }
}
