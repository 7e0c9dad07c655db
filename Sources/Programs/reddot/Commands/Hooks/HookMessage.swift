import Basics
import Foundation
import Messages
import Platform

/// A record as a message.
struct HookMessage: Hashable, Sendable {
  var message: IncomingMessage
  /// The message that is over with it.
  var ends: RemoteID?

  /// - Parameters:
  ///   - name: of its file; what has no other name gets this one, so that storing it twice makes one message.
  ///   - pane: with what its program says of it.
  /// - Returns: nil where no message is made of it.
  init?(_ record: HookRecord, name: String, pane: TerminalPane?) {
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
      // A shell says 128 and more of what a signal ended.
      let report = ProgramReport(
        ending: status.map { $0 > 128 && $0 < 160 ? .signal($0 - 128) : .status($0) } ?? .unknown,
        duration: .seconds(max(0, seconds)), lines: [])
      var lines = [report.body]
      if let host = record.host { lines.append(host + (record.directory.map { ":\($0)" } ?? "")) }
      if let name = pane?.name { lines.append(name) }
      self.message = message("command:\(name)", report.title(text), lines.joined(separator: "\n"))
      self.message.priority = report.priority
      self.message.channel = record.directory.flatMap(Self.project)
      // One row for each command of a folder, never for a failure and a success together.
      let place = RemoteID.digest(of: "\(record.directory ?? "")\u{0}\(text)").text
      extras.group = (report.isSuccess ? "command:" : "failed command:") + place
    case .program(let text):
      let hook = ProgramHook(text, directory: record.directory)
      let session = hook.session ?? own
      let waiting = ProgramHook.waitingID(session)
      if hook.phase == .goesOn { ends = waiting }
      let project = hook.project ?? "?"
      let what = hook.title ?? (hook.event.isEmpty ? nil : hook.eventWords)
      let id = hook.phase == .waits ? waiting.text : "hook:\(session):\(hook.event)"
      self.message = message(id, what.map { "\(project): \($0)" } ?? project, hook.body)
      if hook.event.isEmpty { self.message.remoteID = RemoteID("hook:\(name)") }
      self.message.channel = hook.project
      if hook.phase == .waits {
        self.message.tags = [Self.waitingTag]
        self.message.priority = Priority(4)
      }
      isOnlyProgress = hook.isOnlyProgress
    }
    if !extras.isEmpty { self.message.extras = extras }
  }

  /// Only `ends` counts.
  var isOnlyProgress = false

  /// Of messages that wait for the person.
  static let waitingTag = "waiting"

  private static func project(_ directory: String) -> String? {
    directory.split(exactly: "/").last.map(String.init)
  }
}
