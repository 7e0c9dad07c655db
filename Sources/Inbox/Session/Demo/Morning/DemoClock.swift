package import Foundation
import Synchronization

/// The demo's time: it does not advance until the inbox is on the screen, so that every demo begins with the same
/// morning.
package final class DemoClock: Sendable {
  package let began: Date
  private let start = Mutex<ContinuousClock.Instant?>(nil)

  package init(began: Date) { self.began = began }

  package var now: Date {
    guard let start = start.withLock({ $0 }) else { return began }
    return began.addingTimeInterval(start.duration(to: .now) / .seconds(1))
  }

  /// Starts the time.
  package func run() { start.withLock { $0 = $0 ?? .now } }
}
