import Basics
import Foundation
import Synchronization

/// A program that the user started. It has no time limit, and its output isn't read.
package final class StartedProgram: Sendable {
  /// The terminal and session of the program.
  package enum Place: Sendable {
    /// The program runs on our terminal and in our process group, so that the terminal's signals and the shell's job
    /// control apply to it too. The caller must release the terminal before and restore it afterwards. `input` is its
    /// standard input; `nil` means the terminal.
    case terminal(input: [UInt8]?)
    /// The program runs in its own session, without input. It may outlive this process.
    case apart
  }

  package typealias Ending = ProgramEnding

  private let child: Child
  /// The reader of standard error, or `nil` if that is the terminal.
  private let errors: ErrorTail?
  /// The last bytes of standard error, available once the program has ended.
  private let complaint = Mutex<[UInt8]>([])
  // This is the real clock, since a process does not follow a test's clock.
  private let start = ContinuousClock.now
  private let lasted = Mutex<Duration?>(nil)

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - words: the program, searched in PATH, and its arguments.
  ///   - environment: the whole environment.
  package init(
    _ words: [String], environment: [String: String], _ place: Place
  ) throws(ProgramFailure) {
    guard let name = words.first, !name.isEmpty else { throw .empty }
    var start = ProgramStart(words: words, environment: environment)
    var input: Int32?
    switch place {
    case .terminal(let bytes):
      input = try bytes.map { bytes throws(ProgramFailure) in
        try ProgramInput.descriptor(holding: bytes, of: name)
      }
      if let input { start.descriptors = [(0, input)] }
      errors = nil
    case .apart:
      do throws(POSIXError) {
        errors = try ErrorTail(environment: environment)
      } catch {
        guard error.code == .ENOENT else {
          let reason = String(cString: strerror(error.code.rawValue))
          throw .cannotStart(program: name, reason: "its standard error: \(reason)")
        }
        // Without tail(1) nothing is kept.
        errors = nil
      }
      start.group = .ownSession
      start.descriptors = [(0, nil), (1, nil), (2, errors?.writing)]
    }
    defer {
      if let input { close(input) }
    }
    do throws(POSIXError) {
      child = try Child(start)
    } catch {
      if let errors { close(errors.writing) }
      errors?.finish()
      guard error.code != .ENOENT else { throw .notInstalled(program: name) }
      throw .cannotStart(program: name, reason: String(cString: strerror(error.code.rawValue)))
    }
    if let errors { close(errors.writing) }
  }

  /// Waits for the program's end on a separate thread; call it once.
  ///
  /// - Parameter time: the timeout for the end of standard error, which a child process may keep open.
  package func ending(
    complaintWithin time: Duration = Limits.programComplaintTime
  ) async -> Ending {
    await withCheckedContinuation { continuation in
      let wait: @Sendable () -> Void = { [self] in
        let ending = child.reap()
        lasted.withLock { $0 = ContinuousClock.now - start }
        if let errors, ending != .status(0) {
          let bytes = errors.bytes(within: time)
          complaint.withLock { $0 = bytes }
        }
        continuation.resume(returning: ending)
        errors?.finish()
      }
      do throws(ThreadFailure) {
        try SystemThread.start("reddot wait", wait)
      } catch {
        // The program already runs, so the caller waits for it.
        wait()
      }
    }
  }

  /// The run time, or `nil` until the program has ended.
  package var runTime: Duration? { lasted.withLock { $0 } }

  /// Sends SIGTERM, and SIGCONT in case the program is stopped.
  package func end() {
    child.send(SIGTERM)
    child.send(SIGCONT)
  }

  /// The last non-empty line of standard error, unchanged. It is `nil` if standard error is the terminal, or if the
  /// program exited with status 0.
  package var lastComplaint: String? { Complaints.lines(complaint.withLock { $0 }).last }
}
