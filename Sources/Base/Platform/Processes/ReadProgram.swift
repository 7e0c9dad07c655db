import Basics
import Foundation

/// A program whose output is read, from its start to its end. It runs in its own session, without a terminal.
final class ReadProgram: Sendable {
  /// The output of a program that has ended, and its ending.
  struct Answer: Sendable {
    var output: [UInt8] = []
    var complaints = Complaints()
    var ending = ProgramEnding.status(0)
  }

  private let program: Program
  private let words: [String]
  /// Called once, on the thread of `run`, with `nil` if the program could not be started.
  private let started: @Sendable (Child?) -> Void
  private let ended: @Sendable (Child) -> Void
  private let cancelled: Alarm

  /// - Parameter words: the words of the program, or of another program that starts it.
  init(
    _ program: Program, words: [String], started: @escaping @Sendable (Child?) -> Void,
    ended: @escaping @Sendable (Child) -> Void
  ) throws(ProgramFailure) {
    (self.program, self.words, self.started, self.ended) = (program, words, started, ended)
    do throws(POSIXError) {
      cancelled = try Alarm()
    } catch {
      throw .cannotStart(program: program.command[0], reason: String(cString: strerror(error.code.rawValue)))
    }
  }

  /// Ends the program early. It can be called from any thread.
  func cancel() { cancelled.ring() }

  /// Runs the program. Blocks the thread; call it once.
  func run() -> Result<Answer, ProgramFailure> {
    do throws(ProgramFailure) {
      return .success(try answer())
    } catch {
      return .failure(error)
    }
  }

  /// Returns the failure if there is no thread for `run`.
  func notStarted(_ failure: ThreadFailure) -> ProgramFailure {
    started(nil)
    return .cannotStart(program: words[0], reason: failure.reason)
  }

  private func answer() throws(ProgramFailure) -> Answer {
    let running: PipedProgram
    do throws(ProgramFailure) {
      running = try PipedProgram(
        words, environment: program.environment, directory: program.directory, input: program.input)
    } catch {
      started(nil)
      throw error
    }
    started(running.child)
    defer { ended(running.child) }
    // This is the real clock, since a process does not follow a test's clock.
    let end = ContinuousClock.now + program.deadline
    var output: [UInt8] = []
    func failure() -> ProgramFailure? {
      var nothing: ArraySlice<UInt8> = []
      while output.count <= program.outputLimit {
        switch running.move(
          &nothing, within: end - ContinuousClock.now, alarm: cancelled, whileItRuns: true)
        {
        case .moved(let bytes): output += bytes
        case .ended: return nil
        case .alarm: return .cancelled
        case .silent, .input: return .tookLonger(than: program.deadline)
        }
      }
      return .printedMore(thanBytes: program.outputLimit)
    }
    let failure = failure()
    // A program that ends on its own may leave child processes behind.
    let ending = running.finish {
      failure == nil ? running.child.reap() : running.child.stop([SIGTERM, SIGKILL])
    }
    if let failure { throw failure }
    return Answer(output: output, complaints: running.errorLines, ending: ending)
  }
}

/// The first and the last non-empty lines of a program's standard error.
struct Complaints: Sendable {
  private var head: [UInt8] = []
  private var tail: [UInt8] = []

  /// Appends bytes; lines between the first and the last are dropped.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    let limit = Limits.programComplaintBytes
    head += bytes.prefix(max(0, limit - head.count))
    tail += bytes.suffix(limit)
    tail.removeFirst(max(0, tail.count - limit))
  }

  var first: String? { Self.lines(head).first }
  var last: [String] { Self.lines(tail) }

  /// Returns the non-empty lines, without spaces at their ends.
  static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
