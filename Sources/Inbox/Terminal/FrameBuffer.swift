import CNcurses
import Glibc

/// Collects the output of curses for one frame, so that the terminal gets it in one piece.
///
/// curses 6.4 empties its own buffer at every longer move of the cursor: a frame leaves in dozens of pieces, each of
/// which may become a packet, and the terminal may show half of it.
@MainActor
final class FrameBuffer {
  /// A file in memory, or -1 if the system has none: frames then leave piece by piece.
  private let file: Int32
  private let terminal: Int32
  private var bytes: [UInt8] = []
  /// The maximum number of bytes of the file; a screen of letters, each in its own colours, has fewer.
  private static let mostKept = 1 << 20

  /// - Parameter terminal: the destination of frames; not the descriptor that curses writes to.
  init(terminal: Int32) {
    self.terminal = terminal
    file = cnc_memory_file()
  }

  func close() {
    if file >= 0 { closeDescriptor(file) }
  }

  /// Replaces the terminal with the file while `draw` runs, then writes the collected bytes.
  /// - Parameters:
  ///   - descriptor: the descriptor that curses writes to.
  ///   - begin: precedes the frame, and `end` follows it; if nothing was drawn, neither is written.
  /// - Returns: whether the terminal accepted everything.
  func collect(from descriptor: Int32, begin: String, end: String, _ draw: () -> Void) -> Bool {
    // The last frame's bytes stay behind the end of this one: emptying the file would return its memory each time.
    guard file >= 0, lseek(file, 0, SEEK_SET) == 0, replace(descriptor, by: file)
    else {
      // The frame leaves piece by piece, and it is not known whether there will be any output.
      guard write(Array(begin.utf8)) else { return false }
      draw()
      return write(Array(end.utf8))
    }
    draw()
    // Neither call fails while both are open.
    guard replace(descriptor, by: terminal) else { return false }
    let count = Int(lseek(file, 0, SEEK_CUR))
    guard count > 0 else { return true }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: begin.utf8)
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: count))
    let length = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress.map { $0 + start }, count, 0) }
    guard length == count else { return false }
    if count > Self.mostKept { ftruncate(file, 0) }
    bytes.append(contentsOf: end.utf8)
    return write(bytes)
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return true }
      return Restoration.write(first, buffer.count, to: terminal)
    }
  }

  /// Replaces a descriptor. Unlike `dup2`, it leaves nothing to a program that another thread starts meanwhile.
  private func replace(_ descriptor: Int32, by other: Int32) -> Bool {
    while cnc_replace_descriptor(descriptor, other) != descriptor {
      guard errno == EINTR || errno == EBUSY else { return false }
    }
    return true
  }
}

/// Closes a descriptor. A type with a method `close` cannot call the C function of that name directly.
func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
