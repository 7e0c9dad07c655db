import Basics
import Dispatch
import Foundation
import Platform
import Session
import Synchronization

/// Ends the process if its orderly end takes too long: a write may wait for another process, a parser may be in a long
/// document.
///
/// The timer has a separate thread, since the threads of Swift's tasks may all be busy.
@MainActor
final class LastMoment {
  private let timer: any DispatchSourceTimer

  /// - Parameters:
  ///   - signal: the signal that ends the process; `nil` ends it with status 0.
  ///   - onEnd: called before the process ends.
  init(
    _ session: InboxSession, programs: ProgramRunner, signal: Int32?, onEnd: (@Sendable () -> Void)?
  ) {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "reddot.last-moment"))
    // This avoids the main actor, which may hang.
    let end: @Sendable () -> Void = {
      programs.killAll()
      onEnd?()
      let lost = session.unwritten
      if lost > 0 {
        let what = lost == 1 ? "the last action was" : "the last \(lost) actions were"
        Complaint.print(
          "\(what) not stored: another process was writing to the database all the time; do it again")
      }
      if let signal { InboxRun.die(of: signal) }
      // exit(3) is avoided, since its handlers may wait for the thread that hangs.
      fflush(nil)
      _exit(lost > 0 ? 1 : 0)
    }
    timer.setEventHandler(handler: end)
  }

  func startTimer() {
    timer.schedule(deadline: .now() + Limits.windDownTime / .seconds(1))
    timer.activate()
  }

  func cancelTimer() { timer.cancel() }
}
