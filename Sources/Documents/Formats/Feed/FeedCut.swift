import Basics

/// Finds the positions before entries at which a large RSS or Atom document can be cut, so that its parts can be read
/// separately.
///
/// Each part is read between the document's beginning, up to its first entry, and the end tags that close it. A
/// document is cut only if this gives the same result as reading the whole: its entries are adjacent, with no other
/// elements between or after them. This does not check whether the document is well-formed, since the parts are if and
/// only if it is.
struct FeedCut {
  /// The beginning of the document, up to the first entry.
  let head: Range<Int>
  /// The ranges of the sections, each with one or more whole entries, in document order and without gaps.
  let sections: [Range<Int>]
  /// The end tags of the elements that are open before the first entry.
  let tail: [UInt8]

  /// Finds the positions at which a document can be cut.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, from the root element or the prolog before it.
  ///   - size: the minimum number of bytes of each section but the last.
  /// - Returns: `nil` if the document can only be read as a whole.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, size: Int) {
    var scan = Scan(bytes)
    guard let first = scan.firstEntry() else { return nil }
    let open = scan.open
    guard !open.isEmpty, first <= Limits.feedHeadBytes else { return nil }
    var cuts = [first]
    guard
      let end = scan.entries({ start in
        guard start - cuts[cuts.count - 1] >= size else { return }
        cuts.append(start)
      })
    else { return nil }
    head = 0..<first
    sections = zip(cuts, cuts.dropFirst() + [end]).map { $0..<$1 }
    tail = open.reversed().flatMap { name in
      [UInt8(ascii: "<"), UInt8(ascii: "/")] + bytes[name] + [UInt8(ascii: ">")]
    }
  }
}

/// Scans a document from tag to tag.
private struct Scan {
  /// A tag of the document.
  private enum Tag {
    case start(name: Range<Int>, isEmpty: Bool)
    case end
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// The position of the last tag's `<`.
  private var place = 0
  /// The names of the elements that are open before the first entry.
  private(set) var open: [Range<Int>] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Returns the position of the first entry that is not the root element, or `nil` if there is none.
  mutating func firstEntry() -> Int? {
    while let tag = next() {
      switch tag {
      case .start(let name, let isEmpty):
        if !open.isEmpty, isEntry(name) {
          position = place
          return place
        }
        if !isEmpty { open.append(name) }
        guard open.count < 8 else { return nil }
      case .end:
        guard open.popLast() != nil else { return nil }
      }
    }
    return nil
  }

  /// Calls `body` with the position of each entry from the first one on.
  ///
  /// - Returns: the position after the last entry, or `nil` if there is anything other than entries.
  mutating func entries(_ body: (Int) -> Void) -> Int? {
    var depth = 0
    while let tag = next() {
      switch tag {
      case .start(let name, let isEmpty):
        if depth == 0 {
          guard isEntry(name) else { return nil }
          body(place)
        }
        if !isEmpty { depth += 1 }
      case .end:
        depth -= 1
        if depth < 0 { return endsHere() ? place : nil }
      }
    }
    return nil
  }

  /// Whether only the end tags of the open elements follow, with white space and comments.
  private mutating func endsHere() -> Bool {
    position = place
    for name in open.reversed() {
      skipComments()
      guard bytes.hasSequence("</", at: position), position + 2 + name.count <= bytes.count,
        bytes[(position + 2)..<(position + 2 + name.count)].elementsEqual(bytes[name])
      else { return false }
      position += 2 + name.count
      while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
      guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else { return false }
      position += 1
    }
    skipComments()
    return position == bytes.count
  }

  /// Skips white space and comments.
  private mutating func skipComments() {
    while position < bytes.count {
      if bytes[position].isXMLSpace {
        position += 1
      } else if bytes.hasSequence("<!--", at: position), let end = XMLTags.declarationEnd(bytes, position),
        // Two hyphens inside are an error, which is reported only when the whole document is read.
        bytes.index(of: "--", from: position + 4) == end - 3
      {
        position = end
      } else {
        return
      }
    }
  }

  /// Whether an element is an entry, according to its local name in any case.
  private func isEntry(_ name: Range<Int>) -> Bool {
    let start = bytes[name].lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.lowerBound
    switch name.upperBound - start {
    case 4: return bytes.hasSequence(inAnyCase: "item", at: start)
    case 5: return bytes.hasSequence(inAnyCase: "entry", at: start)
    default: return false
    }
  }

  /// Returns the next tag, or `nil` at the end of the document. It also returns `nil` at a tag that can only be
  /// understood when the whole document is read.
  private mutating func next() -> Tag? {
    while let open = bytes.index(of: UInt8(ascii: "<"), from: position) {
      place = open
      position = open + 1
      guard position < bytes.count else { return nil }
      switch bytes[position] {
      case UInt8(ascii: "!"):
        guard let end = XMLTags.declarationEnd(bytes, open) else { return nil }
        position = end
      case UInt8(ascii: "?"):
        guard let end = bytes.index(of: "?>", from: position) else { return nil }
        position = end + 2
      case UInt8(ascii: "/"):
        guard let end = bytes.index(of: UInt8(ascii: ">"), from: position) else { return nil }
        position = end + 1
        return .end
      default: return startTag()
      }
    }
    return nil
  }

  /// Reads the start tag whose name is next.
  private mutating func startTag() -> Tag? {
    let start = position
    while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
    let name = start..<position
    guard !name.isEmpty else { return nil }
    var attributes = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: ">"):
        position += 1
        return .start(name: name, isEmpty: bytes[position - 2] == UInt8(ascii: "/"))
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        attributes += 1
        // The repair leaves out surplus attributes.
        guard attributes <= Limits.attributes,
          let end = bytes.index(of: bytes[position], from: position + 1)
        else { return nil }
        position = end + 1
      case UInt8(ascii: "<"): return nil
      default: position += 1
      }
    }
    return nil
  }

  /// Whether the byte ends the name of an element.
  private static func endsName(_ byte: UInt8) -> Bool {
    byte.isXMLSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<")
  }
}
