import Glibc
import Platform

/// Delivers signals to the main actor: a handler writes the signal's number into a pipe, the main
/// queue reads it. Signals that end the process restore the terminal first.
@MainActor
final class SignalRelay {
  /// The signals that are reported as they arrive; the program decides.
  private static let relayed = [SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH]
  /// The signals that end the process by default.
  private static let fatal = [
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF,
    SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
  ]

  /// Whether the main thread has an alternate stack.
  private static var hasMainThread = false
  /// The two ends of the pipe.
  private let reader: Int32
  private let writer: Int32
  private var handled: [Int32] = []
  private var watch: InputWatch?

  /// - Throws: `TerminalFailure.system` if the process has no descriptors left.
  init() throws(TerminalFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(code: errno) }
    (reader, writer) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    SignalSlots.slots.pointee.writer = writer
    for signal in Self.relayed { handle(signal, by: signalArrived) }
    for signal in Self.fatal { handle(signal, by: fatalSignalArrived) }
  }

  /// Gives the thread an alternate stack. After a stack overflow, the handler that restores the terminal needs one.
  /// Such stacks belong to threads, and with Dispatch's own loop any of its threads may serve the main queue. This is
  /// cheap, so it is called wherever the main actor's work begins.
  static func adoptThread() {
    // The main thread's loop uses no other thread.
    if MainLoop.isRunning, hasMainThread { return }
    hasMainThread = MainLoop.isRunning
    var alternate = stack_t()
    alternate.ss_sp = SignalSlots.stack
    alternate.ss_size = SignalSlots.stackSize
    sigaltstack(&alternate, nil)
  }

  /// Handles a signal. Ignored signals stay ignored, as with `nohup` or a shell without job control.
  private func handle(_ signal: Int32, by handler: @escaping @convention(c) (Int32) -> Void) {
    var old = sigaction()
    guard sigaction(signal, nil, &old) == 0, !isIgnored(old) else { return }
    SignalSlots.slots.pointee.previous[Int(signal)] = old
    var new = makeAction(handler)
    if sigaction(signal, &new, nil) == 0 { handled.append(signal) }
  }

  /// Calls `arrived` on the main actor, once for all signals since the last call.
  func start(_ arrived: @escaping @MainActor (Set<Int32>) -> Void) {
    let reader = reader
    watch = InputWatch(reader) { [weak self] in
      guard let self else { return }
      let signals = drain()
      if !signals.isEmpty { arrived(signals) }
    } end: {
      close(reader)
    }
  }

  /// Returns the signals that arrived since the last time.
  /// - Parameter milliseconds: the time to wait for one if there is none.
  func drain(waiting milliseconds: Int32 = 0) -> Set<Int32> {
    if milliseconds > 0 {
      var state = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      poll(&state, 1, milliseconds)
    }
    var signals: Set<Int32> = []
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      while case let count = read(reader, buffer.baseAddress, 64), count > 0 {
        for byte in buffer.prefix(count) { signals.insert(Int32(byte)) }
      }
    }
    SignalSlots.slots.pointee.firstUnanswered = 0
    return signals
  }

  /// Whether Ctrl-C and Ctrl-\ are meant for another program that uses the terminal, although they also reach this
  /// process. They are dropped and not ignored: children would inherit ignored signals.
  var leavesInterruptsToOthers: Bool {
    get { SignalSlots.slots.pointee.dropsInterrupts }
    set {
      if !newValue { dropPendingInterrupts() }
      SignalSlots.slots.pointee.dropsInterrupts = newValue
    }
  }

  /// Drops the interrupts that no thread has handled yet: the same Ctrl-C may have ended the other program before one
  /// of our threads ran again.
  private func dropPendingInterrupts() {
    var (interrupts, before) = (sigset_t(), sigset_t())
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    sigaddset(&interrupts, SIGQUIT)
    pthread_sigmask(SIG_BLOCK, &interrupts, &before)
    var now = timespec()
    while sigtimedwait(&interrupts, nil, &now) > 0 {}
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Runs a signal's default action: `raise(SIGTSTP)` stops here and returns when continued.
  func raiseWithDefaultAction(_ signal: Int32) {
    var action = makeAction(nil)
    var ours = sigaction()
    sigaction(signal, &action, &ours)
    // Dispatch's threads block the signal, so it would stop us later, or never.
    var (only, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&only)
    sigaddset(&only, signal)
    pthread_sigmask(SIG_UNBLOCK, &only, &blocked)
    raise(signal)
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
    sigaction(signal, &ours, nil)
  }

  /// Restores the signals' actions; the relay cannot be used afterwards.
  func stop() {
    for signal in handled { sigaction(signal, &SignalSlots.slots.pointee.previous[Int(signal)], nil) }
    handled = []
    leavesInterruptsToOthers = false
    SignalSlots.slots.pointee.writer = -1
    close(writer)
    if let watch { watch.cancel() } else { close(reader) }
    watch = nil
  }
}

/// The memory that the handlers read.
private struct SignalSlots {
  var writer: Int32 = -1
  var dropsInterrupts = false
  /// The earlier actions, by signal.
  let previous: UnsafeMutablePointer<sigaction>
  /// The time of the oldest request to end that the main actor has not read, in seconds; 0 for none.
  var firstUnanswered = 0

  static let stackSize = 64 << 10
  /// The alternate stack, never freed: threads that served the main queue may keep it. If two of them crash at the same
  /// time, the process ends anyway.
  nonisolated(unsafe) static let stack = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)

  nonisolated(unsafe) static let slots: UnsafeMutablePointer<SignalSlots> = {
    let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    previous.initialize(repeating: sigaction(), count: 65)
    let slots = UnsafeMutablePointer<SignalSlots>.allocate(capacity: 1)
    slots.initialize(to: SignalSlots(previous: previous))
    return slots
  }()
}

/// The handler of the signals that are reported: writes the signal's number into the pipe.
private func signalArrived(_ signal: Int32) {
  let code = errno
  if signal == SIGINT, SignalSlots.slots.pointee.dropsInterrupts { return }
  if signal == SIGTERM || signal == SIGINT || signal == SIGHUP {
    // A program that hangs can still be ended, by a second signal after two seconds.
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let first = SignalSlots.slots.pointee.firstUnanswered
    if first == 0 {
      SignalSlots.slots.pointee.firstUnanswered = time.tv_sec
    } else if time.tv_sec - first >= 2 {
      return fatalSignalArrived(signal)
    }
  }
  var byte = UInt8(truncatingIfNeeded: signal)
  write(SignalSlots.slots.pointee.writer, &byte, 1)
  errno = code
}

/// The handler of the signals that end the process: restores the terminal, then runs the default action.
private func fatalSignalArrived(_ signal: Int32) {
  if signal == SIGQUIT, SignalSlots.slots.pointee.dropsInterrupts { return }
  Restoration.perform()
  Restoration.waitForOthers()
  // The signal is blocked until this returns; then its default action runs.
  sigaction(signal, &SignalSlots.slots.pointee.previous[Int(signal)], nil)
  raise(signal)
}

private func makeAction(_ handler: (@convention(c) (Int32) -> Void)?) -> sigaction {
  var action = sigaction()
  action.__sigaction_handler.sa_handler = handler
  action.sa_flags = Int32(SA_ONSTACK) | Int32(SA_RESTART)
  return action
}

private func isIgnored(_ action: sigaction) -> Bool {
  let handler = action.__sigaction_handler.sa_handler
  // A function pointer of 1 is SIG_IGN.
  return unsafeBitCast(handler, to: Int.self) == 1
}
