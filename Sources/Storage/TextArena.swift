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
    let place = place(for: bytes.count)
    if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
    return UnsafePointer(place.bindMemory(to: CChar.self, capacity: bytes.count))
  }

  /// Room for a text that is made here; valid until `empty`.
  func room(for count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(
      start: place(for: count).bindMemory(to: UInt8.self, capacity: count), count: count)
  }

  private func place(for count: Int) -> UnsafeMutableRawPointer {
    if used + count <= Self.size {
      defer { used += count }
      return block + used
    }
    let place = UnsafeMutableRawPointer.allocate(byteCount: max(1, count), alignment: 1)
    larger.append(place)
    return place
  }

  func empty() {
    used = 0
    for place in larger { place.deallocate() }
    larger.removeAll(keepingCapacity: true)
  }
}
