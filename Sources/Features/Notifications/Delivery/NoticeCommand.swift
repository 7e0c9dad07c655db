import Basics
import Formats
import Foundation
import Messages
import Platform
import Profile
import Settings
import Words

/// Runs `notify_command`. Its standard input gets one line for each notification, which is a JSON object.
struct NoticeCommand: Sendable {
  private let profile: Profile

  init(_ profile: Profile) { self.profile = profile }

  /// Starts the program once for these notifications.
  ///
  /// - Returns: the reason of a failure, as a sentence, or `nil` if the program exited with status 0.
  func run(_ notices: [NoticeContent]) async -> String? {
    var input: [UInt8] = []
    for notice in notices { input += line(notice) }
    var program = Program(
      profile.settings.telling.command, environment: profile.environment.variables,
      outputLimit: Limits.noticeCommandOutputBytes, deadline: Limits.noticeCommandTime)
    program.input = input
    do throws(ProgramFailure) {
      _ = try await profile.environment.programs.run(program)
      return nil
    } catch {
      return "notify_command \(error.words)"
    }
  }

  /// Returns the line for the program. It contains nothing that could control a terminal, in case the program prints
  /// it.
  func line(_ notice: NoticeContent) -> [UInt8] {
    Array(SafeOutput.json(json(notice)).utf8) + [UInt8(ascii: "\n")]
  }

  private func json(_ notice: NoticeContent) -> JSONValue {
    // Only the newest messages are listed; the count gives their number.
    let messages = notice.messages.suffix(Limits.messagesOfACommandLine).compactMap { id -> JSONValue? in
      // If the message cannot be read, the notification itself still describes it.
      (try? profile.message(id)).flatMap { $0 }.map { .object(MessageJSON.object($0)) }
    }
    return .object(
      JSONObject([
        .init(key: "notice", value: .number(String(notice.id.rawValue))),
        .init(key: "form", value: .string(notice.form.rawValue)),
        .init(key: "title", value: .string(notice.title)),
        .init(key: "body", value: .string(notice.body.joined(separator: "\n"))),
        .init(key: "urgent", value: .bool(notice.isUrgent)),
        .init(key: "count", value: .number(String(notice.messages.count))),
        .init(key: "messages", value: .array(messages)),
      ]))
  }
}
