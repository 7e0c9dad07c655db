import Basics
import Foundation
import Synchronization

/// A program that the user started: it has no time limit, and its output isn't read.
package final class StartedProgram: Sendable {
  /// How it runs.
  package enum Place: Sendable {
    /// On our terminal and in our process group, so that the terminal's signals and the shell's job control apply to it
    /// too. The caller releases the terminal before and takes it back afterwards. `input` is its standard input; nil is
    /// the terminal.
    case terminal(input: [UInt8]?)
    /// In its own session, without input; it may outlive this process.
    case apart
  }

  package typealias Ending = ProgramEnding

  private let child: Child
  /// nil if its standard error is the terminal.
  private let errors: ErrorTail?
  /// The end of its standard error, once it has ended.
  private let complaint = Mutex<[UInt8]>([])
  // The real clock: a process does not follow a test's clock.
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
        // Without a tail(1) nothing is kept.
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

  /// Waits for its end on a separate thread; call it once.
  ///
  /// - Parameter time: for its last complaint, which a child process that goes on with its standard error holds back.
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
        // It runs already: the caller waits for it.
        wait()
      }
    }
  }

  /// How long it ran; nil until it has ended.
  package var runTime: Duration? { lasted.withLock { $0 } }

  /// Sends SIGTERM, and SIGCONT in case it is stopped.
  package func end() {
    child.send(SIGTERM)
    child.send(SIGCONT)
  }

  /// The last non-empty line of its standard error, unchanged; nil if that is the terminal, or if it ended with status 0.
  package var lastComplaint: String? { Complaints.lines(complaint.withLock { $0 }).last }
}
