import Foundation

/// Configures the C library's allocator.
package enum Allocator {
  /// Uses two arenas instead of eight per core, and returns freed memory early. The inbox stays open for weeks, and
  /// most of its memory would be unused arenas of its threads (mallopt(3); other C libraries have no such function).
  package static func keepSmall() {
    // The function is looked up by name, since glibc's module map leaves out malloc.h.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    typealias Setting = @convention(c) (Int32, Int32) -> Int32
    let set = unsafeBitCast(symbol, to: Setting.self)
    let (arenaMax, trimThreshold, mmapThreshold): (Int32, Int32, Int32) = (-8, -1, -3)
    _ = set(arenaMax, 2)
    // The threshold is above a few frames of a large screen. Otherwise each key would return their memory to the system
    // and fetch it again.
    _ = set(trimThreshold, 1 << 20)
    _ = set(mmapThreshold, 1 << 20)
  }
}
