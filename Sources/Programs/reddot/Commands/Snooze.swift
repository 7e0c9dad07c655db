import ArgumentParser
import Messages
import Polling
import Profile

/// `reddot snooze`
struct Snooze: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze",
    abstract: "Snooze a message until a time; it returns unread.",
    discussion: """
      Times: 2h30m, in two hours, 5pm, this evening, tomorrow 9, weekend, next week, fri 9:00, 24 dec, \
      2026-12-24 18:00. reddot undo ends the snooze immediately.

      EXAMPLES:
        reddot snooze 42 2h
        reddot snooze 42 tomorrow morning
        reddot snooze 42 fri 9:00
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The id that reddot list prints.", completion: .messageIDs) var id: Int64
  @Argument(help: "The time at which it returns.") var when: [String]

  func run() async throws {
    let profile = try Composition.profile(files)
    try Answer.print(profile.snooze(MessageID(id), until: when.joined(separator: " ")))
    for sentence in try await profile.sendActs() { Complaint.print(sentence) }
  }
}
