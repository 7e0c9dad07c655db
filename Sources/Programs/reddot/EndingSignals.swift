import Dispatch
import Foundation

/// Runs an action before a signal such as Ctrl-C ends the process; the process still ends by the signal.
///
/// Programs that a command started have their own sessions and do not get Ctrl-C. A handler writes the signal's number
/// into a pipe, so that an early signal is kept; a dispatch source for signals would lose it.
struct EndingSignals {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]
  /// The pipe's end that the handler writes to. Set before the first handler is installed, then only read.
  nonisolated(unsafe) private static var writer: Int32 = -1

  /// The source of signals, or `nil` if the process has no descriptors left: then signals end it immediately.
  private let source: (any DispatchSourceRead)?

  init(before last: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      source = nil
      return
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reader = ends[0]
    Self.writer = ends[1]
    let source = DispatchSource.makeReadSource(
      fileDescriptor: reader, queue: DispatchQueue(label: "reddot.signals"))
    source.setEventHandler {
      var number: UInt8 = 0
      guard read(reader, &number, 1) == 1 else { return }
      last()
      InboxRun.die(of: Int32(number))
    }
    for number in Self.numbers {
      let earlier: (@convention(c) (Int32) -> Void)? = signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(EndingSignals.writer, &byte, 1)
      }
      // A function pointer of 1 is SIG_IGN. Ignored signals stay ignored: nohup, or a shell without job control.
      if unsafeBitCast(earlier, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
    source.activate()
    self.source = source
  }

  /// Lets the signals end the process immediately from now on.
  func cancel() {
    guard let source else { return }
    for number in Self.numbers {
      let earlier: (@convention(c) (Int32) -> Void)? = signal(number, SIG_DFL)
      if unsafeBitCast(earlier, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
    source.cancel()
  }
}
