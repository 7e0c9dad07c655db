import Basics
import Formats
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Settings
import Storage

/// `push --hook --answer`: asks a program's permission request as a question, and prints the answer for the program.
enum PermissionHook {
  /// Asks the question, and waits for the answer.
  ///
  /// - Parameters:
  ///   - text: the input of the hook.
  ///   - time: the time to wait, or `nil` to wait while an inbox is open, if the settings allow that.
  /// - Returns: the output of the hook, which is empty without an answer. Returns `nil` if the input is not a question;
  ///   the input is then stored like that of any other hook.
  static func answer(_ text: String, for time: Duration?, pane: TerminalPane?, _ files: FileOptions)
    async throws -> String?
  {
    guard let form = PermissionForm.of(text), time != nil || isInboxThere(files) else { return nil }
    let profile = try Composition.profile(files)
    guard time != nil || profile.settings.hooks.ask else { return nil }
    let interruption = Interruption.install()
    let wait = try QuestionWait(profile)
    let now = profile.environment.now()
    let record = HookRecord(
      .program(text), at: now, pane: pane, directory: FileManager.default.currentDirectoryPath,
      host: MachineName.short)
    let hook = ProgramHook(text, directory: record.directory)
    guard let request = hook.request else { return nil }
    var pane = pane
    var isLookedAt = false
    if let place = pane, let facts = await Panes(profile.environment).facts(of: place) {
      pane?.name = facts.name
      isLookedAt = facts.isLookedAt
    }
    let message = HookProgram.spool(files).changeJobs { [pane] jobs in
      HookMessage(record, name: wait.asker, pane: pane, jobs: &jobs)
    }
    // The lock may have kept a record of another hook from being stored.
    await HookProgram.storeWaiting(files)
    guard var made = message else { return nil }
    made.message.remoteID = ProgramHook.questionID(hook.session ?? wait.asker, wait.asker)
    made.message.isQuiet = isLookedAt
    made.message.tags = [HookMessage.waitingTag]
    var extras = made.message.extras ?? MessageExtras()
    extras.group = wait.asker
    made.message.extras = extras
    let question = ProgramQuestion(
      PermissionForm.answers, isPermission: true, isTitleWhole: request.isOneLine, asked: now,
      until: now + (time ?? Limits.questionTime) / .seconds(1), asker: wait.asker)
    let stored = try await profile.arrival(trouble: { HookLog.warn($0, profile.environment) }) {
      [made] arrival in
      try await arrival.ask(made.message, question)
    }
    guard let stored else { return nil }
    guard let answer = try wait.end(of: stored.id, needsInbox: time == nil, interruption)?.givenAnswer
    else { return "" }
    return form.output(answer == 1).serialized() + "\n"
  }

  private static func isInboxThere(_ files: FileOptions) -> Bool {
    let database = files.database ?? Composition.environment().directories.databaseFile
    return InboxPresence.isThere(folder: Store.lockFolder(ofDatabase: database))
  }
}

extension ProgramQuestion {
  /// The number of the given answer, or `nil` if there is none.
  fileprivate var givenAnswer: Int? { ending == .answered ? answer : nil }
}
