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
    let (arenaMax, trimThreshold, mmapThreshold): (Int32, Int32, Int32) = (-8, -1, -3)
    _ = set(arenaMax, 2)
    // More than a few frames of a large screen: with each key their memory would go to the system and come back.
    _ = set(trimThreshold, 1 << 20)
    _ = set(mmapThreshold, 1 << 20)
  }
}
