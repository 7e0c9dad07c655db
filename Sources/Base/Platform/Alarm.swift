package import Foundation
import Synchronization

/// An event that happens once, as a descriptor that poll(2) can wait for together with others.
package final class Alarm: Sendable {
  /// Readable once the alarm has rung.
  package let descriptor: Int32
  private let writing: Int32
  private let rang = Atomic(false)

  /// - Throws: if there is no free descriptor.
  package init() throws(POSIXError) { (descriptor, writing) = try Descriptors.pipe() }

  deinit {
    close(descriptor)
    close(writing)
  }

  package var hasRung: Bool { rang.load(ordering: .acquiring) }

  /// Rings the alarm. It can be called from any thread.
  package func ring() {
    guard !rang.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    while write(writing, &byte, 1) < 0, errno == EINTR {}
  }
}

/// An alarm that can ring repeatedly. Several rings before it is read count as one.
package final class Bell: Sendable {
  /// Readable after a ring.
  package let descriptor: Int32
  private let writing: Int32

  /// - Throws: if there is no free descriptor.
  package init() throws(POSIXError) {
    (descriptor, writing) = try Descriptors.pipe()
    for end in [descriptor, writing] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Rings the bell. It can be called from any thread.
  package func ring() {
    var byte: UInt8 = 0
    // If the pipe is full, the bell has already rung.
    while write(writing, &byte, 1) < 0, errno == EINTR {}
  }

  /// - Returns: whether the bell has rung since the last call.
  package func read() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    var hasRung = false
    while Foundation.read(descriptor, &bytes, bytes.count) > 0 { hasRung = true }
    return hasRung
  }
}
