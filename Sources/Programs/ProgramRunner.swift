import Foundation
internal import Limits
internal import Subprocess
import Synchronization
internal import SystemPackage

/// Starts programs and returns their output. Never blocks a thread of the caller.
///
/// At most `Limits.programsAtOnce` run at a time; the deadline of the others begins when they start. A
/// cancelled program gets SIGTERM with its whole group, and is killed with its group after
/// `Limits.programGrace`; each is waited for, so that there are no zombies.
package final class ProgramRunner: Sendable {
  private let slots: AsyncSemaphore
  /// Whether all were killed because the process ends.
  private let isOver = Atomic(false)
  private let starts = Starts()
  /// The leaders of the running process groups.
  private let groups = Mutex<Set<pid_t>>([])

  package init() { slots = AsyncSemaphore(count: Limits.programsAtOnce) }

  /// Runs a program to its end.
  ///
  /// - Returns: its standard output, if it ended with status 0.
  package func run(_ program: Program) async throws(ProgramFailure) -> [UInt8] {
    guard let name = program.command.first, !name.isEmpty else { throw .empty }
    guard await slots.wait() else { throw .cancelled }
    defer { slots.signal() }
    let (status, answer) = try await answer(program)
    guard status == 0 else { throw .ended(status: status, complaint: answer.complaints.first) }
    return answer.output
  }

  /// Runs a program to its end, with any status.
  ///
  /// - Parameter waitsForItsTurn: false for a caller that itself limits how many it runs at once, and whose programs may
  ///   take so long that others would wait for minutes.
  package func outcome(
    of program: Program, waitsForItsTurn: Bool = true
  ) async throws(ProgramFailure) -> ProgramOutcome {
    guard let name = program.command.first, !name.isEmpty else { throw .empty }
    if waitsForItsTurn {
      guard await slots.wait() else { throw .cancelled }
    }
    defer { if waitsForItsTurn { slots.signal() } }
    let (status, answer) = try await answer(program)
    return ProgramOutcome(status: status, output: answer.output, complaints: answer.complaints.last)
  }

  private func answer(_ program: Program) async throws(ProgramFailure) -> (status: Int32, answer: Answer) {
    let answer: Answer
    do throws(ProgramFailure) {
      answer = try await start(program, as: .direct)
    } catch .cannotStart(_, Self.noFormat) {
      // A script without a `#!` line: env(1) runs it with the system's shell.
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

  /// Starts a program that may outlive this process, and returns once it has been started. Its result and output are
  /// ignored.
  package func detach(_ command: [String], environment: [String: String]) async throws(ProgramFailure) {
    guard let name = command.first, !name.isEmpty else { throw .empty }
    guard Self.isInstalled(name, path: environment["PATH"]) else { throw .notInstalled(program: name) }
    // Without waiting for a slot: it takes only a moment, and a link must not wait for four programs that hang.
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

  /// A command that starts its arguments as an independent process and ends at once, so that there is no
  /// zombie. setsid(1) is part of util-linux, which Debian always has.
  private static var detacher: [String] {
    #if os(Linux)
      ["/usr/bin/setsid", "--fork"]
    #else
      // The shell's text is constant; the words are its arguments and are not interpreted.
      ["/bin/sh", "-c", "\"$@\" &", "sh"]
    #endif
  }

  /// Kills all running programs with their groups, at the end of this process. Waits for programs that are just being
  /// started, for `Limits.startingTime` at most; afterwards none is started any more.
  package func killAll() {
    isOver.store(true, ordering: .releasing)
    starts.close(within: Limits.startingTime)
    for group in groups.withLock({ $0 }) { kill(-group, SIGKILL) }
  }

  /// Whether a program of that name can be started with that `PATH`.
  package static func isInstalled(_ name: String, path: String?) -> Bool {
    if name.contains("/") { return access(name, X_OK) == 0 }
    return (path ?? defaultPath).split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  private static let defaultPath = "/usr/local/bin:/usr/bin:/bin"
  private static let noFormat = String(cString: strerror(ENOEXEC))

  // MARK: - One program

  private enum Way { case direct, byEnv }

  /// The state of a running program.
  private final class RunState: Sendable {
    let leader = Mutex<pid_t?>(nil)
    /// Why the program is ended early; the first reason is kept.
    let failure = Mutex<ProgramFailure?>(nil)

    func fail(_ failure: ProgramFailure) { self.failure.withLock { $0 = $0 ?? failure } }
  }

  private struct Answer: Sendable {
    var output: [UInt8] = []
    var complaints = Complaints()
    var failure: ProgramFailure?
    var ending = TerminationStatus.exited(0)
  }

  private func start(_ program: Program, as way: Way) async throws(ProgramFailure) -> Answer {
    var words = program.command
    // Looked for in its own working directory, wherever the library looks.
    if let directory = program.directory, words[0].contains("/"), !words[0].hasPrefix("/") {
      words[0] = directory + "/" + words[0]
    }
    if way == .byEnv { words.insert("/usr/bin/env", at: 0) }
    let configuration = Self.configuration(words, program.environment, program.directory)
    let input = try Self.input(holding: program.input, of: program.command[0])
    let state = RunState()
    guard starts.begin() else { throw .cancelled }
    let result = await withTaskGroup(of: Result<Answer, ProgramFailure>?.self) { group in
      group.addTask {
        await Self.answer(configuration, input: input, limit: program.outputLimit) { pid in
          state.leader.withLock { $0 = pid }
          _ = self.groups.withLock { $0.insert(pid) }
          self.starts.end()
        } failed: { failure in
          state.fail(failure)
        }
      }
      group.addTask {
        do {
          // The real clock: a process does not follow a test's clock.
          try await Task.sleep(for: program.deadline, clock: .continuous)
          state.fail(.tookLonger(than: program.deadline))
        } catch {
          // It ended in time, or the caller was cancelled.
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
    let early = state.failure.withLock { $0 } ?? (Task.isCancelled ? .cancelled : nil)
    let leader = state.leader.withLock { $0 }
    if leader == nil { starts.end() }
    if let pid = leader {
      _ = groups.withLock { $0.remove(pid) }
      // The leader has ended; a member that ignores SIGTERM is killed here. The group's id is valid while it has one.
      if early != nil { kill(-pid, SIGKILL) }
    }
    if let early { throw early }
    return try result.get()
  }

  private static func configuration(
    _ words: [String], _ variables: [String: String], _ directory: String? = nil
  ) -> Configuration {
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
      workingDirectory: directory.map { FilePath($0) }, platformOptions: options)
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

  /// The first and the last non-empty lines of a program's standard error.
  private struct Complaints: Sendable {
    var first: String?
    var last: [String] = []
  }

  /// The lines between are read and dropped, so that the program never blocks on writing.
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
    return Complaints(first: Self.lines(head).first, last: Self.lines(tail))
  }

  static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// `/dev/null`, or an anonymous file with the bytes: a pipe would have to be written while the program runs.
  static func input(holding bytes: [UInt8], of program: String) throws(ProgramFailure) -> FileDescriptor {
    do {
      guard !bytes.isEmpty else {
        return try FileDescriptor.open("/dev/null", .readOnly, options: .closeOnExec)
      }
      let file = try anonymousFile()
      do {
        try file.writeAll(bytes)
        _ = try file.seek(offset: 0, from: .start)
        return file
      } catch {
        try file.close()
        throw error
      }
    } catch {
      throw .cannotStart(program: program, reason: "its standard input: \(reason(error))")
    }
  }

  private static func anonymousFile() throws -> FileDescriptor {
    var template = Array(
      FileManager.default.temporaryDirectory.appending(path: "reddot-XXXXXX").path.utf8CString)
    let number = mkstemp(&template)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    unlink(template)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return FileDescriptor(rawValue: number)
  }

  private static func reason(_ error: any Error) -> String {
    (error as? Errno).map { String(cString: strerror($0.rawValue)) } ?? "\(error)"
  }
}
