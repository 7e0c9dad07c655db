import App
import Dispatch
import Foundation
import Limits
import Programs
import Synchronization

/// Ends the process when winding down takes longer than a person waits for a prompt: a write may wait for another process,
/// a reader may be at a long document.
///
/// It has a thread of its own: those that Swift's tasks run on may all be busy.
@MainActor
final class LastMoment {
  private let timer: any DispatchSourceTimer

  /// - Parameters:
  ///   - signal: what the process dies of; nil ends it with status 0.
  ///   - onEnd: done first.
  init(
    _ session: InboxSession, programs: ProgramRunner, signal: Int32?, onEnd: (@Sendable () -> Void)?
  ) {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "reddot.last-moment"))
    // Not of the main actor, which may be what hangs.
    let end: @Sendable () -> Void = {
      programs.killAll()
      onEnd?()
      let lost = session.unwritten
      if lost > 0 {
        let what = lost == 1 ? "the last act was" : "the last \(lost) acts were"
        Complaint.print(
          "\(what) not stored: another process was writing to the database all the time; do it again")
      }
      if let signal { InboxRun.die(of: signal) }
      // Not exit(3): what it waits for is what hangs.
      fflush(nil)
      _exit(lost > 0 ? 1 : 0)
    }
    timer.setEventHandler(handler: end)
  }

  func arm() {
    timer.schedule(deadline: .now() + Limits.windDownTime / .seconds(1))
    timer.activate()
  }

  func disarm() { timer.cancel() }
}
