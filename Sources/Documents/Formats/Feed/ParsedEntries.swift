/// The entries of a feed in document order.
///
/// They are stored in blocks, so that a list of hundreds of thousands grows without being copied, and each block can be
/// freed once its messages are created.
package struct ParsedEntries: Hashable, Sendable {
  /// Every block but the last has `blockSize` entries.
  private var blocks: [[ParsedEntry]] = []
  package private(set) var count = 0
  /// The number of entries in a block. It is so large that the block's memory is returned to the system when it is
  /// freed: see `Allocator.keepSmall`.
  private static let blockSize = 8192

  package init() {}

  package mutating func append(_ entry: ParsedEntry) {
    if count % Self.blockSize == 0 { blocks.append([]) }
    blocks[blocks.count - 1].append(entry)
    count += 1
  }

  /// Calls `body` with each entry, which it may change.
  mutating func changeEach(_ body: (inout ParsedEntry) -> Void) {
    for place in blocks.indices {
      for index in blocks[place].indices { body(&blocks[place][index]) }
    }
  }

  /// Calls `body` with each block. Each is freed after the call, unless `body` keeps it.
  package consuming func forEachBlock(_ body: ([ParsedEntry]) -> Void) {
    for place in blocks.indices {
      var block: [ParsedEntry] = []
      swap(&block, &blocks[place])
      body(block)
    }
  }
}

extension ParsedEntries: RandomAccessCollection, MutableCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(place: Int) -> ParsedEntry {
    get { blocks[place / Self.blockSize][place % Self.blockSize] }
    set { blocks[place / Self.blockSize][place % Self.blockSize] = newValue }
    _modify { yield &blocks[place / Self.blockSize][place % Self.blockSize] }
  }
}

extension ParsedEntries: ExpressibleByArrayLiteral {
  package init(_ entries: some Sequence<ParsedEntry>) {
    for entry in entries { append(entry) }
  }

  package init(arrayLiteral entries: ParsedEntry...) { self.init(entries) }
}
