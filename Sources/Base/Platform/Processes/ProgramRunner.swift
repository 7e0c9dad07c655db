import Basics
import Foundation
import Synchronization

/// Starts programs and returns their output. It never blocks a thread of the caller.
///
/// At most `Limits.programsAtOnce` run at a time; the deadline of the others begins when they start. A cancelled
/// program and its group receive SIGTERM, and SIGKILL after `Limits.programGrace`. Each program is waited for, so that
/// there are no zombies.
package final class ProgramRunner: Sendable {
  private let slots: AsyncSemaphore
  /// Whether all programs were killed because the process ends.
  private let isOver = Atomic(false)
  private let starts = Starts()
  private let running = Mutex<[ObjectIdentifier: Child]>([:])

  package init() { slots = AsyncSemaphore(count: Limits.programsAtOnce) }

  /// Runs a program to its end.
  ///
  /// - Returns: its standard output, if it exited with status 0.
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
  /// - Parameter waitsForItsTurn: `false` for a caller that itself limits its concurrent programs, which may take so
  ///   long that others would wait for minutes.
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

  /// Runs a program to its end. Throws if a signal ended it.
  private func answer(
    _ program: Program
  ) async throws(ProgramFailure) -> (status: Int32, answer: ReadProgram.Answer) {
    var words = program.command
    // The program is searched in its own working directory.
    if let directory = program.directory, words[0].contains("/"), !words[0].hasPrefix("/") {
      words[0] = directory + "/" + words[0]
    }
    let answer: ReadProgram.Answer
    do throws(ProgramFailure) {
      answer = try await start(program, words)
    } catch .cannotStart(_, Self.noFormat) {
      // This is a script without a `#!` line, which env(1) runs with the system's shell.
      answer = try await start(program, ["/usr/bin/env"] + words)
    }
    switch answer.ending {
    case .status(let status): return (status, answer)
    case .signal(let signal):
      if isOver.load(ordering: .acquiring) { throw .cancelled }
      throw .killed(signal: signal)
    }
  }

  /// Starts a program that may outlive this process, and returns once it has been started. Its result and output are
  /// ignored.
  package func detach(_ command: [String], environment: [String: String]) async throws(ProgramFailure) {
    guard let name = command.first, !name.isEmpty else { throw .empty }
    guard Self.isInstalled(name, path: environment["PATH"]) else { throw .notInstalled(program: name) }
    // This does not wait for a slot: it takes only a moment, and a link must not wait for four programs that hang.
    let failure = await Blocking.run { Self.runDetacher(of: command, environment) }
    if let failure { throw failure }
  }

  /// Blocks the thread until the program has been started.
  private static func runDetacher(of command: [String], _ environment: [String: String]) -> ProgramFailure? {
    var start = ProgramStart(words: detacher + command, environment: environment, group: .ownSession)
    start.descriptors = [(0, nil), (1, nil), (2, nil)]
    start.closesOthers = true
    do throws(POSIXError) {
      return try Child(start).reap().failure()
    } catch {
      return .cannotStart(program: start.words[0], reason: String(cString: strerror(error.code.rawValue)))
    }
  }

  /// A command that starts its arguments as an independent process and exits immediately, so that there is no zombie.
  /// setsid(1) is part of util-linux, which Debian always has.
  private static var detacher: [String] {
    ["/usr/bin/setsid", "--fork"]
  }

  /// Kills all running programs with their groups, at the end of this process. It waits for programs that are just
  /// being started, for at most `Limits.startingTime`; afterwards no program is started any more.
  package func killAll() {
    isOver.store(true, ordering: .releasing)
    starts.close(within: Limits.startingTime)
    running.withLock { for child in $0.values { child.send(SIGKILL, toGroup: true) } }
  }

  /// Whether a program with this name can be started with this `PATH`.
  package static func isInstalled(_ name: String, path: String?) -> Bool {
    ProgramStart.find(name, path: path).map { access($0, X_OK) == 0 } ?? false
  }

  private static let noFormat = String(cString: strerror(ENOEXEC))

  /// Starts a program and waits for its result. A cancellation ends the program.
  private func start(_ program: Program, _ words: [String]) async throws(ProgramFailure) -> ReadProgram.Answer
  {
    guard starts.begin() else { throw .cancelled }
    let run: ReadProgram
    do throws(ProgramFailure) {
      run = try ReadProgram(program, words: words) { [self] child in
        if let child { running.withLock { $0[ObjectIdentifier(child)] = child } }
        starts.end()
      } ended: { [self] child in
        running.withLock { $0[ObjectIdentifier(child)] = nil }
      }
    } catch {
      starts.end()
      throw error
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(ThreadFailure) {
          try SystemThread.start("reddot program") { continuation.resume(returning: run.run()) }
        } catch {
          continuation.resume(returning: .failure(run.notStarted(error)))
        }
      }
    } onCancel: {
      run.cancel()
    }
    return try result.get()
  }
}
