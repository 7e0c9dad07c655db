import Foundation
internal import Limits
internal import Subprocess
import Synchronization
internal import SystemPackage

/// The one way to start a program and to have its answer. Nothing here blocks a thread of the caller.
///
/// At most `Limits.programsAtOnce` run at a time; the others wait for their turn, which their deadline does not count. A
/// program that is no longer wanted is asked to end (SIGTERM to its whole group), and killed with its group after
/// `Limits.programGrace`; each is waited for, so that none stays a zombie.
package final class ProgramRunner: Sendable {
  private let turns: Turns
  /// Whether all were killed, for the process ends.
  private let isOver = Atomic(false)
  private let starts = Starts()
  /// Leaders of groups that run now.
  private let groups = Mutex<Set<pid_t>>([])

  package init() { turns = Turns(count: Limits.programsAtOnce) }

  /// Runs a program to its end.
  ///
  /// - Returns: what it printed on standard output, where it ended with status 0.
  package func run(_ program: Program) async throws(ProgramFailure) -> [UInt8] {
    guard let name = program.command.first, !name.isEmpty else { throw .empty }
    guard await turns.take() else { throw .cancelled }
    defer { turns.giveBack() }
    let (status, answer) = try await answer(program)
    guard status == 0 else { throw .ended(status: status, complaint: answer.complaints.first) }
    return answer.output
  }

  /// Runs a program to its end, whatever its status is.
  package func outcome(of program: Program) async throws(ProgramFailure) -> ProgramOutcome {
    guard let name = program.command.first, !name.isEmpty else { throw .empty }
    guard await turns.take() else { throw .cancelled }
    defer { turns.giveBack() }
    let (status, answer) = try await answer(program)
    return ProgramOutcome(status: status, output: answer.output, lastComplaint: answer.complaints.last)
  }

  private func answer(_ program: Program) async throws(ProgramFailure) -> (status: Int32, answer: Answer) {
    let answer: Answer
    do throws(ProgramFailure) {
      answer = try await start(program, as: .direct)
    } catch .cannotStart(_, Self.noFormat) {
      // A script without a first line that names its interpreter: env(1) has the system's shell run the file.
      answer = try await start(program, as: .byEnv)
    }
    if let failure = answer.failure { throw failure }
    switch answer.ending {
    case .exited(let status): return (status, answer)
    case .signaled(let signal):
      if isOver.load(ordering: .acquiring) { throw .cancelled }
      throw .killed(signal: signal)
    }
  }

  /// Starts a program that may outlive this process, and returns once it has been started: how it ends is its own business.
  /// Its outputs go nowhere.
  package func detach(_ command: [String], environment: [String: String]) async throws(ProgramFailure) {
    guard let name = command.first, !name.isEmpty else { throw .empty }
    guard Self.isInstalled(name, path: environment["PATH"]) else { throw .notInstalled(program: name) }
    // Without a turn: it is over in a moment, and a link must not wait for four programs that hang.
    let configuration = Self.configuration(Self.detacher + command, environment)
    let ending: TerminationStatus
    do {
      ending = try await Subprocess.run(
        configuration, input: .none, output: .discarded, error: .discarded
      ).terminationStatus
    } catch let error as SubprocessError {
      throw Self.failure(error, configuration)
    } catch {
      throw .cancelled
    }
    switch ending {
    case .exited(0): return
    case .exited(let status): throw .ended(status: status, complaint: nil)
    case .signaled(let signal): throw .killed(signal: signal)
    }
  }

  /// Starts the words that follow as a process of its own and ends at once: what was started belongs to nobody here, and
  /// leaves no zombie. setsid(1) of util-linux, which Debian always has.
  private static var detacher: [String] {
    #if os(Linux)
      ["/usr/bin/setsid", "--fork"]
    #else
      // The text is fixed; the words are its arguments and are started as they are.
      ["/bin/sh", "-c", "\"$@\" &", "sh"]
    #endif
  }

  /// Kills all that still runs, with their groups: for the last moment of this process. Waits for what is just being
  /// started, for `Limits.startingTime` at most; nothing is started any more.
  package func killAll() {
    isOver.store(true, ordering: .releasing)
    starts.close(within: Limits.startingTime)
    for group in groups.withLock({ $0 }) { kill(-group, SIGKILL) }
  }

  /// Whether a name is a program that can be started with that `PATH`.
  package static func isInstalled(_ name: String, path: String?) -> Bool {
    if name.contains("/") { return access(name, X_OK) == 0 }
    return (path ?? defaultPath).split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  private static let defaultPath = "/usr/local/bin:/usr/bin:/bin"
  private static let noFormat = String(cString: strerror(ENOEXEC))

  // MARK: - One program

  private enum Way { case direct, byEnv }

  /// What becomes known of a program while it runs.
  private final class Course: Sendable {
    let leader = Mutex<pid_t?>(nil)
    /// Set by the one that ends the program early.
    let verdict = Mutex<ProgramFailure?>(nil)

    func fail(_ failure: ProgramFailure) { verdict.withLock { $0 = $0 ?? failure } }
  }

  private struct Answer: Sendable {
    var output: [UInt8] = []
    var complaints = Complaints()
    var failure: ProgramFailure?
    var ending = TerminationStatus.exited(0)
  }

  private func start(_ program: Program, as way: Way) async throws(ProgramFailure) -> Answer {
    let words = way == .byEnv ? ["/usr/bin/env"] + program.command : program.command
    let configuration = Self.configuration(words, program.environment)
    let input = try Self.input(holding: program.input, of: program.command[0])
    let course = Course()
    guard starts.begin() else { throw .cancelled }
    let result = await withTaskGroup(of: Result<Answer, ProgramFailure>?.self) { group in
      group.addTask {
        await Self.answer(configuration, input: input, limit: program.outputLimit) { pid in
          course.leader.withLock { $0 = pid }
          _ = self.groups.withLock { $0.insert(pid) }
          self.starts.end()
        } failed: { failure in
          course.fail(failure)
        }
      }
      group.addTask {
        do {
          try await Task.sleep(for: program.deadline, clock: .continuous)
          course.fail(.tookLonger(than: program.deadline))
        } catch {
          // It ended in time, or nobody waits for it any more.
        }
        return nil
      }
      var answer: Result<Answer, ProgramFailure>?
      for await part in group {
        if let part { answer = part }
        group.cancelAll()
      }
      return answer ?? .failure(.cancelled)
    }
    let early = course.verdict.withLock { $0 } ?? (Task.isCancelled ? .cancelled : nil)
    let leader = course.leader.withLock { $0 }
    if leader == nil { starts.end() }
    if let pid = leader {
      _ = groups.withLock { $0.remove(pid) }
      // The leader is gone; a member that does not hear SIGTERM goes with it. The number stays the group's while it has one.
      if early != nil { kill(-pid, SIGKILL) }
    }
    if let early { throw early }
    return try result.get()
  }

  private static func configuration(_ words: [String], _ variables: [String: String]) -> Configuration {
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: Limits.programGrace)
    ]
    var environment: [Environment.Key: String] = [:]
    for (key, value) in variables {
      if let key = Environment.Key(rawValue: key) { environment[key] = value }
    }
    return Configuration(
      executable: words[0].contains("/") ? .path(FilePath(words[0])) : .name(words[0]),
      arguments: Arguments(Array(words.dropFirst())), environment: .custom(environment),
      platformOptions: options)
  }

  private static func answer(
    _ configuration: Configuration, input: FileDescriptor, limit: Int,
    started: @Sendable @escaping (pid_t) -> Void, failed: @Sendable @escaping (ProgramFailure) -> Void
  ) async -> Result<Answer, ProgramFailure> {
    do {
      let result = try await Subprocess.run(
        configuration, input: .fileDescriptor(input, closeAfterSpawningProcess: true), output: .sequence,
        error: .sequence
      ) { execution in
        started(execution.processIdentifier.value)
        async let complaints = complaints(execution.standardError)
        var output: [UInt8] = []
        for try await part in execution.standardOutput {
          part.withUnsafeBytes { output.append(contentsOf: $0) }
          guard output.count > limit else { continue }
          failed(.printedMore(thanBytes: limit))
          throw CancellationError()
        }
        return Answer(output: output, complaints: try await complaints)
      }
      var answer = result.closureResult
      answer.ending = result.terminationStatus
      return .success(answer)
    } catch let error as SubprocessError {
      return .failure(failure(error, configuration))
    } catch {
      return .failure(.cancelled)
    }
  }

  private static func failure(_ error: SubprocessError, _ configuration: Configuration) -> ProgramFailure {
    let name = configuration.executable.description
    if error.code == .executableNotFound { return .notInstalled(program: name) }
    let reason = error.underlyingError.map { String(cString: strerror($0.rawValue)) }
    return .cannotStart(program: name, reason: reason ?? "\(error)")
  }

  /// The first and the last line of what a program writes to its standard error, of those that are not empty.
  private struct Complaints: Sendable {
    var first: String?
    var last: String?
  }

  /// What lies between is read and forgotten, so that the program is never held up.
  private static func complaints(_ errors: SubprocessOutputSequence) async throws -> Complaints {
    var head: [UInt8] = []
    var tail: [UInt8] = []
    let limit = Limits.programComplaintBytes
    for try await part in errors {
      try Task.checkCancellation()
      part.withUnsafeBytes { bytes in
        head.append(contentsOf: bytes.prefix(max(0, limit - head.count)))
        tail.append(contentsOf: bytes.suffix(limit))
      }
      tail.removeFirst(max(0, tail.count - limit))
    }
    return Complaints(first: Self.lines(head).first, last: Self.lines(tail).last)
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// `/dev/null`, or a file without a name that holds the bytes: a pipe would have to be written while the program runs.
  static func input(holding bytes: [UInt8], of program: String) throws(ProgramFailure)
    -> FileDescriptor
  {
    do {
      guard !bytes.isEmpty else {
        return try FileDescriptor.open("/dev/null", .readOnly, options: .closeOnExec)
      }
      var template = Array(
        FileManager.default.temporaryDirectory.appending(path: "reddot-input-XXXXXX").path.utf8CString)
      let number = mkstemp(&template)
      guard number >= 0 else { throw Errno(rawValue: errno) }
      unlink(template)
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      let file = FileDescriptor(rawValue: number)
      do {
        try file.writeAll(bytes)
        _ = try file.seek(offset: 0, from: .start)
        return file
      } catch {
        try file.close()
        throw error
      }
    } catch {
      let reason = (error as? Errno).map { String(cString: strerror($0.rawValue)) } ?? "\(error)"
      throw .cannotStart(program: program, reason: "its standard input: \(reason)")
    }
  }
}
