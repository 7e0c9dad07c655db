/// Memory for the texts of one statement, until it has run.
///
/// SQLite would allocate each text anew, which in a large delivery costs more than to write it. Used by one
/// connection at a time.
final class TextArena {
  private let block: UnsafeMutableRawPointer
  private var used = 0
  private var larger: [UnsafeMutableRawPointer] = []

  private static let size = 64 << 10

  init() { block = .allocate(byteCount: Self.size, alignment: 1) }

  deinit {
    empty()
    block.deallocate()
  }

  /// Valid until `empty`.
  func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar> {
    let place: UnsafeMutableRawPointer
    if used + bytes.count <= Self.size {
      place = block + used
      used += bytes.count
    } else {
      place = .allocate(byteCount: max(1, bytes.count), alignment: 1)
      larger.append(place)
    }
    if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
    return UnsafePointer(place.bindMemory(to: CChar.self, capacity: bytes.count))
  }

  func empty() {
    used = 0
    for place in larger { place.deallocate() }
    larger.removeAll(keepingCapacity: true)
  }
}
