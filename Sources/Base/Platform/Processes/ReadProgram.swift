import Basics
import Foundation
import Synchronization

/// A program whose output is read, from its start to its end: in a session of its own, without a terminal.
final class ReadProgram: Sendable {
  struct Answer: Sendable {
    var output: [UInt8] = []
    var complaints = Complaints()
    var ending = ProgramEnding.status(0)
  }

  private let program: Program
  private let words: [String]
  /// Called once, on the thread of `run`; nil: it could not be started.
  private let started: @Sendable (pid_t?) -> Void
  /// Called when it has ended and its process id is still its own.
  private let ended: @Sendable (pid_t) -> Void
  /// A byte in it wakes up the thread that reads.
  private let alarm: (read: Int32, write: Int32)
  private let isCancelled = Atomic(false)
  private let hasEnded = Atomic(false)

  /// - Parameter words: the program's, or those of another one that starts it.
  init(
    _ program: Program, words: [String], started: @escaping @Sendable (pid_t?) -> Void,
    ended: @escaping @Sendable (pid_t) -> Void
  ) throws(ProgramFailure) {
    (self.program, self.words, self.started, self.ended) = (program, words, started, ended)
    do throws(POSIXError) {
      alarm = try ProgramStart.pipe()
    } catch {
      throw Self.cannotStart(program, error.code.rawValue)
    }
  }

  deinit {
    close(alarm.read)
    close(alarm.write)
  }

  /// Ends it early; from any thread.
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    wakeUp()
  }

  private func wakeUp() {
    var byte: UInt8 = 0
    _ = write(alarm.write, &byte, 1)
  }

  /// Blocks the thread; call it once.
  func run() -> Result<Answer, ProgramFailure> {
    do throws(ProgramFailure) {
      return .success(try answer())
    } catch {
      return .failure(error)
    }
  }

  /// There is no thread for `run`.
  func notStarted(_ failure: ThreadFailure) -> ProgramFailure {
    started(nil)
    return .cannotStart(program: words[0], reason: failure.reason)
  }

  private func answer() throws(ProgramFailure) -> Answer {
    let process: pid_t
    let (output, errors): (Int32, Int32)
    do throws(ProgramFailure) {
      (process, output, errors) = try start()
    } catch {
      started(nil)
      throw error
    }
    defer {
      close(output)
      close(errors)
    }
    started(process)
    do throws(ThreadFailure) {
      try watchForItsEnd(process)
    } catch {
      kill(-process, SIGKILL)
      ended(process)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      throw .cannotStart(program: words[0], reason: error.reason)
    }
    var reading = Reading(output: output, errors: errors, alarm: alarm.read, limit: program.outputLimit)
    // The real clock: a process does not follow a test's clock.
    let end = ContinuousClock.now + program.deadline
    var failure: ProgramFailure?
    while !hasEnded.load(ordering: .acquiring), failure == nil {
      if isCancelled.load(ordering: .acquiring) {
        failure = .cancelled
      } else if ContinuousClock.now >= end {
        failure = .tookLonger(than: program.deadline)
      } else {
        failure = reading.wait(until: end)
      }
    }
    if failure == nil { failure = reading.readRest() }
    if failure != nil { stop(process, &reading) }
    // Its id and its group's are its own until it is waited for.
    ended(process)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if let failure { throw failure }
    return Answer(
      output: reading.output, complaints: reading.complaints, ending: ProgramEnding(waitStatus: status))
  }

  private func start() throws(ProgramFailure) -> (process: pid_t, output: Int32, errors: Int32) {
    if let directory = program.directory, access(directory, X_OK) != 0 {
      throw .cannotStart(program: words[0], reason: "\(directory): \(String(cString: strerror(errno)))")
    }
    guard ProgramStart.find(words[0], path: program.environment["PATH"]) != nil else {
      throw .notInstalled(program: words[0])
    }
    let input = try ProgramInput.descriptor(holding: program.input, of: program.command[0])
    defer { close(input) }
    var pipes: [(read: Int32, write: Int32)] = []
    defer { for pipe in pipes { close(pipe.write) } }
    do throws(POSIXError) {
      for _ in 0..<2 { pipes.append(try ProgramStart.pipe()) }
    } catch {
      for pipe in pipes { close(pipe.read) }
      throw Self.cannotStart(program, error.code.rawValue)
    }
    var start = ProgramStart(words: words, environment: program.environment, group: .ownSession)
    start.directory = program.directory
    start.descriptors = [(0, input), (1, pipes[0].write), (2, pipes[1].write)]
    start.closesOthers = true
    // Our threads block or ignore signals.
    sigfillset(&start.defaults)
    var process: pid_t = 0
    let code = start.run(&process)
    guard code == 0 else {
      for pipe in pipes { close(pipe.read) }
      throw Self.cannotStart(program, code)
    }
    return (process, pipes[0].read, pipes[1].read)
  }

  private static func cannotStart(_ program: Program, _ code: Int32) -> ProgramFailure {
    .cannotStart(program: program.command[0], reason: String(cString: strerror(code)))
  }

  /// Its outputs may stay open after it, in child processes of its own.
  private func watchForItsEnd(_ process: pid_t) throws(ThreadFailure) {
    try SystemThread.start("reddot wait", stackBytes: 256 << 10) { [self] in
      var information = siginfo_t()
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      hasEnded.store(true, ordering: .releasing)
      wakeUp()
    }
  }

  /// Ends it with its group, in the end by force.
  private func stop(_ process: pid_t, _ reading: inout Reading) {
    kill(-process, SIGTERM)
    let end = ContinuousClock.now + Limits.programGrace
    while !hasEnded.load(ordering: .acquiring), ContinuousClock.now < end {
      _ = reading.wait(until: end, forAlarmOnly: true)
    }
    kill(-process, SIGKILL)
    while !hasEnded.load(ordering: .acquiring) {
      _ = reading.wait(until: nil, forAlarmOnly: true)
    }
    // A member that ignores SIGTERM.
    kill(-process, SIGKILL)
  }
}

