import Foundation

/// Configures the C library's allocator.
package enum Allocator {
  /// Two arenas instead of eight per core, and freed memory is returned early: the inbox stays open for weeks, and most
  /// of its memory would be unused arenas of its threads (mallopt(3); other C libraries have no such function).
  package static func keepSmall() {
    // By its name, since the module map of glibc leaves malloc.h out.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    typealias Setting = @convention(c) (Int32, Int32) -> Int32
    let set = unsafeBitCast(symbol, to: Setting.self)
    let (arenaMax, trimThreshold, topPad, mmapThreshold): (Int32, Int32, Int32, Int32) = (-8, -1, -2, -3)
    _ = set(arenaMax, 2)
    // More than a few frames of a large screen: with each key their memory would go to the system and come back.
    _ = set(trimThreshold, 1 << 20)
    _ = set(topPad, Int32(firstBytes))
    // What is above this is not taken from the heap, so not before.
    _ = set(mmapThreshold, Int32(2 * firstBytes))
    takeFirst()
    _ = set(mmapThreshold, 1 << 20)
  }

  /// What any command uses before it does anything.
  private static let firstBytes = 2 << 20

  /// Asks for the pages of the first memory at once: a page fault for each of them takes longer. The heap keeps them when the
  /// block is free again. Kernels before 5.14 refuse it, and then nothing has changed.
  private static func takeFirst() {
    #if os(Linux)
      guard let block = malloc(firstBytes) else { return }
      defer { free(block) }
      let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
      let skipped = (page - UInt(bitPattern: block) % page) % page
      let populateForWriting: Int32 = 23
      madvise(block + Int(skipped), (firstBytes - Int(skipped)) / Int(page) * Int(page), populateForWriting)
    #endif
  }
}
