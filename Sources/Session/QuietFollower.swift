import Foundation
import Interface
import Platform
import Storage
import Workspace

/// Keeps the header's word about quiet hours right: after each change of the store and the settings, and when they begin or
/// end by time.
@MainActor
final class QuietFollower {
  private let loop: InboxLoop
  private var round: Task<Void, Never>?
  /// Something changed meanwhile.
  private var isDueAgain = false
  private var next: Task<Void, Never>?

  init(_ loop: InboxLoop) { self.loop = loop }

  func look() {
    guard round == nil else {
      isDueAgain = true
      return
    }
    next?.cancel()
    round = Task { [weak self] in
      var change: Date?
      repeat {
        self?.isDueAgain = false
        change = await self?.lookOnce()
      } while self?.isDueAgain == true
      self?.round = nil
      if let change { self?.look(at: change) }
    }
  }

  /// - Returns: when it changes by time alone.
  private func lookOnce() async -> Date? {
    let workspace = loop.workspace
    do {
      let (time, change) = try await workspace.store.inBackground { _ throws(StoreFailure) in
        (try workspace.quietTime(), try workspace.quietChange())
      }
      let span = time.map { $0.until.map(QuietSpan.until) ?? .always }
      if span != loop.state.quiet { loop.happened(.quietChanged(span)) }
      return change
    } catch {
      loop.report(error)
      return nil
    }
  }

  private func look(at instant: Date) {
    let environment = loop.workspace.environment
    let wait = min(86_400, max(0.01, instant.timeIntervalSince(environment.now())))
    next = Task { [weak self] in
      // Only a cancellation ends a sleep early.
      guard (try? await environment.timer.sleep(for: .seconds(wait))) != nil else { return }
      self?.next = nil
      self?.look()
    }
  }

  func stop() {
    next?.cancel()
    round?.cancel()
  }
}