/// The first and the last non-empty lines of a program's standard error.
struct Complaints: Sendable {
  private var head: [UInt8] = []
  private var tail: [UInt8] = []

  /// The lines between are dropped.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    let limit = Limits.programComplaintBytes
    head += bytes.prefix(max(0, limit - head.count))
    tail += bytes.suffix(limit)
    tail.removeFirst(max(0, tail.count - limit))
  }

  var first: String? { Self.lines(head).first }
  var last: [String] { Self.lines(tail) }

  static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}

/// What came from a program's outputs so far.
private struct Reading {
  private(set) var output: [UInt8] = []
  private(set) var complaints = Complaints()
  private var sources: [(descriptor: Int32, isErrors: Bool)]
  private let alarm: Int32
  private let limit: Int
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(output: Int32, errors: Int32, alarm: Int32, limit: Int) {
    sources = [(output, false), (errors, true)]
    (self.alarm, self.limit) = (alarm, limit)
  }

  /// Waits for output or the alarm, and reads what is there.
  ///
  /// - Parameter forAlarmOnly: the output is of no interest any more.
  mutating func wait(
    until end: ContinuousClock.Instant?, forAlarmOnly: Bool = false
  ) -> ProgramFailure? {
    var states = [pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)]
    if !forAlarmOnly {
      states += sources.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    }
    let left = end.map { max(0, (($0 - ContinuousClock.now) / .milliseconds(1)).rounded(.up)) }
    guard poll(&states, nfds_t(states.count), Int32(min(left ?? -1, 60_000))) > 0 else { return nil }
    if states[0].revents != 0 { _ = read(alarm, &buffer, buffer.count) }
    for place in states.indices.dropFirst().reversed() where states[place].revents != 0 {
      readOnce(place - 1)
    }
    return output.count > limit ? .printedMore(thanBytes: limit) : nil
  }

  /// What was written before the program ended; a child process may hold the other end for ever.
  mutating func readRest() -> ProgramFailure? {
    for place in sources.indices.reversed() {
      var state = pollfd(fd: sources[place].descriptor, events: Int16(POLLIN), revents: 0)
      while place < sources.count, output.count <= limit, poll(&state, 1, 0) > 0 { readOnce(place) }
    }
    return output.count > limit ? .printedMore(thanBytes: limit) : nil
  }

  private mutating func readOnce(_ place: Int) {
    let count = read(sources[place].descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { return }
    guard count > 0 else {
      sources.remove(at: place)
      return
    }
    if sources[place].isErrors {
      complaints.append(buffer[..<count])
    } else {
      output += buffer[..<count]
    }
  }
}
