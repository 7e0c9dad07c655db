import ArgumentParser
import Basics
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Subscriptions

/// `reddot push`
struct Push: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Add a message to the inbox, from a script.",
    discussion: """
      With --id, the same message is updated instead of repeated. If it was read or dismissed, it becomes \
      unread again. A link, priority, tags or group that you do not give stay unchanged.

      With --group, consecutive messages of the group are one row with their number, such as ×7, and the title \
      of the first, which is the newest unless the list has another order. Failures come first: with a \
      priority of 4 or 5 among them, the row has that priority and title. l shows them all. No setting is \
      needed for it.

      With --feed, the message goes to a team's hub, which [[hub]] in the settings names with the token, and \
      all readers of that feed get it. With --id, the whole message is replaced. A request without a response \
      is repeated, and is one message.

      EXAMPLES:
        reddot push "Backup done" --body "$(du -sh /backup)" --tag backup
        df -h / | reddot push "Disk" --body - --priority 4
        reddot run -- make test                      how a program ended
        reddot push "Disk at $use %" --id disk-use
        reddot push "Build 812 failed" --group builds
        reddot push "Bins out" --at "thu 18:00" --until "fri 9:00"
        reddot push "Stand-up" --every "weekday 9:45"        see reddot remind
        reddot push "Deployed" --markdown --body - <notes.md
        reddot push "Disk full" --feed ops --priority 5 --until 2h
        reddot push "Deployed" --hub team --feed news        one of several hubs
        some-tool --on-event 'reddot push --hook'            see reddot hooks
        reddot publisher apns make --title Deployed --badge 1 | reddot push --apns -
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The title.") var title: String?
  @Option(
    help: ArgumentHelp(
      "When the message appears, for example \"tomorrow 9\" (default: now).", valueName: "when"))
  var at: String?
  @Option(
    help: ArgumentHelp(
      "When the message recurs, for example \"weekday 9:45\"; see reddot remind.", valueName: "when"))
  var every: String?
  @OptionGroup var message: MessageOptions
  @OptionGroup var hub: HubOptions
  @Option(help: ArgumentHelp("An APNs payload instead of a title; - is standard input.", valueName: "file"))
  var apns: String?
  @Flag(
    help:
      "For hooks of programs: read a JSON object from standard input, or from the last argument; never fail and never wait."
  )
  var hook = false
  @Flag(
    help:
      "With --hook: a permission request is a question in the inbox, and its answer is printed for the program; nothing is printed without one."
  )
  var answer = false
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "With --answer: how long to wait for an answer, also without an inbox.", valueName: "time"))
  var time: LengthOfTime?
  @Option(help: ArgumentHelp("With --apns: the folder of its <language>.lproj folders.", valueName: "dir"))
  var strings: String?

  func validate() throws {
    if answer, !hook { throw ValidationError("--answer needs --hook") }
    if time != nil, !answer { throw ValidationError("--for needs --answer") }
    if hook { return }
    if hub.feed != nil {
      if apns != nil || every != nil {
        throw ValidationError("--apns and --every cannot be combined with --feed")
      }
      try message.validateForHub()
    }
    if apns != nil {
      if title != nil || at != nil || every != nil || message.isTextGiven {
        throw ValidationError("--apns contains the text; leave the title and its options out")
      }
      return
    }
    if strings != nil { throw ValidationError("--strings needs --apns") }
    guard let title else { throw ValidationError("give a title, or a payload with --apns") }
    if title.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw ValidationError("the title must not be empty")
    }
    if let every {
      if at != nil { throw ValidationError("give either --at or --every") }
      try message.validate(every: every, title: title)
    }
  }

  func run() async throws {
    if hook {
      let pane = TerminalPane(environment: Composition.environment().variables)
      let given = title.map { String(decoding: $0.utf8.prefix(Limits.hookBytes), as: UTF8.self) }
      let text = given ?? HookInput.text(within: answer ? Limits.answeredHookInputTime : Limits.hookInputTime)
      if answer {
        do {
          if let output = try await PermissionHook.answer(text, for: time?.duration, pane: pane, files) {
            return try Answer.print(output, terminator: "")
          }
        } catch {
          // The program asks the user on its own.
          HookLog.warn(Complaint.sentence(error) ?? "\(error)", Composition.environment())
        }
      }
      return await HookProgram.leave(.program(text), pane: pane, files)
    }
    let profile = try Composition.profile(files)
    if let target = hub.target {
      return try await message.publish(
        title: title ?? "", at: at, to: target, channel: hub.channel, in: profile)
    }
    if let every { return try await message.remind(every: every, title: title ?? "", in: profile) }
    try await profile.arrival(trouble: Complaint.print) { arrival in
      if let apns {
        try await push(payload: apns, by: arrival)
      } else {
        let own = await Panes(profile.environment).own()
        try await message.push(title: title ?? "", at: at, from: own, by: arrival)
      }
    }
  }

  private func push(payload: String, by arrival: MessageArrival) async throws {
    let pushed = try await arrival.pushAPNs(
      file: payload, id: message.id, newID: UUID().uuidString.lowercased(), strings: strings,
      into: message.source)
    for note in pushed.notes { Complaint.print(note) }
    if message.json, let message = pushed.message {
      try Answer.print(MessagePrinter(arrival.profile).json(message))
    }
  }
}
