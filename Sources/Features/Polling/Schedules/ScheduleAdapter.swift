import Basics
import Formats
import Foundation
import Messages
import Platform
import Services

/// Polls schedule files: reads the local file, and returns the messages that are due.
struct ScheduleAdapter {
  var environment: Environment
  var installed: Date
  var language: String
  /// Returns a sentence on the number of firings that were missed before the delivered one.
  var missedBefore: @Sendable (Int) -> String

  func poll(_ source: Source, from position: PollPosition) -> PollOutcome {
    guard let url = URL(string: source.address), url.isFileURL else {
      return .failed(.invalidAddress(source.address), PollHints())
    }
    let file: ScheduleFile
    do {
      file = try ScheduleFile.read(BoundedFile.read(url.path, limit: Limits.givenFileBytes))
    } catch let failure as ScheduleFileFailure {
      return .failed(failure.fetchFailure, PollHints())
    } catch let failure as BoundedFile.Failure {
      return .failed(.boundedFile(failure, path: url.path), PollHints())
    } catch {
      return .failed(.file(path: url.path, reason: "it is not a regular file"), PollHints())
    }
    let round = ScheduleRound(
      application: "reddot", language: language, zone: environment.clock(), installed: installed,
      missedBefore: missedBefore)
    let result = round.run(file, memory: .init(position.cursor) ?? .init(), at: environment.now())
    var hints = PollHints()
    hints.nextPoll = result.next
    var content = PollContent(
      messages: result.messages, position: PollPosition(cursor: result.memory.cursor),
      problems: file.problems)
    content.features = result.features
    return .content(content, hints)
  }
}

extension ScheduleFileFailure {
  var fetchFailure: FetchFailure {
    switch self {
    case .notJSON(let failure): .malformed(line: failure.line, reason: "\(failure.reason)")
    case .notSchedules(let found): .notAFeed(found: "\(found), no schedules", alternates: [])
    }
  }
}
