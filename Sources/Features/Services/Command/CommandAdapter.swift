import Basics
import Formats
import Foundation
import Messages
import Platform

/// Polls a `command` source: runs a program, without a shell, and reads its output. If the output is a page of a native
/// feed that has more items, the next part of the poll runs the program again, with the new cursor.
struct CommandAdapter: SourceAdapter {
  let programs: CommandPrograms

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let format = source.options.format.flatMap(CommandFormat.init) ?? .items
    let output = CommandOutput(source, position, context)
    let ended: ProgramOutcome
    do throws(FetchFailure) {
      ended = try await run(source, format, cursor: position.cursor?.text, context)
    } catch {
      return .failed(error, PollHints())
    }
    let bytes = Data(ended.output)
    let allowance = Allowance(documentBytes: bytes.count)
    // Reading a large output may take so long that the deadline passes.
    let outcome = await withTaskCancellationHandler {
      switch format {
      case .items: output.items(bytes, allowance)
      case .lines: output.lines(bytes, allowance)
      case .nagios: output.state(PluginState(status: ended.status), PluginText(bytes))
      }
    } onCancel: {
      allowance.cancel()
    }
    return allowance.isCancelled ? .failed(.cancelled, PollHints()) : outcome
  }

  /// Runs the program, logs the end of its standard error, and throws if it could not run or failed.
  private func run(
    _ source: Source, _ format: CommandFormat, cursor: String?, _ context: PollContext
  ) async throws(FetchFailure) -> ProgramOutcome {
    var environment = programs.environment
    environment["REDDOT_SOURCE"] = source.name
    // A variable ends at a NUL.
    environment["REDDOT_CURSOR"] = cursor.map { String($0.prefix { $0 != "\0" }) } ?? ""
    let deadline = source.polling.pollDeadline
    var program = Program(
      source.options.command ?? [], environment: environment, outputLimit: source.polling.responseLimit,
      // This is before the poll's own deadline, whose failure could not report that the program was the cause.
      deadline: deadline - min(.seconds(1), deadline / 10))
    program.directory = programs.directory
    let outcome: ProgramOutcome
    do throws(ProgramFailure) {
      // As many run as there are concurrent polls; programs for tokens must not wait behind one that hangs.
      outcome = try await programs.runner.outcome(of: program, waitsForItsTurn: false)
    } catch {
      throw FetchFailure(error)
    }
    for line in outcome.complaints.suffix(Limits.loggedComplaints) { context.log?("\(source.name): \(line)") }
    // A shell or env(1) uses these states for a program that it cannot run; no plugin has them.
    if format == .nagios, [126, 127].contains(outcome.status) {
      let reason = outcome.status == 127 ? "was not found" : "cannot be executed"
      throw .program(
        reason: "could not be run: a program in it \(reason) (status \(outcome.status))"
          + (outcome.lastComplaint.map { ": \($0)" } ?? ""))
    }
    guard outcome.status == 0 || format == .nagios else {
      throw FetchFailure(.ended(status: outcome.status, complaint: outcome.lastComplaint))
    }
    return outcome
  }
}

extension FetchFailure {
  init(_ failure: ProgramFailure) {
    self =
      switch failure {
      case .printedMore(let limit): .tooLarge(limit: limit)
      case .tookLonger(let time): .timedOut(.poll, seconds: time / .seconds(1))
      case .cancelled: .cancelled
      case .empty, .notInstalled, .cannotStart, .ended, .killed: .program(reason: failure.words)
      }
  }
}
