/// The text of a valid JSON document with the positions of its values. Edits keep all other bytes.
struct JSONText {
  /// A value with its range of bytes. A member of an object also has the offset at which its key starts.
  indirect enum Node {
    case object([(key: String, start: Int, value: Node)], Range<Int>)
    case array([Node], Range<Int>)
    case other(Range<Int>)

    var range: Range<Int> {
      switch self {
      case .object(_, let range), .array(_, let range), .other(let range): range
      }
    }
  }

  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var root: Node {
    var reader = Reader(bytes: bytes)
    return reader.value()
  }

  // MARK: - Edits

  /// Adds an element after the last element of an array, or a member after the last member of an object.
  mutating func append(_ text: String, to node: Node) {
    let (starts, last): ([Int], Int?) =
      switch node {
      case .object(let members, _): (members.map(\.start), members.last?.value.range.upperBound)
      case .array(let elements, _): (elements.map(\.range.lowerBound), elements.last?.range.upperBound)
      case .other: ([], nil)
      }
    let first = node.range.lowerBound + 1
    guard let start = starts.first, let last else {
      return bytes.insert(contentsOf: Array(text.utf8), at: first)
    }
    // The new part is separated in the same way as the others.
    let space = Array(bytes[first..<start])
    bytes.insert(contentsOf: [UInt8(ascii: ",")] + space + Array(text.utf8), at: last)
  }

  /// Removes a member of an object or an element of an array, and the comma that is no longer needed.
  ///
  /// - Parameter parts: the ranges of all members or elements.
  mutating func remove(_ index: Int, of parts: [Range<Int>]) {
    if index > 0 {
      bytes.removeSubrange(parts[index - 1].upperBound..<parts[index].upperBound)
    } else if parts.count > 1 {
      bytes.removeSubrange(parts[0].lowerBound..<parts[1].lowerBound)
    } else {
      bytes.removeSubrange(parts[0])
    }
  }

  // MARK: - Reading

  /// A reader of documents in which `JSONReader` found no error.
  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    mutating func value() -> Node {
      skipSpace()
      let start = place
      switch peek {
      case UInt8(ascii: "{"):
        var members: [(key: String, start: Int, value: Node)] = []
        place += 1
        while true {
          skipSpace()
          guard let next = peek, next != UInt8(ascii: "}") else { break }
          if next == UInt8(ascii: ",") {
            place += 1
            continue
          }
          let start = place
          let key = string()
          skipSpace()
          place += 1
          members.append((key, start, value()))
        }
        place += 1
        return .object(members, start..<min(place, bytes.count))
      case UInt8(ascii: "["):
        var elements: [Node] = []
        place += 1
        while true {
          skipSpace()
          guard let next = peek, next != UInt8(ascii: "]") else { break }
          if next == UInt8(ascii: ",") {
            place += 1
            continue
          }
          elements.append(value())
        }
        place += 1
        return .array(elements, start..<min(place, bytes.count))
      case UInt8(ascii: "\""):
        _ = string()
      case _:
        while let next = peek, !",]} \t\r\n".utf8.contains(next) { place += 1 }
        if place == start { place += 1 }
      }
      return .other(start..<min(place, bytes.count))
    }

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
      while let next = peek, " \t\r\n".utf8.contains(next) { place += 1 }
    }

    /// Reads a string, and returns the characters between the quotes, with their escapes.
    private mutating func string() -> String {
      place += 1
      let start = min(place, bytes.count)
      while let next = peek, next != UInt8(ascii: "\"") { place += next == UInt8(ascii: "\\") ? 2 : 1 }
      let end = min(place, bytes.count)
      place += 1
      return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
    }
  }
}
