import Basics
import CDuktape
import Dispatch
import Foundation
import Platform

/// The child process with the script engine of a view. It is started at the first event and ended with the view.
package actor ScriptProcess {
  /// The reason why an event got no response. The view keeps its last page and reports the reason.
  package enum Failure: Error, Hashable, Sendable {
    case cannotStart(reason: String)
    /// The script used more processor time or memory than an event may, or took too long.
    case overran
  }

  private let executable: String
  private let arguments: [String]
  /// The maximum elapsed time for one event; the child's own limit counts only processor time.
  private let deadline: Duration
  /// The queue whose thread waits for the child's responses. It is not one of Dispatch's shared queues: while
  /// one of their threads is blocked, Dispatch wakes up once a second.
  private let queue = DispatchQueue(label: "reddot.script")
  private var child: PipedProgram?
  /// Whether the child has sent a response.
  private var hasAnswered = false
  /// Whether the child failed or was ended, so that it is not started again.
  private var isOver = false

  /// - Parameters:
  ///   - executable: a program that runs `ScriptHost.run()` when it is given these arguments.
  ///   - deadline: the time from the request to the response. It is far longer than the processor time, because the
  ///     start of the process and a busy machine must not end a working script; it only ends a process that hangs.
  package init(executable: String, arguments: [String], deadline: Duration = Limits.scriptTime) {
    self.executable = executable
    self.arguments = arguments
    self.deadline = deadline
  }

  /// The child's process id, while it runs.
  package var processID: Int32? { child?.processID }

  /// Sends one event, and returns the script's calls. Events are handled one after another.
  ///
  /// After a failure the engine is not started again, because the script's memory is lost.
  package func send(_ request: ScriptRequest) async throws(Failure) -> ScriptReply {
    if isOver { throw .overran }
    let child: PipedProgram
    if let running = self.child { child = running } else { child = try start() }
    self.child = child
    let deadline = deadline
    let answer = await withCheckedContinuation { (continuation: CheckedContinuation<ScriptAnswer?, Never>) in
      queue.async {
        continuation.resume(returning: Self.exchange(request, child, within: deadline))
      }
    }
    if let answer {
      hasAnswered = true
      return answer.reply
    }
    isOver = true
    self.child = nil
    if case .status(let status) = child.kill(), !hasAnswered, status != REDDOT_OUT_OF_MEMORY {
      throw .cannotStart(reason: "the script's process ended with status \(status)")
    }
    throw .overran
  }

  /// Ends the child and waits for its end. A running event fails.
  package func end() {
    isOver = true
    child?.kill()
    child = nil
  }

  /// Starts the child process.
  private func start() throws(Failure) -> PipedProgram {
    do throws(ProgramFailure) {
      return try PipedProgram([executable] + arguments, environment: [:])
    } catch .cannotStart(_, let reason) {
      throw .cannotStart(reason: "\(executable): \(reason)")
    } catch {
      throw .cannotStart(reason: "\(executable): \(String(cString: strerror(ENOENT)))")
    }
  }

  /// Sends a request and waits for the response. Returns `nil` if the child is gone or its response cannot be decoded.
  private nonisolated static func exchange(
    _ request: ScriptRequest, _ child: PipedProgram, within deadline: Duration
  ) -> ScriptAnswer? {
    do {
      var line = try JSONEncoder().encode(request)
      line.append(10)
      guard let answer = child.exchange(line, within: deadline, limit: Limits.scriptAnswerBytes) else {
        return nil
      }
      return try JSONDecoder().decode(ScriptAnswer.self, from: answer)
    } catch {
      return nil
    }
  }
}
