package import Foundation
import Synchronization

/// Something that happens once, as a descriptor: poll(2) waits for it together with others.
package final class Alarm: Sendable {
  /// Can be read from then on.
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

  /// From any thread.
  package func ring() {
    guard !rang.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    while write(writing, &byte, 1) < 0, errno == EINTR {}
  }
}

/// As an alarm, but again and again: several rings before it is read are one.
package final class Bell: Sendable {
  /// Can be read after a ring.
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

  /// From any thread.
  package func ring() {
    var byte: UInt8 = 0
    // A full pipe has rung.
    while write(writing, &byte, 1) < 0, errno == EINTR {}
  }

  /// - Returns: whether it has rung since the last call.
  package func read() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    var hasRung = false
    while Foundation.read(descriptor, &bytes, bytes.count) > 0 { hasRung = true }
    return hasRung
  }
}
