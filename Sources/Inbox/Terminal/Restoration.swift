import Glibc

/// Restores the terminal from any thread at any time, even in a signal handler. It uses plain memory that was prepared
/// in advance. Nothing here allocates, locks or counts references.
struct Restoration {
  /// Whether there is anything to restore.
  var isArmed = false
  var input: Int32 = -1
  var output: Int32 = -1
  /// The terminal's original modes.
  var modes = termios()
  /// The bytes that undo what the screen's set-up sent.
  var sequence: UnsafeMutablePointer<UInt8>?
  var sequenceLength = 0
  /// The bytes that remove our title from the terminal's stack of titles.
  var titleLength = 0
  var isTitlePushed = false
  /// The bytes that delete our pictures, and whether the terminal has any.
  var graphics: UnsafeMutablePointer<UInt8>?
  var graphicsLength = 0
  var hasGraphics = false
  /// The thread that is restoring the terminal.
  var restorer: pthread_t?
  /// The real standard error, and the file that contains its text; -1 while it is not held.
  var standardError: Int32 = -1
  var heldErrors: Int32 = -1

  /// The value that signal handlers can access: a handler gets no context, and a process has one terminal.
  nonisolated(unsafe) static let plan: UnsafeMutablePointer<Restoration> = {
    let plan = UnsafeMutablePointer<Restoration>.allocate(capacity: 1)
    plan.initialize(to: Restoration())
    return plan
  }()

  /// Returns a copy of a sequence in memory that signal handlers can read.
  private static func copied(_ sequence: String) -> (bytes: UnsafeMutablePointer<UInt8>, count: Int) {
    let bytes = Array(sequence.utf8)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
    for (index, byte) in bytes.enumerated() { copy[index] = byte }
    return (copy, bytes.count)
  }

  /// Adds the sequence that deletes pictures, since the terminal is about to get some.
  static func deleteGraphicsAtExit(_ sequence: String) {
    if plan.pointee.graphics == nil {
      let (bytes, count) = copied(sequence)
      plan.pointee.graphicsLength = count
      plan.pointee.graphics = bytes
    }
    plan.pointee.hasGraphics = true
  }

  /// Stores what is needed to restore the terminal.
  static func prepare(
    input: Int32, output: Int32, modes: termios, sequence: String, titleSequence: String
  ) {
    let (copy, _) = copied(sequence + titleSequence)
    plan.pointee.isArmed = false
    plan.pointee.hasGraphics = false
    plan.pointee.sequence?.deallocate()
    plan.pointee.input = input
    plan.pointee.output = output
    plan.pointee.modes = modes
    plan.pointee.sequence = copy
    plan.pointee.sequenceLength = sequence.utf8.count
    plan.pointee.titleLength = titleSequence.utf8.count
    plan.pointee.isTitlePushed = false
  }

  /// Restores the terminal on exits without `NcursesTerminal.close()`; does nothing after it.
  static func perform() {
    guard plan.pointee.isArmed else { return }
    plan.pointee.restorer = pthread_self()
    plan.pointee.isArmed = false
    defer { plan.pointee.restorer = nil }
    // In the background, another program has set the terminal up.
    if isForeground(plan.pointee.output) {
      if plan.pointee.hasGraphics, let graphics = plan.pointee.graphics {
        write(graphics, plan.pointee.graphicsLength, to: plan.pointee.output)
      }
      if let sequence = plan.pointee.sequence {
        let titleLength = plan.pointee.isTitlePushed ? plan.pointee.titleLength : 0
        write(sequence, plan.pointee.sequenceLength + titleLength, to: plan.pointee.output)
      }
      tcsetattr(plan.pointee.input, TCSANOW, &plan.pointee.modes)
    }
    releaseStandardError()
  }

  /// Lets another thread finish its restoration, for two seconds at most. Several signals that end the process may
  /// arrive at the same time, each in another thread, and the first to end it must not interrupt that.
  static func waitForOthers() {
    for _ in 0..<200 {
      guard let restorer = plan.pointee.restorer, pthread_equal(restorer, pthread_self()) == 0 else { return }
      poll(nil, 0, 10)
    }
  }

  /// Whether the process is in the foreground. Also `true` if that cannot be determined: the terminal isn't our
  /// controlling one, or is gone.
  static func isForeground(_ terminal: Int32) -> Bool {
    let group = tcgetpgrp(terminal)
    return group < 0 || group == getpgrp()
  }

  /// Writes all bytes, unless the terminal is gone or accepts nothing for a second.
  /// - Returns: whether all of them were written.
  @discardableResult
  static func write(_ bytes: UnsafePointer<UInt8>, _ count: Int, to descriptor: Int32) -> Bool {
    var written = 0
    while written < count {
      let result = Glibc.write(descriptor, bytes + written, count - written)
      if result > 0 {
        written += result
      } else if result < 0, errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&ready, 1, 1000) == 0 { return false }
      } else if result == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }
}
