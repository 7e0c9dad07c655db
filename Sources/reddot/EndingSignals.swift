import Dispatch
import Foundation

/// Has the signals by which people end a command do something first; the process dies of the signal all the same.
///
/// What a command started is in sessions of its own, where Ctrl-C does not reach it.
struct EndingSignals {
  private let sources: [any DispatchSourceSignal]

  init(before last: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      // What is ignored stays ignored: nohup, or a shell without job control.
      let earlier: (@convention(c) (Int32) -> Void)? = signal(number, SIG_IGN)
      // A function pointer of 1 is SIG_IGN.
      if unsafeBitCast(earlier, to: Int.self) == 1 { return nil }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      let end: @Sendable () -> Void = {
        last()
        InboxRun.die(of: number)
      }
      source.setEventHandler(handler: end)
      source.activate()
      return source
    }
  }

  func cancel() { for source in sources { source.cancel() } }
}
