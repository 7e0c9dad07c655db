import Dispatch
import Foundation

/// Has the signals by which people end a command do something first; the process dies of the signal all the same.
///
/// What a command started is in sessions of its own, where Ctrl-C does not reach it. A handler writes the signal's number
/// into a pipe: one that arrives while this is being set up waits there, where a dispatch source for signals would lose it.
struct EndingSignals {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]
  /// The pipe's end that the handler writes to. Set before the first handler is, then only read.
  nonisolated(unsafe) private static var writer: Int32 = -1

  /// nil where the process has no descriptors left: signals then end it at once.
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
    let source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: .global())
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
      // A function pointer of 1 is SIG_IGN. What is ignored stays ignored: nohup, or a shell without job control.
      if unsafeBitCast(earlier, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
    source.activate()
    self.source = source
  }

  /// From now on the signals end the process at once.
  func cancel() {
    guard let source else { return }
    for number in Self.numbers {
      let earlier: (@convention(c) (Int32) -> Void)? = signal(number, SIG_DFL)
      if unsafeBitCast(earlier, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
    source.cancel()
  }
}
