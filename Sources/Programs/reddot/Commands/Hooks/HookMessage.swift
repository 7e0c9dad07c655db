import Basics
import Foundation
import Messages
import Platform

/// The message that is made from the record of a hook.
struct HookMessage: Hashable, Sendable {
  var message: IncomingMessage
  /// The id of an earlier message that is marked as read together with this one, since its program no longer waits.
  var ends: RemoteID?

  /// - Parameters:
  ///   - name: the name of the record's file. It identifies a record without another id, so that storing the record
  ///     twice makes one message.
  ///   - pane: the pane, with the name that its program reports.
  ///   - jobs: the jobs, to which the job of a program's hook is added.
  /// - Returns: `nil` if the record makes no message.
  init?(_ record: HookRecord, name: String, pane: TerminalPane?, jobs: inout HookJobs) {
    let place = pane?.label ?? record.host ?? "this machine"
    let own = pane?.key ?? record.directory ?? name
    func message(_ id: String, _ title: String, _ body: String = "") -> IncomingMessage {
      var message = IncomingMessage(remoteID: RemoteID(id), kind: .local, title: title, body: body)
      message.published = record.date
      return message
    }
    var extras = MessageExtras()
    extras.pane = pane
    switch record.event {
    case .looked: return nil
    case .bell:
      self.message = message("bell:\(own)", "Bell in \(place)")
    case .silence:
      self.message = message("silence:\(own)", "Silence in \(place)")
    case .ended:
      self.message = message("ended:\(own)", "The program in \(place) ended")
    case .command(let text, let status, let seconds):
      // A shell reports 128 and more for a program that a signal ended.
      let report = ProgramReport(
        ending: status.map { $0 > 128 && $0 < 160 ? .signal($0 - 128) : .status($0) } ?? .unknown,
        duration: .seconds(max(0, seconds)), lines: [])
      var lines = [report.body]
      if let host = record.host { lines.append(host + (record.directory.map { ":\($0)" } ?? "")) }
      if let name = pane?.name { lines.append(name) }
      self.message = message("command:\(name)", report.title(text), lines.joined(separator: "\n"))
      self.message.priority = report.priority
      self.message.channel = record.directory.flatMap(Self.project)
      extras.group = report.group(text, in: record.directory)
    case .program(let text):
      let hook = ProgramHook(text, directory: record.directory)
      let session = hook.session ?? own
      let waiting = ProgramHook.waitingID(session)
      if hook.phase == .goesOn { ends = waiting }
      if hook.endsSession { jobs.remove(session) }
      isOnlyProgress = hook.isOnlyProgress
      if isOnlyProgress {
        self.message = message("", "")
        return
      }
      let project = hook.project ?? "?"
      // A hook without a session and a pane may belong to any job.
      let isKnown = hook.session != nil || pane != nil
      let word =
        isKnown ? jobs.word(session, of: project, in: pane, at: record.at).map { " (\($0))" } ?? "" : ""
      let sentence = hook.sentence
      let id = hook.phase == .waits ? waiting.text : "hook:\(session):\(hook.event)"
      self.message = message(
        id, sentence.isEmpty ? project + word : "\(project)\(word): \(sentence)", hook.body)
      if hook.event.isEmpty { self.message.remoteID = RemoteID("hook:\(name)") }
      // Two jobs may say the same.
      extras.group = self.message.remoteID.text
      self.message.channel = hook.project
      if hook.phase == .waits {
        self.message.tags = [Self.waitingTag]
        self.message.priority = Priority(4)
        waitingSession = session
      }
    }
    if !extras.isEmpty { self.message.extras = extras }
  }

  /// Whether the record makes no message, so that only `ends` is used.
  var isOnlyProgress = false

  /// The session whose program waits for the user, or `nil` if no program waits.
  var waitingSession: String?

  /// The tag of messages that wait for the user.
  static let waitingTag = "waiting"

  private static func project(_ directory: String) -> String? {
    directory.split(onBytes: "/").last.map(String.init)
  }
}
