import Foundation
import Platform
import Profile

/// Checks the store once for many changes of it, and again at the time that the last check returned.
@MainActor
final class RepeatedLook {
  private let loop: InboxLoop
  /// Checks once.
  ///
  /// - Returns: the time of the next check if nothing else happens, or `nil` for none.
  private let once: @MainActor () async throws -> Date?
  /// The check that is under way.
  private var round: Task<Void, Never>?
  /// Whether something has changed meanwhile.
  private var isDueAgain = false
  /// The task that waits for the time of the next check.
  private var next: Task<Void, Never>?

  init(_ loop: InboxLoop, once: @escaping @MainActor () async throws -> Date?) {
    self.loop = loop
    self.once = once
  }

  /// Checks now, or once more after the check that is under way.
  func look() {
    guard round == nil else {
      isDueAgain = true
      return
    }
    next?.cancel()
    round = Task { [weak self] in
      var moment: Date?
      repeat {
        self?.isDueAgain = false
        do {
          moment = try await self?.once()
        } catch {
          self?.loop.report(error)
        }
      } while self?.isDueAgain == true
      self?.round = nil
      if let moment { self?.look(at: moment) }
    }
  }

  /// Stops, and returns when the current check has ended.
  func stop() async {
    next?.cancel()
    await round?.value
  }

  private func look(at instant: Date) {
    let environment = loop.profile.environment
    let wait = min(86_400, max(0.01, instant.timeIntervalSince(environment.now())))
    next = Task { [weak self] in
      // Only a cancellation ends a sleep early.
      guard (try? await environment.timer.sleep(for: .seconds(wait))) != nil else { return }
      self?.next = nil
      self?.look()
    }
  }
}
